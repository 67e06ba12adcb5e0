// Each check adds its row to the report; failures are named entry by entry.
#include "report/file_checks.hpp"

#include "number/in_parallel.hpp"
#include "opencl/kernel_files.hpp"
#include "result/result_check.hpp"
#include "search/part.hpp"
#include "support/text.hpp"

#include <string_view>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::size_t samples_of_range = 64; // for each regime

void check_origin(report::VerifyReport& report, const result::RecordedSearch& file) {
  std::string remark;
  const auto note = [&](const std::string& sentence) { remark += (remark.empty() ? "" : "; ") + sentence; };
  if (file.program.version.empty())
    return report.leave_out("origin", "the list does not say which program made it");
  const result::Program here = result::running_program({std::string(opencl::own_kernel_digest())});
  const std::vector<result::Program> made_by = file.programs();
  if (!result::others_than(here, made_by).empty())
    note(fmt::format("made by another program; this is {}", result::to_string(here)));
  if (file.program.kernels.foreign)
    note("it used kernels that it was not built with");
  report.add("origin", result::to_string(made_by), {}, remark);
}

void check_text(report::VerifyReport& report, const result::RecordedSearch& file) {
  std::vector<Objection> lines;
  for (const result::LineMistake& one : file.mistakes)
    lines.push_back({one.line, "", one.sentence});
  report.add("lines",
             fmt::format("{}, {}", support::counted(file.found.size(), "entry", "entries"),
                         support::counted(file.regimes.size() + file.left_out.size(), "range")),
             lines);
  report.add("header", "the job, by its parts and by the command", result::check_header(file));
  check_origin(report, file);
}

result::CheckedEntries check_values(report::VerifyReport& report, const result::RecordedSearch& file) {
  result::CheckedEntries entries = result::check_entries(file, number::cores());
  const std::string_view what = file.kind != result::FileKind::list ? "kind, breakpoint, bits" : "kind";
  report.add("entries", fmt::format("{} of {} arguments, by MPFR and by Arb", what, entries.entries),
             entries.objections,
             entries.open_by_arb == 0 ? "" : fmt::format("Arb cannot decide {} of them", entries.open_by_arb));
  report.add("order", support::counted(file.found.size(), "entry", "entries"),
             result::check_order(file, entries.cases));
  const result::CheckedRanges ranges = result::check_regimes(file, samples_of_range);
  report.add("ranges", fmt::format("{} proven again, MPFR at {} arguments", ranges.ranges, ranges.samples),
             ranges.objections);
  std::string remark;
  if (!file.left_out.empty())
    remark = fmt::format("partial: not searched: {}", support::counted(file.left_out.size(), "range"));
  report.add("coverage", fmt::format("{} arguments, counts of all kinds", to_string(file.job().size())),
             result::check_counts(file), remark);
  return entries;
}

std::string name_of(const searches::BinadeCount& count) {
  return fmt::format("{} {}cases from {} on, where {:.1f} were to be expected", count.cases,
                     count.breakpoint ? fmt::format("{} ", to_string(*count.breakpoint)) : "",
                     to_hex(count.arguments.argument(0)), count.expected);
}

searches::CountVerdict check_binades(report::VerifyReport& report, const result::RecordedSearch& file,
                                     const std::vector<Case>& cases) {
  const searches::EachArgument exact = [&](const auto& use) {
    for (const result::FoundEntry& one : file.found)
      if (one.kind == Case::Kind::exact)
        use(one.x);
  };
  if (!file.lists_hard()) {
    report.leave_out("counts", report::cases_not_listed);
    return {};
  }
  const bool are_exact_known = file.lists_exact() || (!file.is_published && file.summary && file.summary->exact == 0);
  const job::Coverage searched = file.in_ranges.complement_in(file.job().range());
  searches::CountVerdict verdict = searches::count_binades(file.job(), searched, cases, exact, are_exact_known);
  if (verdict.counts.empty()) {
    report.leave_out("counts", "no binade is a fair sample of enough cases");
    return verdict;
  }
  std::vector<Objection> objections;
  const auto tests = static_cast<double>(verdict.counts.size());
  for (const searches::BinadeCount& one : verdict.counts)
    if (one.p * tests < report::least_p)
      objections.push_back({0, to_hex(one.arguments.argument(0)), fmt::format("{}: p = {:.1e}", name_of(one), one.p)});
  report.add("counts",
             fmt::format("{} of cases, smallest p = {:.2g}, {:.2g} corrected (Bonferroni)",
                         support::counted(verdict.counts.size(), "count"), verdict.counts.front().p,
                         verdict.corrected_p()),
             objections);
  return verdict;
}

} // namespace

result::RecordedSearch report::read_to_verify(const result::ResultText& text) {
  result::RecordedSearch file = result::read_search(text);
  try {
    if (file.asked)
      searches::cut_to_part(*file.asked);
  } catch (const UsageError& error) {
    file.not_asked = error.what();
    file.asked.reset();
  }
  return file;
}

report::FileChecks report::check_file(report::VerifyReport& report, const result::RecordedSearch& file) {
  check_text(report, file);
  result::CheckedEntries entries = check_values(report, file);
  searches::CountVerdict counts = check_binades(report, file, entries.cases);
  return {std::move(entries.cases), std::move(counts)};
}

Verification verify_result(const std::string& file) {
  report::VerifyReport report;
  (void)report::check_file(report, report::read_to_verify(result::open_result(file)));
  return static_cast<Verification&&>(report);
}

} // namespace tmd
