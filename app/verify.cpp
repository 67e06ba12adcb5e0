// tmd verify: checks a result of tmd search without trusting anything in it.
#include "commands.hpp"
#include "options.hpp"
#include "standard_streams.hpp"
#include "verify_again.hpp"
#include "verify_pairs.hpp"

#include "report/file_checks.hpp"
#include "result/reader.hpp"
#include "result/wc.hpp"
#include "support/text.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

Status status_of(const report::VerifyReport& report, const result::RecordedSearch& file) {
  if (!report.failures.empty())
    return Status::unsound;
  if (report.device_status != Status::done)
    return report.device_status;
  return file.left_out.empty() && report.is_share_reached ? Status::done : Status::partial;
}

// Throws UsageError for a list of pairs, which says in a comment what its entries are.
void refuse_list_of_pairs(const result::ResultText& text) {
  bool is_of_pairs = false;
  (void)support::any_line(text.text, [&](const support::Line& line) {
    is_of_pairs = line.text.starts_with("# Entries: ");
    return is_of_pairs || !line.text.starts_with("#");
  });
  if (text.kind == result::FileKind::list && is_of_pairs)
    throw UsageError(fmt::format("'{}' lists pairs: `tmd verify` takes the JSON Lines of their search, and `tmd check "
                                 "FUNCTION {}` checks a list",
                                 text.name, text.name));
}

} // namespace

cxxopts::Options verify_options() {
  cxxopts::Options options("tmd verify", "Checks a result of tmd search, and trusts nothing in it.");
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
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const result::ResultText text = result::open_result(words[0]);
  if (text.kind == result::FileKind::pair_records)
    return verify_pairs(text, again, json);
  refuse_list_of_pairs(text);
  const result::RecordedSearch file = report::read_to_verify(text);

  report::VerifyReport report;
  const report::FileChecks checks = report::check_file(report, file);
  if (again.is_asked_for() && file.lists_hard())
    check_by_search(report, file, checks.cases, again);
  else
    report.leave_out("searched again", file.lists_hard() ? "not asked for" : report::cases_not_listed);

  if (json)
    json->commit(report::verification_records(
        report, {words[0], file.job().identity(), file.program, !file.left_out.empty()}, checks.counts));
  fmt::print("{}\n", result::describe(file.job()));
  fmt::print("{}", report::verification_table(report));
  const Status status = status_of(report, file);
  fmt::print("{}\n", !report.failures.empty() ? support::counted(report.failures.size(), "failure")
                     : file.left_out.empty()  ? "nothing wrong"
                                              : "nothing wrong in what was searched");
  if (!report.device_failure.empty())
    fmt::print(stderr, "tmd: part of what was requested could not be searched again: {}\n", report.device_failure);
  return static_cast<int>(status);
}

} // namespace tmd::app
