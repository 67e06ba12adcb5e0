// A range is decided from the Taylor coefficients of f at its ends, at its middle and over all of it: first whether its
// values are beyond what the format reaches, then whether F stays beside a line with integer coefficients (Proof). What
// cannot be decided is halved, or left to the engines; the number of looks at a stretch is bounded.
#include "job/regimes.hpp"

#include "number/arb.hpp"
#include "number/in_parallel.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace tmd::job {

namespace {

constexpr long first_margin = 96;         // bits beyond F's own and those of the bound
constexpr long most_precision = 1L << 16; // at binary80's least number, sin x differs from x by 2^−32891·x
constexpr long more_than_values = 4;      // factor over most_value_precision, if values are known with few bits only
constexpr int most_looks = 4096;          // proofs tried in one stretch
constexpr int most_looks_beyond = 128;    // of these, those with all values too small or too large
constexpr double most_deviation = 1;      // largest deviation, in spacings over a range, that is worth a closer look
constexpr int least_share_bits = 10;      // a regime below 2^-10 of a stretch is not worth cutting the rest
constexpr long far_beyond = 1L << 40;     // an exponent of 2 beyond all others
constexpr long no_exponent = -far_beyond; // the exponent of 0

arf_srcptr mid(const number::Arb& ball) { return arb_midref(static_cast<arb_srcptr>(ball)); }
arf_ptr mid(number::Arb& ball) { return arb_midref(static_cast<arb_ptr>(ball)); }

// The least e with |y| < 2^e.
long exponent_above(arf_srcptr y) {
  if (arf_is_zero(y) != 0)
    return no_exponent;
  number::Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, y);
  if (arf_is_finite(y) == 0 || fmpz_bits(exponent) > 40)
    return arf_is_finite(y) == 0 || fmpz_sgn(exponent) > 0 ? far_beyond : no_exponent;
  return fmpz_get_si(exponent);
}

int compare(const number::Arb& thin, const number::Integer& number) {
  number::Arb other;
  arb_set_fmpz(other, number);
  return arf_cmp(mid(thin), mid(other));
}

// An interval [lower, upper] whose ends are numbers.
struct Hull {
  number::Arb lower;
  number::Arb upper;

  // Both balls are thin; the hull may be infinite.
  static Hull of(arb_srcptr ball, long precision) {
    Hull hull;
    arb_get_lbound_arf(mid(hull.lower), ball, precision);
    arb_get_ubound_arf(mid(hull.upper), ball, precision);
    return hull;
  }
  void add(const Hull& other) {
    if (arf_cmp(mid(other.lower), mid(lower)) < 0)
      arb_set(lower, other.lower);
    if (arf_cmp(mid(other.upper), mid(upper)) > 0)
      arb_set(upper, other.upper);
  }
  [[nodiscard]] Hull negated() const {
    Hull hull;
    arb_neg(hull.lower, upper);
    arb_neg(hull.upper, lower);
    return hull;
  }
  [[nodiscard]] bool contains(const number::Integer& number) const {
    return compare(lower, number) <= 0 && compare(upper, number) >= 0;
  }
};

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

number::Integer to_integer(uint128 value) {
  number::Integer result;
  number::set(static_cast<fmpz*>(result), value);
  return result;
}

number::Integer floor_of(const number::Arb& thin) {
  number::Integer result;
  arf_get_fmpz(result, mid(thin), ARF_RND_FLOOR);
  return result;
}

} // namespace

// Taylor coefficients of f(±(first + i)·2^unit) in i, at the ends and the middle of a range and over all of it.
class RegimeFinder::RangeValues {
public:
  RangeValues(const function::Function& function, const Stretch& stretch, const Range& range, long precision)
      : function_(&function), stretch_(&stretch), range_(range), precision_(precision) {
    lowest_ = at(0, 2);
    highest_ = range.count > 1 ? at(range.count - 1, 2) : lowest_;
  }

  [[nodiscard]] const Stretch& stretch() const { return *stretch_; }
  [[nodiscard]] const Range& range() const { return range_; }
  [[nodiscard]] long precision() const { return precision_; }
  [[nodiscard]] const number::ArbVector& lowest() const { return lowest_; }
  [[nodiscard]] const number::ArbVector& highest() const { return highest_; }

  // Prepares hull(). False if values are not finite.
  [[nodiscard]] bool enclose_all() {
    number::Arb interval;
    number::set_interval(interval, range_.first, range_.first + (range_.count - 1));
    all_ = series(interval, 4);
    middle_ = range_.count > 1 ? at(range_.count / 2, 3) : all_;
    for (const number::ArbVector* one : {&lowest_, &highest_, &middle_, &all_})
      for (long j = 0; j < one->size(); ++j)
        if (arb_is_finite((*one)[j]) == 0)
          return false;
    return true;
  }

  // The coefficient of i² at an argument, times 2^exponent.
  [[nodiscard]] number::Arb bend(uint128 index, long exponent) const {
    const number::ArbVector coefficients = at(index, 3);
    number::Arb result;
    arb_mul_2exp_si(result, coefficients[2], exponent);
    return result;
  }

  // The middle's coefficient of i^order, times 2^exponent.
  [[nodiscard]] number::Arb middle(long order, long exponent) const {
    number::Arb result;
    arb_mul_2exp_si(result, middle_[order], exponent);
    return result;
  }

  // The values of f·2^exponent − n0 − n1·t, t counted from the middle: between those at the ends where the derivative
  // has one sign, else by a Taylor form.
  [[nodiscard]] Hull hull(long exponent, const number::Integer& n0, const number::Integer& n1) const {
    const Hull low = end(lowest_, 0, exponent, n0, n1);
    const Hull high = end(highest_, range_.count - 1, exponent, n0, n1);
    number::Arb radius;
    number::set(radius, range_.count - range_.count / 2);
    number::Arb either; // [−r, r]
    arb_add_error(either, radius);
    number::Arb square; // [0, r²]
    arb_mul(square, radius, radius, precision_);
    arb_mul_2exp_si(square, square, -1);
    {
      const number::Arb half(square);
      arb_add_error(square, half);
    }
    number::Arb slope = middle(1, exponent);
    arb_sub_fmpz(slope, slope, n1, precision_);
    const number::Arb bend = middle(2, exponent);
    number::Arb third;
    arb_mul_2exp_si(third, all_[3], exponent);

    number::Arb derivative(slope); // slope + 2·bend·t + 3·third·t²
    number::Arb term;
    arb_mul_2exp_si(term, bend, 1);
    arb_addmul(derivative, term, either, precision_);
    arb_mul_ui(term, third, 3, precision_);
    arb_addmul(derivative, term, square, precision_);
    Hull result = low;
    result.add(high);
    if (arb_contains_zero(derivative) == 0 || range_.count == 1)
      return result;

    number::Arb sum = middle(0, exponent);
    arb_sub_fmpz(sum, sum, n0, precision_);
    arb_addmul(sum, slope, either, precision_);
    arb_addmul(sum, bend, square, precision_);
    arb_mul(term, square, either, precision_); // contains every t³
    arb_addmul(sum, third, term, precision_);
    result.add(Hull::of(sum, precision_));
    return result;
  }

  // The values of hull(), at the two ends alone.
  [[nodiscard]] Hull low(long exponent, const number::Integer& n0, const number::Integer& n1) const {
    return end(lowest_, 0, exponent, n0, n1);
  }
  [[nodiscard]] Hull high(long exponent, const number::Integer& n0, const number::Integer& n1) const {
    return end(highest_, range_.count - 1, exponent, n0, n1);
  }

  // The value by the function's own enclosure.
  [[nodiscard]] function::ValueEnclosure value(uint128 index) const {
    number::Arb x;
    number::set(x, range_.first + index);
    to_arguments(x, *stretch_);
    number::Mpfr argument(bit_length(range_.first + index));
    arf_get_mpfr(argument, mid(x), MPFR_RNDN);
    return function_->value(argument, std::min(precision_, function_->most_precision));
  }

private:
  [[nodiscard]] number::ArbVector at(uint128 index, long length) const {
    number::Arb significand;
    number::set(significand, range_.first + index);
    return series(significand, length);
  }

  [[nodiscard]] number::ArbVector series(number::Arb& x, long length) const {
    to_arguments(x, *stretch_);
    number::ArbVector result(length);
    function_->series(result.data(), x, length, precision_);
    for (long j = 0; j < length; ++j) {
      arb_mul_2exp_si(result[j], result[j], j * stretch_->unit_exponent);
      if (stretch_->negative && j % 2 != 0)
        arb_neg(result[j], result[j]);
    }
    return result;
  }

  [[nodiscard]] Hull end(const number::ArbVector& coefficients, uint128 index, long exponent, const number::Integer& n0,
                         const number::Integer& n1) const {
    number::Integer line = to_integer(index);
    fmpz_sub(line, line, to_integer(range_.count / 2));
    fmpz_mul(line, line, n1);
    fmpz_add(line, line, n0);
    number::Arb value;
    arb_mul_2exp_si(value, coefficients[0], exponent);
    arb_sub_fmpz(value, value, line, precision_);
    return Hull::of(value, precision_);
  }

  const function::Function* function_;
  const Stretch* stretch_;
  Range range_;
  long precision_;
  number::ArbVector lowest_{1};
  number::ArbVector highest_{1};
  number::ArbVector middle_{1};
  number::ArbVector all_{1};
};

namespace {

// Drops regimes without any case that are a small part of the whole: they are not worth cutting the rest for.
std::vector<RegimeStretch> without_negligible_regimes(const std::vector<RegimeStretch>& divided, uint128 whole) {
  std::vector<RegimeStretch> result;
  for (const RegimeStretch& one : divided) {
    const bool is_negligible = one.regime && *one.regime == Regime{} && one.arguments.count < whole >> least_share_bits;
    const std::optional<Regime> regime = is_negligible ? std::nullopt : one.regime;
    if (!result.empty() && result.back().regime == regime) {
      result.back().arguments.count += one.arguments.count;
    } else {
      result.push_back(one);
      result.back().regime = regime;
    }
  }
  return result;
}

// Where |f| lies in relation to the binades that have breakpoints.
enum class Reach { inside, below, above };

// The least and the greatest binade that |y| may be in; beyond BreakpointGrid::no_exponent if it may be 0 or infinite.
std::pair<int, int> binades_of(arb_srcptr y, long precision) {
  number::Arb magnitude;
  arb_abs(magnitude, y);
  const Hull hull = Hull::of(magnitude, precision);
  const auto binade = [](const number::Arb& end) {
    constexpr long most = format::BreakpointGrid::no_exponent + 1L;
    return static_cast<int>(std::clamp(arf_sgn(mid(end)) <= 0 ? -most : exponent_above(mid(end)) - 1, -most, most));
  };
  return {binade(hull.lower), binade(hull.upper)};
}

// Where the values of a ball lie: `inside` if a breakpoint may be near, or nothing is known.
Reach reach_of(arb_srcptr value, const format::BreakpointGrid& grid, int K, long precision) {
  if (!grid.is_bounded() || arb_is_finite(value) == 0 || arb_is_zero(value) != 0) // 0 itself is an exact case
    return Reach::inside;
  const auto [below, above] = binades_of(value, precision);
  if (below > grid.max_exponent)
    return Reach::above;
  return above <= grid.max_exponent && !grid.reaches(above, K) ? Reach::below : Reach::inside;
}

} // namespace

// A proof from F's deviation from a line n0 + n1·t with integers n0 and n1: if all deviations lie between two
// breakpoints there is no case, and if all lie next to one integer all are cases. decide() is the proof from top to
// bottom, for cases whose side of the breakpoint is known; decide_without_side() for all.
class RegimeFinder::Proof {
public:
  Proof(const RegimeFinder& finder, const RangeValues& values)
      : finder_(finder), grid_(finder.grid_), K_(finder.K_), values_(values) {}

  [[nodiscard]] Finding decide() { return decide(true); }

  // A proof that all are cases, without knowing on which side.
  [[nodiscard]] Finding decide_without_side() { return decide(false); }
  // Whether the side at either end is known from its value alone.
  [[nodiscard]] bool is_known_alone() const {
    return value_is_beside_line(0) || value_is_beside_line(values_.range().count - 1);
  }

private:
  [[nodiscard]] Finding decide(bool needs_side) {
    if (!find_binades())
      return {Next::split};
    find_line();
    deviation_ = deviation_of(values_.hull(-spacing_, n0_, n1_));
    if (is_between_breakpoints())
      return {Next::done};
    if (!find_number() || (grid_.shifted() && finer_ != 0))
      return {Next::split};
    if (is_exactly_number())
      return decide_exact();
    const std::optional<bool> beyond = is_beyond();
    if (!beyond && needs_side) // more bits determine on which side the values are, unless they cross
      return {crosses() ? Next::split : Next::leave};
    turn_to_magnitudes();
    const Side side = !beyond ? Side::undecided : *beyond != is_negative_ ? Side::above : Side::below;
    const auto rule = rule_of(side);
    if (!rule)
      return {Next::split};
    return {Next::done, {*rule}, beyond ? needed_precision(*beyond) : values_.precision()};
  }

  // Finds the sign of f, and its binades: at most two, whose breakpoints are looked at together, in units of the
  // coarser spacing. Returns false if that is impossible.
  bool find_binades() {
    const number::Integer zero;
    const Hull value = values_.hull(0, zero, zero);
    is_negative_ = arf_sgn(mid(value.upper)) < 0;
    if (!is_negative_ && arf_sgn(mid(value.lower)) <= 0)
      return false;
    const long below = exponent_above(mid(is_negative_ ? value.upper : value.lower)) - 1;
    const long above = exponent_above(mid(is_negative_ ? value.lower : value.upper)) - 1;
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
    for (const auto& [number, order] : {std::pair(&n0_, 0L), std::pair(&n1_, 1L)}) {
      number::Arb coefficient = values_.middle(order, -spacing_);
      arf_get_fmpz(*number, mid(coefficient), ARF_RND_NEAR);
    }
  }

  // The deviation of F, from that of f·2^−spacing − n0 − n1·t.
  [[nodiscard]] Hull deviation_of(Hull hull) const {
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
    if (all_are_near_number())
      return true;
    fmpz_add_ui(number_, number_, 1);
    return all_are_near_number();
  }

  [[nodiscard]] bool all_are_near_number() const {
    number::Arb reach;
    arb_one(reach);
    arb_mul_2exp_si(reach, reach, -K_ - finer_);
    number::Arb lower;
    number::Arb upper;
    arb_set_fmpz(lower, number_);
    arb_sub(lower, lower, reach, ARF_PREC_EXACT);
    arb_set_fmpz(upper, number_);
    arb_add(upper, upper, reach, ARF_PREC_EXACT);
    return arf_cmp(mid(deviation_.lower), mid(lower)) > 0 && arf_cmp(mid(deviation_.upper), mid(upper)) < 0;
  }

  // Whether F is the line itself, without any error: Arb computes linear functions so.
  [[nodiscard]] bool is_exactly_number() const {
    return compare(deviation_.lower, number_) == 0 && compare(deviation_.upper, number_) == 0;
  }

  // The finding that every value is a breakpoint, if all breakpoints of these numbers exist.
  [[nodiscard]] Finding decide_exact() {
    turn_to_magnitudes();
    if (!finder_.exist(values_, n0_, n1_, exponent_))
      return {Next::split};
    return {Next::done, {{}, true}};
  }

  // Whether |f| is beyond the line; nothing if not known.
  [[nodiscard]] std::optional<bool> is_beyond() const {
    if (!deviation_.contains(number_))
      return compare(deviation_.lower, number_) > 0;
    if (fmpz_is_zero(n1_) == 0 || grid_.shifted())
      return std::nullopt;
    // A limit is on one side, however near the values are.
    number::Arb line;
    arb_set_fmpz(line, n0_);
    (is_negative_ ? arb_sub_fmpz : arb_add_fmpz)(line, line, number_, ARF_PREC_EXACT);
    arb_mul_2exp_si(line, line, spacing_);
    if (arf_cmp_d(mid(line), finder_.function_->greater_than) == 0)
      return !is_negative_;
    if (arf_cmp_d(mid(line), finder_.function_->less_than) == 0)
      return is_negative_;
    return std::nullopt;
  }

  // Whether the values at either end lie on a known side of the line, while those of all do not.
  [[nodiscard]] bool crosses() const {
    return is_beside_line(values_.low(-spacing_, n0_, n1_)) && is_beside_line(values_.high(-spacing_, n0_, n1_));
  }
  [[nodiscard]] bool is_beside_line(const Hull& end) const { return !deviation_of(end).contains(number_); }

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
    number::Integer of_index = to_integer(index);
    fmpz_sub(of_index, of_index, to_integer(values_.range().count / 2));
    fmpz_mul(of_index, of_index, n1_);
    fmpz_add(of_index, of_index, n0_);
    arb_add_fmpz(line, line, of_index, ARF_PREC_EXACT);
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
      fmpz_neg(n0_, n0_);
      fmpz_neg(n1_, n1_);
    }
    fmpz_add(n0_, n0_, number_);
  }

  // Nothing if the breakpoints are of both kinds, or some do not exist.
  [[nodiscard]] std::optional<BreakpointRule> rule_of(Side side) const {
    if (!finder_.exist(values_, n0_, n1_, exponent_))
      return std::nullopt;
    BreakpointRule rule;
    rule.side = side;
    if (grid_.rounding != Rounding::all || fmpz_is_even(n1_) != 0)
      rule.breakpoint = grid_.kind(fmpz_is_odd(n0_) != 0);
    if (finer_ != 0 && rule.breakpoint != Breakpoint::representable) // in the finer binade all are representable
      return std::nullopt;
    write_line(rule);
    return rule;
  }

  // ±2^spacing·(n0 + shift + n1·(S − S of the middle)) with x = ±S·2^unit.
  void write_line(BreakpointRule& rule) const {
    const Stretch& stretch = values_.stretch();
    number::Integer slope(n1_);
    number::Integer offset = to_integer(values_.range().first + values_.range().count / 2);
    fmpz_mul(offset, offset, n1_);
    fmpz_sub(offset, n0_, offset);
    fmpz_mul_2exp(offset, offset, 1);
    if (grid_.shifted())
      fmpz_add_ui(offset, offset, 1);
    if (is_negative_)
      fmpz_neg(offset, offset);
    if (is_negative_ != stretch.negative)
      fmpz_neg(slope, slope);
    rule.slope = to_hex(slope, spacing_ - stretch.unit_exponent);
    rule.offset = to_hex(offset, spacing_ - 1);
  }

  // The bits that neighbours probably need: about as many as determine the distance of the value that is nearest to its
  // breakpoint; 0 if a limit has decided.
  [[nodiscard]] long needed_precision(bool beyond) const {
    if (deviation_.contains(number_))
      return 0;
    number::Arb gap;
    arb_sub_fmpz(gap, beyond ? deviation_.lower : deviation_.upper, number_, first_margin);
    return grid_.number_bits() - exponent_above(mid(gap)) + first_margin;
  }

  const RegimeFinder& finder_;
  const format::BreakpointGrid& grid_;
  const int K_;
  const RangeValues& values_;
  bool is_negative_ = false;
  int exponent_ = 0; // the greater binade
  int spacing_ = 0;  // log2 of the coarser spacing
  int finer_ = 0;    // log2 of the coarser over the finer spacing
  number::Integer n0_;
  number::Integer n1_;
  Hull deviation_;
  number::Integer number_;
};

RegimeFinder::RegimeFinder(const Job& job, std::function<bool()> interrupted)
    : function_(job.function), grid_(job.grid()), K_(job.K), interrupted_(std::move(interrupted)),
      most_if_open_(std::min(most_precision, more_than_values * job.function->most_precision)),
      precision_(least_precision()) {}

long RegimeFinder::least_precision() const { return grid_.precision + K_ + first_margin; }

std::vector<RegimeStretch> RegimeFinder::find(const Stretch& stretch) {
  std::vector<RegimeStretch> divided;
  const auto add = [&](const Range& range, const std::optional<Regime>& regime) {
    if (!divided.empty() && divided.back().regime == regime)
      divided.back().arguments.count += range.count;
    else
      divided.push_back({{stretch.negative, stretch.unit_exponent, range.first, range.count}, regime});
  };
  if (function_->has_integer_poles && stretch.negative && stretch.unit_exponent >= 0) {
    add({stretch.first, stretch.count}, Regime{{}, false, true}); // all arguments are integers
    return divided;
  }
  looks_beyond_ = most_looks_beyond;
  std::vector<Range> waiting; // the next one at the end
  if (stretch.first == 0) {   // zero itself, which has a stretch of its own
    add({0, stretch.count}, std::nullopt);
    return divided;
  }
  // Subnormal numbers, too, by binades: where f is x, the spacing of its values is that of their binade.
  for (uint128 first = stretch.first, end = stretch.first + stretch.count; end > first;) {
    const uint128 binade = uint128(1) << (bit_length(end - 1) - 1);
    const uint128 from = std::max(first, binade);
    waiting.push_back({from, end - from});
    end = from;
  }
  for (int looks = 0; !waiting.empty(); ++looks) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    const Range range = waiting.back();
    waiting.pop_back();
    const bool may_split = looks < most_looks;
    const Finding finding = may_split || may_stay_open() ? decide(stretch, range) : Finding{Next::leave};
    if (finding.next == Next::done) {
      add(range, finding.regime);
    } else if (finding.next == Next::leave || range.count == 1 || !may_split) {
      add(range, std::nullopt);
    } else {
      const uint128 half = range.count / 2;
      waiting.push_back({range.first + half, range.count - half});
      waiting.push_back({range.first, half});
    }
  }
  return without_negligible_regimes(divided, stretch.count);
}

// n arguments of F = … + b·t² leave every line by b·n²/4 between them. With at most 1 spacing there may be no case
// among them, with at most 2·2^−K only cases; four times as much is allowed, since b changes. Smaller regimes are not
// recorded.
bool RegimeFinder::stays_flat(const number::Arb& bend, uint128 whole) const {
  constexpr double allowed = 4;
  number::Arb least;
  arb_get_abs_lbound_arf(mid(least), bend, first_margin);
  if (arf_is_finite(mid(least)) == 0 || arf_is_zero(mid(least)) != 0)
    return true;
  const auto half_exponent = static_cast<double>(std::clamp(exponent_above(mid(least)) - 1, -1024L, 1024L)) / 2;
  const double without_case = allowed * std::exp2(1 - half_exponent);
  const double of_cases = without_case * std::exp2((1 - K_) / 2.0);
  return without_case >= static_cast<double>(whole >> least_share_bits) ||
         of_cases >= static_cast<double>(shortest_regime);
}

RegimeFinder::Finding RegimeFinder::decide(const Stretch& stretch, const Range& range) {
  RangeValues values(*function_, stretch, range, least_precision());
  if (const auto finding = decide_reach(stretch, range, values))
    return *finding;
  if (!is_flat(values, values.lowest(), 0, stretch.count) &&
      !is_flat(values, values.highest(), range.count - 1, stretch.count))
    return {Next::leave};
  return prove(stretch, range);
}

std::optional<RegimeFinder::Finding> RegimeFinder::decide_reach(const Stretch& stretch, const Range& range,
                                                                RangeValues& values) {
  const auto reach = [&](arb_srcptr value) { return reach_of(value, grid_, K_, least_precision()); };
  const Reach low = reach(values.lowest()[0]);
  const bool may_be_above = low == Reach::above || arb_is_finite(values.lowest()[0]) == 0;
  if (const auto risen = may_be_above ? rises_from(stretch, range) : std::nullopt; risen) {
    number::Arb value;
    function_->series(value, *risen, 1, least_precision());
    if (reach(value) == Reach::above)
      return Finding{Next::done};
  }
  if (low != reach(values.highest()[0]))
    return Finding{Next::split};
  if (low == Reach::inside)
    return std::nullopt;
  if (range.count == 1 || looks_beyond_ == 0 || !values.enclose_all())
    return Finding{Next::leave};
  --looks_beyond_;
  const number::Integer zero;
  const Hull hull = values.hull(0, zero, zero);
  number::Arb all;
  arb_union(all, hull.lower, hull.upper, least_precision());
  return Finding{reach(all) == low ? Next::done : Next::split};
}

bool RegimeFinder::is_flat(const RangeValues& values, const number::ArbVector& end, uint128 index,
                           uint128 whole) const {
  if (arb_is_finite(end[0]) == 0 || arb_is_finite(end[1]) == 0)
    return false;
  const int exponent = binades_of(end[0], least_precision()).second;
  if (std::abs(exponent) >= format::BreakpointGrid::no_exponent)
    return false;
  number::Arb slope;
  arb_mul_2exp_si(slope, end[1], -grid_.spacing_exponent(exponent));
  number::Arb step;
  arf_set_d(mid(step), 0.5);
  arf_add(mid(step), mid(step), mid(slope), least_precision(), ARF_RND_DOWN);
  arf_floor(mid(step), mid(step));
  arb_sub_arf(slope, slope, mid(step), least_precision());
  number::Arb most; // if f is not known well enough, it is not flat
  arb_get_abs_ubound_arf(mid(most), slope, least_precision());
  const uint128 count = values.range().count;
  return arf_get_d(mid(most), ARF_RND_NEAR) * static_cast<double>(count) <= most_deviation &&
         (count <= whole >> least_share_bits || // next to values that the grid does not reach
          stays_flat(values.bend(index, -grid_.spacing_exponent(exponent)), whole));
}

RegimeFinder::Finding RegimeFinder::prove(const Stretch& stretch, const Range& range) {
  for (long precision = std::max(least_precision(), precision_);; precision *= 2) {
    RangeValues values(*function_, stretch, range, precision);
    if (!values.enclose_all())
      return {Next::split};
    Proof proof(*this, values);
    Finding finding = proof.decide();
    // At a single argument next to a border a few more bits decide on which side it lies.
    const bool is_at_border = finding.next == Next::split && range.count == 1 && precision < 8 * least_precision();
    if (finding.next == Next::leave && precision * 2 > most_if_open_ && may_stay_open() && !proof.is_known_alone())
      finding = proof.decide_without_side();
    if (finding.next != Next::leave && !is_at_border) {
      if (finding.precision > 0)
        precision_ = finding.precision;
      return finding;
    }
    if (precision * 2 > most_precision)
      return finding;
  }
}

// Functions with a limited precision are evaluated with so few bits that each case would be undecided by itself.
bool RegimeFinder::may_stay_open() const { return function_->most_precision < function::most_value_precision; }

std::optional<number::Arb> RegimeFinder::rises_from(const Stretch& stretch, const Range& range) const {
  if (stretch.negative && function_->symmetry == Symmetry::none)
    return std::nullopt;
  number::Arb least;
  number::Arb nearest;
  number::Arb far; // there all rising values have overflown, and Arb still has finite ones
  arb_set_d(least, function_->rises_from);
  arb_one(far);
  arb_mul_2exp_si(far, far, 20);
  number::set(nearest, range.first);
  arb_mul_2exp_si(nearest, nearest, stretch.unit_exponent);
  arb_min(nearest, nearest, far, ARF_PREC_EXACT);
  if (arb_ge(nearest, least) == 0)
    return std::nullopt;
  return nearest;
}

bool RegimeFinder::exist(const RangeValues& values, const number::Integer& number, const number::Integer& step,
                         int exponent) const {
  if (!grid_.is_bounded())
    return true;
  const uint128 middle = values.range().count / 2;
  for (const uint128 index : {uint128(0), values.range().count - 1}) {
    number::Integer breakpoint = to_integer(index);
    fmpz_sub(breakpoint, breakpoint, to_integer(middle));
    fmpz_mul(breakpoint, breakpoint, step);
    fmpz_add(breakpoint, breakpoint, number);
    if (fmpz_cmp_si(breakpoint, grid_.shifted() ? 0 : 1) < 0)
      return false;
    if (!grid_.is_within(exponent, static_cast<int>(fmpz_bits(breakpoint))))
      return false;
  }
  return true;
}

std::optional<RoundedValues> rounded_values(const BreakpointRule& rule) {
  if (!rule.breakpoint || rule.side == Side::undecided)
    return std::nullopt;
  const bool is_above = rule.side == Side::above;
  const bool is_midpoint = *rule.breakpoint == Breakpoint::midpoint;
  const Rounded above = is_above || is_midpoint ? Rounded::next_above : Rounded::to_breakpoint;
  const Rounded below = is_above && !is_midpoint ? Rounded::to_breakpoint : Rounded::next_below;
  return RoundedValues{!is_midpoint ? Rounded::to_breakpoint : is_above ? above : below, above, below};
}

RegimeJoiner::RegimeJoiner(format::ArgumentSet arguments, std::function<void(const RegimeRange&)> take_regime,
                           std::function<void(const Stretch&)> take_stretch)
    : arguments_(std::move(arguments)), take_regime_(std::move(take_regime)), take_stretch_(std::move(take_stretch)) {}

void RegimeJoiner::add(const RegimeStretch& next) {
  if (!next.regime) {
    close_regime();
    add_stretch(next.arguments);
    return;
  }
  const RankInterval ranks = ranks_of(arguments_, next.arguments, 0, next.arguments.count);
  const bool joins = regime_ && regime_->regime == *next.regime &&
                     (ranks.first == regime_->ranks.last || ranks.last == regime_->ranks.first);
  if (!joins) {
    close_regime();
    regime_ = RegimeRange{ranks, *next.regime};
  } else {
    regime_->ranks = {std::min(regime_->ranks.first, ranks.first), std::max(regime_->ranks.last, ranks.last)};
  }
  if (regime_->size() < shortest_regime) {
    short_.push_back(next.arguments);
  } else {
    short_.clear();
    close_stretch();
  }
}

void RegimeJoiner::close() {
  close_regime();
  close_stretch();
}

void RegimeJoiner::close_regime() {
  if (!regime_)
    return;
  const RegimeRange done = *std::exchange(regime_, std::nullopt);
  if (done.size() >= shortest_regime) {
    take_regime_(done);
    return;
  }
  for (const Stretch& stretch : std::exchange(short_, {}))
    add_stretch(stretch);
}

void RegimeJoiner::add_stretch(const Stretch& stretch) {
  if (stretch_ && stretch_->negative == stretch.negative && stretch_->unit_exponent == stretch.unit_exponent &&
      stretch_->first + stretch_->count == stretch.first && bit_length(stretch_->first) == bit_length(stretch.first)) {
    stretch_->count += stretch.count;
    return;
  }
  close_stretch();
  stretch_ = stretch;
}

void RegimeJoiner::close_stretch() {
  if (stretch_)
    take_stretch_(*std::exchange(stretch_, std::nullopt));
}

void divide(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
            std::function<void(const RegimeRange&)> take_regime, std::function<void(const Stretch&)> take_stretch) {
  RegimeFinder finder(job, interrupted);
  RegimeJoiner joiner(job.arguments(), std::move(take_regime), std::move(take_stretch));
  for (const auto& [first, last] : ranks.intervals()) {
    for (const Stretch& stretch : stretches(job.arguments(), first, last))
      for (const RegimeStretch& one : finder.find(stretch))
        joiner.add(one);
    joiner.close();
  }
}

void divide_in_parallel(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
                        std::function<void(const RegimeRange&)> take_regime,
                        std::function<void(const Stretch&)> take_stretch) {
  constexpr std::size_t at_a_time = 16; // stretches of one finder, whatever the number of threads
  RegimeJoiner joiner(job.arguments(), std::move(take_regime), std::move(take_stretch));
  for (const auto& [first, last] : ranks.intervals()) {
    const std::vector<Stretch> all = stretches(job.arguments(), first, last);
    std::vector<std::vector<RegimeStretch>> found(all.size());
    const auto find = [&](std::uint64_t part, unsigned /*thread*/) {
      RegimeFinder finder(job, interrupted);
      for (std::size_t i = part * at_a_time; i < std::min(all.size(), (part + 1) * at_a_time); ++i)
        found[i] = finder.find(all[i]);
    };
    number::in_parallel((all.size() + at_a_time - 1) / at_a_time, number::cores(), find);
    for (const std::vector<RegimeStretch>& divided : found)
      for (const RegimeStretch& one : divided)
        joiner.add(one);
    joiner.close();
  }
}

void join(std::vector<RegimeRange>& regimes) {
  std::sort(regimes.begin(), regimes.end(),
            [](const RegimeRange& left, const RegimeRange& right) { return left.ranks.first < right.ranks.first; });
  std::vector<RegimeRange> joined;
  for (RegimeRange& next : regimes)
    if (!joined.empty() && joined.back().regime == next.regime && joined.back().ranks.last == next.ranks.first)
      joined.back().ranks.last = next.ranks.last;
    else
      joined.push_back(std::move(next));
  regimes = std::move(joined);
}

} // namespace tmd::job
