// The choice between engines, and intervals that cover their fields.
#include "host/engine/planning.hpp"
#include "host/engine/domains/engine.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/wide/engine.hpp"
#include "host/engine/wide/tunables.hpp"
#include "tmd/error.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::engine {

namespace {

using Engines = std::vector<std::unique_ptr<Engine>>;

// The engines for the algorithm, without a device.
Engines engines_of(const EngineSettings& settings, bool with_wide = true) {
  Engines engines;
  for (const EngineKind* kind : engines_for(settings.choices.algorithm))
    if (kind == &domains::domain_engine)
      engines.push_back(std::make_unique<domains::DomainEngine>(
          domains::domain_options(settings), domains::DomainLimits(),
          [](const domains::DomainBatch&, const Interrupt&) { return BatchResult(); }));
    else if (kind == &wide::wide_engine && with_wide)
      engines.push_back(std::make_unique<wide::WideEngine>(
          wide::wide_options(settings), 1, [](const wide::WideBatch&, const Interrupt&) { return BatchResult(); }));
  return engines;
}

// An engine that offers every interval at one cost, with a plan or none, and counts how often it is asked.
class FakeEngine : public Engine {
public:
  FakeEngine(double cost, double least_cost, bool has_plan)
      : cost_(cost), least_cost_(least_cost), has_plan_(has_plan) {}

  [[nodiscard]] std::string_view name() const override { return "fake"; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& /*job*/, const Field& /*field*/) override {
    return std::make_unique<FakePlanner>(*this);
  }
  [[nodiscard]] BatchResult search(const Batch& /*batch*/, const Interrupt& /*interrupt*/) override { return {}; }
  [[nodiscard]] int asked() const { return asked_; }

private:
  struct FakePlan : Plan {
    [[nodiscard]] PlanReport report() const override { return {"fake", {}, {}, {}}; }
    [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t /*done*/) const override { return nullptr; }
  };
  struct FakeOffer : Offer {
    bool has_plan = false;
    [[nodiscard]] std::unique_ptr<Plan> plan() const override {
      if (!has_plan)
        return nullptr;
      auto plan = std::make_unique<FakePlan>();
      plan->count = count;
      return plan;
    }
  };
  class FakePlanner : public Planner {
  public:
    explicit FakePlanner(FakeEngine& engine) : engine_(engine) {}
    [[nodiscard]] std::unique_ptr<Offer> offer(uint128 /*first*/, uint128 most) override {
      ++engine_.asked_;
      auto offer = std::make_unique<FakeOffer>();
      offer->count = static_cast<std::uint64_t>(most);
      offer->cost = engine_.cost_;
      offer->has_plan = engine_.has_plan_;
      return offer;
    }
    [[nodiscard]] double least_cost() const override { return engine_.least_cost_; }

  private:
    FakeEngine& engine_;
  };

  double cost_;
  double least_cost_;
  bool has_plan_;
  int asked_ = 0;
};

} // namespace

TEST_CASE("plans cover their pieces with ledgers that can filter") {
  enum Method { filtered, exhaustive, wide, direct };
  std::size_t by_method[4] = {};
  for (const Range& range : ranges) {
    const std::vector<job::Cut> cuts = cuts_of(range);
    const Field field = Field::of(*std::max_element(cuts.begin(), cuts.end(), [](const job::Cut& a, const job::Cut& b) {
      return (a.values ? a.arguments.count : 0) < (b.values ? b.arguments.count : 0);
    }));
    job::Job job = job_on(range);
    const int precision = job.format.precision;
    for (const int bits : {1, 5, precision - 9, 60, 120})
      for (const std::optional<int> domain_bits :
           {std::optional<int>(), std::optional(3), std::optional(10), std::optional(24)})
        for (const Method asked : {filtered, exhaustive, wide}) {
          job.K = bits;
          EngineSettings settings;
          settings.choices.domain_bits = domain_bits;
          settings.choices.algorithm = asked == wide ? "wide" : asked == exhaustive ? "exhaustive" : "auto";
          const Engines engines = engines_of(settings, asked == wide);
          FieldPlanner planner(engines, job, field, asked == wide, settings.costs);
          uint128 covered = 0;
          std::size_t wrong = 0;
          int plans = 0;
          while (covered < field.extent()) {
            const Interval interval = planner.at(covered, field.extent() - covered);
            wrong += interval.first != covered || interval.count == 0;
            wrong += interval.plan && (interval.plan->first != covered || interval.plan->count != interval.count);
            wrong += (interval.engine == nullptr) != (interval.plan == nullptr);
            covered += interval.count;
            const auto* groups = dynamic_cast<const wide::WidePlan*>(interval.plan.get());
            const auto* plan = dynamic_cast<const domains::DomainPlan*>(interval.plan.get());
            ++by_method[groups != nullptr ? wide : plan == nullptr ? direct : plan->exhaustive ? exhaustive : filtered];
            if (groups != nullptr) {
              const wide::WidePolynomial& polynomial = *groups->sources.at(0).polynomial;
              wrong += asked != wide || groups->group_bits() < wide::fewest_group_bits ||
                       groups->group_bits() > wide::most_group_bits;
              wrong += polynomial.group_bits() != groups->group_bits() ||
                       groups->sub_bits() < groups->group_bits() + 4 || groups->sub_bits() > 32;
              wrong += groups->ledger.test().value() > groups->parameters.error ||
                       !number::can_filter(groups->ledger.test()) || !number::can_filter(groups->ledger.check());
              wrong += groups->ledger.test().value() < std::ldexp(1.0, -bits) + polynomial.high().value() +
                                                           polynomial.beyond().value() +
                                                           polynomial.group_error().value();
              wrong += groups->parameters.part_bits < 1 || groups->parameters.part_bits >= groups->group_bits();
            } else if (plan != nullptr) {
              wrong += plan->domain_bits < domains::fewest_domain_bits ||
                       plan->domain_bits > (domain_bits ? *domain_bits : domains::most_domain_bits);
              wrong += plan->split_bits >= plan->domain_bits || plan->split_bits > domains::most_split_bits;
              wrong += ((plan->count - 1) >> plan->domain_bits) >= plan->polynomial->domain_count();
              wrong += !number::can_filter(plan->ledger.phase3()) || !number::can_filter(plan->polynomial->curvature());
              // ε is part of every phase's bound, and the bounds contain the polynomial's own terms.
              const double epsilon = std::ldexp(1.0, -bits);
              wrong += plan->ledger.phase3().value() <
                       epsilon + plan->polynomial->coefficient_error().value() + plan->polynomial->high().value();
            }
            if (plan != nullptr && !plan->exhaustive) {
              wrong += asked == exhaustive || !number::can_filter(plan->ledger.phase1()) ||
                       !number::can_filter(plan->ledger.phase2());
              const double truncation =
                  plan->polynomial->curvature().value() * std::ldexp(1.0, 2 * plan->domain_bits - 4);
              wrong += plan->ledger.phase1().value() < truncation + std::ldexp(1.0, -bits);
              wrong += plan->ledger.phase2().value() <
                       std::ldexp(truncation, -2 * plan->split_bits) + std::ldexp(1.0, -bits);
            }
            if (++plans >= 40)
              break; // the rest repeats
          }
          INFO(range.function, " ", range.format, " K = ", bits, " N = 2^", domain_bits.value_or(-1));
          CHECK(wrong == 0);
          CHECK((plans >= 40 || covered == field.extent()));
        }
  }
  for (const std::size_t count : by_method)
    CHECK(count > 10);
}

TEST_CASE("plans: an interval anywhere in a piece, no longer than asked for") {
  const Range range{"exp", "binary64", 53, "1", "1.25"};
  REQUIRE(cuts_of(range).size() == 1);
  const Field field = Field::of(cuts_of(range)[0]);
  const EngineSettings settings;
  const Engines engines = engines_of(settings, false);
  FieldPlanner planner(engines, job_on(range), field, false, settings.costs);
  const std::uint64_t whole = planner.at(0, field.extent()).count;
  CHECK(whole == domains::longest_interval);
  for (const std::uint64_t most : {1ULL, 31ULL, 1000ULL, 1ULL << 20, (1ULL << 39) + 1}) {
    const Interval plan = planner.at(12345, most);
    CHECK(plan.first == 12345);
    CHECK(plan.count <= most);
    CHECK(plan.count > 0);
    CHECK((most < 1000 || plan.count == most));
  }
  // A short interval says nothing of how long they can be.
  CHECK(planner.at(7, field.extent() - 7).count == whole);
  // Beside it the ordinary sequence continues.
  CHECK(planner.at(0, field.extent()).count == whole);
  CHECK(planner.at(whole, field.extent() - whole).first == whole);
}

TEST_CASE("planning: what is left of an interval is not planned again") {
  const Range range{"exp", "binary64", 53, "1", "1.25"};
  const Field field = Field::of(cuts_of(range)[0]);
  EngineSettings settings;
  settings.choices.algorithm = "wide";
  settings.choices.domain_bits = 12;
  const Engines engines = engines_of(settings);
  FieldPlanner planner(engines, job_on(range), field, true, settings.costs);
  const Interval whole = planner.at(0, field.extent());
  const auto* plan = dynamic_cast<const wide::WidePlan*>(whole.plan.get());
  REQUIRE(plan != nullptr);
  const std::uint64_t unit = std::uint64_t(1) << plan->sub_bits();
  REQUIRE(whole.count > 8 * unit);
  const auto polynomial_of = [](const Interval& interval) {
    return dynamic_cast<const wide::WidePlan&>(*interval.plan).sources.at(0).polynomial.get();
  };
  const Interval first = planner.first_of(whole, 4 * unit);
  CHECK(first.first == 0);
  CHECK(first.count == 4 * unit);
  CHECK(first.plan->count == first.count);
  const Interval second = planner.at(4 * unit, 2 * unit); // it is shorter than the rest
  CHECK(second.count == 2 * unit);
  CHECK(polynomial_of(second) == polynomial_of(whole));
  const Interval rest = planner.at(6 * unit, field.extent() - 6 * unit);
  CHECK(rest.count == whole.count - 6 * unit);
  CHECK(polynomial_of(rest) == polynomial_of(whole));
  // It is tried once, and not from inside a sub-interval on.
  CHECK(polynomial_of(planner.at(6 * unit, field.extent() - 6 * unit)) != polynomial_of(whole));
  CHECK(planner.first_of(whole, unit + 1).count == unit + 1);
  CHECK(polynomial_of(planner.at(unit + 1, unit)) != polynomial_of(whole));
}

TEST_CASE("planning: an engine that was asked for is used, `auto` takes the cheapest offer") {
  EngineSettings settings;
  const auto plan_exp = [&](const char* from, const char* to) {
    const Range range{"exp", "binary64", 53, from, to};
    const Engines engines = engines_of(settings);
    const Field field = Field::of(cuts_of(range).at(0));
    const Interval interval =
        FieldPlanner(engines, job_on(range), field, settings.choices.algorithm != "auto", settings.costs)
            .at(0, field.extent());
    REQUIRE(interval.plan);
    return interval;
  };
  const auto method_of = [](const Interval& interval) { return interval.plan->report().method; };
  for (const auto& [from, to] : {std::pair("1", "2"), std::pair("128", "256")})
    for (const std::string_view name : domains::domain_methods) {
      settings.choices.algorithm = name;
      CHECK(method_of(plan_exp(from, to)) == name);
    }
  // Groups of the wide test are no longer than the requested length.
  settings.choices.algorithm = "wide";
  CHECK(method_of(plan_exp("1", "2")) == "wide");
  settings.choices.domain_bits = 12;
  CHECK(dynamic_cast<const wide::WidePlan&>(*plan_exp("1", "2").plan).group_bits() == 12);
  settings.choices.domain_bits.reset();
  settings.choices.algorithm = "auto";
  const Interval widest = plan_exp("1", "2");
  CHECK(method_of(widest) == "wide");
  CHECK(price_of(widest.prices, "wide") < price_of(widest.prices, "regular")); // the report states the reason
  CHECK(price_of(widest.prices, "wide") < price_of(widest.prices, "exhaustive"));
  settings.costs.set(wide::wide_cost("wide.group"), 1e9);
  const Interval dear = plan_exp("1", "2");
  CHECK(method_of(dear) == "lefevre");
  CHECK(price_of(dear.prices, "wide") > price_of(dear.prices, "lefevre"));
  settings.choices.algorithm = "wide";
  CHECK(method_of(plan_exp("1", "2")) == "wide");
  // Every price includes the cost of planning an interval.
  settings.choices.algorithm = "auto";
  settings.costs = {};
  settings.costs.set(device::shared_cost("interval"), 1e30);
  const Interval short_of_time = plan_exp("1", "2");
  for (const Price& price : short_of_time.prices)
    CHECK(price.cost > 1e10);
}

TEST_CASE("planning: an engine that cannot be cheaper is asked where nothing comes of what was offered") {
  const Range range{"exp", "binary64", 53, "1", "1.25"};
  const Field field = Field::of(cuts_of(range).at(0));
  device::Costs costs;
  costs.set(device::shared_cost("interval"), 1e-9);
  struct {
    bool has_plan; // whether the first engine has a plan
    double least_cost;
    bool asked_for;
    std::size_t taken; // index of the engine that is taken
    int second_asked;
  } const table[] = {{true, 2, false, 0, 0},    {true, 0.5, false, 0, 1}, {false, 2, false, 1, 1},
                     {false, 0.5, false, 1, 1}, {true, 2, true, 0, 0},    {false, 2, true, 1, 1}};
  for (const auto& [has_plan, least_cost, asked_for, taken, second_asked] : table) {
    Engines engines;
    engines.push_back(std::make_unique<FakeEngine>(1, 0, has_plan));
    engines.push_back(std::make_unique<FakeEngine>(3, least_cost, true));
    const Interval interval = FieldPlanner(engines, job_on(range), field, asked_for, costs).at(0, 1000);
    INFO(has_plan, " ", least_cost, " ", asked_for);
    CHECK(interval.engine == engines[taken].get());
    CHECK(dynamic_cast<const FakeEngine&>(*engines[0]).asked() == 1);
    CHECK(dynamic_cast<const FakeEngine&>(*engines[1]).asked() == second_asked);
  }
}

namespace {

// Claims windows, and plans them as another engine would plan a piece.
class ClaimingEngine : public Engine {
public:
  ClaimingEngine(Engine& other, Field piece) : other_(other), piece_(std::move(piece)) {}
  [[nodiscard]] std::string_view name() const override { return "windows"; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override {
    return field.is_claimed_by("windows") ? other_.planner(job, piece_) : nullptr;
  }
  [[nodiscard]] BatchResult search(const Batch& /*batch*/, const Interrupt& /*interrupt*/) override { return {}; }

private:
  Engine& other_;
  Field piece_;
};

} // namespace

TEST_CASE("planning: MPFR alone for what is no piece, and nobody but its engine for what is claimed") {
  const Range range{"exp", "binary64", 53, "1", "1.25"};
  const job::Job job = job_on(range);
  job::Cut cut = cuts_of(range).at(0);
  const EngineSettings settings;
  const Engines engines = engines_of(settings);
  // Plans as the domains' engine would plan the piece.
  Engines claiming = engines_of(settings);
  claiming.push_back(std::make_unique<ClaimingEngine>(*engines[1], Field::of(cut)));
  Field field{cut.arguments, Claim{.engine = "windows", .extent = cut.arguments.count}};
  CHECK(FieldPlanner(claiming, job, field, false, settings.costs).at(0, 1000000).engine == claiming.back().get());
  CHECK_THROWS_AS(FieldPlanner(engines, job, field, false, settings.costs), DeviceError);
  // The claim's engine cannot plan it, because the wide test cannot be used for so few arguments.
  claiming.back() = std::make_unique<ClaimingEngine>(*engines[0], Field::of(cut));
  CHECK_THROWS_AS((void)FieldPlanner(claiming, job, field, false, settings.costs).at(0, 3), DeviceError);
  cut.values.reset();
  field = Field::of(cut);
  REQUIRE(field.is_direct());
  const Interval direct = FieldPlanner(engines, job, field, false, settings.costs).at(5, 1 << 20);
  CHECK(direct.engine == nullptr);
  CHECK_FALSE(direct.plan);
  CHECK(direct.first == 5);
  CHECK(direct.count == 1 << 20);
  CHECK(direct.prices.empty());
}

} // namespace tmd::engine
