// An engine that is not in the registry, written as doc/developer/how-to-add.md says: nothing outside this file knows
// it, but searches, tables and records take it as they take the others. It claims stretches before their output binades
// are looked at, and its coordinate is not the index of arguments: it counts residue classes of indices.
#include "end_to_end/enumeration.hpp"
#include "host/device/profile.hpp"
#include "host/engine/registry.hpp"
#include "host/report/report.hpp"
#include "host/result/json_lines.hpp"
#include "host/result/recorded_search.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tmd::test {
namespace {

constexpr std::uint64_t modulus = 48;
constexpr std::uint64_t interval_classes = 16; // in one plan
constexpr std::string_view residues = "residues";
constexpr std::array<std::string_view, 1> residue_methods{residues};
constexpr std::array<engine::Stage, 2> residue_stages{{{"residues", "residues", "classes", "classes", false},
                                                       {"residue_estimates", "  estimates", "arguments", "arguments"}}};

constexpr auto residue_tunables =
    std::to_array<device::Tunable>({{"residues.classes", 1, 48, 3, "classes of a batch"}});
constexpr auto residue_costs = std::to_array<device::Cost>({{"residues.class", 0.01}});
constexpr const device::Tunable& classes_tunable = device::row_named(residue_tunables, "residues.classes");
constexpr const device::Cost& class_cost = device::row_named(residue_costs, "residues.class");

void set_defaults(device::Tunables& tunables, const opencl::DeviceDescription& device, CpuMode /*mode*/) {
  if (device.is_gpu)
    tunables.set(classes_tunable, 16);
}

void set_default_costs(device::Costs& costs, const opencl::DeviceDescription& device,
                       const device::Tunables& tunables) {
  if (device.is_gpu)
    costs.set(class_cost, 1.0 / static_cast<double>(tunables[classes_tunable]));
}

std::vector<device::TuningStep> steps() {
  static constexpr auto values = std::to_array<std::int64_t>({1, 3, 16});
  return {device::step_of(residues, classes_tunable, values)};
}

const device::TuningTable& residue_tuning() {
  static const device::TuningTable table{.tunables = residue_tunables,
                                         .costs = residue_costs,
                                         .set_defaults = set_defaults,
                                         .set_default_costs = set_default_costs,
                                         .steps = steps};
  return table;
}

// The possible error of the estimates, in half-ulps: a long double's few units of 2^−63 are much less.
constexpr int estimate_bits = 40;

struct ResidueBatch : engine::Batch {
  job::Stretch arguments{};
  format::BreakpointGrid grid{};
  int bits = 0; // K
  std::uint64_t first = 0;
  std::uint64_t classes = 0;

  [[nodiscard]] std::uint64_t count() const override { return classes; }
};

class ResiduePlan : public engine::Plan {
public:
  job::Stretch arguments{};
  format::BreakpointGrid grid{};
  int bits = 0;
  std::uint64_t batch_classes = 0; // classes in a batch

  [[nodiscard]] engine::PlanReport report() const override {
    const number::Bound epsilon = number::Bound::power_of_two(-bits);
    const number::Bound estimate = number::Bound::power_of_two(-estimate_bits);
    return {residues,
            {{"modulus", "modulo", false, modulus, modulus}},
            {{"epsilon", epsilon}, {"estimate", estimate}, {"residues", epsilon + estimate, true}},
            {"estimates in long double"}};
  }
  [[nodiscard]] std::unique_ptr<engine::Batch> batch(std::uint64_t done) const override {
    auto batch = std::make_unique<ResidueBatch>();
    batch->arguments = arguments;
    batch->grid = grid;
    batch->bits = bits;
    batch->first = static_cast<std::uint64_t>(first) + done;
    batch->classes = std::min(batch_classes, count - done);
    return batch;
  }
};

class ResidueOffer : public engine::Offer {
public:
  ResidueOffer(const ResiduePlan& plan, double cost_of_class) : plan_(plan) {
    count = plan.count;
    cost = cost_of_class;
    prices = {{residues, cost}};
  }
  [[nodiscard]] std::unique_ptr<engine::Plan> plan() const override { return std::make_unique<ResiduePlan>(plan_); }

private:
  ResiduePlan plan_;
};

class ResiduePlanner : public engine::Planner {
public:
  ResiduePlanner(const job::Job& job, const engine::Field& field, const device::Tunables& tunables,
                 const device::Costs& costs)
      : cost_(costs[class_cost]) {
    plan_.batch_classes = static_cast<std::uint64_t>(tunables[classes_tunable]);
    plan_.arguments = field.arguments;
    plan_.grid = job.grid();
    plan_.bits = job.K;
  }
  [[nodiscard]] std::unique_ptr<engine::Offer> offer(uint128 first, uint128 most) override {
    plan_.first = first;
    plan_.count = static_cast<std::uint64_t>(std::min<uint128>(most, interval_classes));
    return std::make_unique<ResidueOffer>(plan_, cost_);
  }

private:
  ResiduePlan plan_;
  double cost_;
};

// Whether sin x may be closer than 2^−bits to a breakpoint.
bool is_near(double x, const format::BreakpointGrid& grid, int bits) {
  const long double value = std::fabs(std::sin(static_cast<long double>(x)));
  if (value == 0)
    return true;
  const int exponent = std::ilogb(value);
  const long double fraction = std::ldexp(value, -exponent);
  if (fraction - 1 < 1e-12L || 2 - fraction < 1e-12L) // it may lie in another binade
    return true;
  long double scaled = std::ldexp(value, grid.precision - exponent);
  if (grid.rounding != Rounding::all)
    scaled = (scaled - (grid.rounding == Rounding::nearest ? 1 : 0)) / 2;
  return std::fabs(scaled - std::rint(scaled)) < std::ldexp(1.0L, -bits) + std::ldexp(1.0L, -estimate_bits);
}

// It serves sin. A test may observe, or fail, before and after the search of a batch.
class ResidueEngine : public engine::Engine {
public:
  using Onlooker = std::function<void(Moment)>;
  explicit ResidueEngine(Onlooker onlooker = {}, device::Tunables tunables = {}, device::Costs costs = {})
      : onlooker_(std::move(onlooker)), tunables_(std::move(tunables)), costs_(std::move(costs)) {}

  [[nodiscard]] std::string_view name() const override { return residues; }
  [[nodiscard]] std::unique_ptr<engine::Planner> planner(const job::Job& job, const engine::Field& field) override {
    if (!field.is_claimed_by(residues))
      return nullptr;
    return std::make_unique<ResiduePlanner>(job, field, tunables_, costs_);
  }
  [[nodiscard]] engine::BatchResult search(const engine::Batch& any, const engine::Interrupt& interrupt) override {
    if (interrupt())
      throw Interrupted();
    if (onlooker_)
      onlooker_(Moment::before);
    const auto& batch = dynamic_cast<const ResidueBatch&>(any);
    engine::BatchResult result;
    result.stages.assign(residue_stages.begin(), residue_stages.end());
    for (std::uint64_t residue = batch.first; residue < batch.first + batch.classes; ++residue) {
      ++result.stages[0].tested;
      for (std::uint64_t i = residue; i < batch.arguments.count; i += modulus) {
        ++result.stages[1].tested;
        if (is_near(to_double(batch.arguments.argument(i)), batch.grid, batch.bits))
          result.candidates.push_back(i);
      }
    }
    result.stages[1].kept = result.candidates.size();
    result.stages[1].seconds = 1e-3;
    if (onlooker_)
      onlooker_(Moment::after);
    return result;
  }

private:
  Onlooker onlooker_;
  device::Tunables tunables_;
  device::Costs costs_;
};

// Claims all of a stretch of sin from 1/2 on; arguments below are left to the others.
std::optional<engine::Field> claim_residues(const job::Job& job, const Choices& /*choices*/,
                                            const job::Stretch& stretch) {
  if (job.function->name != "sin" || std::fabs(to_double(stretch.argument(0))) < 0.5)
    return std::nullopt;
  const uint128 all = stretch.count;
  return engine::Field{stretch, engine::Claim{residues, std::min<uint128>(modulus, all),
                                              [all](uint128 first, uint128 count) {
                                                uint128 sum = 0;
                                                for (uint128 residue = first; residue < first + count; ++residue)
                                                  sum += (all - residue - 1) / modulus + 1;
                                                return sum;
                                              },
                                              std::to_string(modulus)}};
}

std::unique_ptr<engine::Engine> open_residues(const std::shared_ptr<engine::Launcher>& /*launcher*/,
                                              const engine::EngineSettings& settings) {
  return std::make_unique<ResidueEngine>(ResidueEngine::Onlooker(), settings.tunables, settings.costs);
}

const engine::EngineKind residue_engine{.name = residues,
                                        .algorithms = residue_methods,
                                        .stages = residue_stages,
                                        .claim = claim_residues,
                                        .open = open_residues,
                                        .tuning = residue_tuning};

// The row that the registry would have for it.
const std::vector<const engine::EngineKind*>& kinds() {
  static const std::vector<const engine::EngineKind*> all{&residue_engine, &engine::wide::wide_engine,
                                                          &engine::domains::domain_engine};
  return all;
}

Task sine_task(double from, double to, Rounding grid = Rounding::all) {
  Task task = make_task(known_sin, {"p13", 13, -1022, 13, from, to}, grid, 5);
  task.kinds = kinds();
  return task;
}

// The numbers of a task's claims.
struct Claimed {
  std::uint64_t fields = 0;
  std::uint64_t classes = 0;
  std::uint64_t arguments = 0;
};

Claimed claimed_of(const Task& task) {
  Claimed result;
  const searches::Claims claims = searches::claims_of(task, task.choices, task.kinds);
  for (const job::Stretch& stretch : job::stretches(task.arguments(), task.first, task.last))
    if (const auto field = claims(stretch)) {
      ++result.fields;
      result.classes += static_cast<std::uint64_t>(field->extent());
      result.arguments += static_cast<std::uint64_t>(field->arguments.count);
    }
  return result;
}

// Without OpenCL: this engine, and the existence tests on the host.
std::unique_ptr<searches::Worker> residue_worker(const Task& task, ResidueEngine::Onlooker onlooker = {}) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(std::make_unique<ResidueEngine>(std::move(onlooker)));
  engines.push_back(std::make_unique<engine::domains::DomainEngine>(
      engine::domains::domain_options(task.settings()), engine::domains::DomainLimits{64, 1}, search_domains_on_host));
  return std::make_unique<searches::DeviceWorker>(std::move(engines), task.choices, task.costs, 1);
}

result::SearchResult search(const Task& task, std::span<const std::unique_ptr<searches::Worker>> workers,
                            const searches::SearchHooks& hooks = {}, result::SearchResult so_far = {}) {
  return searches::run_search(task, workers, hooks, searches::claims_of(task, task.choices, task.kinds),
                              std::move(so_far));
}

result::SearchResult search_alone(const Task& task) {
  const std::unique_ptr<searches::Worker> alone = residue_worker(task);
  result::SearchResult result = search(task, std::span(&alone, 1));
  REQUIRE(result.covered == task.range());
  REQUIRE(result.cases.size() > 50);
  return result;
}

// Nothing is missing, and nothing was done twice.
void check_whole(const Task& task, const result::SearchResult& result, const result::SearchResult& expected) {
  CHECK_FALSE(result.interrupted);
  CHECK(result.covered == task.range());
  CHECK(same(result.cases, expected.cases));
  CHECK(same(result.exact, expected.exact));
  const Claimed claimed = claimed_of(task);
  CHECK(engine::stage(result.stages, "residues").tested == claimed.classes);
  CHECK(engine::stage(result.stages, "residue_estimates").tested == claimed.arguments);
  CHECK(engine::stage(result.stages, "residue_estimates").kept ==
        engine::stage(expected.stages, "residue_estimates").kept);
}

} // namespace

TEST_CASE("third engine: beside the others on a device it finds what enumeration finds") {
  struct Bounds {
    double from;
    double to;
    std::uint64_t claimed;
  };
  // Whole binades and cut ones; the last claims are of five arguments, fewer than there are residues, and of none.
  for (const Bounds& bounds : {Bounds{0x1.3p-2, 0x1.d1p+2, 4}, Bounds{2, 4 + std::ldexp(5.0, -10), 2},
                               Bounds{-0x1.9p+3, -0.25, 5}, Bounds{0.25, 0.5, 0}}) {
    const auto all = enumerate(known_sin, {13, -1022}, bounds.from, bounds.to, 13, 5);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const char* algorithm : {"auto", "residues", "wide", "regular"}) {
        Task task = sine_task(bounds.from, bounds.to, grids[i]);
        task.choices.algorithm = algorithm;
        task.choices.polynomials = Polynomials::host;
        INFO(task.identity(), ", ", algorithm);
        const bool serves = task.choices.algorithm == "auto" || task.choices.algorithm == "residues";
        const searches::Claims claims = searches::claims_of(task, task.choices, task.kinds);
        CHECK(static_cast<bool>(claims) == serves);
        // No other algorithm needs a device here.
        const std::unique_ptr<searches::Worker> alone =
            serves ? std::make_unique<searches::DeviceWorker>(test_device(), task.settings(), task.kinds)
                   : host_worker(task, 64);
        const result::SearchResult result = searches::run_search(task, std::span(&alone, 1), {}, claims);
        check_found(task, result, all[i]);
        std::uint64_t claimed = 0;
        for (const result::FieldReport& report : result.fields)
          if (report.field.is_claimed()) {
            ++claimed;
            CHECK(report.field.is_claimed_by(residues));
            CHECK(report.field.values() == nullptr);
            CHECK(report.intervals == (report.field.extent() + interval_classes - 1) / interval_classes);
            CHECK(report.methods.size() == 1);
            CHECK(report.methods.at("residues") == report.intervals);
            CHECK(engine::price_of(report.prices, residues) < std::numeric_limits<double>::infinity());
          } else {
            CHECK(report.methods.count("residues") == 0);
          }
        CHECK(claimed == (serves ? bounds.claimed : 0));
        if (serves) {
          const Claimed known = claimed_of(task);
          CHECK(known.fields == bounds.claimed);
          CHECK(engine::stage(result.stages, "residues").tested == known.classes);
          CHECK(engine::stage(result.stages, "residue_estimates").tested == known.arguments);
          CHECK(engine::stage(result.stages, "residue_estimates").kept <= result.candidates);
        }
      }
  }
}

TEST_CASE("third engine: its algorithm is one of several, and no device without it searches what it has claimed") {
  CHECK(engine::engines_for("residues", kinds()).size() == 3);
  CHECK(engine::engines_for("wide", kinds()).size() == 2);
  CHECK_THROWS_AS((void)engine::engines_for("residues"), UsageError);
  const Task task = sine_task(1, 4);
  const std::unique_ptr<searches::Worker> without = host_worker(task, 64);
  CHECK_THROWS_WITH_AS((void)search(task, std::span(&without, 1)),
                       "no engine of this device searches what residues has claimed", DeviceError);
  // Beside a device that has it, one without it is lost.
  std::vector<std::unique_ptr<searches::Worker>> both;
  both.push_back(host_worker(task, 64));
  both.push_back(residue_worker(task));
  check_whole(task, search(task, both), search_alone(task));
}

TEST_CASE("third engine: its tunables and costs are in its own tables, and have their part in profiles and searches") {
  const device::Tuning tuning = engine::tuning_of(kinds());
  device::Tunables of_others;
  CHECK_THROWS_AS(engine::engine_tuning().set(of_others, "residues.classes", "7"), UsageError);
  const device::Profile profile =
      device::parse_profile("format = 1\ntuned = false\n[match]\nclass = \"cpu\"\n"
                            "[tunables]\nresidues.classes = 7\n[costs]\nresidues.class = 1e9\n",
                            tuning);
  CHECK(device::to_toml(profile, tuning).find("residues.classes = 7\n") != std::string::npos);
  CHECK(device::to_toml(profile, tuning).find("residues.class = 1e+09\n") != std::string::npos);
  CHECK_THROWS_AS((void)device::parse_profile("format = 1\ntuned = false\n[match]\nclass = \"cpu\"\n"
                                              "[tunables]\nresidues.classes = 49\n",
                                              tuning),
                  UsageError);
  opencl::DeviceDescription gpu;
  gpu.set_type(true, false, false);
  device::Tunables tunables = tuning.default_tunables(gpu);
  CHECK(tunables[classes_tunable] == 16);
  CHECK(tuning.default_costs(gpu, tunables)[class_cost] == 1.0 / 16);
  const auto tried = tuning.steps();
  CHECK(std::any_of(tried.begin(), tried.end(), [](const device::TuningStep& step) { return step.part == residues; }));

  Task task = sine_task(2, 4);
  device::apply(profile, tunables, tuning);
  device::apply(profile, task.costs, tuning);
  CHECK(tunables[classes_tunable] == 7);
  std::vector<std::unique_ptr<engine::Engine>> engines;
  int batches = 0;
  const auto count = [&](Moment moment) { batches += moment == Moment::before; };
  engines.push_back(std::make_unique<ResidueEngine>(count, tunables, task.costs));
  const std::unique_ptr<searches::Worker> alone =
      std::make_unique<searches::DeviceWorker>(std::move(engines), task.choices, task.costs, 1);
  const result::SearchResult result = search(task, std::span(&alone, 1));
  check_whole(task, result, search_alone(task));
  CHECK(batches == 9); // three intervals of 16 classes, 7 at a time
  CHECK(engine::price_of(result.fields.front().prices, residues) >= 1e9);
}

TEST_CASE("third engine: tables and records tell of its stages, plans and prices") {
  const Task task = sine_task(0.25, 4);
  const result::SearchResult result = search_alone(task);
  const Claimed claimed = claimed_of(task);
  const std::uint64_t kept = engine::stage(result.stages, "residue_estimates").kept;
  CHECK(kept > 100);
  CHECK(kept < claimed.arguments);

  const auto has = [](const std::string& text, const std::string& part) {
    INFO(part, " in\n", text);
    CHECK(text.find(part) != std::string::npos);
  };
  const auto line = [&](const std::string& text, const std::string& first) {
    const std::size_t at = text.find(first);
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find('\n', at) - at);
  };
  const std::string summary = report::summary_table(task, result);
  has(line(summary, "  residues "), " " + std::to_string(claimed.classes) + " classes ");
  CHECK(line(summary, "  residues ").find("kept") == std::string::npos);
  has(line(summary, "    estimates "), " " + std::to_string(claimed.arguments) + " arguments ");
  has(line(summary, "    estimates "), " " + std::to_string(kept) + " kept ");
  has(line(summary, "  phase 1 "), " domains ");
  has(report::ledger_table(result), "modulo 48");
  has(report::ledger_table(result), "estimate ");
  has(report::ledger_table(result), "  estimates in long double\n");
  has(report::method_table(result), "residues");

  result::RunDescription run;
  run.devices.resize(1);
  const std::string records = result::json_lines(task, run, result);
  const std::string summary_record = line(records, "{\"type\":\"summary\"");
  has(summary_record, "\"residues\":{\"classes\":" + std::to_string(claimed.classes) + ",\"seconds\":");
  has(summary_record, "\"residue_estimates\":{\"arguments\":" + std::to_string(claimed.arguments) +
                          ",\"survivors\":" + std::to_string(kept) + ",\"seconds\":");
  has(line(records, "{\"type\":\"search\""), "\"methods\":{\"residues\":3}");
  has(line(records, "{\"type\":\"search\""), "\"modulus\":48");
  const result::RecordedSearch recorded =
      result::read_complete_search(result::recognize(support::source_of(records), "r"));
  CHECK(recorded.said == task.identity());
  CHECK(recorded.entries.hard == result.cases.size());
  CHECK(recorded.summary->arguments == task.size());
}

TEST_CASE("third engine: two workers share a claimed field") {
  using namespace std::chrono_literals;
  const Task task = sine_task(2, 4);
  const result::SearchResult expected = search_alone(task);
  CHECK(expected.fields.size() == 1);
  for (int round = 0; round < 20; ++round) {
    std::array<std::atomic<bool>, 2> begun{false, false};
    std::vector<std::unique_ptr<searches::Worker>> workers;
    for (std::size_t own = 0; own < 2; ++own)
      workers.push_back(residue_worker(task, [&, own](Moment moment) {
        if (moment == Moment::after)
          return;
        begun.at(own) = true;
        for (int waited = 0; waited < 20000 && !begun.at(1 - own); ++waited)
          std::this_thread::sleep_for(1ms);
      }));
    uint128 done = 0;
    searches::SearchHooks hooks;
    hooks.progress = [&](const Progress& progress) {
      CHECK(progress.done > done);
      done = progress.done;
    };
    const result::SearchResult result = search(task, workers, hooks);
    check_whole(task, result, expected);
    CHECK(done == task.size());
    CHECK(result.fields.size() == 1);
    CHECK(result.workers[0].arguments > 0);
    CHECK(result.workers[1].arguments > 0);
    CHECK(result.workers[0].arguments + result.workers[1].arguments == task.size());
  }
}

TEST_CASE("third engine: a lost worker loses nothing of a claimed field") {
  using namespace std::chrono_literals;
  for (const Task& task : {sine_task(2, 4), sine_task(0x1.3p-2, 0x1.d1p+2)}) {
    const result::SearchResult expected = search_alone(task);
    for (const int at : {0, 1, 2, 4, 7})
      for (const Moment moment : {Moment::before, Moment::after})
        for (const std::size_t bad : {0, 1}) {
          // The good one waits until the other has failed.
          std::atomic<bool> failed = false;
          std::vector<std::unique_ptr<searches::Worker>> workers(2);
          workers[bad] = residue_worker(task, [at, moment, batch = -1](Moment now) mutable {
            batch += now == Moment::before ? 1 : 0;
            if (batch == at && now == moment)
              throw DeviceError("lost");
          });
          workers[1 - bad] = residue_worker(task, [&](Moment) {
            for (int waited = 0; waited < 20000 && !failed; ++waited)
              std::this_thread::sleep_for(1ms);
          });
          searches::SearchHooks hooks;
          hooks.lost = [&](std::size_t index, const std::string& why) {
            CHECK(index == bad);
            CHECK(why == "lost");
            failed = true;
          };
          const result::SearchResult result = search(task, workers, hooks);
          check_whole(task, result, expected);
          CHECK(failed);
          CHECK(result.workers[bad].failure == "lost");
          CHECK((engine::stage(result.workers[bad].stages, "residues").tested > 0) == (at > 0));
        }
  }
}

TEST_CASE("third engine: a search that is interrupted within a claimed field goes on there, and finds nothing twice") {
  for (const Task& task : {sine_task(2, 4), sine_task(0x1.3p-2, 0x1.d1p+2), sine_task(-4, -0.25)}) {
    const result::SearchResult expected = search_alone(task);
    const std::unique_ptr<searches::Worker> alone = residue_worker(task);
    const auto workers = std::span(&alone, 1);
    bool through = false;
    int within = 0; // it is a claimed field
    int begun = 0;
    for (int after = 1; !through; ++after) {
      std::atomic<int> parts = 0;
      searches::SearchHooks hooks;
      hooks.progress = [&](const Progress&) { ++parts; };
      hooks.interrupted = [&] { return parts >= after; };
      const result::SearchResult some = search(task, workers, hooks);
      through = !some.interrupted;
      CHECK(parts >= after - (through ? 1 : 0));
      // A claimed field is covered as a whole or not at all; if not, what was found there does not count.
      for (const result::FieldReport& report : some.fields)
        if (report.field.is_claimed()) {
          const job::RankInterval ranks =
              job::ranks_of(task.arguments(), report.field.arguments, 0, report.field.arguments.count);
          CHECK(some.covered.contains(ranks.first) == some.covered.contains(ranks.last - 1));
          within += report.intervals > 0 && !some.covered.contains(ranks.first);
        }
      for (const Case& found : some.cases)
        CHECK(some.covered.contains(task.arguments().rank(found.x)));
      begun += some.partial_claims.empty() ? 0 : 1;
      CHECK((some.partial_arguments() > 0) == !some.partial_claims.empty());

      const result::SearchResult result = search(task, workers, {}, some);
      CHECK(result.workers[0].arguments == task.size() - some.arguments() - some.partial_arguments());
      CHECK(result.partial_claims.empty());
      CHECK_FALSE(result.interrupted);
      CHECK(result.covered == task.range());
      CHECK(same(result.cases, expected.cases));
      CHECK(same(result.exact, expected.exact));
    }
    CHECK(within > 10);
    CHECK(begun > 10);
  }
}

} // namespace tmd::test
