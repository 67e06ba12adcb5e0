// A neighbourhood is halved until an enclosure shows all of its values to lie in one binade and a polynomial of
// moderate degree serves it.
#include "library/neighbourhood.hpp"

#include "format/grid.hpp"
#include "job/pieces.hpp"
#include "number/rotation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tmd::library {

namespace {

constexpr int highest_degree = 12;
constexpr int least_bits = 6; // fewer arguments are as cheap with MPFR
constexpr int bits_less = 3;  // log2 of the factor by which the next neighbourhood tried is smaller
// Bits of the remainder beyond those of the format: values of a binade hardly come nearer to breakpoints.
constexpr int more_bits = 11;
constexpr long enclosure_precision = 96;
constexpr double circle = 0x1p64;
constexpr std::uint64_t longest_piece = std::uint64_t(1) << 26;

// The nearest multiple of 2^-bits; the ball must be less than 2^(127 − bits).
int128 fixed_point(arb_srcptr ball, int bits) {
  number::Arb scaled;
  arb_mul_2exp_si(scaled, ball, bits);
  number::Integer nearest;
  arf_get_fmpz(nearest, mid(scaled), ARF_RND_NEAR);
  std::array<std::uint64_t, 2> words{};
  number::write_words(nearest, 2, words.data());
  return static_cast<int128>(uint128(words[0]) << 64 | words[1]);
}

// value·t/2^bits for |t| ≤ 2^bits, rounded down twice.
int128 times(int128 value, std::int64_t t, int bits) {
  const auto high = static_cast<std::int64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return (int128(high) * t << (64 - bits)) + (int128(low) * t >> bits);
}

} // namespace

NearestBreakpoint nearest_breakpoint(double fraction) {
  const double halves = 2 * fraction;
  const double nearest = std::round(halves);
  const double off = halves - nearest;
  return {nearest == 1, off > 0, off == 0 ? hardest_bits : std::min(hardest_bits, -std::ilogb(off) - 1)};
}

std::optional<Neighbourhood> Neighbourhood::around(const function::Function& function, const Encodings& encodings,
                                                   const job::Stretch& stretch, uint128 index, int bits) {
  const Format& format = encodings.format();
  const format::BreakpointGrid grid{Rounding::all, format.precision, format.min_exponent, format.max_exponent};
  for (; bits >= least_bits; bits -= bits_less) {
    const uint128 size = std::min(uint128(1) << bits, stretch.count);
    const uint128 first = std::min(index - std::min(index, size / 2), stretch.count - size);
    const job::Stretch arguments{stretch.negative, stretch.unit_exponent, stretch.first + first, size};
    number::Arb all;
    number::set_interval(all, arguments.first, arguments.first + (size - 1));
    job::to_arguments(all, arguments);
    const number::Arb values = function::enclose(function, all, enclosure_precision);
    const auto binade = job::binade_of(values, enclosure_precision, grid, 1);
    if (!binade)
      continue;
    if (binade->exponent > grid.max_exponent || binade->exponent == -format::BreakpointGrid::no_exponent)
      return std::nullopt;
    const polynomial::ScaledFunction scaled(function, grid, {arguments, binade->negative, binade->exponent});
    Neighbourhood neighbourhood;
    neighbourhood.fraction_bits_ = std::min(64, 124 - format.precision);
    const int remainder_bits = std::min(neighbourhood.fraction_bits_, format.precision + more_bits);
    auto taylor = polynomial::taylor_polynomial(scaled, 0, static_cast<std::uint64_t>(size),
                                                number::Bound::power_of_two(-remainder_bits), highest_degree,
                                                neighbourhood.fraction_bits_);
    if (!taylor || !neighbourhood.set_polynomial(*taylor))
      continue;
    neighbourhood.arguments_ = arguments;
    neighbourhood.base_ = Code(std::max(binade->exponent, format.min_exponent) - format.min_exponent)
                              << (format.precision - 1) |
                          (binade->negative ? encodings.sign() : 0);
    return neighbourhood;
  }
  return std::nullopt;
}

bool Neighbourhood::set_polynomial(polynomial::TaylorPolynomial& taylor) {
  middle_ = static_cast<std::int64_t>(taylor.centre - taylor.first);
  const number::Bound radius(static_cast<std::uint64_t>(std::max<std::int64_t>(middle_, 1)));
  radius_bits_ = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(middle_, 1)));
  curvature_ = taylor.derivative_bound(2, radius).scaled(-1).value();
  number::Bound error = taylor.remainder;
  number::Bound size; // bound of F and its slope
  for (int j = 0; j <= taylor.degree(); ++j) {
    arb_ptr coefficient = taylor.coefficients[j];
    arb_mul_2exp_si(coefficient, coefficient, static_cast<long>(j) * radius_bits_);
    size += number::Bound::of(coefficient) * number::Bound(static_cast<std::uint64_t>(j + 1));
    error += number::Bound::radius_of(coefficient);
  }
  error += number::Bound(static_cast<std::uint64_t>(3 * taylor.degree() + 3)).scaled(-fraction_bits_);
  if (!(size < number::Bound::power_of_two(126 - fraction_bits_)) || !(error < number::Bound::power_of_two(-16)))
    return false;
  error_ = error.fixed_point();
  for (int j = 0; j <= taylor.degree(); ++j)
    coefficients_.push_back(fixed_point(taylor.coefficients[j], fraction_bits_));
  return true;
}

int128 Neighbourhood::evaluate(std::int64_t t) const {
  int128 value = coefficients_.back();
  for (std::size_t j = coefficients_.size() - 1; j-- > 0;)
    value = times(value, t, radius_bits_) + coefficients_[j];
  return value;
}

std::uint64_t Neighbourhood::on_circle(int128 value) const {
  return static_cast<std::uint64_t>(static_cast<uint128>(value) << (64 - fraction_bits_));
}

std::uint64_t Neighbourhood::slope(std::int64_t t) const {
  int128 value = 0;
  for (std::size_t j = coefficients_.size() - 1; j > 0; --j)
    value = times(value, t, radius_bits_) + coefficients_[j] * static_cast<int>(j);
  const int shift = radius_bits_ - (64 - fraction_bits_);
  return static_cast<std::uint64_t>(shift >= 0 ? value >> shift : value << -shift);
}

Neighbourhood::Value Neighbourhood::value(std::uint64_t index) const {
  constexpr double below_one = 0x1.fffffffffffffp-1;
  const int128 value = evaluate(static_cast<std::int64_t>(index) - middle_);
  const std::uint64_t behind = on_circle(value);
  const bool is_next = behind >> 63 != 0;
  const std::uint64_t distance = is_next ? -behind : behind;
  const auto halves = static_cast<uint128>(value >> fraction_bits_);
  Value result;
  result.is_certain = distance > error_;
  const double half = std::min(static_cast<double>(behind) / circle, below_one) / 2;
  const bool is_second = halves % 2 != 0;
  result.right = {base_ + halves / 2, is_second ? std::clamp(0.5 + half, std::nextafter(0.5, 1.0), below_one) : half};
  result.nearest = {(halves + (is_next ? 1 : 0)) % 2 != 0, !is_next, std::countl_zero(distance)};
  return result;
}

// On a piece of n arguments F leaves a line by at most curvature·n²/4, and the ends are found with an error of about
// 2^-62·n plus that of F. The length is chosen so that this is half of the distance asked for, or lets one argument too
// many be looked at.
HardArguments::HardArguments(const Neighbourhood& neighbourhood, int bits, std::uint64_t first)
    : neighbourhood_(neighbourhood), bits_(bits), at_(first), end_(first) {
  const double least_curvature = 0x1p-90; // avoids a division by zero
  const double curvature = std::max(neighbourhood.curvature_, least_curvature);
  const double near = std::ldexp(1, -bits);
  const double length = std::max(std::sqrt(2 * near / curvature), std::cbrt(2 / curvature));
  length_ = static_cast<std::uint64_t>(std::clamp(length, 1.0, static_cast<double>(longest_piece)));
  const auto size = static_cast<double>(length_);
  const double width = near + neighbourhood.curvature_ * size * size / 4 + size * 0x1p-61 +
                       2 * static_cast<double>(neighbourhood.error_) / circle;
  width_ = width < 0.5 ? static_cast<std::uint64_t>(std::ldexp(width, 65)) : std::numeric_limits<std::uint64_t>::max();
}

void HardArguments::begin_piece() {
  end_ = std::min(at_ + length_, neighbourhood_.count());
  const std::uint64_t ahead = (end_ - at_) / 2;
  const auto t = static_cast<std::int64_t>(at_ + ahead) - neighbourhood_.middle_;
  slope_ = neighbourhood_.slope(t);
  place_ = neighbourhood_.on_circle(neighbourhood_.evaluate(t)) - slope_ * ahead + width_ / 2;
}

std::optional<std::uint64_t> HardArguments::next(std::uint64_t& steps) {
  for (; steps > 0; --steps) {
    if (at_ >= end_) {
      if (at_ >= neighbourhood_.count())
        return std::nullopt;
      begin_piece();
    }
    const auto ahead = number::first_within(place_, slope_, width_, end_ - at_ - 1);
    if (!ahead) {
      at_ = end_;
      continue;
    }
    const std::uint64_t found = at_ + *ahead;
    at_ = found + 1;
    place_ += slope_ * (*ahead + 1);
    value_ = neighbourhood_.value(found);
    if (value_.nearest.bits >= bits_) {
      --steps;
      return found;
    }
  }
  return std::nullopt;
}

} // namespace tmd::library
