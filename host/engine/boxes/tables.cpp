#include "engine/boxes/tables.hpp"

#include "engine/boxes/parameters.hpp"
#include "number/mpfr.hpp"

#include <cmath>

namespace tmd::engine::boxes {

namespace {

using kernel_layout::u64;
constexpr long table_precision = 300;
constexpr int log_bits = 92;         // bits after the point of logarithms
constexpr int log_series_bits = 61;  // of the coefficients of log2(1 + r)/r
constexpr int inverse_ln2_bits = 90; // of the first of them
constexpr int exp_bits = 63;         // of powers of 2
constexpr int exp_series_bits = 64;  // of the coefficients of (2^r − 1)/r
constexpr int reciprocal_bits = 14;

// x·2^bits, rounded to nearest, modulo 2^128.
uint128 fixed(mpfr_srcptr x, int bits) {
  number::Mpfr scaled(table_precision);
  mpfr_mul_2si(scaled, x, bits, MPFR_RNDN);
  mpfr_rint(scaled, scaled, MPFR_RNDN);
  const bool is_negative = mpfr_sgn(static_cast<mpfr_srcptr>(scaled)) < 0;
  mpfr_abs(scaled, scaled, MPFR_RNDN);
  uint128 result = 0;
  for (int half = 0; half < 2; ++half) { // the upper 64 bits first
    number::Mpfr part(table_precision);
    mpfr_mul_2si(part, scaled, half == 0 ? -64 : 0, MPFR_RNDN);
    mpfr_floor(part, part);
    const u64 word = mpfr_get_ui(part, MPFR_RNDZ);
    result = result << 64 | word;
    mpfr_mul_2si(part, part, half == 0 ? 64 : 0, MPFR_RNDN);
    mpfr_sub(scaled, scaled, part, MPFR_RNDN);
  }
  return is_negative ? 0 - result : result;
}

// The constant ln 2.
number::Mpfr log_of_2() {
  number::Mpfr result(table_precision);
  mpfr_const_log2(result, MPFR_RNDN);
  return result;
}

// A number near the inverse of the middle of those significands that begin with these 12 bits; beside 1 and 2 a power
// of two, whose logarithm is exact, so that log2 x is accurate where it is small.
u64 reciprocal(u64 first_bits) {
  if (first_bits == TMD_LOG_ENTRIES)
    return u64(1) << reciprocal_bits;
  if (first_bits == 2 * TMD_LOG_ENTRIES - 1)
    return u64(1) << (reciprocal_bits - 1);
  const double middle = (static_cast<double>(first_bits) + 0.5) / TMD_LOG_ENTRIES;
  return static_cast<u64>(std::rint(std::ldexp(1 / middle, reciprocal_bits)));
}

void add_logarithms(std::vector<u64>& words) {
  number::Mpfr log(table_precision);
  for (u64 i = 0; i < TMD_LOG_ENTRIES; ++i) {
    const u64 c = reciprocal(TMD_LOG_ENTRIES + i);
    mpfr_set_ui_2exp(log, c, -reciprocal_bits, MPFR_RNDN);
    mpfr_log2(log, log, MPFR_RNDN);
    mpfr_neg(log, log, MPFR_RNDN);
    const uint128 value = fixed(log, log_bits);
    words.push_back(c << 32 | static_cast<u64>(value >> 64));
    words.push_back(static_cast<u64>(value));
  }
}

// Appends the coefficients (−1)^(n−1)/(n·ln 2).
void add_log_series(std::vector<u64>& words) {
  number::Mpfr term(table_precision);
  mpfr_ui_div(term, 1, log_of_2(), MPFR_RNDN);
  const uint128 first = fixed(term, inverse_ln2_bits);
  words.push_back(static_cast<u64>(first >> 64));
  words.push_back(static_cast<u64>(first));
  for (int n = 2; n < TMD_SERIES; ++n) {
    mpfr_mul_si(term, log_of_2(), n % 2 == 0 ? -n : n, MPFR_RNDN);
    mpfr_ui_div(term, 1, term, MPFR_RNDN);
    words.push_back(static_cast<u64>(fixed(term, log_series_bits)));
  }
}

// Appends the coefficients (ln 2)^n/n!, from n = 1 on; the first word is not used.
void add_exp_series(std::vector<u64>& words) {
  number::Mpfr term(table_precision);
  mpfr_set_ui(term, 1, MPFR_RNDN);
  words.push_back(0);
  for (unsigned n = 1; n < TMD_SERIES; ++n) {
    mpfr_mul(term, term, log_of_2(), MPFR_RNDN);
    mpfr_div_ui(term, term, n, MPFR_RNDN);
    words.push_back(static_cast<u64>(fixed(term, exp_series_bits)));
  }
}

} // namespace

std::vector<std::uint64_t> power_tables() {
  std::vector<u64> words;
  words.reserve(TMD_POWER_TABLES);
  add_logarithms(words);
  add_log_series(words);
  number::Mpfr power(table_precision);
  for (long i = 0; i < TMD_EXP_ENTRIES; ++i) {
    mpfr_set_si_2exp(power, i, -8, MPFR_RNDN);
    mpfr_exp2(power, power, MPFR_RNDN);
    words.push_back(static_cast<u64>(fixed(power, exp_bits)));
  }
  add_exp_series(words);
  return words;
}

} // namespace tmd::engine::boxes
