// The kernels' own text, included as C++, for polynomials in limbs of 32 bits, with the sizes that host and kernels
// must agree on; and an evaluation of every argument of a batch with it.
#include "engine/wide/reference.hpp"

#include "engine/kernel_text.hpp"
#include "engine/wide/tunables.hpp"
#include "number/arb.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace tmd::engine::wide {

namespace {

using namespace kernel_text;

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/common/vector.clh"
#include "cl_kernels/common/vector32.clh"
#include "cl_kernels/wide/polynomial.clh"
// NOLINTEND
// clang-format on

constexpr std::size_t limb_bits = 32;
// The host's layout of a record must be the kernels'.
static_assert(record_limbs == TMD_RECORD_FLOATS);
static_assert(record_size == TMD_RECORD_LIMBS);
static_assert(source_words == TMD_SOURCE_WORDS);
static_assert(least_coefficient_words == TMD_LEAST_WORDS && most_coefficient_words == TMD_MOST_WORDS &&
              usual_coefficient_words == TMD_USUAL_WORDS);
static_assert(most_sub_bits == TMD_MOST_SUB_BITS);
static_assert(horner_of_value == TMD_VALUE_ERROR && horner_of_slope == TMD_SLOPE_ERROR);
// A work-item has two groups, each with its lines, its place, a run of lines that waits and a candidate that is held.
// The rest is for the counters of the whole work-group.
static_assert(sorted_bytes_per_work_item >=
              2 * (TMD_STORED_FIELDS * sizeof(float) + 2 * sizeof(std::uint32_t) + sizeof(std::uint64_t)));
static_assert(sorted_bytes >= (2 * TMD_SORTED_LENGTHS + 8) * sizeof(std::uint32_t));

// The first `count` limbs of number·2^−unit_bits modulo 1.
void to_limbs(const number::Integer& number, std::size_t unit_bits, std::size_t count, kernel_layout::u32* out) {
  number::Integer limb;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bits = limb_bits * (i + 1); // bits below the point, to which the limb extends
    if (bits <= unit_bits) {
      fmpz_fdiv_q_2exp(limb, number, unit_bits - bits);
    } else {
      fmpz_mul_2exp(limb, number, bits - unit_bits);
    }
    fmpz_fdiv_r_2exp(limb, limb, limb_bits);
    out[i] = static_cast<kernel_layout::u32>(fmpz_get_ui(limb));
  }
}

} // namespace

std::vector<SubIntervalPolynomial> sub_interval_polynomials(const WidePolynomial& polynomial, std::uint64_t first,
                                                            std::uint64_t count) {
  std::vector<std::uint64_t> origins(count);
  for (std::uint64_t at = 0; at < count; ++at)
    origins[at] = (first + at) << polynomial.sub_bits();
  return polynomials_at(polynomial, origins);
}

std::vector<SubIntervalPolynomial> polynomials_at(const WidePolynomial& polynomial,
                                                  std::span<const std::uint64_t> origins) {
  const auto words = static_cast<std::size_t>(polynomial.words());
  const auto size = static_cast<std::size_t>(polynomial.size());
  const auto sub_bits = static_cast<std::size_t>(polynomial.sub_bits());
  // All coefficients in the unit of the finest one.
  const std::size_t unit_bits = 64 * (words - whole_coefficient_words) + sub_bits * (size - 1);
  std::vector<number::Integer> coefficients(size);
  for (std::size_t j = 0; j < size; ++j) {
    number::Integer& coefficient = coefficients[j];
    for (std::size_t w = 0; w < words; ++w) {
      fmpz_mul_2exp(coefficient, coefficient, 64);
      fmpz_add_ui(coefficient, coefficient, polynomial.coefficients()[j * words + w]);
    }
    // The representative modulo 2^128 of least size: coefficients of degrees above 4 are far below that, for a plan has
    // a small beyond(), and for the others the difference vanishes modulo 1.
    if (fmpz_tstbit(coefficient, 64 * words - 1) != 0) {
      number::Integer turn;
      fmpz_set_ui(turn, 1);
      fmpz_mul_2exp(turn, turn, 64 * words);
      fmpz_sub(coefficient, coefficient, turn);
    }
    fmpz_mul_2exp(coefficient, coefficient, sub_bits * (size - 1 - j));
  }
  std::vector<SubIntervalPolynomial> result(origins.size());
  number::Integer origin;
  for (std::size_t at = 0; at < origins.size(); ++at) {
    fmpz_set_ui(origin, origins[at]);
    // Ruffini's and Horner's shift, up to the record's degree.
    std::vector<number::Integer> shifted = coefficients;
    kernel_layout::u32* out = result[at].data();
    for (std::size_t j = 0; j <= sub_interval_degree; ++j) {
      for (std::size_t k = size - 1; k-- > j;)
        fmpz_addmul(shifted[k], shifted[k + 1], origin);
      const std::size_t limbs = j + 2;
      to_limbs(j < size ? shifted[j] : number::Integer(), unit_bits, limbs, out);
      out += limbs;
    }
  }
  return result;
}

double coefficient_in(const SubIntervalPolynomial& polynomial, int j) {
  const int limbs = j + 2;
  const kernel_layout::u32* limb = polynomial.data() + (limbs - 2) * (limbs + 1) / 2; // 2 + 3 + … before it
  double value = (limb[0] >> (limb_bits - 1)) != 0 ? -1 : 0;
  // From the most significant limb on: the parts that cancel are exact.
  for (int i = 0; i < limbs; ++i)
    value += std::ldexp(static_cast<double>(limb[i]), -static_cast<int>(limb_bits) * (i + 1));
  return value;
}

std::array<double, 3> float_factors(int sub_bits, int group_bits) {
  const int scale = 2 * (group_bits - 1);
  return {std::exp2(scale), 3 * std::exp2(scale + sub_bits), 6 * std::exp2(scale + 2.0 * sub_bits)};
}

SubIntervalRecord record_of(const SubIntervalPolynomial& polynomial, int sub_bits, int group_bits) {
  SubIntervalRecord record{};
  std::copy(polynomial.begin(), polynomial.end(), record.begin());
  const std::array<double, 3> factors = float_factors(sub_bits, group_bits);
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const auto value = static_cast<float>(coefficient_in(polynomial, static_cast<int>(k) + 2) * factors.at(k));
    std::memcpy(record.data() + polynomial.size() + k, &value, sizeof value);
  }
  return record;
}

std::uint32_t sum_of_record(const SubIntervalRecord& record, std::uint64_t place) {
  static_assert(TMD_RECORD_SUM + 1 == record_size);
  return std::accumulate(record.begin(), record.end() - 1, TMD_RECORD_KEY * static_cast<std::uint32_t>(place + 1));
}

std::uint64_t value_in(const SubIntervalPolynomial& polynomial, std::uint64_t t) {
  return value_at(polynomial.data(), t);
}

std::vector<SubIntervalPolynomial> polynomials_of(const WideBatch& batch, std::uint64_t first, std::uint64_t count) {
  std::vector<SubIntervalPolynomial> result;
  std::uint64_t before = 0;
  for (const WideSource& source : batch.sources) {
    const std::uint64_t from = std::max(before, first);
    const std::uint64_t to = std::min(before + source.count, first + count);
    if (from < to) {
      const auto some = sub_interval_polynomials(*source.polynomial, source.first + (from - before), to - from);
      result.insert(result.end(), some.begin(), some.end());
    }
    before += source.count;
  }
  return result;
}

std::vector<std::uint64_t> sweep_on_host(const WideBatch& batch) {
  const kernel_layout::u64 bound = batch.parameters.offset;
  const kernel_layout::u64 size = kernel_layout::u64(1) << batch.parameters.sub_bits;
  std::vector<kernel_layout::u64> result;
  kernel_layout::u64 argument = 0;
  for (const SubIntervalPolynomial& record : polynomials_of(batch, 0, batch.sub_intervals))
    for (kernel_layout::u64 t = 0; t < size && argument < batch.argument_limit; ++t, ++argument)
      if (value_in(record, t) + bound < 2 * bound)
        result.push_back(argument);
  return result;
}

} // namespace tmd::engine::wide
