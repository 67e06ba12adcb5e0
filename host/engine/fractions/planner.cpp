// A fraction t makes one function of the unit n, f(-(n + t)), which is smooth where f itself has a pole at each unit.
// Its arguments are integers of one binade, so pieces, engines and their proofs serve it as they serve any function.
// Candidates are numbers of arguments of a piece, and become indices in the claim's stretch.
#include "engine/fractions/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::fractions {

namespace {

constexpr std::uint64_t most_listed = 4096; // arguments of a step that MPFR decides
constexpr double listed_cost = 1000;        // of such an argument, in existence tests
// A plan has this cost or so many sections, a batch this cost: milliseconds of a large GPU, seconds of a CPU.
constexpr double enough_work = 0x1p28;
constexpr std::size_t most_sections = 64;

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
    cost = plan_->cost() / static_cast<double>(count);
    if (cost > 0)
      prices = {{fractions_method, cost}};
    interval_share = 0; // the intervals' costs have it
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

bool FractionBatch::is_compact() const {
  return std::all_of(steps.begin(), steps.end(),
                     [](const FractionStep& step) { return !step.inner || step.inner->is_compact(); });
}

double FractionSection::cost() const { return interval.plan ? interval.cost : has_cases ? listed_cost : 0; }

void FractionPlan::append(FractionSection section) {
  count += section.interval.count;
  intervals += section.interval.plan ? section.interval.plan->intervals : 1;
  sections.push_back(std::move(section));
}

double FractionPlan::cost() const {
  return std::accumulate(sections.begin(), sections.end(), 0.0, [](double sum, const FractionSection& section) {
    return sum + section.cost() * static_cast<double>(section.interval.count);
  });
}

PlanReport FractionPlan::report() const {
  PlanReport result;
  for (const FractionSection& section : sections)
    if (section.interval.plan)
      result.merge(section.interval.plan->report());
  result.method = fractions_method;
  return result;
}

std::unique_ptr<Batch> FractionPlan::batch(std::uint64_t done) const {
  auto result = std::make_unique<FractionBatch>();
  double cost = 0;
  for (const FractionSection& section : sections) {
    const std::uint64_t all = section.interval.count;
    for (; done < all && cost < enough_work;) {
      FractionStep step{nullptr, section.engine, {section.indices}};
      std::uint64_t places = all - done;
      if (section.interval.plan) {
        step.inner = section.interval.plan->batch(done);
        places = step.inner->count();
      } else if (section.has_cases) {
        places = std::min(places, most_listed);
        step.first_listed = static_cast<std::uint64_t>(section.interval.first) + done;
        step.listed = places;
      }
      FractionStep* const last = result->steps.empty() ? nullptr : &result->steps.back();
      if (step.inner && last != nullptr && last->inner && last->engine == step.engine && last->inner->join(*step.inner))
        last->indices.push_back(section.indices);
      else
        result->steps.push_back(std::move(step));
      result->places += places;
      cost += section.cost() * static_cast<double>(places);
      done += places;
    }
    done -= std::min(done, all);
  }
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

  // The section that begins at a unit.
  [[nodiscard]] FractionSection section(std::uint64_t unit, uint128 most, const FractionField& field,
                                        const Engines& engines, const device::Costs& costs) {
    const auto behind =
        std::find_if(cuts_.begin(), cuts_.end(), [&](const job::Cut& cut) { return unit < cut.arguments.first; });
    const auto at = static_cast<std::size_t>(behind - cuts_.begin() - 1);
    const job::Cut& cut = cuts_.at(at);
    FractionSection result;
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

FractionSection FractionPlanner::section_at(uint128 first, uint128 most) {
  const std::uint64_t number = field_.fraction_at(first);
  const std::uint64_t unit = field_.unit_at(first);
  most = std::min<uint128>(most, field_.first_unit() + field_.units() - unit);
  if (number == 0) { // poles
    FractionSection result;
    result.has_cases = false;
    result.interval.count = static_cast<std::uint64_t>(most);
    return result;
  }
  if (!fraction_ || fraction_->number() != number)
    fraction_ = std::make_shared<Fraction>(job_, field_, number);
  FractionSection result = fraction_->section(unit, most, field_, engines_, costs_);
  result.function = fraction_;
  return result;
}

std::unique_ptr<FractionPlan> FractionPlanner::plan(uint128 first, uint128 most) {
  auto result = std::make_unique<FractionPlan>();
  result->first = first;
  result->intervals = 0;
  while (result->count < most && result->sections.size() < most_sections && result->cost() < enough_work)
    result->append(section_at(first + result->count, most - result->count));
  return result;
}

std::unique_ptr<Offer> FractionPlanner::offer(uint128 first, uint128 most) {
  return std::make_unique<FractionOffer>(plan(first, most));
}

} // namespace tmd::engine::fractions
