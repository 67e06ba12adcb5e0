// Enclosures of |f(x)| are compared with the breakpoints of one binade at a time, in exact arithmetic; the precision
// doubles until all numbers in the enclosure have the same verdict. confirm.hpp says what each verdict means.
#include "verify/confirm.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// With an error smaller by this many bits, four decimals of a distance's logarithm are known.
constexpr long relative_bits = 24;

// With this many bits of a value, the exact hardness of a case does not matter.
constexpr long enough_precision = 1L << 16;

// The verdict on the value in an enclosure. hard_if_inexact: hard unless the value is the enclosure's own end.
enum class Verdict { open, no_case, hard, hard_if_inexact, exact };

struct Finding {
  Verdict verdict;
  Breakpoint breakpoint; // the nearest one; if open, as far as is known
  double bits = infinity;
  double distance = 0;    // for no_case: a lower bound
  bool is_beside = false; // if open: every number in the enclosure has `bits` or more, and an end is the breakpoint
};

// The e with 2^(e − 1) ≤ |y| < 2^e; less than all others for zero, greater for infinity.
long exponent(mpfr_srcptr y) {
  if (mpfr_regular_p(y) != 0)
    return mpfr_get_exp(y);
  return mpfr_zero_p(y) != 0 ? std::numeric_limits<long>::min() : std::numeric_limits<long>::max();
}

// Turns an enclosure of y into one of |y|.
void take_magnitude(function::ValueEnclosure& value) {
  if (mpfr_sgn(static_cast<mpfr_srcptr>(value.lower)) >= 0)
    return;
  mpfr_neg(value.lower, value.lower, MPFR_RNDN);
  mpfr_neg(value.upper, value.upper, MPFR_RNDN);
  mpfr_swap(value.lower, value.upper);
  if (mpfr_sgn(static_cast<mpfr_srcptr>(value.lower)) >= 0)
    return;
  // Zero lies inside; |y| is at most the larger end.
  mpfr_neg(value.lower, value.lower, MPFR_RNDN);
  if (mpfr_cmp(value.lower, value.upper) > 0)
    mpfr_swap(value.lower, value.upper);
  mpfr_set_zero(value.lower, 1);
}

// Compares the numbers of one binade, its end included, with its breakpoints and the bound 2^−K.
class Examination {
public:
  // precision: enough bits for the numbers and those of the grid.
  Examination(const format::BreakpointGrid& grid, int K, long precision) : grid_(grid), K_(K), precision_(precision) {}

  // 0 ≤ lower ≤ upper: any enclosure of |f(x)|.
  [[nodiscard]] Finding examine(const function::ValueEnclosure& magnitude) const {
    const mpfr_srcptr lower = magnitude.lower;
    const mpfr_srcptr upper = magnitude.upper;
    const Finding open{Verdict::open, grid_.kind(false)};
    if (mpfr_zero_p(upper) != 0) // zero is representable and no midpoint
      return {grid_.shifted() ? Verdict::no_case : Verdict::exact, Breakpoint::representable};
    if (grid_.is_bounded() && exponent(lower) > grid_.max_exponent + 1)
      return {Verdict::no_case, open.breakpoint};
    if (grid_.is_bounded() && exponent(upper) <= grid_.min_exponent + 1)
      return examine_evenly_spaced(lower, upper);
    const long binade = exponent(lower);
    if (exponent(upper) == binade || (mpfr_zero_p(lower) == 0 && mpfr_cmp_ui_2exp(upper, 1, binade) <= 0))
      return examine(lower, upper);
    // A power of two lies inside: it is far from midpoints, and a breakpoint itself on the other grids.
    if (!grid_.shifted() || mpfr_zero_p(lower) != 0 || exponent(upper) != binade + 1)
      return open;
    number::Mpfr power(2);
    mpfr_set_ui_2exp(power, 1, binade, MPFR_RNDN);
    const Finding below = examine(lower, power);
    const Finding above = examine(power, upper);
    if (below.verdict != Verdict::no_case || above.verdict != Verdict::no_case)
      return open;
    return {Verdict::no_case, open.breakpoint, infinity, std::min(below.distance, above.distance)};
  }

private:
  // Requires 0 ≤ lower ≤ upper < 2^(min_exponent + 1) and upper > 0.
  [[nodiscard]] Finding examine_evenly_spaced(mpfr_srcptr lower, mpfr_srcptr upper) const {
    const long small = grid_.least_spacing_exponent() - small_bits();
    if (exponent(upper) <
        small) // perhaps too small for MPFR; with a shift nearly half a spacing from the first breakpoint
      return {grid_.shifted() && K_ == 1 ? Verdict::hard : Verdict::no_case, grid_.kind(false), 1};
    if (exponent(lower) >= small)
      return examine(lower, upper);
    number::Mpfr zero(2);
    mpfr_set_zero(zero, 1);
    return examine(zero, upper);
  }

  // Requires 2^(e − 1) ≤ lower ≤ upper ≤ 2^e, or both below 2^(min_exponent + 1).
  [[nodiscard]] Finding examine(mpfr_srcptr lower, mpfr_srcptr upper) const {
    // F = lower/s − shift and its distance to the nearest integer, both exact.
    const long spacing = grid_.spacing_exponent(mpfr_zero_p(lower) != 0 ? grid_.min_exponent
                                                                        : static_cast<int>(mpfr_get_exp(lower)) - 1);
    const long precision = precision_ + small_bits() + 2; // F ≥ 2^−(small_bits + 1), or 0
    number::Mpfr scaled(precision);
    number::Mpfr nearest(precision);
    number::Mpfr distance(precision);
    mpfr_div_2si(scaled, lower, spacing, MPFR_RNDN);
    if (grid_.shifted())
      mpfr_sub_d(scaled, scaled, 0.5, MPFR_RNDN);
    mpfr_rint(nearest, scaled, MPFR_RNDN);
    mpfr_sub(distance, scaled, nearest, MPFR_RNDN);
    mpfr_abs(distance, distance, MPFR_RNDN);

    // The distance of |f(x)| differs from it by at most the enclosure's width. `scaled` is free from here on.
    number::Mpfr width(relative_bits);
    mpfr_sub(width, upper, lower, MPFR_RNDU);
    mpfr_div_2si(width, width, spacing, MPFR_RNDU);
    const bool exact = mpfr_zero_p(width) != 0;
    mpfr_sub(scaled, distance, width, MPFR_RNDD);
    if (mpfr_cmp_ui_2exp(scaled, 1, -K_) >= 0)
      return {Verdict::no_case, Breakpoint::representable, infinity, mpfr_get_d(scaled, MPFR_RNDD)};

    Finding result{Verdict::open, kind(nearest)};
    if (!is_breakpoint(nearest, lower)) {
      if (mpfr_cmp_ui_2exp(width, 1, -1) < 0) // no other breakpoint is nearer than half a spacing
        result.verdict = Verdict::no_case;
      return result;
    }
    if (mpfr_zero_p(distance) != 0) {
      if (exact)
        result.verdict = Verdict::exact;
      else
        set_beside(result, width);
      return result;
    }
    mpfr_add(scaled, distance, width, MPFR_RNDU);
    const int bound = mpfr_cmp_ui_2exp(scaled, 1, -K_);
    if (bound < 0 && mpfr_equal_p(distance, width) != 0)
      set_beside(result, width);
    mpfr_mul_2ui(width, width, relative_bits, MPFR_RNDU);
    if (bound > 0 || mpfr_less_p(distance, width) != 0)
      return result;
    result.verdict = bound == 0 ? Verdict::hard_if_inexact : Verdict::hard;
    result.bits = bits_of(distance);
    return result;
  }

  // Values below 2^−small_bits spacings are next to 0: too far from a breakpoint, or known well enough.
  [[nodiscard]] long small_bits() const { return std::max<long>(K_, relative_bits); }

  [[nodiscard]] static double bits_of(mpfr_srcptr distance) {
    number::Mpfr logarithm(64);
    mpfr_log2(logarithm, distance, MPFR_RNDN);
    return -mpfr_get_d(logarithm, MPFR_RNDN);
  }

  // For an enclosure that reaches from the breakpoint to `width` beside it.
  void set_beside(Finding& finding, mpfr_srcptr width) const {
    finding.is_beside = mpfr_cmp_ui_2exp(width, 1, -K_) < 0;
    finding.bits = bits_of(width);
  }

  [[nodiscard]] Breakpoint kind(mpfr_srcptr number) const {
    number::Mpfr half(precision_ + 2);
    mpfr_div_2ui(half, number, 1, MPFR_RNDN);
    return grid_.kind(mpfr_integer_p(half) == 0);
  }

  // Whether a number is the number of a breakpoint in the binade of `value`.
  [[nodiscard]] bool is_breakpoint(mpfr_srcptr number, mpfr_srcptr value) const {
    if (!grid_.is_bounded())
      return true;
    const bool is_last = mpfr_zero_p(value) == 0 && mpfr_get_exp(value) - 1 == grid_.max_exponent &&
                         mpfr_cmp_ui_2exp(number, 1, grid_.number_bits()) >= 0;
    return !is_last && mpfr_cmp_ui(number, grid_.shifted() ? 0 : 1) >= 0;
  }

  format::BreakpointGrid grid_;
  int K_;
  long precision_;
};

} // namespace

std::string_view to_string(Case::Kind kind) {
  return kind == Case::Kind::hard ? "hard" : kind == Case::Kind::exact ? "exact" : "undecided";
}

bool is_harder(const Case& left, const Case& right) {
  if (left.bits != right.bits)
    return left.bits > right.bits;
  return compare(left.x, right.x) < 0;
}

verify::Confirmation::Confirmation(const function::Function& function, const format::BreakpointGrid& grid, int K)
    : function_(&function), grid_(grid), K_(K) {}

bool verify::Confirmation::is_no_end(const function::ValueEnclosure& value, mpfr_srcptr x) const {
  return value.is_strict || function_->exactness(x) == function::Exactness::inexact;
}

// Counts values that MPFR turned into 0 or the largest number, too.
bool verify::Confirmation::is_beyond(const function::ValueEnclosure& magnitude) const {
  const bool is_zero = magnitude.is_exact() && mpfr_zero_p(magnitude.upper) != 0;
  return !grid_.is_bounded() && (exponent(magnitude.lower) > function::most_value_exponent + 1 ||
                                 (exponent(magnitude.upper) < -function::most_value_exponent - 1 && !is_zero));
}

bool verify::Confirmation::is_beyond(const Argument& argument) const {
  function::ValueEnclosure value =
      function_->value(format::to_mpfr(argument), grid_.precision + K_ + 2 * relative_bits);
  if (value.is_undefined())
    return false;
  take_magnitude(value);
  return is_beyond(value);
}

verify::Judgement verify::Confirmation::judge(const Argument& argument) const {
  const number::Mpfr x = format::to_mpfr(argument);
  Finding finding{Verdict::open, grid_.kind(false)};
  bool is_enclosed = false;
  const long most = function_->most_precision;
  // The last step may be less than a doubling.
  for (long precision = grid_.precision + K_ + 2 * relative_bits; precision <= most;
       precision = precision < most ? std::min(2 * precision, most) : most + 1) {
    function::ValueEnclosure value = function_->value(x, precision);
    if (value.is_undefined())
      return {};
    const bool ends_at_limit =
        mpfr_cmp_d(value.lower, function_->greater_than) == 0 || mpfr_cmp_d(value.upper, function_->less_than) == 0;
    take_magnitude(value);
    const bool exact = value.is_exact();
    if (is_beyond(value))
      throw UsageError(fmt::format("{}({}) lies beyond 2^±{}; choose a smaller range", function_->name,
                                   to_hex(argument), function::most_value_exponent));
    if (exact && function_->exactness(x) == function::Exactness::inexact)
      throw SoundnessError(
          fmt::format("MPFR finds {}({}) exact, number theory does not", function_->name, to_hex(argument)));

    finding = Examination(grid_, K_, std::max<long>(precision, mpfr_get_prec(static_cast<mpfr_srcptr>(value.lower))))
                  .examine(value);
    if (finding.verdict == Verdict::no_case)
      return {std::nullopt, finding.distance};
    if (finding.verdict == Verdict::exact)
      return {Case{argument, infinity, finding.breakpoint, Case::Kind::exact}};
    if (finding.verdict == Verdict::hard ||
        (finding.verdict == Verdict::hard_if_inexact && function_->exactness(x) == function::Exactness::inexact))
      return {Case{argument, finding.bits, finding.breakpoint, Case::Kind::hard}};
    // If f(x) is not the breakpoint and at most the enclosure's width away from it, it is a case, however hard.
    const bool tells_enough = precision >= enough_precision || precision == most;
    if (tells_enough && finding.is_beside && (ends_at_limit || is_no_end(value, x)))
      return {Case{argument, finding.bits, finding.breakpoint, Case::Kind::hard, true}};
    is_enclosed = value.is_bounded();
  }
  if (function_->exactness(x) != function::Exactness::unknown)
    throw SoundnessError(fmt::format("the distance of {}({}) from a breakpoint cannot be distinguished from zero",
                                     function_->name, to_hex(argument)));
  return {Case{argument, infinity, finding.breakpoint, Case::Kind::undecided}, 0, is_enclosed};
}

} // namespace tmd
