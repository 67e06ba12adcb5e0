// tmd verify: a result of tmd search, of which nothing is believed.
#include "commands.hpp"
#include "options.hpp"
#include "standard_streams.hpp"
#include "verify_again.hpp"

#include "opencl/kernel_files.hpp"
#include "result/recorded_search.hpp"
#include "result/result_check.hpp"
#include "search/binade_counts.hpp"
#include "search/part.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::size_t samples_of_range = 64; // of a regime
constexpr double least_p = 1e-6;             // corrected; below, the counts are no chance
constexpr const char* not_listed = "the cases are in the list beside it";

// What it was asked for is cut to its part, if it is one, as the search has done it.
RecordedSearch read_result(const std::string& name) {
  RecordedSearch file = read_search(open_result(name));
  try {
    if (file.asked)
      cut_to_part(*file.asked);
  } catch (const UsageError& error) {
    file.not_asked = error.what();
    file.asked.reset();
  }
  return file;
}

void check_origin(VerifyReport& report, const RecordedSearch& file) {
  std::string remark;
  const auto note = [&](const std::string& sentence) { remark += (remark.empty() ? "" : "; ") + sentence; };
  if (file.program.version.empty())
    return report.leave_out("origin", "the list does not say what has made it");
  const Program here = running_program({std::string(opencl::own_kernel_digest())});
  const std::vector<Program> made_by = file.programs();
  if (!others_than(here, made_by).empty())
    note(fmt::format("made by another program, this is {}", to_string(here)));
  if (file.program.kernels.foreign)
    note("its kernels were foreign to it");
  report.add("origin", to_string(made_by), {}, remark);
}

void check_file(VerifyReport& report, const RecordedSearch& file) {
  std::vector<Objection> lines;
  for (const LineMistake& one : file.mistakes)
    lines.push_back({one.line, "", one.sentence});
  report.add("lines",
             fmt::format("{} entries, {} ranges", file.found.size(), file.regimes.size() + file.left_out.size()),
             lines);
  report.add("header", "the job, by its parts and by the command", check_header(file));
  check_origin(report, file);
}

CheckedEntries check_values(VerifyReport& report, const RecordedSearch& file) {
  CheckedEntries entries = check_entries(file, std::max(1U, std::thread::hardware_concurrency()));
  const std::string_view what = file.kind != FileKind::list ? "kind, breakpoint, bits" : "kind";
  report.add("entries", fmt::format("{} of {} arguments, by MPFR and by Arb", what, entries.entries),
             entries.objections,
             entries.open_by_arb == 0 ? "" : fmt::format("Arb cannot decide {} of them", entries.open_by_arb));
  report.add("order", fmt::format("{} entries", file.found.size()), check_order(file, entries.cases));
  const CheckedRanges ranges = check_regimes(file, samples_of_range);
  report.add("ranges", fmt::format("{} proven again, MPFR at {} arguments", ranges.ranges, ranges.samples),
             ranges.objections);
  std::string remark;
  if (!file.left_out.empty())
    remark = fmt::format("partial: {} ranges were not searched", file.left_out.size());
  report.add("coverage", fmt::format("{} arguments, counts of all kinds", to_string(file.job().size())),
             check_counts(file), remark);
  return entries;
}

std::string name_of(const BinadeCount& count) {
  return fmt::format("{} {}cases from {} on, where {:.1f} were to be expected", count.cases,
                     count.breakpoint ? fmt::format("{} ", to_string(*count.breakpoint)) : "",
                     to_hex(count.arguments.argument(0)), count.expected);
}

CountVerdict check_binades(VerifyReport& report, const RecordedSearch& file, const std::vector<Case>& cases) {
  const EachArgument exact = [&](const auto& use) {
    for (const FoundEntry& one : file.found)
      if (one.kind == Case::Kind::exact)
        use(one.x);
  };
  if (!file.lists_hard()) {
    report.leave_out("counts", not_listed);
    return {};
  }
  const bool are_exact_known = file.lists_exact() || (!file.is_published && file.summary && file.summary->exact == 0);
  const Coverage searched = file.in_ranges.complement_in(file.job().range());
  CountVerdict verdict = count_binades(file.job(), searched, cases, exact, are_exact_known);
  if (verdict.counts.empty()) {
    report.leave_out("counts", "no binade is a fair sample of enough cases");
    return verdict;
  }
  std::vector<Objection> objections;
  const auto tests = static_cast<double>(verdict.counts.size());
  for (const BinadeCount& one : verdict.counts)
    if (one.p * tests < least_p)
      objections.push_back({0, to_hex(one.arguments.argument(0)), fmt::format("{}: p = {:.1e}", name_of(one), one.p)});
  report.add("counts",
             fmt::format("{} counts of cases, smallest p = {:.2g}, {:.2g} corrected (Bonferroni)",
                         verdict.counts.size(), verdict.counts.front().p, verdict.corrected_p()),
             objections);
  return verdict;
}

Status status_of(const VerifyReport& report, const RecordedSearch& file) {
  if (!report.failures.empty())
    return Status::unsound;
  if (report.device_status != Status::done)
    return report.device_status;
  return file.left_out.empty() && report.is_share_reached ? Status::done : Status::partial;
}

} // namespace

cxxopts::Options verify_options() {
  cxxopts::Options options("tmd verify", "Checks a result of tmd search, and believes nothing in it.");
  options.custom_help("RESULT [OPTION ...]").positional_help("").set_width(120);
  add_again_options(options);
  auto add = options.add_options();
  add("json", "write a record per check, failure and count to FILE (JSON Lines)", cxxopts::value<std::string>(),
      "FILE");
  add("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int verify(const Arguments& arguments) {
  cxxopts::Options options = verify_options();
  const auto parsed = parse(options, "verify", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no result given: `tmd search --json FILE` writes one");
  if (words.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one result at a time", words[1]));
  const Again again = parse_again(parsed);
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const RecordedSearch file = read_result(words[0]);

  VerifyReport report;
  check_file(report, file);
  const CheckedEntries entries = check_values(report, file);
  const CountVerdict counts = check_binades(report, file, entries.cases);
  if (again.is_asked_for() && file.lists_hard())
    check_by_search(report, file, entries.cases, again);
  else
    report.leave_out("searched again", file.lists_hard() ? "not asked for" : not_listed);

  if (json)
    json->commit(verification_records(report, file, words[0], counts));
  fmt::print("{}\n", file.job().identity());
  fmt::print("{}", verification_table(report));
  const Status status = status_of(report, file);
  fmt::print("{}\n", !report.failures.empty() ? fmt::format("{} failures", report.failures.size())
                     : file.left_out.empty()  ? "nothing wrong"
                                              : "nothing wrong in what was searched");
  if (!report.device_failure.empty())
    fmt::print(stderr, "tmd: not all that was asked for could be searched again: {}\n", report.device_failure);
  return static_cast<int>(status);
}

} // namespace tmd::app
