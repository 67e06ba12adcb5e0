// The size of groups is the one with the least expected cost. If an interval's slopes are a fair sample of all, a model
// gives the cost; otherwise some groups of the interval are tried. Then sub-intervals and denominators are chosen, and
// the ledger is written (doc/theory/wide-test.md). Intervals that cost little are joined into one plan.
#include "engine/wide/plan.hpp"

#include "engine/wide/batch.hpp"
#include "engine/wide/constants.hpp"
#include "engine/wide/tunables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::engine::wide {

namespace {

constexpr int usual_degree = 12;
// Where intervals are little work for the device, longer ones with polynomials of this degree save the host's time.
constexpr int most_degree = 16;
constexpr long fraction_bits = 128; // relative to the greatest values: the coefficients' balls show if they are too few
// The Taylor remainder is kept this far below ε, so that it costs no candidates.
constexpr long taylor_margin_bits = 8;
constexpr std::uint64_t shortest_interval = 32;
constexpr std::uint64_t least_uneven_interval = std::uint64_t(1) << 32;
constexpr int least_groups_bits = 4;    // of a sub-interval: at least the lanes of the longest vector
constexpr long sub_interval_margin = 6; // log2 of ε over the truncation of a sub-interval's polynomial
constexpr double most_error = 0.125;    // largest error of a group when sizes are chosen: half of what can filter
constexpr double line_factor = 1.05;    // measured: lines of a group over √|c2|·M^1.5
// Slopes of an interval that vary by less, in units of 1/Q, are no fair sample of all: groups are tried.
constexpr double least_slope_zones = 64;
constexpr int tried_groups = 64;       // if they decide the size
constexpr int tried_groups_alike = 32; // if the size is known, and only its cost is needed
constexpr int tried_groups_few = 8;    // if they matter little
// Successive intervals become one plan until searching it costs this many times an interval's fixed cost: on a GPU some
// milliseconds, compared with which waiting five times for the host hardly matters. A plan has at least this many
// sub-intervals, so that cutting off the last one costs little.
constexpr double joined_work = 40;
constexpr std::size_t most_joined = 64;
constexpr std::uint64_t fewest_to_join = 16;
// Intervals whose work is this much less than the fixed cost have the first of these sizes that can be used. As their
// batches are joined, and nothing is tried for them, their fixed cost is small, too.
constexpr double short_work = 1.0 / 16;
constexpr std::array<int, 3> common_group_bits{12, 18, 24};
constexpr int common_groups_bits = 8;       // of a sub-interval
constexpr double least_filtered_lines = 12; // with so many in a group, the filter looks at most of them

double most_lines(const WideChoice& choice) {
  return std::min(64 + 8 * choice.lines, static_cast<double>(wide_most_lines));
}

} // namespace

WideOptions wide_options(const EngineSettings& settings) {
  return {settings.choices.domain_bits, static_cast<int>(settings.tunables[wide_tunable("wide.group-bits-offset")]),
          static_cast<int>(settings.tunables[wide_tunable("wide.denominator-percent")]),
          settings.tunables[device::shared_tunable("queues")] > 1, settings.costs};
}

namespace {

// A size of groups, with the expectations if slopes are a fair sample of all.
struct Size {
  WideChoice choice;
  double error = 0;      // error of a group
  double curvature = 0;  // c2|·M²
  double to_confirm = 0; // cost per argument of the candidates left after all tests
  WideExpectation expected;
};

double half_width(const Size& size) { return std::exp2(size.choice.group_bits - 1); }

double cost_of(const Size& size, const WideExpectation& expected, const device::Costs& costs) {
  // A chord needs two values of the polynomial, as many instructions as a group's coefficients.
  return (costs[wide_cost("wide.group")] * (1 + expected.chords) +
          costs[wide_cost("wide.line")] * (expected.lines - expected.filtered_lines) +
          costs[wide_cost("wide.filtered-line")] * expected.filtered_lines +
          costs[wide_cost("wide.candidate")] * expected.candidates + costs[wide_cost("wide.part")] * expected.parts) /
             (2 * half_width(size)) +
         size.to_confirm;
}

// Bounds of |F″|/2, |F‴|/6 and |F⁽⁵⁾|/120 within `reach` of the interval's middle.
struct Derivatives {
  double c2;
  double c3;
  double c5;
};

Derivatives derivatives(const polynomial::TaylorPolynomial& taylor, const number::Bound& reach) {
  return {taylor.derivative_bound(2, reach).value() / 2, taylor.derivative_bound(3, reach).value() / 6,
          taylor.derivative_bound(5, reach).value() / 120};
}

// A size of groups with its expected cost, which is infinite if the test cannot be used. inside: within the interval.
// common: sub-intervals have one size, denominators one of a few limits.
Size size_of(int group_bits, const polynomial::TaylorPolynomial& taylor, const Derivatives& inside, int K,
             const WideOptions& options, bool common = false) {
  const double epsilon = std::exp2(-K);
  const int span_bits = bit_length(taylor.count - 1);
  const double factor = static_cast<double>(options.denominator_percent) / 100;
  Size size;
  WideChoice& choice = size.choice;
  choice.group_bits = group_bits;
  choice.is_common = common;
  choice.sub_bits =
      common ? group_bits + common_groups_bits : std::clamp(span_bits, group_bits + least_groups_bits, most_sub_bits);
  while (!common && choice.sub_bits > group_bits + least_groups_bits &&
         inside.c5 * std::exp2(5.0 * choice.sub_bits + sub_interval_margin) > epsilon)
    --choice.sub_bits;
  // The ledger holds for all of the last sub-interval, which may reach far beyond the interval.
  const auto [c2, c3, c5] =
      choice.sub_bits >= span_bits
          ? derivatives(taylor, number::Bound(taylor.count / 2 + 1) + number::Bound::power_of_two(choice.sub_bits))
          : inside;
  const double m = half_width(size);
  const double beyond = c5 * std::exp2(5.0 * choice.sub_bits);
  size.error = epsilon + beyond + c3 * m * m * m + std::exp2(group_bits - 60);
  size.curvature = std::max(c2 * m * m, 0x1p-40);
  if (choice.sub_bits > most_sub_bits || span_bits - choice.sub_bits > most_sub_interval_bits || beyond > epsilon / 4 ||
      size.error > most_error || wide_line_rounding * size.curvature > most_error)
    return size;
  choice.denominator_limit = std::clamp(factor / std::sqrt(c2 * m + 1e-30), 2.0, most_denominator);
  choice.lines = line_factor * std::sqrt(c2 * m) * m + m / most_denominator;
  if (common) { // a power of 4, with which classes still have room between their lines
    const double limit = std::min(choice.denominator_limit, most_error / size.error);
    choice.denominator_limit = std::exp2(2 * std::floor((std::log2(limit) + 1) / 2));
    if (choice.denominator_limit < 4)
      return size;
    choice.lines += m / choice.denominator_limit;
  }
  // Members of the classes near their lines.
  const double q = choice.denominator_limit / 2;
  const double g = q * size.error + wide_line_rounding * choice.lines;
  size.expected = {choice.lines, choice.lines > least_filtered_lines ? choice.lines : 0,
                   (4 * g * m + 2 * wide_root_rounding * m * choice.lines) / q, 0, 0};
  size.to_confirm = 2 * (epsilon + beyond) * options.costs[device::shared_cost("confirmation")];
  choice.cost = cost_of(size, size.expected, options.costs);
  return size;
}

Derivatives derivatives_inside(const polynomial::TaylorPolynomial& taylor) {
  return derivatives(taylor, number::Bound(taylor.count / 2 + 1));
}

// Sizes from the fewest bits on, up to groups as long as the interval.
std::vector<Size> sizes_of(const polynomial::TaylorPolynomial& taylor, int K, const WideOptions& options) {
  const Derivatives inside = derivatives_inside(taylor);
  const int most = std::clamp(bit_length(taylor.count - 1), fewest_group_bits, most_group_bits);
  std::vector<Size> sizes;
  for (int group_bits = fewest_group_bits; group_bits <= most; ++group_bits)
    sizes.push_back(size_of(group_bits, taylor, inside, K, options));
  return sizes;
}

// The choice, with the cost for these groups. It stops counting lines when they cost as much as `best`.
WideChoice tried(const Size& size, const std::vector<WideSample>& groups, const device::Costs& costs,
                 double best = std::numeric_limits<double>::infinity()) {
  const double affordable = ((best - size.to_confirm) * 2 * half_width(size) - costs[wide_cost("wide.group")]) /
                            std::min(costs[wide_cost("wide.line")], costs[wide_cost("wide.filtered-line")]);
  const WideBounds bounds{size.choice.group_bits, size.error, size.curvature, size.choice.denominator_limit,
                          most_lines(size.choice)};
  WideChoice choice = size.choice;
  choice.cost = std::numeric_limits<double>::infinity();
  if (affordable > 0)
    choice.cost = cost_of(size, try_groups(groups, bounds, affordable), costs);
  return choice;
}

// The cheapest of these sizes for the groups. Every fourth group decides which sizes are not worth trying on all:
// showing that a size costs more takes as many lines as the cheapest has.
WideChoice cheapest_tried(const std::vector<Size>& sizes, const std::vector<WideSample>& groups,
                          const device::Costs& costs) {
  constexpr double much_dearer = 1.1; // the cheapest may seem so because of a few groups
  constexpr std::size_t share = 4;
  std::vector<WideSample> few;
  for (std::size_t i = share / 2; i < groups.size(); i += share)
    few.push_back(groups[i]);
  std::vector<std::pair<double, const Size*>> by_few;
  double least = std::numeric_limits<double>::infinity();
  for (const Size& size : sizes) {
    by_few.emplace_back(tried(size, few, costs, much_dearer * least).cost, &size);
    least = std::min(least, by_few.back().first);
  }
  std::sort(by_few.begin(), by_few.end());
  WideChoice best = sizes.front().choice;
  best.cost = std::numeric_limits<double>::infinity();
  for (const auto& [cost, size] : by_few)
    if (cost <= much_dearer * least)
      if (const WideChoice choice = tried(*size, groups, costs, best.cost); choice.cost < best.cost)
        best = choice;
  return best;
}

// The choice of a size that is expected to make an interval less work than its fixed cost, if a few groups confirm
// that. Trying all sizes can take the host a thousand times as long as such work.
std::optional<WideChoice> checked(const Size& size, const polynomial::TaylorPolynomial& taylor,
                                  const WideOptions& options) {
  const auto is_little = [&](const WideChoice& choice) {
    return choice.cost * static_cast<double>(taylor.count) <= options.costs[device::shared_cost("interval")];
  };
  if (options.joins_batches || !is_little(size.choice)) // intervals with little work for a large GPU have common sizes
    return std::nullopt;
  const WideChoice choice = tried(size, sample_groups(taylor, tried_groups_few), options.costs);
  return is_little(choice) ? std::optional(choice) : std::nullopt;
}

// Whether slopes vary enough over the interval to be a fair sample: around a fraction with a small denominator q, a
// zone of 2/(q·limit) is unlike the rest, for denominators up to a limit.
bool slopes_are_fair(const polynomial::TaylorPolynomial& taylor, double denominator_limit) {
  const double range =
      taylor.derivative_bound(2, number::Bound(taylor.count / 2)).value() * static_cast<double>(taylor.count);
  return range * denominator_limit >= least_slope_zones;
}

} // namespace

WideChoice choose_wide(const polynomial::TaylorPolynomial& taylor, int K, const WideOptions& options) {
  if (options.joins_batches && !options.group_bits) {
    const Derivatives inside = derivatives_inside(taylor);
    for (const int group_bits : common_group_bits)
      if (const Size size = size_of(group_bits, taylor, inside, K, options, true);
          size.choice.cost * static_cast<double>(taylor.count) <=
          short_work * options.costs[device::shared_cost("interval")])
        return size.choice;
  }
  const std::vector<Size> sizes = sizes_of(taylor, K, options);
  const auto at = [&](int group_bits) -> const Size& {
    return sizes[static_cast<std::size_t>(
        std::clamp(group_bits - fewest_group_bits, 0, static_cast<int>(sizes.size()) - 1))];
  };
  // The cheapest first, so that of the others not all need be tried, nor with all their lines.
  std::vector<Size> by_cost = options.group_bits ? std::vector{at(*options.group_bits)} : sizes;
  const auto beyond =
      std::remove_if(by_cost.begin(), by_cost.end(), [](const Size& size) { return !std::isfinite(size.choice.cost); });
  by_cost.erase(beyond, by_cost.end());
  if (by_cost.empty())
    return {};
  std::sort(by_cost.begin(), by_cost.end(),
            [](const Size& left, const Size& right) { return left.choice.cost < right.choice.cost; });
  WideChoice best = by_cost.front().choice;
  std::vector<WideSample> groups;
  const bool is_fair = slopes_are_fair(taylor, best.denominator_limit);
  if (const auto choice = is_fair ? std::nullopt : checked(by_cost.front(), taylor, options)) {
    best = *choice;
  } else if (!is_fair) {
    groups = sample_groups(taylor, tried_groups);
    best = cheapest_tried(by_cost, groups, options.costs);
  }
  if (options.group_bits_offset != 0 && !options.group_bits) {
    const Size& moved = at(best.group_bits + options.group_bits_offset);
    if (std::isfinite(moved.choice.cost))
      best = groups.empty() ? moved.choice : tried(moved, groups, options.costs);
  }
  return best;
}

WideChoice choose_wide_like(const WideChoice& like, const polynomial::TaylorPolynomial& taylor, int K,
                            const WideOptions& options) {
  const Size size = size_of(like.group_bits, taylor, derivatives_inside(taylor), K, options, like.is_common);
  if (like.is_common || !std::isfinite(size.choice.cost) || slopes_are_fair(taylor, size.choice.denominator_limit))
    return size.choice;
  return tried(size, sample_groups(taylor, tried_groups_alike), options.costs);
}

bool bends_unevenly(const polynomial::TaylorPolynomial& taylor) {
  constexpr double much = 4;
  if (taylor.degree() < 3)
    return false;
  return taylor.derivative_bound(2, number::Bound(taylor.count / 2)).value() >
         much * 2 * number::Bound::of(taylor.coefficients[2]).value();
}

namespace {

// The parameters for the plan's bounds and choice; nothing if these would not filter.
std::optional<WideParameters> parameters_of(const WideLedger& ledger, const number::Bound& curvature,
                                            const WideChoice& choice) {
  if (!number::can_filter(ledger.test()) || !number::can_filter(ledger.check()) ||
      !number::can_filter(curvature.scaled(-20)))
    return std::nullopt;
  WideParameters parameters;
  parameters.group_bits = choice.group_bits;
  parameters.sub_bits = choice.sub_bits;
  parameters.part_bits = part_bits_of(choice.group_bits);
  parameters.error = number::float_above(ledger.test().value());
  // Not so small that the float, or its square, would underflow.
  parameters.curvature = number::float_above(std::max(curvature.value(), 0x1p-40));
  parameters.denominator_limit = static_cast<float>(choice.denominator_limit);
  parameters.most_lines = static_cast<float>(most_lines(choice));
  parameters.offset = ledger.check().fixed_point();
  parameters.epsilon = ledger.epsilon.fixed_point();
  WideLedger alone = ledger;
  alone.epsilon = number::Bound::power_of_two(-61);
  parameters.error_alone = number::float_above(alone.test().value());
  // Below the bound of check(): the kernels' value differs from F's by the terms of check() other than ε.
  parameters.max_distance = (ledger.check() + ledger.taylor + ledger.coefficients + ledger.subinterval).value();
  constexpr std::uint64_t rounded_value = 32; // Horner's scheme on one side, truncated coefficients on the other
  constexpr std::uint64_t rounded_slope = 96;
  parameters.seam_value = ledger.subinterval.fixed_point() + rounded_value;
  // By its derivative a remainder c·t^5 grows 5/t-fold; the bound has 120/64 to spare.
  parameters.seam_slope = ledger.subinterval.scaled(3 - choice.sub_bits).fixed_point() + rounded_slope;
  return parameters;
}

} // namespace

bool WideParameters::have_sizes_of(const WideParameters& other) const {
  return group_bits == other.group_bits && sub_bits == other.sub_bits && part_bits == other.part_bits &&
         epsilon == other.epsilon && unfiltered_lines == other.unfiltered_lines;
}

void WideParameters::widen_to(const WideParameters& other) {
  error = std::max(error, other.error);
  error_alone = std::max(error_alone, other.error_alone);
  curvature = std::max(curvature, other.curvature);
  denominator_limit = std::max(denominator_limit, other.denominator_limit);
  most_lines = std::max(most_lines, other.most_lines);
  offset = std::max(offset, other.offset);
  max_distance = std::max(max_distance, other.max_distance);
  seam_value = std::max(seam_value, other.seam_value);
  seam_slope = std::max(seam_slope, other.seam_slope);
}

std::unique_ptr<WidePlan> plan_wide(const polynomial::TaylorPolynomial& taylor, const WideChoice& choice, int K) {
  if (bit_length(taylor.count - 1) > choice.sub_bits + most_sub_interval_bits)
    return nullptr;
  const auto polynomial = std::make_shared<const WidePolynomial>(taylor, choice.sub_bits, choice.group_bits);
  auto plan = std::make_unique<WidePlan>();
  plan->first = taylor.first;
  plan->count = taylor.count;
  plan->least_degree = plan->greatest_degree = taylor.degree();
  WideLedger& ledger = plan->ledger;
  ledger.epsilon = number::Bound::power_of_two(-K);
  ledger.taylor = taylor.remainder;
  ledger.coefficients = polynomial->coefficient_error();
  ledger.subinterval = polynomial->beyond();
  ledger.group = polynomial->group_error();
  ledger.high = polynomial->high();
  plan->curvature = polynomial->curvature();
  plan->choice = choice;
  const auto parameters = parameters_of(ledger, plan->curvature, choice);
  if (polynomial->words() > most_coefficient_words || !parameters)
    return nullptr;
  plan->parameters = *parameters;
  plan->sources = {{polynomial, 0, plan->sub_interval_count()}};
  return plan;
}

void WidePlan::keep_whole_sub_intervals() {
  count = count >> sub_bits() << sub_bits();
  std::uint64_t before = 0;
  for (std::size_t i = 0; i + 1 < sources.size(); ++i)
    before += sources[i].count;
  sources.back().count = sub_interval_count() - before;
}

bool WidePlan::append(const WidePlan& next) {
  constexpr double alike = 1.25; // limits that differ by less are equally good
  const auto are_alike = [](double left, double right) { return left <= alike * right && right <= alike * left; };
  if (next.choice.group_bits != choice.group_bits || next.choice.sub_bits != choice.sub_bits ||
      !are_alike(next.choice.denominator_limit, choice.denominator_limit) ||
      !are_alike(most_lines(next.choice), most_lines(choice)) || !are_alike(next.choice.cost, choice.cost))
    return false;
  const WideLedger both = ledger.greatest_of(next.ledger);
  const number::Bound curvature_of_both = number::max(curvature, next.curvature);
  const auto parameters_of_both = parameters_of(both, curvature_of_both, choice);
  if (!parameters_of_both)
    return false;
  ledger = both;
  curvature = curvature_of_both;
  parameters = *parameters_of_both;
  count += next.count;
  sources.insert(sources.end(), next.sources.begin(), next.sources.end());
  intervals += next.intervals;
  least_degree = std::min(least_degree, next.least_degree);
  greatest_degree = std::max(greatest_degree, next.greatest_degree);
  return true;
}

PlanReport WidePlan::report() const {
  PlanReport report{wide_methods[0], {}, ledger.lines(), {}};
  const auto [fewest, most] =
      std::minmax_element(sources.begin(), sources.end(), [](const WideSource& a, const WideSource& b) {
        return a.polynomial->words() < b.polynomial->words();
      });
  report.facts = {{"degree", "degree", false, least_degree, greatest_degree},
                  {"words", "words", false, fewest->polynomial->words(), most->polynomial->words()},
                  {"group_bits", "groups of", true, group_bits(), group_bits()}};
  report.notes.push_back(fmt::format("in float: lines 2^{:.0f} of a group's rise, roots {:g} arguments",
                                     std::log2(wide_line_rounding), wide_root_rounding * std::exp2(group_bits() - 1)));
  return report;
}

std::unique_ptr<Batch> WidePlan::batch(std::uint64_t done) const {
  const std::uint64_t first = done >> sub_bits();
  return std::make_unique<WideBatch>(
      make_wide_batch(*this, first, std::min(batch_sub_intervals, sub_interval_count() - first)));
}

std::unique_ptr<Plan> WidePlan::part(std::uint64_t done, std::uint64_t part_count) const {
  const std::uint64_t first_sub_interval = done >> sub_bits();
  if (first_sub_interval << sub_bits() != done)
    return nullptr;
  auto result = std::make_unique<WidePlan>(*this);
  result->first += done;
  result->count = part_count;
  result->intervals = done == 0 ? intervals : 0;
  result->sources = sources_of(first_sub_interval, result->sub_interval_count());
  return result;
}

std::vector<WideSource> WidePlan::sources_of(std::uint64_t first_sub_interval, std::uint64_t sub_intervals) const {
  std::vector<WideSource> result;
  std::uint64_t before = 0; // sub-intervals of the plan before this source
  for (const WideSource& source : sources) {
    const std::uint64_t from = std::max(before, first_sub_interval);
    const std::uint64_t to = std::min(before + source.count, first_sub_interval + sub_intervals);
    if (from < to)
      result.push_back({source.polynomial, source.first + (from - before), to - from});
    before += source.count;
  }
  return result;
}

WideExpectation expectation_of(const polynomial::ScaledFunction& function, const WidePlan& plan, int groups) {
  const WideParameters& p = plan.parameters;
  const WideBounds bounds{plan.group_bits(), p.error, p.curvature, p.denominator_limit, p.most_lines};
  const auto taylor =
      polynomial::taylor_polynomial(function, plan.first, plan.count, plan.ledger.taylor, most_degree, fraction_bits);
  return taylor ? try_groups(sample_groups(*taylor, groups), bounds) : WideExpectation();
}

// The offer for an interval that one Taylor polynomial serves.
class WideOffer : public Offer {
public:
  // most: the arguments from taylor.first on that might be searched.
  WideOffer(WidePlanner& planner, polynomial::TaylorPolynomial taylor, const WideChoice& choice, uint128 most)
      : planner_(planner), taylor_(std::move(taylor)), choice_(choice), most_(most) {
    count = taylor_.count;
    cost = choice.cost;
    interval_share = choice.is_common ? short_work : 1;
    prices = {{wide_methods[0], cost}};
  }
  [[nodiscard]] uint128 first() const { return taylor_.first; }
  [[nodiscard]] uint128 most() const { return most_; }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override { return planner_.joined_plan(*this); }
  // The plan for this interval alone.
  [[nodiscard]] std::unique_ptr<WidePlan> wide_plan() const {
    auto plan = plan_wide(taylor_, choice_, planner_.K_);
    if (plan)
      plan->batch_sub_intervals = planner_.batch_sub_intervals_;
    return plan;
  }

private:
  WidePlanner& planner_;
  polynomial::TaylorPolynomial taylor_;
  WideChoice choice_;
  uint128 most_;
};

WidePlanner::WidePlanner(const polynomial::ScaledFunction& function, int K, WideOptions options,
                         std::uint64_t batch_sub_intervals)
    : function_(function), K_(K), options_(std::move(options)), batch_sub_intervals_(batch_sub_intervals) {}

WidePlanner::~WidePlanner() = default;

std::unique_ptr<Offer> WidePlanner::offer(uint128 first, uint128 most) {
  if (std::unique_ptr<WideOffer> ahead = std::move(ahead_); ahead && ahead->first() == first && ahead->most() == most)
    return ahead;
  return offer_of(taylor_from(first, most), most);
}

// The Taylor polynomial of the longest interval that one serves.
std::optional<polynomial::TaylorPolynomial> WidePlanner::taylor_from(uint128 first, uint128 most) {
  const int degree = is_little_work_ ? most_degree : usual_degree;
  const number::Bound target = number::Bound::power_of_two(-K_ - taylor_margin_bits);
  const auto asked = static_cast<std::uint64_t>(std::min<uint128>(most, longest_));
  std::uint64_t fewest = 0; // set by the first length with a polynomial: uneven intervals are not halved for ever
  constexpr int most_halvings = 10;
  for (std::uint64_t count = asked; count >= shortest_interval; count /= 2) {
    auto taylor = polynomial::taylor_polynomial(function_, first, count, target, degree, fraction_bits);
    if (!taylor)
      continue;
    if (fewest == 0)
      fewest = std::max(count >> most_halvings, least_uneven_interval);
    if (count > fewest && bends_unevenly(*taylor))
      continue;
    if (count < asked || count == longest_)
      longest_ = std::min(2 * count, longest_wide_interval);
    return taylor;
  }
  return std::nullopt;
}

namespace {

// Whether the device has enough words for the polynomial's coefficients.
bool has_room(const polynomial::TaylorPolynomial& taylor, const WideChoice& choice) {
  return std::isfinite(choice.cost) && WidePolynomial::words_for(taylor, choice.sub_bits) <= most_coefficient_words;
}

// Whether an interval is less work than it costs by itself.
bool is_little_work(const polynomial::TaylorPolynomial& taylor, const WideChoice& choice, const WideOptions& options) {
  return options.joins_batches &&
         choice.cost * static_cast<double>(taylor.count) < options.costs[device::shared_cost("interval")];
}

} // namespace

std::unique_ptr<WideOffer> WidePlanner::offer_of(std::optional<polynomial::TaylorPolynomial> taylor, uint128 most) {
  if (!taylor)
    return nullptr;
  WideChoice choice = choose_wide(*taylor, K_, options_);
  if (taylor->degree() > usual_degree && !has_room(*taylor, choice)) {
    is_little_work_ = false;
    taylor = taylor_from(taylor->first, most);
    if (!taylor)
      return nullptr;
    choice = choose_wide(*taylor, K_, options_);
  } else if (!is_little_work_ && is_little_work(*taylor, choice, options_)) {
    is_little_work_ = true;
    longest_ = std::min(8 * taylor->count, longest_wide_interval);
    auto longer = taylor_from(taylor->first, most);
    const WideChoice of_longer = longer ? choose_wide(*longer, K_, options_) : WideChoice();
    if (longer && longer->count > taylor->count && has_room(*longer, of_longer)) {
      taylor = std::move(longer);
      choice = of_longer;
    }
  } else {
    is_little_work_ = is_little_work(*taylor, choice, options_);
  }
  return std::isfinite(choice.cost) ? std::make_unique<WideOffer>(*this, std::move(*taylor), choice, most) : nullptr;
}

std::unique_ptr<WidePlan> WidePlanner::joined_plan(const WideOffer& offer) {
  std::unique_ptr<WidePlan> plan = offer.wide_plan();
  if (!plan)
    return nullptr;
  const auto work = [&] { return offer.cost * static_cast<double>(plan->count); };
  const uint128 end = offer.first() + offer.most();
  while (plan->first + plan->count < end && plan->sources.size() < most_joined &&
         work() < options_.costs[device::shared_cost("interval")] * joined_work) {
    const std::uint64_t cut = plan->count & ((std::uint64_t(1) << plan->sub_bits()) - 1);
    if (cut != 0 && plan->sources.back().count < fewest_to_join)
      break;
    const uint128 first = plan->first + plan->count - cut;
    auto taylor = taylor_from(first, end - first);
    if (!taylor)
      break;
    const WideChoice alike = choose_wide_like(plan->choice, *taylor, K_, options_);
    const auto next = std::isfinite(alike.cost) ? plan_wide(*taylor, alike, K_) : nullptr;
    if (next)
      plan->keep_whole_sub_intervals();
    if (!next || !plan->append(*next)) {
      if (plan->first + plan->count == first) // the plan ends there
        ahead_ = offer_of(std::move(taylor), end - first);
      break;
    }
  }
  return plan;
}

std::unique_ptr<WidePlan> WidePlanner::plan(uint128 first, uint128 most) {
  const std::unique_ptr<WideOffer> found = offer_of(taylor_from(first, most), most);
  return found ? found->wide_plan() : nullptr;
}

} // namespace tmd::engine::wide
