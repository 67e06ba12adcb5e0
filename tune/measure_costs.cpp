#include "tune/measure_costs.hpp"

#include "engine/domains/tunables.hpp"
#include "engine/registry.hpp"
#include "engine/wide/tunables.hpp"
#include "tune/measure.hpp"

#include "engine/domains/search.hpp"
#include "engine/wide/search.hpp"
#include "job/pieces.hpp"
#include "search/confirming.hpp"
#include "search/device_worker.hpp"
#include "search/search.hpp"
#include "support/statistics.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int repeats = 5;           // whose median counts
constexpr double long_enough = 0.01; // seconds of the device, for a launch whose time counts
constexpr std::uint64_t growth = 4;  // of what is too short
constexpr double step_seconds = 240; // seconds that compilers, and a slow device, may take for a step

// Columns of the least squares: group, line, filtered line, candidate.
constexpr std::size_t column_count = 4;
using Columns = std::array<double, column_count>;

Columns columns_of(const GroupSample& sample) {
  return {1 / sample.seconds, sample.lines / sample.seconds, sample.filtered_lines / sample.seconds,
          sample.candidates / sample.seconds};
}

// Solves normal · x = right for the columns in `used`, the others being 0; nothing where they depend on each other.
std::optional<Columns> solve(std::array<Columns, column_count> normal, Columns right, unsigned used) {
  constexpr double least_pivot = 1e-9; // of columns of length 1
  const auto is_used = [&](std::size_t i) { return (used >> i & 1) != 0; };
  for (std::size_t pivot = 0; pivot < column_count; ++pivot) {
    if (!is_used(pivot))
      continue;
    if (normal[pivot][pivot] < least_pivot)
      return std::nullopt;
    for (std::size_t row = 0; row < column_count; ++row) {
      if (row == pivot || !is_used(row))
        continue;
      const double factor = normal[row][pivot] / normal[pivot][pivot];
      for (std::size_t column = 0; column < column_count; ++column)
        normal[row][column] -= factor * normal[pivot][column];
      right[row] -= factor * right[pivot];
    }
  }
  Columns x{};
  for (std::size_t i = 0; i < column_count; ++i)
    x[i] = is_used(i) ? right[i] / normal[i][i] : 0;
  return x;
}

// The seconds that `run` returns: the median of some runs after one that is not counted.
template <typename Run> double median_of(const Run& run) {
  (void)run();
  std::vector<double> times(repeats);
  for (double& time : times)
    time = run();
  return median(std::move(times));
}

// Wall seconds of `run`.
template <typename Run> double wall_seconds(const Run& run) {
  const auto start = Clock::now();
  run();
  return seconds_since(start);
}

// Measures one table of costs.
class CostMeasurement {
public:
  CostMeasurement(const opencl::DeviceDescription& device, const Tunables& tunables, const Announce& announce)
      : device_(device), tunables_(tunables), announce_(announce), threads_(confirming_threads(device)),
        launcher_(std::make_shared<Launcher>(
            device, static_cast<std::uint32_t>(tunables[shared_tunable("survivor-capacity")]))),
        domains_(launcher_, tunables), wide_(launcher_, tunables) {}

  Costs measure() {
    time_tests();
    time_arguments();
    time_confirmation();
    time_groups();
    time_parts();
    time_interval();
    return result_;
  }

private:
  // Enters a time as a cost.
  void enter(const Cost& cost, double seconds) {
    constexpr double least = 1e-4; // what is less costs nothing, and may be noise
    result_.set(cost, std::max(seconds / unit_, least));
    if (!std::isfinite(result_[cost]))
      throw DeviceError("a time makes no sense");
  }

  [[nodiscard]] EngineSettings settings(Polynomials polynomials) const {
    EngineSettings settings;
    settings.choices.polynomials = polynomials;
    settings.tunables = tunables_;
    settings.costs = engine_tuning().default_costs(device_, tunables_);
    settings.host_threads = threads_;
    return settings;
  }

  // The plan of the tuning job's beginning.
  static std::unique_ptr<DomainPlan> domain_plan(const DomainOptions& options) {
    const Job job = tuning_job(false).search;
    const Piece piece = find_pieces(*job.function, job.arguments(), job.first, job.last).front();
    auto plan = DomainPlanner(ScaledFunction(*job.function, job.grid(), piece), job.bits, options).plan(0, piece.count);
    if (!plan || plan->exhaustive != options.exhaustive_only)
      throw DeviceError("the tests serve no part of the tuning job");
    return plan;
  }

  // Domains of a plan that a batch may have, whatever the tunables say: launches are to be long enough.
  [[nodiscard]] std::uint64_t most_domains(const DomainPlan& plan) const {
    constexpr std::uint64_t most = std::uint64_t(1) << 26;
    constexpr std::uint64_t memory_share = 6; // three coefficients a domain, in half of the memory
    const std::uint64_t fitting =
        std::min(device_.largest_buffer, device_.global_memory / memory_share) / sizeof(std::uint64_t);
    return std::min({most, plan.domain_count(), std::max<std::uint64_t>(fitting, 1)});
  }

  // The unit, both tests, and the coefficients of domains.
  void time_tests() {
    announce_("measuring costs: the tests", step_seconds);
    DomainOptions options = domain_options(settings(Polynomials::hybrid));
    options.test = Test::regular;
    const std::unique_ptr<DomainPlan> plan = domain_plan(options);
    constexpr double patience = 2; // seconds
    std::uint64_t count = std::min(std::uint64_t(1) << 16, most_domains(*plan));
    DomainBatch batch = make_hybrid_batch(*plan, 0, count);
    while (domains_.time_phase1(batch, 1) < long_enough && count < most_domains(*plan)) {
      count = std::min(growth * count, most_domains(*plan));
      batch = make_hybrid_batch(*plan, 0, count);
    }
    const auto domains = static_cast<double>(batch.domain_count());
    unit_ = domains_.time_phase1(batch, repeats, patience) / domains;
    if (!(unit_ > 0))
      throw DeviceError("the regular test takes no time");
    enter(domain_cost("polynomial"), domains_.time_polynomials(batch, repeats) / domains);

    options.test = Test::lefevre;
    options.domain_bits = plan->domain_bits;
    const DomainBatch same = make_hybrid_batch(*domain_plan(options), 0, count);
    enter(domain_cost("lefevre"), domains_.time_phase1(same, repeats, patience) / same.domain_count());

    DomainOptions by_host = domain_options(settings(Polynomials::host));
    by_host.test = Test::regular;
    const std::unique_ptr<DomainPlan> made = domain_plan(by_host);
    const std::uint64_t few = std::min<std::uint64_t>(std::uint64_t(threads_) << 15, made->domain_count());
    enter(domain_cost("polynomial-by-host"), median_of([&] {
                                               return wall_seconds([&] { (void)make_batch(*made, 0, few, threads_); });
                                             }) / static_cast<double>(few));
  }

  // Phase 3, on all arguments of some domains.
  void time_arguments() {
    announce_("measuring costs: arguments one by one", step_seconds);
    constexpr std::uint64_t first_arguments = std::uint64_t(1) << 22;
    constexpr std::uint64_t most_arguments = std::uint64_t(1) << 34;
    constexpr int domain_bits = 12; // a packet of such domains has few arguments
    DomainOptions options = domain_options(settings(Polynomials::hybrid));
    options.exhaustive_only = true;
    options.domain_bits = domain_bits;
    const std::unique_ptr<DomainPlan> plan = domain_plan(options);
    const auto run = [&](std::uint64_t domains) { // seconds for an argument
      domains_.reset_stages();
      (void)domains_.search(make_hybrid_batch(*plan, 0, domains));
      const Stage phase3 = stage(domains_.stages(), domain_stages[3].name);
      return phase3.seconds / std::ldexp(static_cast<double>(phase3.tested), plan->domain_bits);
    };
    const std::uint64_t most = std::min(most_domains(*plan), most_arguments >> plan->domain_bits);
    std::uint64_t count = std::min(first_arguments >> plan->domain_bits, most);
    (void)run(count); // builds the kernel
    while (run(count) * std::ldexp(static_cast<double>(count), plan->domain_bits) < long_enough && count < most)
      count = std::min(growth * count, most);
    enter(domain_cost("argument"), median_of([&] { return run(count); }));
  }

  void time_confirmation() {
    announce_("measuring costs: confirmation", step_seconds);
    const Job job = tuning_job(false).search;
    const Piece piece = find_pieces(*job.function, job.arguments(), job.first, job.last).front();
    const Confirmation confirmation(*job.function, job.grid(), job.bits);
    const std::uint64_t count = 2048 * std::uint64_t(threads_);
    const auto step = static_cast<std::uint64_t>(piece.count / count);
    const auto argument = [&](std::uint64_t i) { return piece.argument(uint128(i) * step); };
    enter(shared_cost("confirmation"), median_of([&] {
                                         return wall_seconds([&] {
                                           (void)confirm_all(confirmation, count, argument,
                                                             std::numeric_limits<double>::infinity(), threads_, {});
                                         });
                                       }) / static_cast<double>(count));
  }

  // The wide test's groups are those of a binade of exp, at the K with which such binades are searched.
  struct WideStretch {
    Job job = wide_job(52);
    Piece piece = find_pieces(*job.function, job.arguments(), job.first, job.last).front();
    ScaledFunction function{*job.function, job.grid(), piece};
  };

  // A plan of about `groups` groups, from `place` of the stretch on, of which there are 16.
  [[nodiscard]] std::unique_ptr<WidePlan> wide_plan(const WideOptions& options, int group_bits, std::uint64_t groups,
                                                    unsigned place = 0) const {
    constexpr unsigned places = 16;
    WidePlanner planner(stretch_.function, stretch_.job.bits, options, wide_.batch_sub_intervals());
    const uint128 first = stretch_.piece.count / places * (place % places);
    auto plan = planner.plan(first, std::min(uint128(groups) << group_bits, stretch_.piece.count - first));
    if (!plan)
      throw DeviceError("the wide test does not serve its job");
    return plan;
  }

  // The planner's own choice.
  [[nodiscard]] int natural_group_bits() const {
    constexpr std::uint64_t many = std::uint64_t(1) << 42;
    return wide_plan(wide_options(settings(Polynomials::hybrid)), 0, many)->group_bits();
  }

  // One batch of a plan.
  [[nodiscard]] Stages run(const WideBatch& batch) {
    wide_.reset_stages();
    (void)wide_.search(batch);
    return wide_.stages();
  }

  // The median run by the seconds of a stage.
  [[nodiscard]] Stages median_run(const WideBatch& batch, std::string_view name) {
    return tmd::median_run(
        repeats, [&] { return run(batch); }, [&](const Stages& stages) { return stage(stages, name).seconds; });
  }

  // Groups of several sizes, with shorter and longer denominators: few and many lines, few and many candidates.
  void time_groups() {
    announce_("measuring costs: groups of the wide test", step_seconds);
    constexpr std::array<int, 5> size_offsets{-3, -2, -1, 0, 1};
    constexpr std::array<double, 3> denominator_factors{0.75, 1, 1.5};
    const WideOptions usual = wide_options(settings(Polynomials::hybrid));
    const int natural = natural_group_bits();
    std::vector<GroupSample> samples;
    Stage most_checked;
    unsigned place = 0;
    for (const int offset : size_offsets)
      for (const double factor : denominator_factors) {
        WideOptions options = usual;
        options.group_bits = natural + offset;
        options.denominator_percent = static_cast<int>(factor * usual.denominator_percent);
        Stages stages;
        samples.push_back(sample_groups(options, place, stages));
        ++place;
        if (const Stage checked = stage(stages, wide_stages[4].name); checked.tested > most_checked.tested)
          most_checked = checked;
      }
    const GroupSeconds fitted = fit_groups(samples);
    if (!(fitted.filtered_line > 0))
      throw DeviceError("the times of the wide test's groups do not go by their lines");
    enter(wide_cost("wide.group"), fitted.group);
    enter(wide_cost("wide.line"), std::max(fitted.line, fitted.filtered_line)); // few groups have such lines only
    enter(wide_cost("wide.filtered-line"), fitted.filtered_line);
    const double check = most_checked.tested == 0 ? 0 : most_checked.seconds / static_cast<double>(most_checked.tested);
    enter(wide_cost("wide.candidate"), fitted.candidate + check);
  }

  GroupSample sample_groups(const WideOptions& options, unsigned place, Stages& stages) {
    constexpr int tried_groups = 1024; // on the host
    constexpr std::uint64_t fewest_groups = std::uint64_t(1) << 10;
    constexpr std::uint64_t most_groups = std::uint64_t(1) << 26;
    const std::string_view groups = wide_stages[1].name;
    std::unique_ptr<WidePlan> plan;
    std::optional<WideBatch> batch;
    for (;; groups_ = std::min(growth * groups_, most_groups)) {
      plan = wide_plan(options, *options.group_bits, groups_, place);
      batch.emplace(make_wide_batch(*plan, 0, wide_.batch_sub_intervals()));
      (void)run(*batch); // its launches may be small
      if (stage(run(*batch), groups).seconds >= long_enough || groups_ == most_groups)
        break;
    }
    stages = median_run(*batch, groups);
    const Stage tested = stage(stages, groups);
    for (double seconds = tested.seconds; seconds > growth * long_enough; seconds /= growth) // larger ones take longer
      groups_ = std::max(groups_ / growth, fewest_groups);
    const auto count = static_cast<double>(tested.tested);
    const WideExpectation expected = expectation_of(stretch_.function, *plan, tried_groups);
    return {expected.lines - expected.filtered_lines, expected.filtered_lines, static_cast<double>(tested.kept) / count,
            std::max(tested.seconds / count, 1e-15)};
  }

  // Parts of groups that are refused: all with more than a line.
  void time_parts() {
    announce_("measuring costs: refused parts", step_seconds);
    constexpr std::uint64_t most_groups = std::uint64_t(1) << 22;
    const std::string_view parts = wide_stages[2].name;
    const int natural = natural_group_bits();
    WideOptions options = wide_options(settings(Polynomials::hybrid));
    options.group_bits = natural;
    for (std::uint64_t groups = std::uint64_t(1) << 11;; groups *= growth) {
      const std::unique_ptr<WidePlan> plan = wide_plan(options, natural, groups);
      WideBatch batch = make_wide_batch(*plan, 0, wide_.batch_sub_intervals());
      batch.parameters.most_lines = 1;
      (void)run(batch);
      const Stage refused = stage(median_run(batch, parts), parts);
      if (refused.tested == 0)
        throw DeviceError("the wide test refuses no groups");
      if (refused.seconds < long_enough && groups < most_groups)
        continue;
      enter(wide_cost("wide.part"), refused.seconds / static_cast<double>(refused.tested));
      return;
    }
  }

  // What an interval takes whatever is in it: its plan, and the launches of a batch with one group.
  void time_interval() {
    announce_("measuring costs: intervals", step_seconds);
    WidePlanner planner(stretch_.function, stretch_.job.bits, wide_options(settings(Polynomials::hybrid)), 1);
    uint128 first = 0;
    std::unique_ptr<WidePlan> plan;
    const double planning = median_of([&] { // the first looks for the longest interval
      return wall_seconds([&] {
        plan = planner.plan(first, stretch_.piece.count - first);
        if (!plan)
          throw DeviceError("the wide test does not serve its job");
        if (first + 2 * uint128(plan->count) < stretch_.piece.count)
          first += plan->count;
      });
    });
    WideBatch batch = make_wide_batch(*plan, 0, 1);
    batch.argument_limit = std::min(batch.argument_limit, std::uint64_t(1) << plan->group_bits());
    const double launching = median_of([&] { return wall_seconds([&] { (void)run(batch); }); });
    enter(shared_cost("interval"), planning + launching);
  }

  const opencl::DeviceDescription& device_;
  const Tunables& tunables_;
  const Announce& announce_;
  unsigned threads_; // of the host that work for the device
  std::shared_ptr<Launcher> launcher_;
  DomainSearch domains_;
  WideSearch wide_;
  WideStretch stretch_;
  double unit_ = 0;                               // seconds of a regular test
  std::uint64_t groups_ = std::uint64_t(1) << 14; // that take the device long enough
  Costs result_;
};

// A device with a table of costs, ready to search by each algorithm.
class CostConfiguration {
public:
  CostConfiguration(const opencl::DeviceDescription& device, const Tunables& tunables, const Costs& costs)
      : device_(device), tunables_(tunables), costs_(costs) {}

  // What a search took and gave; seconds of the device and of planning.
  struct Run {
    double device = 0;
    double planning = 0;
    std::vector<Case> cases;
  };
  // The first run of each algorithm builds kernels.
  [[nodiscard]] Run run(const Job& job, std::size_t algorithm) {
    SearchResult result = run_search(job, workers(job, algorithm));
    return {seconds_of(result.stages), result.planning_seconds, result.cases.to_vector()};
  }

private:
  std::span<const std::unique_ptr<tmd::Worker>> workers(const Job& job, std::size_t algorithm) {
    auto& alone = workers_.at(algorithm);
    if (alone.empty()) {
      EngineSettings settings;
      settings.choices.algorithm = cost_algorithms.at(algorithm);
      settings.choices.polynomials = choose_polynomials(Polynomials::automatic, device_, job.size());
      settings.tunables = tunables_;
      settings.costs = costs_;
      settings.host_threads = confirming_threads(device_);
      alone.push_back(std::make_unique<DeviceWorker>(device_, settings));
    }
    return alone;
  }

  const opencl::DeviceDescription& device_;
  Tunables tunables_;
  Costs costs_;
  std::array<std::vector<std::unique_ptr<tmd::Worker>>, cost_algorithms.size()> workers_;
};

// A job that takes the device `shortest` seconds by the wide test.
Job long_enough_job(CostConfiguration& configuration, double shortest) {
  constexpr int fewest_bits = 36; // log2 of its arguments
  constexpr int most_bits = 52;
  constexpr int most_growth = 6;
  for (int bits = fewest_bits;;) {
    Job job = wide_job(bits);
    (void)configuration.run(job, 0); // its launches are small
    const double seconds = configuration.run(job, 0).device;
    if (seconds >= shortest || bits == most_bits)
      return job;
    const double missing = std::ceil(std::log2(shortest / std::max(seconds, 1e-9)));
    bits = std::min(bits + std::clamp(static_cast<int>(missing), 1, most_growth), most_bits);
  }
}

bool same_cases(const std::vector<Case>& first, const std::vector<Case>& second) {
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const Case& a, const Case& b) { return compare(a.x, b.x) == 0; });
}

CostPairs run_pairs(const opencl::DeviceDescription& device, const Tunables& tunables,
                    const std::array<const Costs*, 2>& tables, double shortest, int pairs, const Announce& announce) {
  constexpr double enough = 0.1; // seconds; shorter runs are repeated and averaged
  constexpr int most_repeats = 20;
  constexpr double patience = 600; // seconds, for all of it
  announce("comparing costs", patience);
  std::array<CostConfiguration, 2> both{CostConfiguration(device, tunables, *tables[0]),
                                        CostConfiguration(device, tunables, *tables[1])};
  const Job job = long_enough_job(both[0], shortest);
  CostPairs result;
  std::array<int, cost_algorithms.size()> times{};
  std::vector<Case> cases;
  for (std::size_t algorithm = 0; algorithm < times.size(); ++algorithm)
    for (CostConfiguration& one : both) {
      (void)one.run(job, algorithm); // builds kernels
      const auto start = Clock::now();
      const CostConfiguration::Run run = one.run(job, algorithm);
      if (algorithm == 0 && &one == both.data())
        cases = run.cases;
      if (!same_cases(cases, run.cases)) {
        result.message = fmt::format("a search by {} finds {} cases, another {}", cost_algorithms.at(algorithm),
                                     run.cases.size(), cases.size());
        return result;
      }
      const double once = std::max(seconds_since(start), 1e-6);
      times.at(algorithm) = std::clamp(static_cast<int>(std::ceil(enough / once)), 1, most_repeats);
    }
  const auto time = [&](CostConfiguration& one) {
    CostSeconds sum{};
    for (std::size_t algorithm = 0; algorithm < sum.size(); ++algorithm)
      for (int i = 0; i < times.at(algorithm); ++i) {
        const CostConfiguration::Run run = one.run(job, algorithm);
        sum.at(algorithm) += (run.device + run.planning) / times.at(algorithm);
      }
    return sum;
  };
  for (int pair = 0; pair < pairs; ++pair) {
    CostSeconds of_second{};
    if (pair % 2 != 0) // what comes second in a pair may profit from the first
      of_second = time(both[1]);
    result.first.push_back(time(both[0]));
    result.second.push_back(pair % 2 != 0 ? of_second : time(both[1]));
  }
  return result;
}

} // namespace

GroupSeconds fit_groups(std::span<const GroupSample> samples) {
  std::array<Columns, column_count> normal{};
  Columns right{};
  for (const GroupSample& sample : samples) {
    const Columns columns = columns_of(sample);
    for (std::size_t i = 0; i < column_count; ++i) {
      right[i] += columns[i];
      for (std::size_t j = 0; j < column_count; ++j)
        normal[i][j] += columns[i] * columns[j];
    }
  }
  // Columns of length 1: seconds, lines and candidates are of very different size.
  Columns length{};
  for (std::size_t i = 0; i < column_count; ++i)
    length[i] = normal[i][i] > 0 ? std::sqrt(normal[i][i]) : 1;
  for (std::size_t i = 0; i < column_count; ++i) {
    right[i] /= length[i];
    for (std::size_t j = 0; j < column_count; ++j)
      normal[i][j] /= length[i] * length[j];
  }
  // With so few columns every choice of those that are not 0 is tried: the more x · right is, the less is left over.
  Columns best{};
  double most_explained = 0;
  for (unsigned used = 1; used < 1U << column_count; ++used) {
    const std::optional<Columns> x = solve(normal, right, used);
    if (!x || std::any_of(x->begin(), x->end(), [](double each) { return !(each >= 0); }))
      continue;
    double explained = 0;
    for (std::size_t i = 0; i < column_count; ++i)
      explained += (*x)[i] * right[i];
    if (explained > most_explained) {
      most_explained = explained;
      best = *x;
    }
  }
  return {best[0] / length[0], best[1] / length[1], best[2] / length[2], best[3] / length[3]};
}

Costs measure_costs(const opencl::DeviceDescription& device, const Tunables& tunables, const Announce& announce) {
  return CostMeasurement(device, tunables, announce).measure();
}

CostPairs compare_costs(const opencl::DeviceDescription& device, const Tunables& tunables, const Costs& first,
                        const Costs& second, double shortest, int pairs, const Announce& announce) {
  try {
    return run_pairs(device, tunables, {&first, &second}, shortest, pairs, announce);
  } catch (const DeviceError& error) {
    return {{}, {}, error.what()};
  } catch (const std::bad_alloc&) {
    return {{}, {}, "out of memory"};
  }
}

Message to_json(const Costs& costs) {
  Message json = Message::object();
  for (const Cost& cost : engine_tuning().costs())
    json[std::string(cost.name)] = costs[cost];
  return json;
}

bool from_json(const Message& json, Costs& costs) {
  if (!json.is_object() || json.size() != engine_tuning().costs().size())
    return false;
  try {
    for (const auto& [name, value] : json.items()) {
      if (!value.is_number())
        return false;
      engine_tuning().set(costs, name, value.get<double>());
    }
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

} // namespace tmd::tune
