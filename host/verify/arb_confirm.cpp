// |f(x)| is enclosed by two balls, converted to integers in units of a fraction of a spacing, and compared with the
// breakpoints of its binade. The precision doubles until every number in the enclosure has the same answer, or up to a
// limit, from which on theorems decide or the argument stays undecided.
#include "verify/arb_confirm.hpp"

#include "number/arb.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

namespace tmd::verify {

namespace {

using Kind = ArbFinding::Kind;

constexpr double all_bits = std::numeric_limits<double>::infinity(); // for values on a breakpoint
constexpr long first_margin = 64;                                    // bits beyond those of the grid and of K
constexpr long decisive_precision = 1L << 16; // with more bits, the exact hardness of a case does not matter
// This many bits hold all dyadic values except integers near a breakpoint, such as 2^x − 1 at large x.
constexpr long exact_precision = 1L << 13;
constexpr double narrow = 0x1p-22;   // in `bits`: four decimals and some more are known
constexpr int looks_at_no_value = 5; // attempts without a value before the argument counts as having none

// |f(x)| ∈ [lower, upper] as two thin balls, and the sign of f(x).
struct Magnitude {
  number::Arb lower;
  number::Arb upper;
  bool negative = false;

  [[nodiscard]] bool touches_zero() const { return arb_is_positive(lower) == 0; }
};

arf_ptr middle(number::Arb& ball) { return mid(ball); }

Magnitude magnitude_of(arb_srcptr value, long precision) {
  Magnitude result;
  number::Arb absolute;
  result.negative = arf_sgn(arb_midref(value)) < 0;
  arb_abs(absolute, value);
  arb_get_lbound_arf(middle(result.lower), absolute, precision);
  arb_get_ubound_arf(middle(result.upper), absolute, precision);
  if (arf_sgn(middle(result.lower)) < 0)
    arf_zero(middle(result.lower));
  return result;
}

// The g with 2^g ≤ y < 2^(g + 1), limited to ±2·no_exponent; y > 0.
long binade_of(const number::Arb& y) {
  constexpr long most = 2L * format::BreakpointGrid::no_exponent;
  number::Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, mid(y));
  if (fmpz_cmp_si(exponent, most) > 0)
    return most;
  return fmpz_cmp_si(exponent, -most) < 0 ? -most : fmpz_get_si(exponent) - 1;
}

// ⌊y·2^−unit⌋ or ⌈y·2^−unit⌉.
number::Integer in_units(const number::Arb& y, long unit, arf_rnd_t rounding) {
  number::Arb scaled;
  arb_mul_2exp_si(scaled, y, -unit);
  number::Integer result;
  arf_get_fmpz(result, middle(scaled), rounding);
  return result;
}

// log2 of a positive integer.
double log2_of(const number::Integer& value) {
  long exponent = 0;
  const double mantissa = fmpz_get_d_2exp(&exponent, value);
  return std::log2(mantissa) + static_cast<double>(exponent);
}

// The position of the numbers between two integers, in units of 2^−fraction spacings.
struct Place {
  number::Integer nearest; // number of the nearest existing breakpoint
  number::Integer least;   // least distance from it; 0 if it lies between the two integers
  number::Integer most;    // greatest distance from it
  long fraction = 0;
  bool is_on_it = false; // both integers are the breakpoint
};

} // namespace

std::string_view to_string(ArbFinding::Kind kind) {
  switch (kind) {
  case Kind::no_case:
    return "no case";
  case Kind::hard:
    return "hard";
  case Kind::exact:
    return "exact";
  case Kind::undefined:
    return "undefined";
  case Kind::undecided:
    break;
  }
  return "undecided";
}

namespace {

// Compares one ball with the breakpoints of a binade.
class Comparison {
public:
  Comparison(const function::Function& function, const format::BreakpointGrid& grid, int K, long precision)
      : function_(function), grid_(grid), K_(K), precision_(precision) {}

  // Nothing if more bits are needed. suspect: set to the breakpoint that the value may be, if there is one.
  [[nodiscard]] std::optional<ArbFinding> judge(const Magnitude& value, bool is_exact) {
    suspect_.reset();
    if (arb_is_zero(value.upper) != 0)
      return zero();
    if (grid_.is_bounded() && !value.touches_zero() && binade_of(value.lower) > grid_.max_exponent)
      return ArbFinding{Kind::no_case};
    const long above = binade_of(value.upper);
    if (!grid_.is_bounded() && std::labs(above) >= format::BreakpointGrid::no_exponent)
      return std::nullopt;
    const long even_end = grid_.is_bounded() ? grid_.min_exponent : -2L * format::BreakpointGrid::no_exponent;
    if (above <= even_end)
      return judge_in(value, grid_.min_exponent, is_exact);
    if (value.touches_zero())
      return std::nullopt;
    const long below = std::max(binade_of(value.lower), even_end);
    if (above == below)
      return judge_in(value, below, is_exact);
    if (above == below + 1)
      return judge_around_power(value, above);
    return std::nullopt;
  }

  // A breakpoint in the ball judged last, and the greatest distance of the value from it, in bits.
  struct Suspect {
    Breakpoint breakpoint;
    double bits;
    bool is_limit;             // the function comes near it, but does not reach it
    bool is_half_away = false; // it is a power of two, and K = 1: a value equal to it is no case
  };
  [[nodiscard]] const std::optional<Suspect>& suspect() const { return suspect_; }

private:
  [[nodiscard]] ArbFinding zero() const {
    return {grid_.shifted() ? Kind::no_case : Kind::exact, all_bits, Breakpoint::representable};
  }

  // For a ball within the binade of 2^g, or within binades of the same spacing.
  [[nodiscard]] std::optional<ArbFinding> judge_in(const Magnitude& value, long g, bool is_exact) {
    if (g > grid_.max_exponent)
      return ArbFinding{Kind::no_case};
    const Place place = place_of(value, g);
    number::Integer bound; // 2^−K
    power_of_two(bound, place.fraction - K_);
    if (fmpz_cmp(place.least, bound) >= 0)
      return ArbFinding{Kind::no_case};
    const Breakpoint breakpoint = grid_.kind(fmpz_is_odd(place.nearest) != 0);
    if (place.is_on_it && is_exact)
      return ArbFinding{Kind::exact, all_bits, breakpoint};
    if (fmpz_is_zero(place.least) != 0) {
      if (fmpz_cmp(place.most, bound) < 0)
        suspect_ = Suspect{breakpoint, static_cast<double>(place.fraction) - log2_of(place.most),
                           is_limit(place.nearest, g, value.negative)};
      return std::nullopt;
    }
    // With a shift and K = 1, values next to 0 are slightly closer than half a spacing, which integers do not show.
    const bool is_next_to_zero = grid_.shifted() && K_ == 1 && g <= grid_.min_exponent && !value.touches_zero() &&
                                 fmpz_cmp(place.most, bound) == 0;
    if (fmpz_cmp(place.most, bound) >= 0 && !is_next_to_zero)
      return std::nullopt;
    const double most = static_cast<double>(place.fraction) - log2_of(place.least);
    const double least = static_cast<double>(place.fraction) - log2_of(place.most);
    if (most - least > narrow)
      return std::nullopt;
    return ArbFinding{Kind::hard, (most + least) / 2, breakpoint};
  }

  // For a ball that contains 2^g, which is a breakpoint itself, or far from every one.
  [[nodiscard]] std::optional<ArbFinding> judge_around_power(const Magnitude& value, long g) {
    const bool is_last = g > grid_.max_exponent;
    if (!is_last && !grid_.shifted()) {
      const Place place = place_of(value, g - 1);
      number::Integer bound;
      power_of_two(bound, place.fraction - K_);
      if (fmpz_is_zero(place.least) != 0 && fmpz_cmp(place.most, bound) < 0)
        suspect_ = Suspect{Breakpoint::representable, static_cast<double>(place.fraction) - log2_of(place.most),
                           is_limit(place.nearest, g - 1, value.negative)};
      return std::nullopt;
    }
    // In units of the finer spacing: the nearest breakpoint is half a spacing away.
    const number::Arb quarter = power_of_two(grid_.spacing_exponent(static_cast<int>(g) - 1) - 2);
    number::Arb width;
    arb_sub(width, value.upper, value.lower, precision_);
    if (arb_lt(width, quarter) == 0)
      return std::nullopt;
    if (K_ >= 2)
      return ArbFinding{Kind::no_case};
    suspect_ = Suspect{grid_.kind(false), 1, is_limit_value(power_of_two(g), value.negative), true};
    return std::nullopt;
  }

  [[nodiscard]] Place place_of(const Magnitude& value, long g) const {
    Place place;
    const int spacing = grid_.spacing_exponent(static_cast<int>(g));
    place.fraction = precision_ + K_;
    const number::Integer low = in_units(value.lower, spacing - place.fraction, ARF_RND_FLOOR);
    const number::Integer high = in_units(value.upper, spacing - place.fraction, ARF_RND_CEIL);
    // The breakpoint nearest to the lower end.
    number::Integer half;
    power_of_two(half, place.fraction - 1);
    number::Integer shifted(low);
    if (!grid_.shifted())
      fmpz_add(shifted, shifted, half);
    fmpz_fdiv_q_2exp(place.nearest, shifted, static_cast<unsigned long>(place.fraction));
    clamp(place.nearest, g);
    number::Integer breakpoint;
    fmpz_mul_2exp(breakpoint, place.nearest, static_cast<unsigned long>(place.fraction));
    if (grid_.shifted())
      fmpz_add(breakpoint, breakpoint, half);
    number::Integer from_low;
    number::Integer from_high;
    fmpz_sub(from_low, low, breakpoint);
    fmpz_sub(from_high, high, breakpoint);
    const bool is_between = fmpz_sgn(from_low) <= 0 && fmpz_sgn(from_high) >= 0;
    place.is_on_it = fmpz_is_zero(from_low) != 0 && fmpz_is_zero(from_high) != 0;
    fmpz_abs(from_low, from_low);
    fmpz_abs(from_high, from_high);
    const bool grows = fmpz_cmp(from_low, from_high) <= 0;
    fmpz_set(place.most, grows ? from_high : from_low);
    if (is_between)
      fmpz_zero(place.least);
    else
      fmpz_set(place.least, grows ? from_low : from_high);
    // The next breakpoint may be nearer to the upper end.
    number::Integer from_next;
    power_of_two(from_next, place.fraction);
    fmpz_add(from_next, from_next, breakpoint);
    fmpz_sub(from_next, from_next, high);
    if (has_next(place.nearest, g) && fmpz_cmp(from_next, place.least) < 0)
      fmpz_set(place.least, from_next);
    if (fmpz_sgn(place.least) < 0)
      fmpz_zero(place.least);
    return place;
  }

  // Limits a number to those of existing breakpoints.
  void clamp(number::Integer& number, long g) const {
    if (!grid_.is_bounded())
      return;
    const int least = grid_.shifted() ? 0 : 1;
    if (fmpz_cmp_si(number, least) < 0)
      fmpz_set_si(number, least);
    if (g != grid_.max_exponent)
      return;
    const number::Integer last = last_number();
    if (fmpz_cmp(number, last) > 0)
      fmpz_set(number, last);
  }
  [[nodiscard]] bool has_next(const number::Integer& number, long g) const {
    return !grid_.is_bounded() || g != grid_.max_exponent || fmpz_cmp(number, last_number()) < 0;
  }
  [[nodiscard]] number::Integer last_number() const {
    number::Integer last;
    power_of_two(last, grid_.number_bits());
    fmpz_sub_ui(last, last, 1);
    return last;
  }

  static void power_of_two(number::Integer& power, long exponent) {
    fmpz_one(power);
    fmpz_mul_2exp(power, power, static_cast<unsigned long>(exponent));
  }

  [[nodiscard]] bool is_limit(const number::Integer& number, long g, bool negative) const {
    number::Arb breakpoint;
    arb_set_fmpz(breakpoint, number);
    if (grid_.shifted()) {
      number::Arb half;
      arf_set_d(middle(half), 0.5);
      arb_add(breakpoint, breakpoint, half, ARF_PREC_EXACT);
    }
    arb_mul_2exp_si(breakpoint, breakpoint, grid_.spacing_exponent(static_cast<int>(g)));
    return is_limit_value(breakpoint, negative);
  }

  // magnitude: must be thin.
  [[nodiscard]] bool is_limit_value(number::Arb magnitude, bool negative) const {
    if (negative)
      arb_neg(magnitude, magnitude);
    return arf_cmp_d(middle(magnitude), function_.greater_than) == 0 ||
           arf_cmp_d(middle(magnitude), function_.less_than) == 0;
  }

  static number::Arb power_of_two(long exponent) {
    number::Arb power;
    arb_one(power);
    arb_mul_2exp_si(power, power, exponent);
    return power;
  }

  const function::Function& function_;
  const format::BreakpointGrid& grid_;
  int K_;
  long precision_;
  std::optional<Suspect> suspect_;
};

} // namespace

ArbConfirmation::ArbConfirmation(const function::Function& function, const format::BreakpointGrid& grid, int K)
    : function_(&function), grid_(grid), K_(K) {}

ArbFinding ArbConfirmation::find(const Argument& argument) const {
  number::Arb x;
  number::set(x, argument.significand);
  arb_mul_2exp_si(x, x, argument.unit_exponent);
  if (argument.negative)
    arb_neg(x, x);
  int without_value = 0;
  long binade = 0; // binade of the value
  std::optional<Comparison::Suspect> suspect;
  const auto on_it_or_beside = [&](long precision) -> std::optional<ArbFinding> {
    if (!suspect || precision < exact_precision)
      return std::nullopt;
    if (suspect->is_limit)
      return ArbFinding{Kind::hard, suspect->bits, suspect->breakpoint, !suspect->is_half_away};
    const function::Exactness exactness = function_->exactness(format::to_mpfr(argument));
    if (exactness == function::Exactness::exact && precision > binade + grid_.precision)
      return suspect->is_half_away ? ArbFinding{Kind::no_case} : ArbFinding{Kind::exact, all_bits, suspect->breakpoint};
    if (exactness == function::Exactness::inexact && (precision >= decisive_precision || suspect->is_half_away))
      return ArbFinding{Kind::hard, suspect->bits, suspect->breakpoint, !suspect->is_half_away};
    return std::nullopt;
  };
  const long most = std::min(function_->most_precision, 2 * decisive_precision);
  for (long precision = grid_.precision + K_ + first_margin; precision <= most; precision *= 2) {
    number::Arb value;
    function_->series(value, x, 1, precision);
    if (arb_is_finite(value) == 0) {
      if (++without_value == looks_at_no_value)
        return {Kind::undefined};
      continue;
    }
    Comparison comparison(*function_, grid_, K_, precision);
    const Magnitude magnitude = magnitude_of(value, precision);
    if (const auto found = comparison.judge(magnitude, arb_is_exact(value) != 0))
      return *found;
    binade = binade_of(magnitude.upper);
    suspect = comparison.suspect();
    if (const auto found = on_it_or_beside(precision))
      return *found;
  }
  if (const auto found = on_it_or_beside(decisive_precision))
    return *found;
  return {Kind::undecided, all_bits, suspect ? suspect->breakpoint : grid_.kind(false)};
}

} // namespace tmd::verify
