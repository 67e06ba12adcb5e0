// How roots are found: breakpoints between the values at the interval's ends are taken one by one; Newton's method
// brings an index near each root, and the arguments within the proven distance of that index are listed.

#include "engine/roots/plan.hpp"

#include "number/bound.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace tmd::engine::roots {

namespace {

constexpr std::uint64_t shortest = std::uint64_t(1) << 12; // arguments; shorter intervals cost little anyway
constexpr std::uint64_t longest = std::uint64_t(1) << 62;
constexpr double steepest = 0x1p-8; // if there are more roots, the tests are cheaper
constexpr double most_roots = 0x1p+20;
constexpr double most_change = 8;       // of the slope over an interval
constexpr double most_near_root = 4096; // arguments
constexpr double roots_of_batch = 256;  // small, so that an interrupt is soon noticed
constexpr double cost_of_root = 0.3;    // in units of a confirmation
constexpr double rounding_up = 1 + 0x1p-40;

double about(arb_srcptr ball) { return arf_get_d(arb_midref(ball), ARF_RND_NEAR); }

struct Slopes {
  double least = 0;
  double greatest = 0;
};

// Bounds of |x|; 0 and infinity if the ball is not finite.
Slopes slopes_in(arb_srcptr ball) {
  if (arb_is_finite(ball) == 0)
    return {0, std::numeric_limits<double>::infinity()};
  number::Arb bound;
  Slopes result;
  arb_get_abs_lbound_arf(mid(bound), ball, 64);
  result.least = arf_get_d(mid(bound), ARF_RND_DOWN);
  arb_get_abs_ubound_arf(mid(bound), ball, 64);
  result.greatest = arf_get_d(mid(bound), ARF_RND_UP);
  return result;
}

// The least and the greatest integer from ε below two balls to ε above them. A union of the balls would be wider, for
// radii have few bits.
std::pair<number::Integer, number::Integer> breakpoints_of(arb_srcptr one, arb_srcptr other, int K, long precision) {
  number::Arb epsilon;
  arb_one(epsilon);
  arb_mul_2exp_si(epsilon, epsilon, -K);
  number::Arb low;
  number::Arb high;
  number::Arb bound;
  arb_get_lbound_arf(mid(low), one, precision);
  arb_get_lbound_arf(mid(bound), other, precision);
  arf_min(mid(low), mid(low), mid(bound));
  arf_sub(mid(low), mid(low), mid(epsilon), precision, ARF_RND_FLOOR);
  arb_get_ubound_arf(mid(high), one, precision);
  arb_get_ubound_arf(mid(bound), other, precision);
  arf_max(mid(high), mid(high), mid(bound));
  arf_add(mid(high), mid(high), mid(epsilon), precision, ARF_RND_CEIL);
  std::pair<number::Integer, number::Integer> result;
  arf_get_fmpz(result.first, mid(low), ARF_RND_CEIL);
  arf_get_fmpz(result.second, mid(high), ARF_RND_FLOOR);
  return result;
}

class RootOffer : public Offer {
public:
  RootOffer(std::unique_ptr<RootPlan> plan, double confirmation) : plan_(std::move(plan)) {
    count = plan_->count;
    const double near_root = 2 * std::exp2(-plan_->K) / plan_->least_slope + 1;
    cost = (plan_->expected_roots + 1) * (cost_of_root + near_root) * confirmation / static_cast<double>(count);
    prices = {{roots_method, cost}};
  }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override { return std::make_unique<RootPlan>(*plan_); }

private:
  std::unique_ptr<RootPlan> plan_;
};

} // namespace

void Deviation::enclose(number::ArbVector& value_and_slope, uint128 first, uint128 last) const {
  number::Arb index;
  number::set_interval(index, first, last);
  function_.series(value_and_slope.data(), index, 2, precision_);
  arb_submul_fmpz(value_and_slope[0], index, line_, precision_);
  arb_sub_fmpz(value_and_slope[1], value_and_slope[1], line_, precision_);
}

std::unique_ptr<Offer> RootPlanner::offer(uint128 first, uint128 most) {
  auto count = static_cast<std::uint64_t>(std::min<uint128>(most, longest));
  if (count < shortest)
    return nullptr;
  number::ArbVector at(2);
  Deviation(function_, number::Integer(), precision_).enclose(at, first, first);
  if (arb_is_finite(at[1]) == 0 || !(number::Bound::radius_of(at[0]) < number::Bound::power_of_two(-K_)))
    return nullptr;
  number::Integer line;
  arf_get_fmpz(line, arb_midref(at[1]), ARF_RND_NEAR);
  arb_sub_fmpz(at[1], at[1], line, precision_);
  if (!(std::fabs(about(at[1])) < steepest))
    return nullptr;
  const auto deviation = std::make_shared<const Deviation>(function_, line, precision_);
  for (; count >= shortest; count /= 2) {
    deviation->enclose(at, first, first + (count - 1));
    const Slopes slopes = slopes_in(at[1]);
    const double roots = slopes.greatest * static_cast<double>(count);
    if (!(slopes.least > 0 && slopes.greatest <= most_change * slopes.least && roots <= most_roots &&
          std::exp2(-K_) <= most_near_root * slopes.least))
      continue;
    auto plan = std::make_unique<RootPlan>();
    plan->first = first;
    plan->count = count;
    plan->deviation = deviation;
    plan->least_slope = slopes.least;
    plan->expected_roots = roots;
    plan->K = K_;
    return std::make_unique<RootOffer>(std::move(plan), costs_[device::shared_cost("confirmation")]);
  }
  return nullptr;
}

PlanReport RootPlan::report() const {
  return {roots_method, {}, {{"epsilon", number::Bound::power_of_two(-K), true}}, {}};
}

std::unique_ptr<Batch> RootPlan::batch(std::uint64_t done) const {
  const auto start = std::chrono::steady_clock::now();
  auto result = std::make_unique<RootBatch>();
  const double share = roots_of_batch / std::max(expected_roots, roots_of_batch);
  result->arguments =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(share * static_cast<double>(count)), 1, count - done);
  const uint128 begin = first + done;
  const uint128 end = begin + (result->arguments - 1); // the last argument
  number::ArbVector low(2);
  number::ArbVector high(2);
  deviation->enclose(low, begin, begin);
  deviation->enclose(high, end, end);
  auto [breakpoint, last] = breakpoints_of(low[0], high[0], K, deviation->precision());
  for (; fmpz_cmp(breakpoint, last) <= 0; fmpz_add_ui(breakpoint, breakpoint, 1)) {
    // The place where a line through both ends would meet the breakpoint.
    number::Arb place;
    number::Arb rise;
    arb_sub_fmpz(place, low[0], breakpoint, deviation->precision());
    arb_sub(rise, low[0], high[0], deviation->precision());
    arb_div(place, place, rise, deviation->precision());
    const double part = arb_is_finite(place) != 0 ? std::clamp(about(place), 0.0, 1.0) : 0;
    list_near(breakpoint, begin, end,
              begin + static_cast<std::uint64_t>(part * static_cast<double>(result->arguments - 1)),
              result->candidates);
    ++result->tested;
  }
  std::sort(result->candidates.begin(), result->candidates.end());
  result->candidates.erase(std::unique(result->candidates.begin(), result->candidates.end()), result->candidates.end());
  result->seconds = support::seconds_since(start);
  return result;
}

// Newton's steps from index to index, or halving, only bring the list's middle near the root: its bound holds wherever
// they end.
void RootPlan::list_near(const number::Integer& breakpoint, uint128 begin, uint128 end, uint128 from,
                         std::vector<std::uint64_t>& candidates) const {
  constexpr int steps_of_newton = 16;
  uint128 at = std::min(from, end);
  uint128 below = begin;
  uint128 above = end;
  double off = 0; // upper bound of |G(at) − k|
  number::ArbVector value(2);
  for (int step = 0;; ++step) {
    deviation->enclose(value, at, at);
    arb_sub_fmpz(value[0], value[0], breakpoint, deviation->precision());
    off = number::Bound::of(value[0]).value();
    const double back = about(value[0]) / about(value[1]);
    (back > 0 ? above : below) = at;
    if (below >= above || std::fabs(back) < 0.75)
      break;
    const double next = static_cast<double>(at - begin) - std::rint(back);
    const bool is_between = // false for NaN
        next > static_cast<double>(below - begin) && next < static_cast<double>(above - begin);
    const uint128 middle = below + (above - below) / 2;
    const uint128 to = is_between && step < steps_of_newton ? begin + static_cast<uint128>(next) : middle;
    if (to == at)
      break;
    at = to;
  }
  const double reach = std::floor((std::exp2(-K) + off) / least_slope * rounding_up);
  const uint128 low = static_cast<double>(at - begin) <= reach ? begin : at - static_cast<uint128>(reach);
  const uint128 high = static_cast<double>(end - at) <= reach ? end : at + static_cast<uint128>(reach);
  for (uint128 index = low; index <= high; ++index)
    candidates.push_back(static_cast<std::uint64_t>(index));
}

} // namespace tmd::engine::roots
