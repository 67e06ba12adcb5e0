// A proof from F's deviation from a line with integer coefficients: if all deviations lie between two breakpoints there
// is no case, and if all lie next to one integer all are cases. decide() is the proof from top to bottom.
#include "job/regime_proof.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tmd::job {

namespace {

using Next = Finding::Next;

// The text of mantissa·2^exponent.
std::string to_hex(const number::Integer& mantissa, long exponent) {
  if (fmpz_is_zero(mantissa) != 0)
    return "0x0p+0";
  number::Integer odd;
  fmpz_abs(odd, mantissa);
  const auto zeros = fmpz_val2(odd);
  fmpz_tdiv_q_2exp(odd, odd, zeros);
  const auto fraction_bits = static_cast<long>(fmpz_bits(odd)) - 1;
  const long digits = (fraction_bits + 3) / 4;
  fmpz_mul_2exp(odd, odd, static_cast<unsigned long>(4 * digits - fraction_bits));
  const std::unique_ptr<char, void (*)(void*)> text(fmpz_get_str(nullptr, 16, odd), flint_free);
  const std::string all = text.get();
  return fmt::format("{}0x1{}{}p{:+d}", fmpz_sgn(mantissa) < 0 ? "-" : "", digits == 0 ? "" : ".", all.substr(1),
                     exponent + static_cast<long>(zeros) + fraction_bits);
}

number::Integer floor_of(const number::Arb& thin) {
  number::Integer result;
  arf_get_fmpz(result, mid(thin), ARF_RND_FLOOR);
  return result;
}

class Proof {
public:
  Proof(const function::Function& function, const format::BreakpointGrid& grid, int K, const RangeValues& values)
      : function_(function), grid_(grid), K_(K), values_(values) {}

  [[nodiscard]] Finding decide(bool may_leave_side_open) {
    if (!find_binades())
      return {Next::split};
    find_line();
    deviation_ = deviation_of(values_.hull(-spacing_, line_));
    if (is_between_breakpoints())
      return {Next::done};
    if (!find_number() || (grid_.shifted() && finer_ != 0))
      return {Next::split};
    if (is_exactly_number())
      return decide_exact();
    const std::optional<bool> beyond = is_beyond();
    if (!beyond && crosses())
      return {Next::split};
    if (!beyond && !(may_leave_side_open && no_end_is_known()))
      return {Next::leave};
    turn_to_magnitudes();
    const Side side = !beyond ? Side::undecided : *beyond != is_negative_ ? Side::above : Side::below;
    const auto rule = rule_of(side);
    if (!rule)
      return {Next::split};
    return {Next::done, {*rule}, beyond ? needed_precision(*beyond) : values_.precision()};
  }

private:
  // Finds the sign of f, and its binades: at most two, whose breakpoints are looked at together, in units of the
  // coarser spacing. Returns false if that is impossible.
  bool find_binades() {
    const number::Hull value = values_.hull(0, Line());
    is_negative_ = arf_sgn(mid(value.upper)) < 0;
    if (!is_negative_ && arf_sgn(mid(value.lower)) <= 0)
      return false;
    const long below = number::exponent_above(mid(is_negative_ ? value.upper : value.lower)) - 1;
    const long above = number::exponent_above(mid(is_negative_ ? value.lower : value.upper)) - 1;
    if (std::labs(below) >= format::BreakpointGrid::no_exponent ||
        std::labs(above) >= format::BreakpointGrid::no_exponent)
      return false;
    exponent_ = static_cast<int>(above);
    spacing_ = grid_.spacing_exponent(exponent_);
    finer_ = spacing_ - grid_.spacing_exponent(static_cast<int>(below));
    return finer_ <= 1;
  }

  // Finds the line of f·2^−spacing.
  void find_line() {
    for (const auto& [number, order] : {std::pair(&line_.constant, 0L), std::pair(&line_.slope, 1L)}) {
      number::Arb coefficient = values_.middle(order, -spacing_);
      arf_get_fmpz(*number, mid(coefficient), ARF_RND_NEAR);
    }
  }

  // The deviation of F, from that of f·2^−spacing less the line.
  [[nodiscard]] number::Hull deviation_of(number::Hull hull) const {
    if (is_negative_)
      hull = hull.negated();
    if (grid_.shifted()) { // rounded outwards: the values may be too small for an exact difference
      number::Arb half;
      arf_set_d(mid(half), 0.5);
      arf_sub(mid(hull.lower), mid(hull.lower), mid(half), values_.precision(), ARF_RND_FLOOR);
      arf_sub(mid(hull.upper), mid(hull.upper), mid(half), values_.precision(), ARF_RND_CEIL);
    }
    return hull;
  }

  // Whether all deviations lie between two neighbouring breakpoints, farther than ε from either. Breakpoints of either
  // binade in [0, 1] are multiples of 1/4, and ε is in units of the finer spacing.
  [[nodiscard]] bool is_between_breakpoints() const {
    using Points = std::array<int, 4>;
    const Points points = finer_ == 0 ? Points{0, 4, 4, 4} : grid_.shifted() ? Points{0, 1, 3, 4} : Points{0, 2, 4, 4};
    const number::Integer floor = floor_of(deviation_.lower);
    const auto beside = [&](int quarters, int sign) { // floor + quarters/4 + sign·ε
      number::Arb place;
      number::Arb bound;
      arb_set_si(place, quarters);
      arb_mul_2exp_si(place, place, -2);
      arb_add_fmpz(place, place, floor, ARF_PREC_EXACT);
      arb_set_si(bound, sign);
      arb_mul_2exp_si(bound, bound, -K_);
      arb_add(place, place, bound, ARF_PREC_EXACT);
      return place;
    };
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      if (arf_cmp(mid(deviation_.lower), mid(beside(points[i], 1))) >= 0 &&
          arf_cmp(mid(deviation_.upper), mid(beside(points[i + 1], -1))) <= 0)
        return true;
    return false;
  }

  // Finds the integer that all deviations are next to, if there is one.
  bool find_number() {
    number_ = floor_of(deviation_.lower);
    if (deviation_.is_near(number_, -K_ - finer_))
      return true;
    fmpz_add_ui(number_, number_, 1);
    return deviation_.is_near(number_, -K_ - finer_);
  }

  // Whether F is the line itself, without any error: Arb computes linear functions so.
  [[nodiscard]] bool is_exactly_number() const {
    return compare(deviation_.lower, number_) == 0 && compare(deviation_.upper, number_) == 0;
  }

  // The finding that every value is a breakpoint, if all breakpoints of these numbers exist.
  [[nodiscard]] Finding decide_exact() {
    turn_to_magnitudes();
    if (!breakpoints_exist())
      return {Next::split};
    return {Next::done, {{}, true}};
  }

  // Whether |f| is beyond the line; nothing if not known.
  [[nodiscard]] std::optional<bool> is_beyond() const {
    if (!deviation_.contains(number_))
      return compare(deviation_.lower, number_) > 0;
    if (grid_.shifted())
      return std::nullopt;
    int side = side_of_limit();
    if (side == 0)
      side = side_near_zero();
    return side != 0 ? std::optional((side > 0) != is_negative_) : std::nullopt;
  }

  // The line of f at x = 0.
  [[nodiscard]] number::Arb line_at_zero() const {
    const Stretch& range = values_.range();
    number::Integer middle;
    number::set(static_cast<fmpz*>(middle), range.first + range.count / 2);
    const number::Integer constant = line_.constant - middle * line_.slope;
    number::Arb line;
    arb_set_fmpz(line, constant);
    (is_negative_ ? arb_sub_fmpz : arb_add_fmpz)(line, line, number_, ARF_PREC_EXACT);
    arb_mul_2exp_si(line, line, spacing_);
    return line;
  }

  // The sign of f less the line where that is a limit of f, however near the values are; else 0.
  [[nodiscard]] int side_of_limit() const {
    if (fmpz_is_zero(line_.slope) == 0)
      return 0;
    number::Arb line = line_at_zero();
    return arf_cmp_d(mid(line), function_.greater_than) == 0 ? 1
           : arf_cmp_d(mid(line), function_.less_than) == 0  ? -1
                                                             : 0;
  }

  // The sign of f less the line where the line is the beginning of f's Taylor series at 0; 0 if not known. By
  // Lagrange's formula f(x) less the line is (c_j(ξ) − l_j)·x^j if the coefficients c_i of f at 0 are those l_i of the
  // line for all i < j, ξ between 0 and x. So near to 0 a value would need as many bits as the exponent of x says.
  [[nodiscard]] int side_near_zero() const {
    constexpr long length = 5;
    const Stretch& range = values_.range();
    number::ArbVector line(length);
    arb_set(line[0], line_at_zero());
    arb_set_fmpz(line[1], line_.slope);
    arb_mul_2exp_si(line[1], line[1], spacing_ - range.unit_exponent);
    if (range.negative)
      arb_neg(line[1], line[1]);
    const number::ArbVector at_zero = values_.at_zero(length);
    long j = 0;
    while (j < length && arb_is_exact(at_zero[j]) != 0 && arb_equal(at_zero[j], line[j]) != 0)
      ++j;
    if (j == 0 || j == length)
      return 0;
    number::Arb difference;
    arb_sub(difference, values_.from_zero(j + 1)[j], line[j], values_.precision());
    if (arb_is_finite(difference) == 0 || arb_contains_zero(difference) != 0)
      return 0;
    return (arb_is_negative(difference) != 0) != (range.negative && j % 2 != 0) ? -1 : 1;
  }

  // Whether the values at either end lie on a known side of the line, while those of all do not.
  [[nodiscard]] bool crosses() const {
    return is_beside_line(values_.low(-spacing_, line_)) && is_beside_line(values_.high(-spacing_, line_));
  }
  [[nodiscard]] bool is_beside_line(const number::Hull& end) const { return !deviation_of(end).contains(number_); }

  // Whether the side at neither end is known from its value alone.
  [[nodiscard]] bool no_end_is_known() const {
    return !value_is_beside_line(0) && !value_is_beside_line(values_.range().count - 1);
  }
  // Whether f(x) differs from the line by the function's own enclosure, which may know more than a series.
  [[nodiscard]] bool value_is_beside_line(uint128 index) const {
    const function::ValueEnclosure value = values_.value(index);
    number::Arb line; // the line at f·2^−spacing
    arb_set_fmpz(line, number_);
    if (grid_.shifted()) {
      number::Arb half;
      arf_set_d(mid(half), 0.5);
      arb_add(line, line, half, ARF_PREC_EXACT);
    }
    if (is_negative_)
      arb_neg(line, line);
    arb_add_fmpz(line, line, line_.at(index, values_.range().count), ARF_PREC_EXACT);
    arb_mul_2exp_si(line, line, spacing_);
    const auto side_of = [&](mpfr_srcptr end) { // −1: end < line
      number::Arb number;
      arf_set_mpfr(mid(number), end);
      return arf_cmp(mid(number), mid(line));
    };
    if (!value.is_bounded())
      return false;
    const int lower = side_of(value.lower);
    const int upper = side_of(value.upper);
    return lower > 0 || upper < 0 || (value.is_strict && (lower == 0 || upper == 0));
  }

  // From here on the line is that of |f|, next to the breakpoints.
  void turn_to_magnitudes() {
    if (is_negative_) {
      fmpz_neg(line_.constant, line_.constant);
      fmpz_neg(line_.slope, line_.slope);
    }
    fmpz_add(line_.constant, line_.constant, number_);
  }

  // Whether the breakpoints of all arguments exist.
  [[nodiscard]] bool breakpoints_exist() const {
    if (!grid_.is_bounded())
      return true;
    return exists_at(0) && exists_at(values_.range().count - 1);
  }
  [[nodiscard]] bool exists_at(uint128 index) const {
    const number::Integer breakpoint = line_.at(index, values_.range().count);
    return fmpz_cmp_si(breakpoint, grid_.shifted() ? 0 : 1) >= 0 &&
           grid_.is_within(exponent_, static_cast<int>(fmpz_bits(breakpoint)));
  }

  // Nothing if the breakpoints are of both kinds, or some do not exist.
  [[nodiscard]] std::optional<BreakpointRule> rule_of(Side side) const {
    if (!breakpoints_exist())
      return std::nullopt;
    BreakpointRule rule;
    rule.side = side;
    if (grid_.rounding != Rounding::all || fmpz_is_even(line_.slope) != 0)
      rule.breakpoint = grid_.kind(fmpz_is_odd(line_.constant) != 0);
    if (finer_ != 0 && rule.breakpoint != Breakpoint::representable) // in the finer binade all are representable
      return std::nullopt;
    write_line(rule);
    return rule;
  }

  // Writes ±2^spacing·(constant + shift + slope·(S − S of the middle)), with x = ±S·2^unit.
  void write_line(BreakpointRule& rule) const {
    const Stretch& range = values_.range();
    number::Integer slope(line_.slope);
    number::Integer middle;
    number::set(static_cast<fmpz*>(middle), range.first + range.count / 2);
    number::Integer offset = line_.constant - middle * slope;
    fmpz_mul_2exp(offset, offset, 1);
    if (grid_.shifted())
      fmpz_add_ui(offset, offset, 1);
    if (is_negative_)
      fmpz_neg(offset, offset);
    if (is_negative_ != range.negative)
      fmpz_neg(slope, slope);
    rule.slope = to_hex(slope, spacing_ - range.unit_exponent);
    rule.offset = to_hex(offset, spacing_ - 1);
  }

  // The bits that neighbours probably need: about as many as determine the distance of the value that is nearest to its
  // breakpoint; 0 if a limit has decided.
  [[nodiscard]] long needed_precision(bool beyond) const {
    if (deviation_.contains(number_))
      return 0;
    number::Arb gap;
    arb_sub_fmpz(gap, beyond ? deviation_.lower : deviation_.upper, number_, first_margin);
    return grid_.number_bits() - number::exponent_above(mid(gap)) + first_margin;
  }

  const function::Function& function_;
  const format::BreakpointGrid& grid_;
  const int K_;
  const RangeValues& values_;
  bool is_negative_ = false;
  int exponent_ = 0; // the greater binade
  int spacing_ = 0;  // log2 of the coarser spacing
  int finer_ = 0;    // log2 of the coarser over the finer spacing
  Line line_;
  number::Hull deviation_;
  number::Integer number_;
};

} // namespace

Finding prove(const function::Function& function, const format::BreakpointGrid& grid, int K, const RangeValues& values,
              bool may_leave_side_open) {
  return Proof(function, grid, K, values).decide(may_leave_side_open);
}

} // namespace tmd::job
