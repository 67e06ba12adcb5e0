// Checks entries by MPFR and Arb, and searches again: for x^y and expressions some lines by other boxes, in a chosen
// time; otherwise everything on the host, however long that takes.
#include "verify_pairs.hpp"

#include "search_pairs.hpp"
#include "standard_streams.hpp"

#include "pairs/pair_counts.hpp"
#include "pairs/pair_search.hpp"
#include "pairs/recorded_pairs.hpp"
#include "run/power_run.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <charconv>
#include <random>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::string_view again_name = "searched again";

// The lines that the file covers, as far as it says.
std::optional<job::Coverage> lines_of(const pairs::RecordedPairs& file, const pairs::PowerLines& lines) {
  if (file.part.empty())
    return pairs::lines_wanted(lines, file.job);
  PartOfJob part{};
  constexpr std::string_view begin = "part ";
  constexpr std::string_view of = " of ";
  const char* const end = file.part.data() + file.part.size();
  const auto index = std::from_chars(file.part.data() + std::min(begin.size(), file.part.size()), end, part.index);
  const auto count = std::from_chars(std::min(index.ptr + of.size(), end), end, part.count);
  if (!file.part.starts_with(begin) || index.ec != std::errc() || count.ec != std::errc() || part.index < 1 ||
      part.index > part.count)
    return std::nullopt;
  return pairs::lines_wanted(lines, file.job, part);
}

void search_by_boxes(report::VerifyReport& report, const pairs::RecordedPairs& file, const Again& again) {
  const pairs::PowerLines lines(file.job);
  const std::optional<job::Coverage> wanted = lines_of(file, lines);
  if (!wanted)
    return report.leave_out(again_name, "the file does not say which part it is");
  run::PowerRequest request{file.job, again.spec};
  request.spec.format = file.job.format.name;
  request.spec.rounding = file.job.rounding;
  run::PowerRun run(request, nullptr, print_remark);
  const run::PowerRun::Sample sample =
      run.search_again(*wanted, again.size.share, again.size.seconds, std::random_device()());
  const auto looked_at = [&](const pairs::Operands& operands) {
    return lines.has(operands) && sample.lines.contains(lines.line_of(operands));
  };
  report.add(again_name,
             fmt::format("{} of {} lines of pairs, by other boxes, {}", to_string(sample.lines.size()),
                         to_string(wanted->size()), support::counted(sample.found.cases.size(), "case")),
             pairs::compare_cases(file, sample.found.cases, looked_at));
}

void search_on_host(report::VerifyReport& report, const pairs::RecordedPairs& file, const Again& again) {
  const pairs::PairResult result = pairs::search_pairs(file.job, threads_of(again.spec));
  std::vector<Objection> objections =
      pairs::compare_cases(file, result.cases, [](const pairs::Operands&) { return true; });
  for (const pairs::PairFamily& found : result.families)
    for (const pairs::PairFamily& said : file.families)
      if (found.is_exact == said.is_exact && found.entries && said.entries && *found.entries != *said.entries)
        objections.push_back(
            {0, "",
             fmt::format("{} entries, not {}: {}", to_string(*found.entries), to_string(*said.entries), found.rule)});
  report.add(again_name, fmt::format("all pairs, {}, {}", result.method, support::counted(result.cases.size(), "case")),
             objections);
}

void check_counts(report::VerifyReport& report, const pairs::RecordedPairs& file) {
  constexpr std::string_view name = "counts";
  std::vector<pairs::PairCase> cases;
  for (const pairs::RecordedPairs::Entry& one : file.entries)
    cases.push_back(one.said);
  const std::vector<pairs::PairCount> counts =
      file.part.empty() ? pairs::count_pairs(file.job, cases) : std::vector<pairs::PairCount>();
  if (counts.empty())
    return report.leave_out(name, "chance does not say how many cases there should be");
  const auto tests = static_cast<double>(counts.size());
  std::vector<Objection> objections;
  for (const pairs::PairCount& one : counts)
    if (one.p * tests < report::least_p)
      objections.push_back(
          {0, one.cell,
           fmt::format("{} cases, where {:.1f} were to be expected: p = {:.1e}", one.cases, one.expected, one.p)});
  const pairs::PairCount& all = *std::find_if(counts.begin(), counts.end(),
                                              [](const pairs::PairCount& one) { return one.cell == pairs::all_cells; });
  report.add(name,
             fmt::format("{} cases where {:.1f} were to be expected (p = {:.2g}); {}, smallest p = {:.2g}, {:.2g} "
                         "corrected (Bonferroni)",
                         all.cases, all.expected, all.p, support::counted(counts.size() - 1, "cell"), counts.front().p,
                         std::min(1.0, counts.front().p * tests)),
             objections);
}

void search_again(report::VerifyReport& report, const pairs::RecordedPairs& file, const Again& again) {
  if (!again.is_asked_for())
    return report.leave_out(again_name, "not asked for");
  const bool is_of_boxes = pairs::is_power(*file.job.function) &&
                           (!pairs::serves_every_pair(file.job) || !again.chooses_device || !file.part.empty());
  if (file.job.ranges || is_of_boxes)
    search_by_boxes(report, file, again);
  else
    search_on_host(report, file, again);
}

} // namespace

int verify_pairs(const result::ResultText& text, const Again& again, std::optional<support::AtomicFile>& json) {
  const pairs::RecordedPairs file = pairs::read_pairs(text);
  report::VerifyReport report;
  report.add("lines", support::counted(file.entries.size(), "entry", "entries"), {});
  report.add("entries", fmt::format("breakpoint, bits of {} entries, by MPFR and Arb", file.entries.size()),
             pairs::check_entries(file, threads_of(again.spec)));
  report.add("order", support::counted(file.entries.size(), "entry", "entries"), pairs::check_order(file));
  check_counts(report, file);
  try {
    search_again(report, file, again);
  } catch (const DeviceError& error) { // includes FaultError
    report.device_failure = error.what();
    report.device_status = error.status();
    report.leave_out(again_name, report.device_failure);
  }
  const bool is_partial = !file.part.empty();
  if (json)
    json->commit(
        report::verification_records(report, {text.name, pairs::describe(file.job), file.program, is_partial}));
  fmt::print("{}\n{}", pairs::describe(file.job), report::verification_table(report));
  fmt::print("{}\n", !report.failures.empty() ? support::counted(report.failures.size(), "failure")
                     : is_partial             ? "nothing wrong in what was searched"
                                              : "nothing wrong");
  if (!report.device_failure.empty())
    fmt::print(stderr, "tmd: part of what was requested could not be searched again: {}\n", report.device_failure);
  if (!report.failures.empty())
    return static_cast<int>(Status::unsound);
  return static_cast<int>(report.device_status != Status::done ? report.device_status
                          : is_partial                         ? Status::partial
                                                               : Status::done);
}

} // namespace tmd::app
