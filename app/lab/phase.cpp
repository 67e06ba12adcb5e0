// tmd-lab phase: the phase walk's kernel for one function and for two, on one stretch of the range.
#include "app/lab/lab.hpp"
#include "app/lab/steps.hpp"

#include "app/lab/peak.hpp"
#include "app/lab/phase_steps.hpp"
#include "app/lab/production.hpp"
#include "app/standard_streams.hpp"
#include "function/catalogue.hpp"
#include "job/stretch.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"
#include "support/statistics.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

constexpr double shortest_walk = 0.05; // seconds of device time, if there are enough windows

// The first arguments of the range that the walk can search.
job::Stretch first_claimed(const job::Job& job, Choices choices) {
  choices.algorithm = engine::phase::phase_method;
  for (const job::Stretch& stretch : job::stretches(job.arguments(), job.first, job.last))
    if (const auto claim = engine::phase::phase_engine.claim(job, choices, stretch))
      return claim->arguments;
  throw UsageError("the phase walk can be used in no part of this range");
}

// Windows of phases around 1/8, or around 1/4 for an exponential, where they are as narrow as most are.
engine::phase::PhaseBatch windows_of(const std::shared_ptr<const engine::phase::PhaseField>& field,
                                     const engine::phase::PhaseOptions& options) {
  const auto zone = std::max_element(field->zones().begin(), field->zones().end(), [&](const auto& a, const auto& b) {
    return field->arguments_at(a.first, a.extent) < field->arguments_at(b.first, b.extent);
  });
  const uint128 at = zone->first + zone->extent / 4;
  const auto plan = engine::phase::PhasePlanner(field, options).plan(at, zone->extent);
  if (!plan || plan->windows == 0)
    throw UsageError("the phase walk can be used in no part of this range");
  const auto batch = plan->batch(0);
  return dynamic_cast<const engine::phase::PhaseBatch&>(*batch);
}

// The number of windows of a claim, added up over its plans.
double windows_in(const std::shared_ptr<const engine::phase::PhaseField>& field,
                  const engine::phase::PhaseOptions& options) {
  engine::phase::PhasePlanner planner(field, options);
  double windows = 0;
  for (uint128 at = 0; at < field->extent();) {
    const auto plan = planner.plan(at, field->extent() - at);
    if (!plan)
      break;
    windows += static_cast<double>(plan->windows);
    at += plan->count;
  }
  return windows;
}

struct WalkRun {
  engine::Stages stages;
  std::uint64_t windows = 0;

  [[nodiscard]] engine::Stage walk() const { return engine::stage(stages, engine::phase::phase_stages[1].name); }
  [[nodiscard]] double refused() const {
    return static_cast<double>(engine::stage(stages, engine::phase::phase_stages[2].name).tested) /
           static_cast<double>(windows);
  }
};

WalkRun run(engine::phase::PhaseSearch& device, const engine::phase::PhaseBatch& batch) {
  device.reset_stages();
  (void)device.search(batch);
  return {device.stages(), batch.windows};
}

// Returns the run whose walk took the median time, after one run that builds the kernels.
WalkRun measure(engine::phase::PhaseSearch& device, const engine::phase::PhaseBatch& batch, int repeats) {
  (void)run(device, batch);
  return support::median_run(
      repeats, [&] { return run(device, batch); }, [](const WalkRun& one) { return one.walk().seconds; });
}

// Takes so many windows that the walk takes long enough.
engine::phase::PhaseBatch batch_to_measure(const opencl::DeviceDescription& device, const device::Tunables& tunables,
                                           const std::shared_ptr<const engine::phase::PhaseField>& field,
                                           engine::phase::PhaseOptions options) {
  engine::phase::PhaseSearch search(
      std::make_shared<engine::Launcher>(device, tunables[device::shared_tunable("survivor-capacity")]), tunables);
  options.batch_windows = std::uint64_t(1) << 18;
  (void)run(search, windows_of(field, options)); // the first run builds the kernels
  for (;;) {
    engine::phase::PhaseBatch batch = windows_of(field, options);
    if (run(search, batch).walk().seconds >= shortest_walk || batch.windows < options.batch_windows)
      return batch;
    options.batch_windows *= 2;
  }
}

// The time of each step of a window, beside the operations that the device could do meanwhile, as a table and a record.
// whole: seconds of the walk.
std::pair<std::string, std::string> steps_of(const opencl::DeviceDescription& device, const device::Tunables& tunables,
                                             const engine::phase::PhaseBatch& batch, double whole, int repeats) {
  const auto as_far_as = seconds_of_phase_steps(device, tunables, batch, repeats);
  const double peak = peak_operations(device, 0);
  const auto [table, seconds] = step_table("window", phase_step_names, as_far_as, "points", whole, peak);
  return {table,
          result::record_line(result::first_record(
              "phase-steps", result::running_program(opencl::use_kernels(true)),
              {{"device", device.name}, {"peak_operations_per_second", peak}, {"seconds_per_window", seconds}}))};
}

} // namespace

int run_phase(const Arguments& arguments) {
  cxxopts::Options options = lab_options(
      "phase", "Times the phase walk for one function and for both that share a walk, on the first arguments of the "
               "range that it\ncan search, and the steps of a window, beside the device's peak.");
  add_repeats(options);
  const auto parsed = parse_measurement(options, "phase", arguments);
  if (!parsed)
    return 0;
  const request::SearchRequest asked = parse_search_options(*parsed);
  const job::Job& job = asked.job;
  const int repeats = repeats_of(*parsed);
  auto json = open_file(*parsed, "json");
  print_no_tables_beside({&json});
  const run::DeviceChoice choice = device_to_measure(asked.spec);
  const opencl::DeviceDescription& device = choice.device;
  const engine::EngineSettings settings = run::engine_settings(asked, choice, print_remark);
  const job::Stretch stretch = first_claimed(job, settings.choices);
  const double binades = std::ldexp(1.0, job.argument_precision - 1) / static_cast<double>(stretch.count);

  std::string lines;
  double first_rate = 0;
  const engine::phase::PhaseOptions phase = engine::phase::phase_options(settings, device);
  std::optional<engine::phase::PhaseBatch> own; // the walk for the function alone
  double whole = 0;                             // seconds that a window of it takes
  const std::vector<const function::Function*> companions = function::companions_of(*job.function);
  for (const int functions : {1, 2}) {
    if (functions == 2 && (companions.empty() || job.function->phase->kind != function::Phase::Kind::folded))
      continue;
    const auto field = std::make_shared<const engine::phase::PhaseField>(
        job, stretch, functions == 2 ? companions : std::vector<const function::Function*>());
    const double all = windows_in(field, phase);
    const engine::phase::PhaseBatch batch = batch_to_measure(device, settings.tunables, field, phase);
    if (functions == 1)
      own = batch;
    engine::phase::PhaseSearch search(
        std::make_shared<engine::Launcher>(device, settings.tunables[device::shared_tunable("survivor-capacity")]),
        settings.tunables);
    if (first_rate == 0) {
      fmt::print(
          "the phase walk on {} ({}), {}\n  windows of 2^{:.1f} of the phase, {:.3e} of a binade's; segments of {}, "
          "chunks of {}; m has {} word{}\n  {:<12}{:>12}{:>8}{:>18}{:>10}{:>12}\n",
          device.name, device.platform, job.function->name, std::log2(2 * batch.plan->half_width), all * binades,
          1 << batch.parameters.segment_bits, 1 << batch.parameters.chunk_bits, batch.plan->m_words,
          batch.plan->m_words == 1 ? "" : "s", "functions", "windows/s", "ratio", "kept of 10^6", "refused",
          "s/binade");
      flush_output();
    }
    const WalkRun median = measure(search, batch, repeats);
    const engine::Stage walk = median.walk();
    const double rate = static_cast<double>(walk.tested) / std::max(walk.seconds, 1e-9);
    if (first_rate == 0)
      first_rate = rate;
    if (functions == 1)
      whole = 1 / rate;
    const double kept = static_cast<double>(walk.kept) / static_cast<double>(walk.tested);
    const double binade = engine::seconds_of(median.stages) / static_cast<double>(median.windows) * all * binades;
    fmt::print("  {:<12}{:>12.3e}{:>8.2f}{:>18.1f}{:>8.3f} %{:>12.3f}\n", functions, rate, rate / first_rate,
               1e6 * kept, 100 * median.refused(), binade);
    flush_output();
    lines += result::record_line(result::first_record("phase", result::running_program(choice.kernels),
                                                      {{"device", device.name},
                                                       {"function", job.function->name},
                                                       {"functions", functions},
                                                       {"m_words", batch.plan->m_words},
                                                       {"windows", walk.tested},
                                                       {"windows_per_second", rate},
                                                       {"kept_per_window", kept},
                                                       {"refused_share", median.refused()},
                                                       {"windows_per_binade", all * binades},
                                                       {"seconds_per_binade", binade}}));
  }
  const auto [table, record] = steps_of(device, settings.tunables, *own, whole, repeats);
  fmt::print("{}", table);
  lines += record;
  fmt::print(
      "windows/s: of the kernel alone. refused: windows that are walked again. s/binade: of the device, all windows\n"
      "counted as if they were such. operations: as many as the device at its peak does in that time.\n");
  if (json)
    json->commit(lines);
  return 0;
}

} // namespace tmd::app
