#include "verify/confirm.hpp"

#include "error.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr long most_precision = 1L << 20;
// A distance is known well enough for four decimals of its logarithm when its error is this much smaller.
constexpr long relative_bits = 24;

} // namespace

bool Case::is_exact() const { return std::isinf(bits); }

bool is_harder(const Case& left, const Case& right) {
  if (left.bits != right.bits)
    return left.bits > right.bits;
  return compare(left.x, right.x) < 0;
}

Confirmation::Confirmation(const Function& function, const BreakpointGrid& grid, int bits)
    : function_(&function), grid_(grid), bits_(bits) {}

std::optional<Case> Confirmation::confirm(const Argument& argument) const {
  const Mpfr x = to_mpfr(argument);
  for (long precision = grid_.precision + bits_ + 2 * relative_bits; precision <= most_precision; precision *= 2) {
    // Rounded towards zero: |y| ≤ |f(x)| < |y| + ulp, and y lies in the binade of f(x).
    Mpfr y(precision);
    const bool exact = function_->evaluate(y, x, MPFR_RNDZ) == 0;
    if (mpfr_number_p(y) == 0)
      return std::nullopt;
    // Not those that MPFR made 0 or the largest number there is, either.
    if (mpfr_zero_p(y) != 0 ? !exact : std::abs(mpfr_get_exp(y)) > most_value_exponent + 1)
      throw UsageError(fmt::format("{}({}) lies beyond 2^±{}; choose a smaller range", function_->name,
                                   to_hex(argument), most_value_exponent));
    if (exact && !function_->is_exact(x))
      throw SoundnessError(
          fmt::format("MPFR finds {}({}) exact, number theory does not", function_->name, to_hex(argument)));
    mpfr_abs(y, y, MPFR_RNDN);
    if (mpfr_zero_p(y) != 0) // zero is representable, and no midpoint
      return grid_.rounding == Rounding::nearest
                 ? std::nullopt
                 : std::optional<Case>({argument, std::numeric_limits<double>::infinity(), Breakpoint::representable});

    // F = y/s − shift and its distance to the nearest integer, both exact.
    const long spacing = grid_.spacing_exponent(static_cast<int>(mpfr_get_exp(y)) - 1);
    Mpfr scaled(precision + 2);
    Mpfr nearest(precision + 2);
    Mpfr distance(precision + 2);
    mpfr_div_2si(scaled, y, spacing, MPFR_RNDN);
    if (grid_.shifted())
      mpfr_sub_d(scaled, scaled, 0.5, MPFR_RNDN);
    mpfr_rint(nearest, scaled, MPFR_RNDN);
    mpfr_sub(distance, scaled, nearest, MPFR_RNDN);

    Case result{argument, 0, grid_.kind(false)};
    Mpfr half(precision + 2);
    mpfr_div_2ui(half, nearest, 1, MPFR_RNDN);
    result.breakpoint = grid_.kind(mpfr_integer_p(half) == 0);

    if (mpfr_zero_p(distance) != 0) {
      if (!exact)
        continue; // f(x) is above y by less than an ulp, perhaps by very little
      result.bits = std::numeric_limits<double>::infinity();
      return result;
    }
    // The error of `distance` is below one ulp of y, scaled: 2^error.
    const long error = static_cast<long>(mpfr_get_exp(y)) - precision - spacing;
    mpfr_abs(distance, distance, MPFR_RNDN);
    if (!exact && static_cast<long>(mpfr_get_exp(distance)) - 1 - relative_bits < error)
      continue;
    // At least 24 bits of the distance are known; near 2^−K that may not be enough.
    Mpfr lower(precision + 2);
    Mpfr upper(precision + 2);
    Mpfr ulp(2);
    mpfr_set_ui_2exp(ulp, exact ? 0 : 1, error, MPFR_RNDN);
    mpfr_sub(lower, distance, ulp, MPFR_RNDD);
    mpfr_add(upper, distance, ulp, MPFR_RNDU);
    if (mpfr_cmp_ui_2exp(lower, 1, -bits_) >= 0)
      return std::nullopt;
    if (mpfr_cmp_ui_2exp(upper, 1, -bits_) > 0)
      continue;
    Mpfr logarithm(64);
    mpfr_log2(logarithm, distance, MPFR_RNDN);
    result.bits = -mpfr_get_d(logarithm, MPFR_RNDN);
    return result;
  }
  throw SoundnessError(fmt::format("the distance of {}({}) from a breakpoint cannot be told from zero", function_->name,
                                   to_hex(argument)));
}

} // namespace tmd
