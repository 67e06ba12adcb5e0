// The tables printed at the end of a search: cases, ranges, counts and stages, audits, devices, methods of intervals.
// Each function makes one table from the result and the job alone.
#include "report/report.hpp"

#include "engine/registry.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::report {

namespace {

constexpr std::size_t few_exact = 20; // exact cases in the table; some functions have very many

std::string seconds(double value) { return fmt::format("{:.3f} s", value); }

std::string range(const job::Stretch& stretch) {
  const uint128 last = stretch.count - 1; // the farthest from zero
  return fmt::format("[{}, {}]", to_hex(stretch.argument(stretch.negative ? last : 0)),
                     to_hex(stretch.argument(stretch.negative ? 0 : last)));
}

std::string expected_costs(const engine::Prices& prices) {
  std::string text;
  for (const engine::Price& price : prices)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", price.method,
                        std::isfinite(price.cost) ? fmt::format("{:.2e}", price.cost) : "-");
  return text;
}

// "groups of 2^22 down to 2^20", "degree 7".
std::string fact(const engine::PlanFact& one) {
  const std::string_view power = one.is_log2 ? "2^" : "";
  if (one.least == one.greatest || !one.is_log2)
    return fmt::format("{} {}{}", one.label, power, one.greatest);
  return fmt::format("{} {}{} down to {}{}", one.label, power, one.greatest, power, one.least);
}

bool is_sub_step(const engine::Stage& stage) { return stage.title.starts_with(' '); }

// The stages of engines that have done something; their sub-stages only if these have.
engine::Stages told_stages(const engine::Stages& stages) {
  engine::Stages told;
  for (const engine::EngineKind* kind : engine::engines()) {
    const bool used = std::any_of(kind->stages.begin(), kind->stages.end(), [&](const engine::Stage& one) {
      return engine::stage(stages, one.name).tested != 0;
    });
    for (const engine::Stage& one : kind->stages)
      if (used && (!is_sub_step(one) || engine::stage(stages, one.name).tested != 0)) {
        told.push_back(one);
        told.back().reset_to(stages);
      }
  }
  for (const engine::Stage& one : stages) // stages of an engine that is not registered
    if (std::none_of(told.begin(), told.end(), [&](const engine::Stage& other) { return other.name == one.name; }) &&
        one.tested != 0)
      told.push_back(one);
  return told;
}

} // namespace

namespace {

// Groups of ranks that use the same device, as it describes itself.
std::string shared_devices(const result::RunDescription& run) {
  std::map<std::string, std::vector<const result::DeviceUse*>> uses;
  for (const result::DeviceUse& use : run.devices)
    if (use.rank)
      uses[fmt::format("{} {}", use.device.host,
                       use.device.uuid.empty() ? fmt::format("{} {}", use.device.index, use.device.name)
                                               : use.device.uuid)]
          .push_back(&use);
  std::string text;
  for (const auto& [device, sharing] : uses) {
    if (sharing.size() < 2)
      continue;
    std::string ranks;
    for (const result::DeviceUse* use : sharing)
      ranks += fmt::format("{}{}", ranks.empty() ? "" : ", ", *use->rank);
    text += fmt::format("ranks {} share device {} of {}\n", ranks, sharing.front()->device.index,
                        sharing.front()->device.host);
  }
  return text;
}

} // namespace

std::string describe_devices(const result::RunDescription& run) {
  std::string text;
  for (const result::DeviceUse& use : run.devices)
    text += fmt::format("on {}: {} ({})\n", use.place(), use.device.name, use.device.platform);
  text += shared_devices(run);
  if (run.program.kernels.foreign)
    text += fmt::format("with kernels {}\n", to_string(run.program.kernels));
  return text;
}

CasesToShow cases_to_show(const SearchSpec& spec, std::string file) {
  constexpr std::size_t most_beside_file = 20;
  CasesToShow shown{.others_in = std::move(file)};
  if (spec.quiet)
    shown.most = 0;
  else if (spec.show)
    shown.most = static_cast<std::size_t>(*spec.show);
  else if (!shown.others_in.empty())
    shown.most = most_beside_file;
  return shown;
}

void write_case_table(const support::TextSink& sink, const result::SearchResult& result, const CasesToShow& shown) {
  const std::size_t most = shown.most;
  if (most == 0)
    return;
  const auto each_shown = [&](const result::Cases& all, const auto& show) {
    auto next = all.begin();
    for (std::size_t i = 0; i < most && next != all.end(); ++i, ++next)
      show(*next);
  };
  std::size_t width = 1;
  each_shown(result.cases, [&](const Case& found) { width = std::max(width, to_hex(found.x).size()); });
  const auto row = [&](const std::string& bits, const Case& found) {
    sink(fmt::format("{:>9}  {:<{}}  {}{}\n", bits, to_hex(found.x), width, to_string(found.breakpoint),
                     found.is_least ? " (or more bits)" : ""));
  };
  const auto others = [&](const result::Cases& all) {
    if (all.size() > most)
      sink(fmt::format("{:>9}  {} more{}{}\n", "...", all.size() - most, shown.others_in.empty() ? "" : " in ",
                       shown.others_in));
  };
  if (!result.cases.empty())
    sink(fmt::format("{:>9}  {:<{}}  breakpoint\n", "bits", "x", width));
  each_shown(result.cases, [&](const Case& found) { row(fmt::format("{:.4f}", found.bits), found); });
  others(result.cases);
  if (result.exact.size() <= few_exact)
    for (const Case& found : result.exact)
      row("exact", found);
  each_shown(result.undecided, [&](const Case& found) { row("undecided", found); });
  others(result.undecided);
}

std::string case_table(const result::SearchResult& result, const CasesToShow& shown) {
  std::string text;
  write_case_table([&](std::string_view piece) { text += piece; }, result, shown);
  return text;
}

std::string audit_table(const job::Job& job, const result::RunDescription& run) {
  std::string text;
  for (const result::AuditReport& audit : run.audits)
    text +=
        fmt::format("  {:<12}{:>14} arguments ({:.2g} of all) searched again {}: the same {}{} in {}\n", "audit",
                    to_string(audit.arguments),
                    static_cast<double>(audit.arguments) / std::max(static_cast<double>(job.size()), 1.0), audit.way,
                    support::counted(audit.cases, "case"),
                    audit.planted > 0 ? fmt::format(", and {} planted", audit.planted) : "", seconds(audit.seconds));
  return text;
}

// What the devices have waited for, the longest time first; empty if they have not reported it.
std::string idle_line(const engine::Idle& idle) {
  constexpr double least_told = 0.05; // seconds
  std::vector<std::size_t> reasons(engine::idle_reasons);
  std::iota(reasons.begin(), reasons.end(), std::size_t(0));
  std::stable_sort(reasons.begin(), reasons.end(),
                   [&](std::size_t a, std::size_t b) { return idle.of.at(a) > idle.of.at(b); });
  std::string told;
  for (const std::size_t i : reasons)
    if (idle.of.at(i) >= least_told)
      told += fmt::format("{}{} {:.1f}", told.empty() ? "" : ", ", engine::idle_texts.at(i), idle.of.at(i));
  return idle.seconds() <= 0 ? "" : fmt::format("  {:<12}{:<45}{:>10}\n", "idle", told, seconds(idle.seconds()));
}

std::string summary_table(const job::Job& job, const result::SearchResult& result) {
  std::string text = fmt::format(
      "{}, {}{}{}; {} of {} arguments covered in {:.2f} s\n",
      support::counted(result.cases.size(), "hard-to-round case"), support::counted(result.exact.size(), "exact case"),
      result.exact.unlisted() > 0 ? fmt::format(" (the first {} are listed with --json)", result::most_listed_exact)
      : result.exact.size() > few_exact ? std::string(" (listed with --json only)")
                                        : std::string(),
      result.undecided.empty() ? ""
                               : fmt::format(", {} UNDECIDED", support::counted(result.undecided.size(), "argument")),
      to_string(result.arguments()), to_string(job.size()), result.seconds);
  if (const uint128 none = result.arguments_of_regimes(false), all = result.arguments_of_regimes(true),
      exact = result.exact_of_regimes();
      none + all > 0)
    text += fmt::format("  {:<12}{:>14} arguments in ranges without a case{}, {} in ranges of cases\n", "proven",
                        to_string(none), exact > 0 ? fmt::format(" ({} of them are exact)", to_string(exact)) : "",
                        to_string(all));
  text += fmt::format("  {:<12}{:>45}{:>10}\n", "polynomials", "", seconds(result.planning_seconds));
  for (const engine::Stage& one : told_stages(result.stages))
    text += fmt::format("  {:<12}{:>14} {:<13}{:>17}  {:>10}\n", one.title, one.tested, one.unit,
                        one.filters ? fmt::format("{} kept", one.kept) : "", seconds(one.seconds));
  text += idle_line(result.idle);
  text += fmt::format("  {:<12}{:>14} candidates and {} other argument{}\n", "MPFR", result.candidates,
                      to_string(result.direct), result.direct == 1 ? "" : "s");
  return text;
}

std::string range_table(const job::Job& job, const result::SearchResult& result) {
  std::string text;
  for (const job::RegimeRange& range : result.regimes)
    if (!(range.regime == job::Regime{}))
      text += fmt::format("{}\n", result::describe(job, range));
  for (const job::Coverage::Interval& ranks : result.left_out.intervals())
    text += fmt::format("PARTIAL: {}\n", result::describe_left_out(job, ranks));
  for (const job::Coverage::Interval& ranks : result.gaps.intervals())
    text += fmt::format("PARTIAL: {}\n", result::describe_gap(job, ranks));
  return text;
}

std::string device_table(const result::RunDescription& run, const result::SearchResult& result) {
  std::string text;
  double all = 0; // more than are covered if binades of claims are incomplete
  for (const result::WorkerReport& report : result.workers)
    all += static_cast<double>(report.arguments);
  for (std::size_t i = 0; i < run.devices.size() && run.devices.size() > 1; ++i) {
    const result::WorkerReport& report = result.workers[i];
    text += fmt::format("  {:<12}{:>17} arguments  {:>7.2f} %{:>8}{:>11}, idle {}{}\n", run.devices[i].place(),
                        to_string(report.arguments), 100 * static_cast<double>(report.arguments) / std::max(all, 1.0),
                        "", seconds(engine::seconds_of(report.stages)), seconds(report.idle.seconds()),
                        report.failure.empty() ? "" : ", then lost");
  }
  return text;
}

std::string method_table(const result::SearchResult& result) {
  constexpr std::ptrdiff_t most_fields = 8;
  std::string text;
  std::map<std::string, std::uint64_t> totals;
  for (const result::FieldReport& report : result.fields)
    for (const auto& [method, intervals] : report.methods)
      totals[method] += intervals;
  for (const auto& [method, intervals] : totals)
    text += fmt::format("{}{} on {}", text.empty() ? "  algorithm   " : ", ", method,
                        support::counted(intervals, "interval"));
  if (text.empty())
    return text;
  text += "\n";
  if (std::count_if(result.fields.begin(), result.fields.end(),
                    [](const result::FieldReport& report) { return !report.field.is_direct(); }) > most_fields)
    return text;
  for (const result::FieldReport& report : result.fields) {
    if (report.methods.empty())
      continue;
    std::string methods; // named if there is more than one
    std::size_t all = 0;
    for (const auto& [method, intervals] : report.methods) {
      all += intervals;
      if (report.methods.size() > 1)
        methods += fmt::format("{} on {}, ", method, intervals);
    }
    text += fmt::format("              {}: {}expected per argument{}, in regular tests: {}\n",
                        range(report.field.arguments), methods, all == 1 ? "" : " of the first interval",
                        expected_costs(report.prices));
  }
  return text;
}

std::string cpu_mode_table(const std::optional<engine::CpuModes>& modes) {
  if (!modes)
    return {};
  std::vector<std::pair<std::string, std::string>> told; // a mode, and the stages that run in it
  for (const engine::CpuModes::Row& row : modes->rows) {
    const std::string mode = opencl::known_mode(row.in_effect);
    if (mode.empty())
      continue;
    auto same = std::find_if(told.begin(), told.end(), [&](const auto& known) { return known.first == mode; });
    if (same == told.end())
      told.emplace_back(mode, row.stage);
    else
      same->second += ", " + row.stage;
  }
  if (told.empty() && modes->asked == CpuMode::automatic)
    return {};
  std::string text = fmt::format("  CPU mode    {} asked", to_string(modes->asked));
  for (const auto& [mode, stages] : told)
    text += fmt::format("; {} {}", stages, mode);
  return text + "\n";
}

std::string ledger_table(const result::SearchResult& result) {
  std::string text;
  for (const result::FieldReport& report : result.fields) {
    if (report.field.is_direct())
      continue;
    text += fmt::format("piece {}", range(report.field.arguments));
    if (const job::OutputBinade* values = report.field.values())
      text += fmt::format(", |f| in [2^{}, 2^{})", values->exponent, values->exponent + 1);
    if (!report.has_plan()) {
      text += ": every argument in MPFR alone\n";
      continue;
    }
    text += fmt::format(": {} interval{}", to_string(report.intervals), report.intervals == 1 ? "" : "s");
    for (const engine::PlanFact& one : report.plan.facts)
      text += ", " + fact(one);
    text += "\n";
    for (const engine::LedgerLine& line : report.plan.ledger) {
      const std::string name = fmt::format("{}{}", line.is_sum ? "= " : "", line.name);
      text += line.bound.is_zero() ? fmt::format("  {:<14} 0\n", name)
                                   : fmt::format("  {:<14} 2^{:.2f}\n", name, line.bound.log2());
    }
    for (const std::string& note : report.plan.notes)
      text += fmt::format("  {}\n", note);
  }
  return text;
}

} // namespace tmd::report
