// Sums are integers in units so small that a number of 32 bits has 2^28 of them or more between breakpoints.
#include "library/gamma_results.hpp"

#include "library/coded_results.hpp"
#include "library/right_results.hpp"
#include "number/arb.hpp"
#include "number/bound.hpp"
#include "tmd/integer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace tmd::library {

namespace {

constexpr long working_bits = 128;
constexpr int run_degree = 4;
constexpr int least_unit = -14;            // below this, polynomials serve a few thousand arguments of a unit or more
constexpr std::uint64_t least_number = 64; // from here on lgamma(-u) has no zero, and is below -190
constexpr std::size_t most_of_run = 4096;
constexpr int run_bits = 11;   // a run has at most 2^-11 of the numbers of a binade, or is one number
constexpr int value_bits = 62; // of the sums
// In units: half of one for each of the table's entry, the polynomial and rounding it, and what rounds in double.
constexpr std::int64_t sum_error = 2;

// u, or the numbers of a run.
number::Arb numbers(const job::Stretch& stretch, std::size_t first, std::size_t count) {
  number::Arb result;
  number::set_interval(result, stretch.first + first, stretch.first + first + (count - 1));
  arb_mul_2exp_si(result, result, stretch.unit_exponent);
  return result;
}

// log|sin(π·r)| - log π for r = numerator/2^bits.
void log_sine(arb_ptr result, std::uint64_t numerator, int bits) {
  number::Arb r;
  arb_set_ui(r, numerator);
  arb_mul_2exp_si(r, r, -bits);
  arb_sin_pi(result, r, working_bits);
  arb_const_pi(r, working_bits);
  arb_div(result, result, r, working_bits);
  arb_log(result, result, working_bits);
}

// The nearest integer, which is subtracted from the ball.
std::int64_t take_nearest(arb_ptr ball) {
  number::Integer nearest;
  arf_get_fmpz(nearest, arb_midref(ball), ARF_RND_NEAR);
  arb_sub_fmpz(ball, ball, nearest, ARF_PREC_EXACT);
  return fmpz_get_si(nearest);
}

} // namespace

std::unique_ptr<GammaResults> GammaResults::of(const function::Function& function, const Encodings& encodings) {
  const bool is_logarithm = function.name == "lgamma";
  if (!is_logarithm && function.name != "tgamma")
    return nullptr;
  return std::unique_ptr<GammaResults>(new GammaResults(function, encodings, is_logarithm));
}

bool GammaResults::serves(const job::Stretch& stretch) const {
  if (!stretch.negative || stretch.unit_exponent >= 0 || stretch.unit_exponent < least_unit ||
      stretch.first >> -stretch.unit_exponent < least_number)
    return false;
  return is_logarithm_ || is_tiny(stretch);
}

// Whether all values but those at integers are below a quarter of the least number.
bool GammaResults::is_tiny(const job::Stretch& stretch) const {
  number::Arb most;
  number::Arb sine;
  arb_add_ui(most, numbers(stretch, 0, 1), 1, working_bits);
  arb_lgamma(most, most, working_bits);
  log_sine(sine, 1, -stretch.unit_exponent);
  arb_add(most, most, sine, working_bits);
  arb_neg(most, most);
  arb_exp(most, most, working_bits);
  const Format& format = encodings_.format();
  return number::Bound::of(most) < number::Bound::power_of_two(format.min_exponent - format.precision - 1);
}

void GammaResults::fill_table(int unit_exponent) {
  const int bits = -unit_exponent;
  number::Arb value; // at the end of the binade
  arb_set_ui(value, 1);
  arb_mul_2exp_si(value, value, encodings_.format().precision + unit_exponent);
  arb_add_ui(value, value, 1, working_bits);
  arb_lgamma(value, value, working_bits);
  scale_ = value_bits - static_cast<int>(number::Bound::of(value).log2()) - 1;
  table_.assign(std::size_t(1) << bits, 0);
  for (std::uint64_t i = 1; i <= table_.size() / 2; ++i) {
    log_sine(value, i, bits);
    arb_mul_2exp_si(value, value, scale_);
    table_[i] = table_[table_.size() - i] = take_nearest(value);
  }
  unit_exponent_ = unit_exponent;
}

GammaResults::Run GammaResults::run(const job::Stretch& stretch, std::size_t first, std::size_t count) const {
  const std::size_t middle = first + count / 2;
  number::Arb at = numbers(stretch, middle, 1);
  number::Arb all = numbers(stretch, first, count);
  arb_add_ui(at, at, 1, working_bits);
  arb_add_ui(all, all, 1, working_bits);
  number::ArbVector coefficients(run_degree + 1);
  number::ArbVector enclosures(run_degree + 2);
  function_.series(coefficients.data(), at, run_degree + 1, working_bits);
  function_.series(enclosures.data(), all, run_degree + 2, working_bits);
  const number::Bound radius(static_cast<std::uint64_t>(count / 2));
  const auto in_units = [&](arb_ptr value, int j) {
    arb_mul_2exp_si(value, value, scale_ + j * stretch.unit_exponent);
  };
  Run result;
  number::Bound power(1);
  number::Bound error;
  number::Bound size;
  for (int j = 0; j <= run_degree; ++j, power = power * radius) {
    in_units(coefficients[j], j);
    if (j == 0)
      result.constant = take_nearest(coefficients[j]);
    if (j == 1)
      result.slope = take_nearest(coefficients[j]);
    error += number::Bound::radius_of(coefficients[j]) * power;
    size += number::Bound::of(coefficients[j]) * power;
    result.coefficients.push_back(arf_get_d(arb_midref(static_cast<arb_srcptr>(coefficients[j])), ARF_RND_NEAR));
  }
  in_units(enclosures[run_degree + 1], run_degree + 1);
  error += number::Bound::of(enclosures[run_degree + 1]) * power + size * number::Bound(2 * run_degree + 2).scaled(-53);
  result.is_certain = error < number::Bound::power_of_two(-1);
  return result;
}

bool GammaResults::enter(std::int64_t size, std::size_t at, RightResults& results) const {
  const Format& format = encodings_.format();
  const auto bits = static_cast<std::uint64_t>(size);
  const int shift = static_cast<int>(std::bit_width(bits)) - format.precision;
  const int exponent = static_cast<int>(std::bit_width(bits)) - 1 - scale_;
  const auto whole = static_cast<std::int64_t>(std::uint64_t(1) << shift);
  const auto rest = static_cast<std::int64_t>(bits & (static_cast<std::uint64_t>(whole) - 1));
  if (rest <= sum_error || whole - rest <= sum_error || std::abs(rest - whole / 2) <= sum_error)
    return false;
  const auto sign = static_cast<std::uint64_t>(encodings_.sign());
  const bool is_beyond = exponent > format.max_exponent;
  results.toward_zero[at] =
      sign | (is_beyond ? static_cast<std::uint64_t>(encodings_.infinity()) - 1
                        : (static_cast<std::uint64_t>(exponent - format.min_exponent) << (format.precision - 1)) +
                              (bits >> shift));
  results.fraction[at] = is_beyond ? 1 : std::ldexp(static_cast<double>(rest), -shift);
  results.error = std::max(results.error, std::ldexp(static_cast<double>(sum_error), -shift));
  return true;
}

std::vector<std::size_t> GammaResults::find(const job::Stretch& stretch, RightResults& results) {
  if (is_logarithm_ && unit_exponent_ != stretch.unit_exponent)
    fill_table(stretch.unit_exponent);
  const int bits = -stretch.unit_exponent;
  const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
  const auto start = static_cast<std::uint64_t>(stretch.first);
  const std::size_t longest = std::clamp<std::size_t>(
      std::size_t(1) << std::max(encodings_.format().precision - 1 - run_bits, 0), 1, most_of_run);
  std::optional<RightResult> at_pole; // C prescribes the same at all
  std::vector<std::size_t> open;
  for (std::size_t begin = 0; begin < results.fraction.size(); begin += longest) {
    const std::size_t count = std::min(longest, results.fraction.size() - begin);
    const Run polynomial = is_logarithm_ ? run(stretch, begin, count) : Run{};
    for (std::size_t i = begin; i < begin + count; ++i) {
      const std::uint64_t number = start + i;
      const std::uint64_t fraction = number & mask;
      bool is_known = true;
      if (fraction == 0) {
        if (!at_pole)
          at_pole = right_in_c(function_, encodings_, encodings_.code(stretch.argument(i)));
        is_known = results.set(i, at_pole);
      } else if (!is_logarithm_) {
        const bool negative = (number >> bits) % 2 == 0;
        results.toward_zero[i] = negative ? static_cast<std::uint64_t>(encodings_.sign()) : 0;
        results.fraction[i] = RightResults::least_fraction;
      } else {
        const auto t = static_cast<std::int64_t>(i - begin) - static_cast<std::int64_t>(count / 2);
        double rest = polynomial.coefficients[run_degree];
        for (std::size_t j = run_degree; j-- > 0;)
          rest = rest * static_cast<double>(t) + polynomial.coefficients[j];
        const std::int64_t size = polynomial.constant + polynomial.slope * t + std::llround(rest) + table_[fraction];
        is_known = polynomial.is_certain && enter(size, i, results);
      }
      if (!is_known)
        open.push_back(i);
    }
  }
  return open;
}

} // namespace tmd::library
