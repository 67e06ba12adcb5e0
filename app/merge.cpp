// tmd merge: merges separately searched parts of one job.
#include "commands.hpp"
#include "search_options.hpp"
#include "search_powers.hpp"
#include "standard_streams.hpp"

#include "report/report.hpp"
#include "result/expand.hpp"
#include "result/json_lines.hpp"
#include "result/merge_files.hpp"
#include "result/raw_list.hpp"
#include "result/reader.hpp"
#include "result/wc.hpp"
#include "run/search_files.hpp"
#include "support/shell_words.hpp"

#include <fmt/format.h>

namespace tmd::app {

namespace {

void print_merge_help(const cxxopts::Options& options) {
  fmt::print("{}\nRESULT is a journal, or a file of `tmd search --json`. Parts may overlap; what was searched twice "
             "must be the same. An unfinished part counts up to where it got.\n\nexample:\n  tmd search exp --from "
             "1 --to 1.25 --shard 1/2 --wc one.wc\n"
             "  tmd search exp --from 1 --to 1.25 --shard 2/2 --wc two.wc\n"
             "  tmd merge one.wc.journal two.wc.journal --wc exp.wc\n",
             options.help({""}));
}

} // namespace

cxxopts::Options merge_options() {
  cxxopts::Options options("tmd merge", "Merges searches of parts of one job.");
  options.custom_help("RESULT ... [OPTION ...]");
  auto add = options.add_options();
  for (const char* option : {"wc", "order", "json", "show", "quiet"})
    add_option(options, option);
  add("bin", "write the cases to FILE as raw numbers of the format, little-endian", cxxopts::value<std::string>(),
      "FILE");
  add("expected", "in the list of --wc, before each case the right results as a comment");
  add("expand", "list also the cases of ranges in which one binade determines them, as of tgamma near 0");
  add("allow-gaps", "merge even if some arguments are in no part; the result is partial then");
  add_option(options, "other-version", "merge also what different programs have found: the result names all");
  add("h,help", "this text");
  options.add_options("positional")("results", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"results"});
  options.positional_help("").set_width(120);
  return options;
}

int merge(const Arguments& arguments) {
  cxxopts::Options options = merge_options();
  const auto parsed = parse(options, "merge", arguments);
  if (parsed.count("help") != 0) {
    print_merge_help(options);
    return 0;
  }
  const std::vector<std::string> names = values_of(parsed, "results");
  if (names.empty())
    throw UsageError("no results given: `tmd search --shard I/N` makes one of each part");
  const bool is_of_pairs = result::open_result(names.front()).kind == result::FileKind::pair_journal;
  if (is_of_pairs && (parsed.count("bin") != 0 || parsed.count("expected") != 0))
    throw UsageError("--bin and --expected are for functions of one variable");
  if (is_of_pairs)
    return merge_powers(names, spec_of(parsed), parsed.count("allow-gaps") != 0);
  const std::optional<support::AtomicFile> wc = open_file(parsed, "wc");
  const std::optional<support::AtomicFile> json = open_file(parsed, "json");
  const std::optional<support::AtomicFile> bin = open_file(parsed, "bin");
  if ((wc && json && wc->same_target(*json)) ||
      (bin && ((wc && wc->same_target(*bin)) || (json && json->same_target(*bin)))))
    throw UsageError("two of --wc, --json and --bin name the same file");
  const result::Expected expected = parsed.count("expected") != 0 ? result::Expected::told : result::Expected::untold;
  const result::CaseOrder order =
      spec_of(parsed).by_argument ? result::CaseOrder::argument : result::CaseOrder::hardest;
  print_no_tables_beside({&wc, &json, &bin});

  result::MergedFiles merged = result::merge_files(names, spec_of(parsed).other_version, print_remark);
  const job::Job& job = merged.owned.job;
  const result::SearchResult& result = merged.result;
  result::RunDescription& run = merged.run;
  if (parsed.count("allow-gaps") == 0)
    result::require_no_gaps(job, result);
  run.command = support::as_shell_line("tmd merge", arguments);
  if (parsed.count("expand") != 0)
    result::expand(job, merged.result);
  if (wc)
    wc->commit([&](const support::TextSink& sink) { result::write_wc(sink, job, run, result, order, expected); });
  if (bin)
    bin->commit([&](const support::TextSink& sink) { result::write_raw(sink, job, result.cases.in(order)); });
  if (json)
    json->commit([&](const support::TextSink& sink) { result::write_json_lines(sink, job, run, result, true); });
  const SearchSpec shown = spec_of(parsed);
  report::write_case_table([](std::string_view piece) { fmt::print("{}", piece); }, result,
                           report::cases_to_show(shown, run::file_of_cases(run::output_names(shown))));
  fmt::print("{}{}", report::range_table(job, result), report::summary_table(job, result));
  flush_output();
  return static_cast<int>(result.is_partial() || result.has_undecided() ? Status::partial : Status::done);
}

} // namespace tmd::app
