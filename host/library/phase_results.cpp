#include "library/phase_results.hpp"

#include "library/right_results.hpp"
#include "number/bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace tmd::library {

namespace {

constexpr long precision = 128;
constexpr double largest_error = 0x1p-12; // of a fraction; next to a pole or a zero the error would be larger
constexpr double open_fraction = std::numeric_limits<double>::quiet_NaN();

// The signs of f in the middle of each quarter of two periods. Since |f| repeats and f is analytic, f repeats or
// changes its sign with each period, so these signs hold everywhere. Nothing if one of them is not proven.
std::optional<std::array<bool, 4>> signs_of(const function::Function& function, const function::Phase& phase) {
  std::array<bool, 4> negative{};
  for (std::size_t quarter = 0; quarter < negative.size(); ++quarter) {
    number::Arb x;
    phase.period(x, precision);
    number::Arb factor;
    arb_set_d(factor, (static_cast<double>(quarter) + 0.5) / 2 - (phase.shifted ? 0.5 : 0));
    arb_mul(x, x, factor, precision);
    number::Arb value;
    function.series(value, x, 1, precision);
    if (arb_is_positive(value) == 0 && arb_is_negative(value) == 0)
      return std::nullopt;
    negative.at(quarter) = arb_is_negative(value) != 0;
  }
  return negative;
}

// 2^exponent/(2·period) modulo 1 in units of 2^-128, with an error of at most one unit.
uint128 turns_of_unit(const function::Phase& phase, int exponent) {
  constexpr long word_bits = 128;
  const long bits = 2 * word_bits + std::max(exponent, 0);
  number::Arb turns;
  phase.period(turns, bits);
  arb_inv(turns, turns, bits);
  arb_mul_2exp_si(turns, turns, exponent - 1 + word_bits);
  number::Integer nearest;
  arf_get_fmpz(nearest, mid(turns), ARF_RND_NEAR);
  std::array<std::uint64_t, 2> words{};
  number::write_words(nearest, 2, words.data());
  return uint128(words[0]) << 64 | words[1];
}

} // namespace

std::unique_ptr<PhaseResults> PhaseResults::of(const function::Function& function, const Format& format) {
  if (!function.phase || function.phase->kind != function::Phase::Kind::folded)
    return nullptr;
  const auto negative = signs_of(function, *function.phase);
  if (!negative)
    return nullptr;
  return std::unique_ptr<PhaseResults>(new PhaseResults(*function.phase, format, *negative));
}

bool PhaseResults::serves(const job::Stretch& stretch) {
  constexpr int least_unit = -14; // below this, a polynomial serves a few thousand arguments or more
  return stretch.unit_exponent >= least_unit;
}

PhaseResults::PhaseResults(const function::Phase& phase, Format format, const std::array<bool, 4>& negative)
    : phase_(&phase), format_(std::move(format)), negative_(negative) {
  for (std::uint64_t number = 0; number < std::uint64_t(1) << cell_bits; ++number)
    cells_.push_back(cell(number));
}

// The phases of a cell lie within half a cell of (2·number + 1)/2^(cell_bits + 2). Beside the errors of the polynomial
// and its evaluation (right_results.hpp), s may be off by 2^-62.
PhaseResults::Cell PhaseResults::cell(std::uint64_t number) const {
  constexpr long half = -(cell_bits + 2); // log2 of half a cell
  number::Arb centre;
  arb_set_ui(centre, 2 * number + 1);
  arb_mul_2exp_si(centre, centre, half);
  number::Arb all = centre;
  arb_add_error_2exp_si(all, half);
  number::ArbVector coefficients(degree + 2);
  number::ArbVector enclosures(degree + 2);
  phase_->of_phase(coefficients.data(), centre, degree + 1, precision);
  phase_->of_phase(enclosures.data(), all, degree + 2, precision);
  number::Bound error = number::Bound::of(enclosures[degree + 1]).scaled((degree + 1) * half);
  number::Bound size;
  number::Bound slope;
  Cell result;
  for (int j = 0; j <= degree; ++j) {
    arb_mul_2exp_si(coefficients[j], coefficients[j], j * half);
    const number::Bound term = number::Bound::of(coefficients[j]);
    size += term;
    slope += term * number::Bound(static_cast<std::uint64_t>(j));
    error += number::Bound::radius_of(coefficients[j]);
    result.coefficients.at(static_cast<std::size_t>(j)) =
        arf_get_d(arb_midref(static_cast<arb_srcptr>(coefficients[j])), ARF_RND_NEAR);
  }
  error += size * number::Bound(2 * degree + 2).scaled(-53) + slope.scaled(-62) + number::Bound::power_of_two(-1000);
  result.error = error.is_finite() ? error.value() : std::numeric_limits<double>::infinity();
  return result;
}

void PhaseResults::find(const job::Stretch& stretch, RightResults& results) const {
  constexpr int double_bits = std::numeric_limits<double>::digits;
  constexpr int bias = std::numeric_limits<double>::max_exponent - 1;
  const int rest_bits = double_bits - format_.precision; // bits of a double beyond those of the format
  const std::uint64_t rest_mask = (std::uint64_t(1) << rest_bits) - 1;
  const std::uint64_t sign = std::uint64_t(1) << (short_encoding_bits(format_) - 1);
  const uint128 unit = turns_of_unit(*phase_, stretch.unit_exponent);
  const uint128 step = stretch.negative ? -unit : unit;
  // x/(2·period) modulo 1, in units of 2^-128: its first two bits are the quarter of two periods that x lies in.
  uint128 turns = step * stretch.first + (phase_->shifted ? uint128(1) << 126 : 0);
  for (std::size_t i = 0; i < results.fraction.size(); ++i, turns += step) {
    const auto quarter = static_cast<unsigned>(turns >> 126);
    const uint128 within = quarter % 2 == 0 ? turns << 2 : ~(turns << 2);
    const Cell& cell = cells_[static_cast<std::size_t>(within >> (128 - cell_bits))];
    const auto offset =
        static_cast<std::int64_t>(static_cast<std::uint64_t>((within << cell_bits) >> 64) ^ std::uint64_t(1) << 63);
    const double s = static_cast<double>(offset) * 0x1p-63;
    double value = cell.coefficients[degree];
    for (std::size_t j = degree; j-- > 0;)
      value = value * s + cell.coefficients[j];
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>(bits >> (double_bits - 1)) - bias;
    results.fraction[i] = open_fraction;
    if (!(value > 0) || exponent < format_.min_exponent || exponent > format_.max_exponent)
      continue;
    const double fraction = static_cast<double>(static_cast<std::int64_t>(bits & rest_mask)) * power_of_two(-rest_bits);
    const double error = cell.error * power_of_two(format_.precision - 1 - exponent);
    if (!(error < largest_error && fraction > error && 1 - fraction > error && std::fabs(fraction - 0.5) > error))
      continue;
    const std::uint64_t significand = (bits & ((std::uint64_t(1) << (double_bits - 1)) - 1)) >> rest_bits;
    results.toward_zero[i] =
        (static_cast<std::uint64_t>(exponent - format_.min_exponent + 1) << (format_.precision - 1)) + significand +
        (negative_.at(quarter) ? sign : 0);
    results.fraction[i] = fraction;
    results.error = std::max(results.error, error);
  }
}

} // namespace tmd::library
