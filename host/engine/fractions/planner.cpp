// A fraction t makes one function of the unit n, f(-(n + t)), which is smooth where f itself has a pole at each unit.
// Its arguments are integers of one binade, so pieces, engines and their proofs serve it as they serve any function.
// Candidates are numbers of arguments of a piece, and become indices in the claim's stretch.
#include "engine/fractions/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::fractions {

namespace {

constexpr std::uint64_t most_listed = 4096; // arguments of a batch that MPFR decides
constexpr double listed_cost = 1000;        // of such an argument, in existence tests

function::Function function_at(const function::Function& whole, double t) {
  function::Function result;
  result.name = fmt::format("{}(-(x + {}))", whole.name, t);
  result.series = whole.at_fraction(t);
  result.value = [value = whole.value, t](mpfr_srcptr n, long precision) {
    number::Mpfr x(mpfr_get_prec(n) + std::numeric_limits<double>::digits + 64); // exact: t has no more bits than that
    mpfr_add_d(x, n, t, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    return value(x, precision);
  };
  result.most_precision = whole.most_precision;
  return result;
}

class FractionOffer : public Offer {
public:
  explicit FractionOffer(std::unique_ptr<FractionPlan> plan) : plan_(std::move(plan)) {
    count = plan_->count;
    cost = plan_->interval.plan ? plan_->interval.cost : plan_->has_cases ? listed_cost : 0;
    if (plan_->has_cases)
      prices = {{fractions_method, cost}};
    interval_share = 0; // the interval's cost has it
  }
  [[nodiscard]] std::unique_ptr<Plan> plan() const override { return std::make_unique<FractionPlan>(*plan_); }

private:
  std::unique_ptr<FractionPlan> plan_;
};

} // namespace

void Indices::apply(std::vector<std::uint64_t>& numbers) const {
  for (std::uint64_t& number : numbers)
    number = at(number);
}

bool FractionBatch::join(const Batch& other) {
  const auto* of_fraction = dynamic_cast<const FractionBatch*>(&other);
  if (of_fraction == nullptr || !inner || !of_fraction->inner || engine != of_fraction->engine ||
      of_fraction->indices.size() != 1 || !inner->join(*of_fraction->inner))
    return false;
  indices.push_back(of_fraction->indices.front());
  return true;
}

PlanReport FractionPlan::report() const {
  PlanReport result = interval.plan ? interval.plan->report() : PlanReport();
  result.method = fractions_method;
  return result;
}

std::unique_ptr<Batch> FractionPlan::batch(std::uint64_t done) const {
  auto result = std::make_unique<FractionBatch>();
  result->indices = {indices};
  if (interval.plan) {
    result->inner = interval.plan->batch(done);
    result->engine = engine;
  } else if (has_cases) {
    result->first_listed = static_cast<std::uint64_t>(interval.first) + done;
    result->listed = std::min(count - done, most_listed);
    result->places = result->listed;
  } else {
    result->places = count - done;
  }
  return result;
}

std::unique_ptr<Plan> FractionPlan::part(std::uint64_t done, std::uint64_t part_count) const {
  auto result = std::make_unique<FractionPlan>(*this);
  if (interval.plan) {
    result->interval.plan = interval.plan->part(done, part_count);
    if (!result->interval.plan)
      return nullptr;
  }
  result->first += done;
  result->count = part_count;
  result->interval.first += done;
  result->interval.count = part_count;
  if (done > 0)
    result->intervals = 0;
  return result;
}

// The function at one fraction, and its pieces.
class FractionPlanner::Fraction {
public:
  Fraction(const job::Job& whole, const FractionField& field, std::uint64_t number)
      : number_(number),
        function_(function_at(*whole.function, std::ldexp(static_cast<double>(number), -field.bits()))), job_(whole) {
    job_.function = &function_;
    job::PieceCutter cutter(job_, {false, 0, field.first_unit(), field.units()});
    while (const auto cut = cutter.next())
      cuts_.push_back(*cut);
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }

  // The plan that begins at a unit, without its place.
  [[nodiscard]] FractionPlan plan(std::uint64_t unit, uint128 most, const FractionField& field, const Engines& engines,
                                  const device::Costs& costs) {
    const auto behind =
        std::find_if(cuts_.begin(), cuts_.end(), [&](const job::Cut& cut) { return unit < cut.arguments.first; });
    const auto at = static_cast<std::size_t>(behind - cuts_.begin() - 1);
    const job::Cut& cut = cuts_.at(at);
    FractionPlan result;
    result.indices = {field.index_of(static_cast<std::uint64_t>(cut.arguments.first), number_), field.bits()};
    const uint128 first = unit - cut.arguments.first;
    most = std::min(most, cut.arguments.count - first);
    if (cut.values && !job_.grid().reaches(cut.values->exponent, job_.K)) {
      result.has_cases = false;
      result.interval.first = first;
      result.interval.count = static_cast<std::uint64_t>(most);
      return result;
    }
    if (!planner_ || planned_ != at)
      planner_.emplace(engines, job_, Field::of(cut), false, costs);
    planned_ = at;
    result.interval = planner_->at(first, most);
    const auto engine = std::find_if(engines.begin(), engines.end(),
                                     [&](const auto& one) { return one.get() == result.interval.engine; });
    result.engine = static_cast<std::size_t>(engine - engines.begin());
    return result;
  }

private:
  std::uint64_t number_;
  function::Function function_;
  job::Job job_;
  std::vector<job::Cut> cuts_;
  std::optional<FieldPlanner> planner_; // of the cut planned last
  std::size_t planned_ = 0;
};

FractionPlanner::FractionPlanner(job::Job job, const job::Stretch& stretch, const Engines& engines, device::Costs costs)
    : job_(std::move(job)), field_(stretch), engines_(engines), costs_(std::move(costs)) {}

FractionPlanner::~FractionPlanner() = default;

std::unique_ptr<FractionPlan> FractionPlanner::plan(uint128 first, uint128 most) {
  const std::uint64_t number = field_.fraction_at(first);
  const std::uint64_t unit = field_.unit_at(first);
  most = std::min<uint128>(most, field_.first_unit() + field_.units() - unit);
  auto result = std::make_unique<FractionPlan>();
  if (number == 0) { // poles
    result->has_cases = false;
    result->interval.count = static_cast<std::uint64_t>(most);
  } else {
    if (!fraction_ || fraction_->number() != number)
      fraction_ = std::make_unique<Fraction>(job_, field_, number);
    *result = fraction_->plan(unit, most, field_, engines_, costs_);
  }
  result->first = first;
  result->count = result->interval.count;
  if (result->interval.plan)
    result->intervals = result->interval.plan->intervals;
  return result;
}

std::unique_ptr<Offer> FractionPlanner::offer(uint128 first, uint128 most) {
  return std::make_unique<FractionOffer>(plan(first, most));
}

} // namespace tmd::engine::fractions
