#include "pairs/scaling_class.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace tmd::pairs {

namespace {

int least_unit(const Format& format) { return format.min_exponent - format.precision + 1; }

int length(std::uint64_t value) { return static_cast<int>(std::bit_width(value)); }

// The exponents of the powers of two by which a pair may be multiplied so that both are numbers of the format.
struct Exponents {
  int first;
  int last;

  [[nodiscard]] std::uint64_t count() const {
    return last < first ? 0 : static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
  }
};

// Exponents a for which y·2^(exponent + a) and x·2^a are numbers of the format, for odd integers of these lengths.
Exponents exponents_of(int y_length, int x_length, int exponent, const Format& format) {
  return {least_unit(format) + std::max(0, -exponent),
          format.max_exponent + 1 - std::max(x_length, y_length + exponent)};
}

// e for a value in [2^e, 2^(e + 1)).
int value_exponent_of(const Legs& legs, const Format& format) {
  const int p = format.precision;
  const auto square = [](std::uint64_t leg) { return uint128(leg) * leg; };
  // The value is in [2^(p − 1 + d), 2^(p + d + 1)); if x alone is far below the binade's end, y does not matter.
  const bool carries = legs.d < p && (square(legs.x) << (2 * legs.d)) + square(legs.y) >= uint128(1)
                                                                                              << (2 * (p + legs.d));
  return p - 1 + legs.d + (carries ? 1 : 0);
}

Exponents exponents_of(const Legs& legs, const Format& format) {
  const int value_exponent = value_exponent_of(legs, format);
  const int unit = least_unit(format);
  return {std::max({unit - std::countr_zero(legs.y), unit - legs.d - std::countr_zero(legs.x),
                    format.min_exponent - value_exponent}),
          format.max_exponent - value_exponent};
}

} // namespace

Ratio ratio_of(bool left, std::uint64_t y, std::uint64_t x, int exponent) {
  exponent += std::countr_zero(y) - std::countr_zero(x);
  y >>= std::countr_zero(y);
  x >>= std::countr_zero(x);
  const std::uint64_t common = std::gcd(y, x);
  return {left, y / common, x / common, exponent};
}

double value_of(const Ratio& ratio) {
  return std::ldexp(static_cast<double>(ratio.y) / static_cast<double>(ratio.x), ratio.exponent);
}

// The pairs are odd multiples k of (y, x), times powers of two; k advances in steps in which both have the same
// lengths.
uint128 pairs_of(const Ratio& ratio, const Format& format) {
  const std::uint64_t end = ((std::uint64_t{1} << format.precision) - 1) / std::max(ratio.x, ratio.y);
  uint128 count = 0;
  for (std::uint64_t k = 1; k <= end;) {
    const int y_length = length(k * ratio.y);
    const int x_length = length(k * ratio.x);
    const std::uint64_t last =
        std::min({end, ((std::uint64_t{1} << y_length) - 1) / ratio.y, ((std::uint64_t{1} << x_length) - 1) / ratio.x});
    const std::uint64_t odd = (last + 1) / 2 - k / 2;
    count += uint128(odd) * exponents_of(y_length, x_length, ratio.exponent, format).count();
    k = last + 1;
  }
  return count;
}

Operands operands_of(const Ratio& ratio, const Format& format) {
  const auto [first, last] = exponents_of(length(ratio.y), length(ratio.x), ratio.exponent, format);
  const int a = std::clamp(1 - length(ratio.x), first, last);
  return {Argument{false, ratio.y, ratio.exponent + a}, Argument{ratio.left, ratio.x, a}};
}

bool is_in_family(const PairJob& job, const Ratio& ratio) {
  return job.function->name == "atan2" && !ratio.left && ratio.x == 1 &&
         value_of(ratio) < std::ldexp(1, -(job.format.precision + 1));
}

bool is_subnormal(const Legs& legs, int unit, const Format& format) {
  return value_exponent_of(legs, format) + unit < format.min_exponent;
}

uint128 pairs_of(const Legs& legs, const Format& format) { return exponents_of(legs, format).count(); }

Operands operands_of(const Legs& legs, const Format& format) {
  const auto [first, last] = exponents_of(legs, format);
  const int a = std::clamp(1 - format.precision, first, std::max(first, last - 1));
  return {Argument{false, legs.x, legs.d + a}, Argument{false, legs.y, a}};
}

Operands greatest_operands_of(const Legs& legs, const Format& format) {
  const int a = exponents_of(legs, format).last;
  return {Argument{false, legs.x, legs.d + a}, Argument{false, legs.y, a}};
}

} // namespace tmd::pairs
