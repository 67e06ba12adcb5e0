#include "verify/confirm.hpp"

#include "error.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A distance is known well enough for four decimals of its logarithm when its error is this much smaller.
constexpr long relative_bits = 24;

// What an enclosure says of the value in it. hard_if_inexact: hard unless the value is the enclosure's own end.
enum class Verdict { open, no_case, hard, hard_if_inexact, exact };

struct Finding {
  Verdict verdict;
  Breakpoint breakpoint; // the nearest one; when open, as far as is known
  double bits = infinity;
  double distance = 0; // of no case: at least
};

// The e with 2^(e − 1) ≤ |y| < 2^e; beyond all others for zero and for infinity.
long exponent(mpfr_srcptr y) {
  if (mpfr_regular_p(y) != 0)
    return mpfr_get_exp(y);
  return mpfr_zero_p(y) != 0 ? std::numeric_limits<long>::min() : std::numeric_limits<long>::max();
}

// From an enclosure of y to one of |y|.
void take_magnitude(ValueEnclosure& value) {
  if (mpfr_sgn(static_cast<mpfr_srcptr>(value.lower)) >= 0)
    return;
  mpfr_neg(value.lower, value.lower, MPFR_RNDN);
  mpfr_neg(value.upper, value.upper, MPFR_RNDN);
  mpfr_swap(value.lower, value.upper);
  if (mpfr_sgn(static_cast<mpfr_srcptr>(value.lower)) >= 0)
    return;
  // Zero lies inside, and |y| is at most the larger end.
  mpfr_neg(value.lower, value.lower, MPFR_RNDN);
  if (mpfr_cmp(value.lower, value.upper) > 0)
    mpfr_swap(value.lower, value.upper);
  mpfr_set_zero(value.lower, 1);
}

// The numbers of one binade, its end included, against its breakpoints and the bound 2^−K.
class Examination {
public:
  // precision: bits that hold the numbers and those of the grid.
  Examination(const BreakpointGrid& grid, int bits, long precision) : grid_(grid), bits_(bits), precision_(precision) {}

  // 0 ≤ lower ≤ upper: any enclosure of |f(x)|.
  [[nodiscard]] Finding examine(const ValueEnclosure& magnitude) const {
    const mpfr_srcptr lower = magnitude.lower;
    const mpfr_srcptr upper = magnitude.upper;
    const Finding open{Verdict::open, grid_.kind(false)};
    if (mpfr_zero_p(upper) != 0) // zero is representable, and no midpoint
      return {grid_.shifted() ? Verdict::no_case : Verdict::exact, Breakpoint::representable};
    const long binade = exponent(lower);
    if (exponent(upper) == binade || (mpfr_zero_p(lower) == 0 && mpfr_cmp_ui_2exp(upper, 1, binade) <= 0))
      return examine(lower, upper);
    // A power of two lies inside: far from a midpoint, while on the other grids it is a breakpoint itself.
    if (!grid_.shifted() || mpfr_zero_p(lower) != 0 || exponent(upper) != binade + 1)
      return open;
    Mpfr power(2);
    mpfr_set_ui_2exp(power, 1, binade, MPFR_RNDN);
    const Finding below = examine(lower, power);
    const Finding above = examine(power, upper);
    if (below.verdict != Verdict::no_case || above.verdict != Verdict::no_case)
      return open;
    return {Verdict::no_case, open.breakpoint, infinity, std::min(below.distance, above.distance)};
  }

private:
  // 2^(e − 1) ≤ lower ≤ upper ≤ 2^e.
  [[nodiscard]] Finding examine(mpfr_srcptr lower, mpfr_srcptr upper) const {
    // F = lower/s − shift and its distance to the nearest integer, both exact.
    const long spacing = grid_.spacing_exponent(static_cast<int>(mpfr_get_exp(lower)) - 1);
    Mpfr scaled(precision_ + 2);
    Mpfr nearest(precision_ + 2);
    Mpfr distance(precision_ + 2);
    mpfr_div_2si(scaled, lower, spacing, MPFR_RNDN);
    if (grid_.shifted())
      mpfr_sub_d(scaled, scaled, 0.5, MPFR_RNDN);
    mpfr_rint(nearest, scaled, MPFR_RNDN);
    mpfr_sub(distance, scaled, nearest, MPFR_RNDN);
    mpfr_abs(distance, distance, MPFR_RNDN);

    // That of |f(x)| differs from it by at most the enclosure's width. `scaled` has served.
    Mpfr width(relative_bits);
    mpfr_sub(width, upper, lower, MPFR_RNDU);
    mpfr_div_2si(width, width, spacing, MPFR_RNDU);
    const bool exact = mpfr_zero_p(width) != 0;
    mpfr_sub(scaled, distance, width, MPFR_RNDD);
    if (mpfr_cmp_ui_2exp(scaled, 1, -bits_) >= 0)
      return {Verdict::no_case, Breakpoint::representable, infinity, mpfr_get_d(scaled, MPFR_RNDD)};

    Finding result{Verdict::open, kind(nearest)};
    if (mpfr_zero_p(distance) != 0) {
      if (exact)
        result.verdict = Verdict::exact;
      return result;
    }
    mpfr_add(scaled, distance, width, MPFR_RNDU);
    const int bound = mpfr_cmp_ui_2exp(scaled, 1, -bits_);
    mpfr_mul_2ui(width, width, relative_bits, MPFR_RNDU);
    if (bound > 0 || mpfr_less_p(distance, width) != 0)
      return result;
    result.verdict = bound == 0 ? Verdict::hard_if_inexact : Verdict::hard;
    Mpfr logarithm(64);
    mpfr_log2(logarithm, distance, MPFR_RNDN);
    result.bits = -mpfr_get_d(logarithm, MPFR_RNDN);
    return result;
  }

  [[nodiscard]] Breakpoint kind(mpfr_srcptr number) const {
    Mpfr half(precision_ + 2);
    mpfr_div_2ui(half, number, 1, MPFR_RNDN);
    return grid_.kind(mpfr_integer_p(half) == 0);
  }

  BreakpointGrid grid_;
  int bits_;
  long precision_;
};

} // namespace

bool is_harder(const Case& left, const Case& right) {
  if (left.bits != right.bits)
    return left.bits > right.bits;
  return compare(left.x, right.x) < 0;
}

Confirmation::Confirmation(const Function& function, const BreakpointGrid& grid, int bits)
    : function_(&function), grid_(grid), bits_(bits) {}

Judgement Confirmation::judge(const Argument& argument) const {
  const Mpfr x = to_mpfr(argument);
  Finding finding{Verdict::open, grid_.kind(false)};
  const long most = function_->most_precision;
  // The last but one may be doubled by less.
  for (long precision = grid_.precision + bits_ + 2 * relative_bits; precision <= most;
       precision = precision < most ? std::min(2 * precision, most) : most + 1) {
    ValueEnclosure value = function_->value(x, precision);
    if (value.is_undefined())
      return {};
    take_magnitude(value);
    const bool exact = value.is_exact();
    // Not those that MPFR made 0 or the largest number there is, either.
    if (exponent(value.lower) > most_value_exponent + 1 ||
        (exponent(value.upper) < -most_value_exponent - 1 && !(exact && mpfr_zero_p(value.upper) != 0)))
      throw UsageError(fmt::format("{}({}) lies beyond 2^±{}; choose a smaller range", function_->name,
                                   to_hex(argument), most_value_exponent));
    if (exact && function_->exactness(x) == Exactness::inexact)
      throw SoundnessError(
          fmt::format("MPFR finds {}({}) exact, number theory does not", function_->name, to_hex(argument)));

    finding = Examination(grid_, bits_, std::max<long>(precision, mpfr_get_prec(static_cast<mpfr_srcptr>(value.lower))))
                  .examine(value);
    if (finding.verdict == Verdict::no_case)
      return {std::nullopt, finding.distance};
    if (finding.verdict == Verdict::exact)
      return {Case{argument, infinity, finding.breakpoint, Case::Kind::exact}};
    if (finding.verdict == Verdict::hard ||
        (finding.verdict == Verdict::hard_if_inexact && function_->exactness(x) == Exactness::inexact))
      return {Case{argument, finding.bits, finding.breakpoint, Case::Kind::hard}};
  }
  if (function_->exactness(x) != Exactness::unknown)
    throw SoundnessError(fmt::format("the distance of {}({}) from a breakpoint cannot be told from zero",
                                     function_->name, to_hex(argument)));
  return {Case{argument, infinity, finding.breakpoint, Case::Kind::undecided}};
}

} // namespace tmd
