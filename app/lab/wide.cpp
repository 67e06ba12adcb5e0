// tmd-lab wide: the wide test's kernel by the ways to compute it, on one stretch of the range.
#include "app/lab/lab.hpp"
#include "app/lab/steps.hpp"

#include "app/lab/peak.hpp"
#include "app/lab/production.hpp"
#include "app/lab/wide_steps.hpp"
#include "app/standard_streams.hpp"
#include "job/pieces.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"
#include "support/statistics.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

constexpr int tried_groups = 2048;       // measured on the host
constexpr double shortest_groups = 0.05; // seconds of device time, if the interval is long enough

// An interval, and the properties of its groups.
struct Subject {
  std::unique_ptr<engine::wide::WidePlan> plan;
  engine::wide::WideExpectation expectation;
};

// The first interval in which the wide test can be used.
Subject first_subject(const job::Job& job, const engine::wide::WideOptions& options) {
  constexpr std::uint64_t few_arguments = 32; // no polynomial serves these arguments
  for (const job::Piece& piece : job::find_pieces(*job.function, job.arguments(), job.first, job.last)) {
    const polynomial::ScaledFunction function(*job.function, job.grid(), piece);
    engine::wide::WidePlanner planner(function, job.K, options);
    // the method for arguments that the wide test cannot search
    engine::domains::DomainPlanner others(function, job.K, {});
    for (uint128 first = 0; first < piece.count;) {
      if (auto plan = planner.plan(first, piece.count - first)) {
        const engine::wide::WideExpectation expectation = engine::wide::expectation_of(function, *plan, tried_groups);
        return {std::move(plan), expectation};
      }
      const auto offer = others.offer(first, piece.count - first);
      first += offer ? offer->count : few_arguments;
    }
  }
  throw UsageError("the wide test can be used in no part of this range");
}

// The variants: no vectors on GPUs and with --cpu-mode scalar, and an order only for scalar work-items.
std::vector<device::Tunables> variants(const run::DeviceChoice& choice) {
  const bool vectors = !choice.device.is_gpu && choice.cpu_mode != CpuMode::scalar;
  std::vector<device::Tunables> result;
  device::Tunables tunables = choice.tunables;
  for (std::int64_t vector_bits = 0; vector_bits <= (vectors ? 4 : 0); ++vector_bits)
    for (const engine::wide::Order order : {engine::wide::Order::given, engine::wide::Order::by_lines}) {
      if (order == engine::wide::Order::by_lines && vector_bits > 0)
        continue;
      tunables.set(engine::wide::wide_tunable("wide.vector-width"), vector_bits);
      tunables.set(engine::wide::wide_tunable("wide.order"), static_cast<std::int64_t>(order));
      result.push_back(tunables);
    }
  return result;
}

// The results of a run over some sub-intervals.
struct GroupsRun {
  engine::Stages stages;
  double arguments = 0;

  [[nodiscard]] engine::Stage groups() const { return engine::stage(stages, engine::wide::wide_stages[1].name); }
};

GroupsRun run(engine::wide::WideSearch& device, const engine::wide::WidePlan& plan, std::uint64_t sub_intervals) {
  const engine::wide::WideBatch batch = engine::wide::make_wide_batch(plan, 0, sub_intervals);
  device.reset_stages();
  (void)device.search(batch);
  return {device.stages(), static_cast<double>(batch.argument_limit)};
}

// Returns the run whose groups took the median time, after some runs that build the kernels and determine how many
// sub-intervals take long enough.
GroupsRun measure(engine::wide::WideSearch& device, const engine::wide::WidePlan& plan, int repeats,
                  std::uint64_t& sub_intervals) {
  const std::uint64_t most = std::min(plan.sub_interval_count(), device.batch_sub_intervals());
  sub_intervals = std::clamp<std::uint64_t>(sub_intervals, 1, most);
  (void)run(device, plan, sub_intervals);
  while (run(device, plan, sub_intervals).groups().seconds < shortest_groups && sub_intervals < most)
    sub_intervals = std::min(2 * sub_intervals, most);
  return support::median_run(
      repeats, [&] { return run(device, plan, sub_intervals); },
      [](const GroupsRun& one) { return one.groups().seconds; });
}

// The time of each step of a group, beside the operations that the device could do meanwhile, as a table and a record.
struct Breakdown {
  std::string table;
  std::string record;
};

Breakdown breakdown(const opencl::DeviceDescription& device, const device::Tunables& tunables, const Subject& subject,
                    int repeats) {
  const engine::wide::WidePlan& plan = *subject.plan;
  engine::wide::WideSearch search(device, tunables);
  std::uint64_t sub_intervals = 1;
  const engine::Stage groups = measure(search, plan, repeats, sub_intervals).groups();
  const double whole = groups.seconds / static_cast<double>(groups.tested);
  const auto as_far_as = seconds_of_wide_steps(device, tunables, plan, sub_intervals, repeats);
  const double peak =
      peak_operations(device, static_cast<int>(tunables[engine::wide::wide_tunable("wide.vector-width")]));
  const double bytes = std::ldexp(sizeof(engine::wide::SubIntervalRecord), plan.group_bits() - plan.sub_bits()) +
                       sizeof(std::uint64_t) * subject.expectation.candidates;

  const auto [table, seconds] = step_table("group", wide_step_names, as_far_as, "candidates", whole, peak);
  const double least = instructions_of_line * std::max(subject.expectation.lines - 1, 0.0);
  const double share = least / (seconds["lines"].get<double>() * peak);
  Breakdown result;
  result.table =
      table + fmt::format("  lines: {:.1f} in the filter, {:.0f} instructions each, are {:.0f} operations: {:.0f} % "
                          "of the peak\n  bytes: {:.2f} of memory, {:.3g} GB/s\n",
                          subject.expectation.lines - 1, instructions_of_line, least, 100 * share, bytes,
                          1e-9 * bytes / whole);
  result.record =
      result::record_line(result::first_record("wide-steps", result::running_program(opencl::use_kernels(true)),
                                               {{"device", device.name},
                                                {"peak_operations_per_second", peak},
                                                {"seconds_per_group", seconds},
                                                {"least_operations_of_lines", least},
                                                {"bytes_per_group", bytes}}));
  return result;
}

// The ratio of the groups' times with and without evidence of work: the median of pairs of runs, one after the other.
double evidence_ratio(const opencl::DeviceDescription& device, const device::Tunables& tunables,
                      const engine::wide::WidePlan& plan, int pairs) {
  engine::wide::WideSearch asked(device, tunables);
  engine::wide::WideSearch not_asked(device, tunables);
  not_asked.launcher()->ask_no_evidence();
  std::uint64_t sub_intervals = 1;
  (void)measure(not_asked, plan, 1, sub_intervals);
  (void)run(asked, plan, sub_intervals); // the first run builds the kernels
  std::vector<double> ratios(static_cast<std::size_t>(pairs));
  for (double& ratio : ratios) {
    const double with = run(asked, plan, sub_intervals).groups().seconds;
    ratio = with / std::max(run(not_asked, plan, sub_intervals).groups().seconds, 1e-9);
  }
  return support::median(std::move(ratios));
}

} // namespace

int run_wide(const Arguments& arguments) {
  cxxopts::Options options = lab_options(
      "wide",
      "Times the wide test with groups in order and sorted, scalar and in explicit vectors, on the first interval of "
      "the\nrange in which it can be used; the steps of a group, beside the device's peak; and the cost of the "
      "evidence of\nwork. The host examines some groups.",
      {{"domain-bits", "log2 of the arguments in a group (default: chosen)"}});
  add_repeats(options);
  const auto parsed = parse_measurement(options, "wide", arguments);
  if (!parsed)
    return 0;
  const request::SearchRequest asked = parse_search_options(*parsed);
  const job::Job& job = asked.job;
  const int repeats = repeats_of(*parsed);
  auto json = open_file(*parsed, "json");
  print_no_tables_beside({&json});
  const run::DeviceChoice choice = device_to_measure(asked.spec);
  const opencl::DeviceDescription& device = choice.device;

  std::string lines;
  std::uint64_t sub_intervals = 1;
  double first_rate = 0;
  for (const device::Tunables& tunables : variants(choice)) {
    engine::wide::WideSearch search(device, tunables);
    engine::EngineSettings settings = run::engine_settings(asked, choice, print_remark);
    settings.tunables = tunables;
    const Subject subject = first_subject(job, engine::wide::wide_options(settings));
    const engine::wide::WidePlan& plan = *subject.plan;
    const engine::wide::WideExpectation& expectation = subject.expectation;
    if (first_rate == 0) {
      fmt::print(
          "the wide test on {} ({}), {}\n  groups of 2^{} arguments, sub-intervals of 2^{}, an interval of 2^{:.1f}\n"
          "  a group, of {} on the host: {:.1f} lines, {:.4f} candidates, {:.4f} chords, {:.4f} parts\n",
          device.name, device.platform, job.function->name, plan.group_bits(), plan.sub_bits(),
          std::log2(static_cast<double>(plan.count)), tried_groups, expectation.lines, expectation.candidates,
          expectation.chords, expectation.parts);
      fmt::print("  {:<7}{:<10}{:>12}{:>8}{:>14}{:>10}{:>16}{}\n", "lanes", "order", "groups/s", "ratio", "candidates",
                 "parts", "s/2^52 args",
                 device.is_gpu ? "" : fmt::format("  CPU mode: {} asked", to_string(choice.cpu_mode)));
      flush_output();
      lines += result::record_line(result::first_record("wide-groups", result::running_program(choice.kernels),
                                                        {{"device", device.name},
                                                         {"function", job.function->name},
                                                         {"group_bits", plan.group_bits()},
                                                         {"sub_interval_bits", plan.sub_bits()},
                                                         {"tried_on_host", tried_groups},
                                                         {"lines", expectation.lines},
                                                         {"candidates", expectation.candidates},
                                                         {"chords", expectation.chords},
                                                         {"parts", expectation.parts}}));
    }
    const GroupsRun median = measure(search, plan, repeats, sub_intervals);
    const engine::Stage tested = median.groups();
    const auto groups = static_cast<double>(tested.tested);
    const double rate = groups / std::max(tested.seconds, 1e-9);
    if (first_rate == 0)
      first_rate = rate;
    const double candidates = static_cast<double>(tested.kept) / groups;
    const double parts =
        static_cast<double>(engine::stage(median.stages, engine::wide::wide_stages[2].name).tested) / groups;
    const double binade = std::ldexp(engine::seconds_of(median.stages) / median.arguments, 52);
    const auto modes = engine::cpu_modes(choice.cpu_mode, *search.launcher());
    const std::string in_effect = modes ? modes->in_effect(tested.name) : "";
    const std::string told = opencl::known_mode(in_effect);
    const std::string_view width =
        device::vector_width_names[static_cast<std::size_t>(tunables[engine::wide::wide_tunable("wide.vector-width")])];
    const std::string_view order = tunables[engine::wide::wide_tunable("wide.vector-width")] > 0
                                       ? "-"
                                       : engine::wide::order_names[static_cast<std::size_t>(
                                             tunables[engine::wide::wide_tunable("wide.order")] - 1)];
    fmt::print("  {:<7}{:<10}{:>12.3e}{:>8.2f}{:>14.4f}{:>10.4f}{:>16.3f}{}{}\n", width, order, rate, rate / first_rate,
               candidates, parts, binade, told.empty() ? "" : "  ", told);
    std::fflush(stdout);
    lines += result::record_line(result::first_record(
        "wide", result::running_program(choice.kernels),
        {{"device", device.name},
         {"lanes", 1 << tunables[engine::wide::wide_tunable("wide.vector-width")]},
         {"order", order},
         {"cpu_mode",
          modes ? result::Json{{"asked", to_string(modes->asked)}, {"in_effect", in_effect}} : result::Json()},
         {"groups", tested.tested},
         {"groups_per_second", rate},
         {"candidates_per_group", candidates},
         {"parts_per_group", parts},
         {"seconds_per_2_52_arguments", binade}}));
  }
  const engine::EngineSettings own = run::engine_settings(asked, choice, print_remark);
  const Subject subject = first_subject(job, engine::wide::wide_options(own));
  const Breakdown steps = breakdown(device, own.tunables, subject, repeats);
  fmt::print("{}", steps.table);
  lines += steps.record;
  const double evidence = evidence_ratio(device, own.tunables, *subject.plan, repeats);
  fmt::print("  evidence: with the device's own tunables the groups take {:.4f} times as long as without\n", evidence);
  lines += result::record_line(result::first_record("wide-evidence", result::running_program(choice.kernels),
                                                    {{"device", device.name}, {"ratio", evidence}}));
  fmt::print(
      "groups/s: of the kernel that tests groups alone. candidates: of a group. s/2^52 args: of the device, with\n"
      "polynomials, checks and what was refused. operations: as many as the device at its peak does in that time.\n"
      "candidates: a group's first line, and runs of lines that the filter does not stop, with all that comes of "
      "them\n");
  if (json)
    json->commit(lines);
  return 0;
}

} // namespace tmd::app
