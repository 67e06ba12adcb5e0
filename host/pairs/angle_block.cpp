// One polynomial in 126-bit fixed point, enclosed by Arb, gives the tangents of a block of breakpoints. Near the poles,
// where no polynomial serves, breakpoints are taken one at a time.
#include "pairs/angle_block.hpp"

#include "number/arb.hpp"
#include "pairs/near_multiples.hpp"
#include "tmd/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

constexpr long precision_of_series = 192;
constexpr int fraction_bits = 126;   // φ < 4
constexpr long greatest_error = -66; // log2, of φ: a quarter of the error of its 64 bits
// With a larger tolerance, the distance from an integer does not separate neighbouring multiples of φ any more.
constexpr long greatest_tolerance = -2; // log2

// The tangent and its derivatives at an angle and at all angles within `margin` spacings of it, as coefficients in the
// number of spacings.
number::ArbVector tangents(const AngleStrip& strip, bool shifted, bool half_turns, std::uint64_t n,
                           const number::Bound& margin, long length) {
  number::ArbVector series(2);
  number::set(series[0], 2 * uint128(n) + (shifted ? 1 : 0));
  arb_mul_2exp_si(series[0], series[0], strip.spacing - 1);
  number::Arb width;
  arb_set_d(width, margin.value()); // which rounds up
  arb_mul_2exp_si(width, width, strip.spacing);
  arb_add_error(series[0], width);
  arb_one(series[1]);
  arb_mul_2exp_si(series[1], series[1], strip.spacing);
  if (half_turns) {
    number::Arb pi;
    arb_const_pi(pi, precision_of_series);
    for (long i = 0; i < 2; ++i)
      arb_mul(series[i], series[i], pi, precision_of_series);
  }
  number::ArbVector result(length);
  _arb_poly_tan_series(result.data(), series.data(), 2, length, precision_of_series);
  if (strip.left)
    for (long i = 0; i < length; ++i)
      arb_neg(result[i], result[i]);
  return result;
}

// The e with 2^(e − 1) ≤ θ < 2^e for the least θ of the ball, or one less; nothing if θ may be 0 or less.
std::optional<int> exponent_below(arb_srcptr theta) {
  number::Arb least;
  arb_get_lbound_arf(mid(least), theta, precision_of_series);
  if (arb_is_positive(least) == 0)
    return std::nullopt;
  number::Mpfr number(precision_of_series);
  arf_get_mpfr(number, mid(least), MPFR_RNDD);
  return static_cast<int>(mpfr_get_exp(static_cast<mpfr_srcptr>(number)));
}

// Whether a ball's ends differ by a 16th of it at most.
bool is_narrow(arb_srcptr ball) { return arb_is_finite(ball) != 0 && arb_rel_accuracy_bits(ball) >= 6; }

} // namespace

std::optional<AngleBlock> AngleBlock::plan(const PairJob& job, const AngleStrip& strip, std::uint64_t first,
                                           std::uint64_t count) {
  const bool half_turns = job.function->name == "atan2pi";
  const bool shifted = job.grid().shifted();
  const std::uint64_t half = count / 2;
  const std::uint64_t middle = first + half;
  const number::Bound epsilon = number::Bound::power_of_two(-job.K);
  const number::ArbVector at_middle = tangents(strip, shifted, half_turns, middle, number::Bound(), degree + 1);
  const number::ArbVector around =
      tangents(strip, shifted, half_turns, middle, number::Bound(half) + epsilon, degree + 2);
  if (arb_is_finite(around[0]) == 0 || arb_is_positive(around[0]) == 0) {
    if (count > 1)
      return std::nullopt;
    throw UsageError(
        fmt::format("--bits {} is too small to separate values at a pole of the tangent from the breakpoint next to "
                    "them; choose a greater one",
                    job.K));
  }
  if (count > 1 && !is_narrow(around[0]))
    return std::nullopt;
  AngleBlock block;
  block.first_ = -static_cast<std::int64_t>(half);
  block.end_ = block.first_ + static_cast<std::int64_t>(count);
  block.precision_ = job.format.precision;
  block.exponent_ = exponent_below(count > 1 ? around[0] : at_middle[0]).value();
  const long scale = 1 - block.exponent_;

  // The error of the polynomial of degree 5 with rounded coefficients: the remainder, and half a unit for each
  // coefficient.
  if (half > 0)
    block.ledger_.phi =
        number::Bound::of(around[degree + 1]).scaled(scale) * number::power(number::Bound(half), degree + 1);
  for (int j = 0; j <= degree && (j == 0 || half > 0); ++j) {
    const number::Bound of_coefficient =
        number::Bound::radius_of(at_middle[j]).scaled(scale) + number::Bound::power_of_two(-fraction_bits - 1);
    block.ledger_.phi += of_coefficient * number::power(number::Bound(half), static_cast<unsigned>(j));
    number::Arb scaled;
    arb_mul_2exp_si(scaled, at_middle[j], scale + fraction_bits);
    number::Integer nearest;
    arf_get_fmpz(nearest, mid(scaled), ARF_RND_NEAR);
    std::array<std::uint64_t, 2> words{};
    number::write_words(nearest, 2, words.data());
    block.coefficients_.at(static_cast<std::size_t>(j)) = (uint128(words[0]) << 64) | words[1];
  }
  if (!(block.ledger_.phi < number::Bound::power_of_two(greatest_error)) && count > 1)
    return std::nullopt;
  block.ledger_.phi += number::Bound(2).scaled(-64); // φ is cut to 64 bits, the last of them 1

  // An angle within ε spacings has a tangent within ε·max |dθ/dn| of θ, and x < 2^p.
  block.ledger_.values = epsilon * number::Bound::of(around[1]).scaled(scale + job.format.precision);
  if (strip.repeats > 0) { // θ differs from that of an angle 2^j times as large by θ³/3 (1 + …) < θ³/2: φ·θ²/2, φ < 4
    const number::Bound theta = number::Bound::of(around[0]);
    block.ledger_.values += theta * theta * number::Bound::power_of_two(1 + job.format.precision);
  }
  return block;
}

uint128 AngleBlock::phi(std::int64_t i) const {
  const auto by = static_cast<uint128>(static_cast<int128>(i));
  uint128 value = coefficients_.back();
  for (auto next = coefficients_.rbegin() + 1; next != coefficients_.rend(); ++next)
    value = value * by + *next;
  return value;
}

void AngleBlock::each_fraction(const Take& take) const {
  const bool is_sharp = ledger_.values < number::Bound::power_of_two(greatest_tolerance);
  for (std::int64_t i = first_; i < end_; ++i) {
    if (is_sharp)
      near_one(phi(i), take);
    else
      each_numerator(phi(i), take);
  }
}

// Requires x < 2^p.
void AngleBlock::near_one(uint128 phi, const Take& take) const {
  const auto whole = static_cast<std::uint64_t>(phi >> fraction_bits);
  const std::uint64_t fraction = static_cast<std::uint64_t>(phi >> (fraction_bits - 64)) | 1U;
  const std::uint64_t end = std::uint64_t{1} << precision_;
  const std::uint64_t tau = (ledger_.values + ledger_.phi.scaled(precision_)).fixed_point();
  near_multiples(fraction, tau, end, [&](std::uint64_t x) {
    if (x < end / 2)
      return;
    const uint128 product = uint128(fraction) * x + (uint128(1) << 63);
    take(whole * x + static_cast<std::uint64_t>(product >> 64), x, exponent_ - 1);
  });
}

// For fractions so many that all x are tried. Tries halves of y too, since φ·x may be below 2^(p − 1) by more than 1/2.
// The double φ·x has an error below 2^-10.
void AngleBlock::each_numerator(uint128 phi, const Take& take) const {
  const double tau = 2 * ledger_.values.value() + std::ldexp(1, -10);
  const double twice = std::ldexp(static_cast<double>(phi), 1 - fraction_bits);
  const std::uint64_t end = std::uint64_t{1} << precision_;
  if (tau > static_cast<double>(end) / 8)
    throw UsageError("--bits is too small: next to a pole of the tangent too many pairs are cases");
  for (std::uint64_t x = end / 2; x < end; ++x) {
    const double y = twice * static_cast<double>(x);
    const auto last = static_cast<std::uint64_t>(y + tau);
    for (auto one = static_cast<std::uint64_t>(std::ceil(y - tau)); one <= last; ++one)
      take(one, x, exponent_ - 2);
  }
}

} // namespace tmd::pairs
