// A range is decided from the Taylor coefficients of f at its ends, at its middle and over all of it: first whether its
// values are beyond what the format reaches, then whether F stays beside a line with integer coefficients
// (regime_proof). What cannot be decided is halved, or left to the engines; the number of looks at a stretch is
// bounded.
#include "job/regime_finder.hpp"

#include "job/regime_proof.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace tmd::job {

namespace {

using Next = Finding::Next;

constexpr long most_precision = 1L << 16; // at binary80's least number, sin x differs from x by 2^−32891·x
constexpr long more_than_values = 4;      // factor over most_value_precision, if values are known with few bits only
constexpr int most_looks = 4096;          // proofs tried in one stretch
constexpr int most_looks_beyond = 128;    // of these, those with all values too small or too large
constexpr double most_deviation = 1;      // largest deviation, in spacings over a range, that is worth a closer look
constexpr int least_share_bits = 10;      // a regime below 2^-10 of a stretch is not worth cutting the rest

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
  const number::Hull hull = number::Hull::of(magnitude, precision);
  const auto binade = [](const number::Arb& end) {
    constexpr long most = format::BreakpointGrid::no_exponent + 1L;
    return static_cast<int>(
        std::clamp(arf_sgn(mid(end)) <= 0 ? -most : number::exponent_above(mid(end)) - 1, -most, most));
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

RegimeFinder::RegimeFinder(const Job& job, std::function<bool()> interrupted)
    : function_(job.function), grid_(job.grid()), K_(job.K), interrupted_(std::move(interrupted)),
      most_if_open_(std::min(most_precision, more_than_values * job.function->most_precision)),
      precision_(least_precision()) {}

long RegimeFinder::least_precision() const { return grid_.precision + K_ + first_margin; }

std::vector<RegimeStretch> RegimeFinder::find(const Stretch& stretch) {
  std::vector<RegimeStretch> divided;
  const auto add = [&](const Stretch& range, const std::optional<Regime>& regime) {
    if (!divided.empty() && divided.back().regime == regime)
      divided.back().arguments.count += range.count;
    else
      divided.push_back({range, regime});
  };
  if (function_->has_integer_poles && stretch.negative && stretch.unit_exponent >= 0) {
    add(stretch, Regime{{}, false, true}); // all arguments are integers
    return divided;
  }
  looks_beyond_ = most_looks_beyond;
  std::vector<Stretch> waiting; // the next one at the end
  const auto part = [&](uint128 first, uint128 count) {
    return Stretch{stretch.negative, stretch.unit_exponent, first, count};
  };
  if (stretch.first == 0) { // zero itself, which has a stretch of its own
    add(stretch, std::nullopt);
    return divided;
  }
  // Subnormal numbers, too, by binades: where f is x, the spacing of its values is that of their binade.
  for (uint128 first = stretch.first, end = stretch.first + stretch.count; end > first;) {
    const uint128 binade = uint128(1) << (bit_length(end - 1) - 1);
    const uint128 from = std::max(first, binade);
    waiting.push_back(part(from, end - from));
    end = from;
  }
  for (int looks = 0; !waiting.empty(); ++looks) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    const Stretch range = waiting.back();
    waiting.pop_back();
    const bool may_split = looks < most_looks;
    const Finding finding = may_split || may_stay_open() ? decide(range, stretch.count) : Finding{Next::leave};
    if (finding.next == Next::done) {
      add(range, finding.regime);
    } else if (finding.next == Next::leave || range.count == 1 || !may_split) {
      add(range, std::nullopt);
    } else {
      const uint128 half = range.count / 2;
      waiting.push_back(part(range.first + half, range.count - half));
      waiting.push_back(part(range.first, half));
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
  const auto half_exponent = static_cast<double>(std::clamp(number::exponent_above(mid(least)) - 1, -1024L, 1024L)) / 2;
  const double without_case = allowed * std::exp2(1 - half_exponent);
  const double of_cases = without_case * std::exp2((1 - K_) / 2.0);
  return without_case >= static_cast<double>(whole >> least_share_bits) ||
         of_cases >= static_cast<double>(shortest_regime);
}

Finding RegimeFinder::decide(const Stretch& range, uint128 whole) {
  if (const auto finding = decide_vanishing(range, whole))
    return *finding;
  RangeValues values(*function_, range, least_precision());
  if (const auto finding = decide_reach(range, values))
    return *finding;
  if (!is_flat(values, values.lowest(), 0, whole) && !is_flat(values, values.highest(), range.count - 1, whole))
    return {Next::leave};
  return prove(range);
}

std::optional<Finding> RegimeFinder::decide_vanishing(const Stretch& range, uint128 whole) const {
  if (!function_->most_left_of || !range.negative)
    return std::nullopt;
  const auto vanishes_from = [&](uint128 index) {
    number::Arb x;
    number::set(x, range.first + index);
    to_arguments(x, range);
    number::Arb bound;
    function_->most_left_of(bound, x, range.unit_exponent, least_precision());
    return reach_of(bound, grid_, K_, least_precision()) == Reach::below;
  };
  if (vanishes_from(0))
    return Finding{Next::done};
  if (range.count <= whole >> least_share_bits || !vanishes_from(range.count - 1))
    return std::nullopt;
  return Finding{Next::split};
}

std::optional<Finding> RegimeFinder::decide_reach(const Stretch& range, RangeValues& values) {
  const auto reach = [&](arb_srcptr value) { return reach_of(value, grid_, K_, least_precision()); };
  const Reach low = reach(values.lowest()[0]);
  // Far out, Arb reduces arguments with fewer bits than they have, and its ball says nothing.
  const bool may_be_above = low == Reach::above || arb_rel_accuracy_bits(values.lowest()[0]) <= 0;
  if (const auto risen = may_be_above ? rises_from(range) : std::nullopt; risen) {
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
  const number::Hull hull = values.hull(0, Line());
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

Finding RegimeFinder::prove(const Stretch& range) {
  for (long precision = std::max(least_precision(), precision_);; precision *= 2) {
    RangeValues values(*function_, range, precision);
    if (!values.enclose_all())
      return {Next::split};
    const bool may_leave_side_open = precision * 2 > most_if_open_ && may_stay_open();
    Finding finding = job::prove(*function_, grid_, K_, values, may_leave_side_open);
    // At a single argument next to a border a few more bits decide on which side it lies.
    const bool is_at_border = finding.next == Next::split && range.count == 1 && precision < 8 * least_precision();
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

std::optional<number::Arb> RegimeFinder::rises_from(const Stretch& range) const {
  if (range.negative && function_->symmetry == Symmetry::none)
    return std::nullopt;
  number::Arb least;
  number::Arb nearest;
  number::Arb far; // there all rising values have overflown, and Arb still has finite ones
  arb_set_d(least, function_->rises_from);
  arb_one(far);
  arb_mul_2exp_si(far, far, 20);
  number::set(nearest, range.first);
  arb_mul_2exp_si(nearest, nearest, range.unit_exponent);
  arb_min(nearest, nearest, far, ARF_PREC_EXACT);
  if (arb_ge(nearest, least) == 0)
    return std::nullopt;
  return nearest;
}

} // namespace tmd::job
