// tmd merge: parts of one job, searched apart, put together.
#include "commands.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "report/report.hpp"
#include "result/journal.hpp"
#include "result/json_lines.hpp"
#include "result/merge.hpp"
#include "result/result_check.hpp"
#include "result/wc.hpp"
#include "support/shell_words.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

namespace {

void print_merge_help(const cxxopts::Options& options) {
  fmt::print("{}\nRESULT is a journal, or a file of `tmd search --json`. Parts may overlap; what was searched twice "
             "must be the same. A part that has not ended counts as far as it is.\n\nexample:\n  tmd search exp --from "
             "1 --to 1.25 --shard 1/2 --wc one.wc\n"
             "  tmd search exp --from 1 --to 1.25 --shard 2/2 --wc two.wc\n"
             "  tmd merge one.wc.journal two.wc.journal --wc exp.wc\n",
             options.help({""}));
}

// As a shell takes it.
std::string command_line(const Arguments& arguments) {
  std::string line = "tmd merge";
  for (const std::string& argument : arguments)
    line += " " + as_shell_word(argument);
  return line;
}

// Files have four decimals of the bits: too few to bring cases of several parts into one order.
void restore_bits(Cases& cases, const Job& job) {
  const Confirmation confirmation(*job.function, job.grid(), job.bits);
  std::vector<Case> restored = cases.to_vector();
  for (Case& one : restored)
    if (const auto found = confirmation.confirm(one.x))
      one.bits = found->bits;
  cases = restored;
}

// Throws UsageError where it is no result, and for the first thing that is wrong with it.
MergePart read_part(const std::string& name, RunDescription& run) {
  const ResultText text = open_result(name);
  if (text.kind == FileKind::journal) {
    JournalContents journal = parse_journal(text.text, name);
    run.symmetry = journal.header.symmetry;
    return {name, journal.programs(), journal.owned, journal.header.shard, std::move(journal.result)};
  }
  SearchResult result;
  const RecordedSearch search = read_sound_search(text, [&](const FoundEntry& entry) { result.add(case_of(entry)); });
  run.symmetry = search.symmetry.value_or(Symmetry::none);
  complete(result, search);
  restore_bits(result.cases, search.job());
  return {name, search.programs(), search.owned, search.shard, std::move(result)};
}

// What a part has of arguments that count only together.
struct BegunPart {
  std::string name;
  ClaimIdentity claim;
  uint128 arguments = 0;
};

void note_begun(const std::vector<BegunPart>& begun, const Job& job, const SearchResult& result) {
  for (const auto& [name, claim, arguments] : begun)
    if (!result.gaps.within(claim.ranks.first, claim.ranks.last).empty())
      fmt::print(stderr,
                 "tmd: note: '{}' has {} of the {} arguments from {} on, which count when all of them have been "
                 "searched: `tmd resume` goes on with them\n",
                 name, to_string(arguments), to_string(claim.size()), to_hex(job.arguments().at(claim.ranks.first)));
}

void require_no_gaps(const Job& job, const SearchResult& result) {
  if (result.gaps.empty())
    return;
  constexpr std::size_t few = 3;
  const auto gaps = result.gaps.intervals();
  std::string text;
  for (std::size_t i = 0; i < std::min(few, gaps.size()); ++i)
    text += fmt::format("{}[{}, {})", i == 0 ? "" : ", ", to_hex(job.arguments().at(gaps[i].first)),
                        to_hex(job.arguments().at(gaps[i].last)));
  if (gaps.size() > few)
    text += fmt::format(" and {} more", gaps.size() - few);
  throw UsageError(fmt::format("{} of {} arguments are in no part: {}; search them, or allow that with --allow-gaps",
                               to_string(result.gaps.size()), to_string(job.size()), text));
}

} // namespace

cxxopts::Options merge_options() {
  cxxopts::Options options("tmd merge", "Puts searches of parts of one job together.");
  options.custom_help("RESULT ... [OPTION ...]");
  auto add = options.add_options();
  for (const char* option : {"wc", "order", "json", "quiet"})
    add_option(options, option);
  add("allow-gaps", "also where some arguments are in no part; the result is partial then");
  add_option(options, "other-version", "also what different programs have found: the result names all");
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
  const std::optional<AtomicFile> wc = open_file(parsed, "wc");
  const std::optional<AtomicFile> json = open_file(parsed, "json");
  if (wc && json && wc->same_target(*json))
    throw UsageError("--wc and --json name the same file");
  const CaseOrder order = spec_of(parsed).by_argument ? CaseOrder::argument : CaseOrder::hardest;
  print_no_tables_beside({&wc, &json});

  Merge merge(spec_of(parsed).other_version);
  RunDescription run;
  std::vector<BegunPart> begun;
  for (const std::string& name : names) {
    const MergePart part = read_part(name, run);
    for (const BegunClaim& one : part.result.begun)
      begun.push_back({name, one.claim, one.sums.arguments});
    merge.add(part);
  }
  const Job job = merge.job();
  const SearchResult result = merge.result();
  note_begun(begun, job, result);
  run.program = merge.programs().front();
  run.other_programs.assign(merge.programs().begin() + 1, merge.programs().end());
  if (!run.other_programs.empty())
    fmt::print(stderr, "tmd: note: the parts were found by {}: the result names all\n", to_string(merge.programs()));
  if (parsed.count("allow-gaps") == 0)
    require_no_gaps(job, result);
  run.command = command_line(arguments);
  run.from = to_hex(job.arguments().at(job.first));
  run.to = to_hex(job.arguments().at(job.last));
  if (wc)
    wc->commit([&](const TextSink& sink) { write_wc(sink, job, run, result, order); });
  if (json)
    json->commit([&](const TextSink& sink) { write_json_lines(sink, job, run, result, true); });
  write_case_table([](std::string_view piece) { fmt::print("{}", piece); }, result);
  fmt::print("{}", range_table(job, result));
  if (parsed.count("quiet") == 0)
    fmt::print("{}", summary_table(job, result));
  flush_output();
  return static_cast<int>(result.is_partial() ? Status::partial : Status::done);
}

} // namespace tmd::app
