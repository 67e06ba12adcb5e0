// Results read line by line, and what is said of those with mistakes.
#include "host/result/result_file.hpp"
#include "host/function/catalogue.hpp"
#include "host/request/command.hpp"
#include "host/result/json_lines.hpp"
#include "host/result/result_check.hpp"
#include "host/result/wc.hpp"
#include "tmd/error.hpp"
#include "unit/message_of.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace tmd;

namespace {

Job log2_job() {
  Job job;
  job.function = &find_function("log2");
  job.format = find_format("binary64");
  job.bits = 6;
  job.first = job.arguments().parse("0x1.fffffffffff8p+0", "");
  job.last = job.arguments().parse("0x1.00000000001p+1", "");
  return job;
}

// All cases of the job, by MPFR.
SearchResult search_by_mpfr(const Job& job) {
  SearchResult result;
  const Confirmation confirmation(*job.function, job.grid(), job.bits);
  for (auto rank = job.first; rank < job.last; ++rank)
    if (const auto found = confirmation.confirm(job.arguments().at(rank)))
      result.add({*found});
  result.covered = job.range();
  result.workers = {{job.size(), {}, ""}};
  result.sort();
  return result;
}

RunDescription run_of(const Job& job) {
  RunDescription run = some_run();
  run.from = to_hex(job.arguments().at(job.first));
  run.to = to_hex(job.arguments().at(job.last));
  run.request.functions = {job.function->name};
  run.request.format = job.format.name;
  run.request.from = run.from;
  run.request.to = run.to;
  run.request.values = job.values;
  run.request.bits = job.bits;
  run.command = command_of(run.request);
  return run;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

// All objections of all checks, a line each.
std::string objections_to(const ResultFile& file) {
  std::string text;
  const auto add = [&](const std::vector<Objection>& objections) {
    for (const Objection& one : objections)
      text += std::to_string(one.line) + " " + one.x + " " + one.sentence + "\n";
  };
  for (const LineMistake& one : file.mistakes)
    add({{one.line, "", one.sentence}});
  add(check_header(file));
  const CheckedEntries entries = check_entries(file, 2);
  add(entries.objections);
  add(check_order(file, entries.cases));
  add(check_regimes(file, 16).objections);
  add(check_counts(file));
  return text;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("result files: records, read as they were written") {
  const Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  REQUIRE(result.cases.size() > 2);
  REQUIRE(result.exact.size() == 1);
  const std::string text = json_lines(job, run_of(job), result);
  const ResultFile file = parse_result(source_of(text), "r");
  CHECK(file.kind == ResultFile::Kind::records);
  CHECK(file.program.version == "0");
  CHECK(file.program.commit == "0123456789ab-dirty");
  CHECK(file.program.kernels.foreign);
  CHECK(file.devices == std::vector<std::string>{"Phi"});
  CHECK(file.job().identity() == job.identity());
  CHECK(file.count(Case::Kind::hard) == result.cases.size());
  CHECK(file.count(Case::Kind::exact) == 1);
  REQUIRE(file.stated);
  CHECK(file.stated->arguments == job.size());
  CHECK(file.stated->line == result.cases.size() + 3);
  CHECK(std::next(file.found.begin())->line == 3);
  CHECK(std::next(file.found.begin())->x == std::next(result.cases.begin())->x);
  CHECK(file.mistakes.empty());
  CHECK(objections_to(file).empty());

  const SearchResult again = to_search_result(file);
  CHECK(again.covered == job.range());
  CHECK(again.cases.size() == result.cases.size());
  CHECK(again.exact.size() == 1);
}

TEST_CASE("result files: lists, by their comments") {
  const Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  const std::string text = wc_file(job, run_of(job), result);
  const ResultFile file = parse_result(source_of(text), "r");
  CHECK(file.kind == ResultFile::Kind::list);
  CHECK(file.program.version == "0");
  CHECK(file.program.commit == "0123456789ab-dirty");
  CHECK(file.program.kernels.digest == "0123456789abcdef");
  CHECK(file.program.kernels.foreign);
  CHECK(file.count(Case::Kind::hard) == result.cases.size());
  REQUIRE(file.stated);
  CHECK(file.stated->exact == 1);
  CHECK(file.count(Case::Kind::exact) == 1);
  CHECK(file.lists_exact());
  // As they were before exact cases stood in them.
  const std::string older =
      replaced(replaced(text, "1 exact cases.", "1 exact cases not listed."), "# Exact: ", "# Made by tmd 0: ");
  CHECK_FALSE(parse_result(source_of(older), "r").lists_exact());
  CHECK(objections_to(file).empty());

  CHECK(has(objections_to(parse_result(source_of(replaced(text, "2^-6 ", "2^-5 ")), "r")), "2^-6"));
  CHECK(has(objections_to(parse_result(source_of(replaced(text, "K = 6", "K = 5")), "r")), "it is said to be of"));
  CHECK(has(objections_to(parse_result(source_of(replaced(text, " cases, ", "1 cases, ")), "r")), "it says"));
  CHECK(has(objections_to(parse_result(source_of(text + "0x1.8p+0\n"), "r")), "outside the range"));
  CHECK(has(objections_to(parse_result(source_of(text + "zero\n"), "r")), "is not a number"));
}

TEST_CASE("result files: ranges of records and of lists") {
  Job job;
  job.function = &find_function("cos");
  job.format = find_format("binary32");
  job.argument_precision = 24;
  job.bits = 15;
  job.values = Values::format;
  job.first = job.arguments().parse("0x1p-30", "");
  job.last = job.arguments().parse("0x1p-28", "");
  SearchResult result;
  divide(
      job, job.range(), {}, [&](const RegimeRange& range) { result.regimes.push_back(range); }, [](const Stretch&) {});
  result.covered = job.range();
  result.workers = {{job.size(), {}, ""}};
  result.sort();
  REQUIRE(result.regimes.size() == 1);
  REQUIRE(result.regimes[0].regime.rule);
  REQUIRE(result.regimes[0].size() == job.size());
  const RunDescription run = run_of(job);
  for (const std::string& text : {json_lines(job, run, result), wc_file(job, run, result)}) {
    const ResultFile file = parse_result(source_of(text), "r");
    REQUIRE(file.regimes.size() == 1);
    CHECK(file.regimes[0].range.ranks == result.regimes[0].ranks);
    CHECK(file.regimes[0].range.regime == result.regimes[0].regime);
    CHECK(objections_to(file).empty());
  }

  const std::string text = json_lines(job, run, result);
  const auto objections = [&](std::string_view from, std::string_view to) {
    return objections_to(parse_result(source_of(replaced(text, from, to)), "r"));
  };
  // The border moved by one; the rule; its side.
  CHECK(
      has(objections("\"last\":\"0x1.fffffep-29\"", "\"last\":\"0x1.fffffcp-29\""), "it is a case, beside the range"));
  CHECK(has(objections("\"slope\":\"0x0p+0\"", "\"slope\":\"0x1p-60\""), "cases by another rule"));
  CHECK(has(objections("\"side\":\"below\"", "\"side\":\"above\""), "cases by another rule"));
  CHECK(has(objections("\"cases\":\"all\"", "\"cases\":\"none\""), "in a range said to have none"));
  CHECK(has(objections("\"down\":\"next below\"", "\"down\":\"breakpoint\""), "its `rounded` should be"));
  CHECK(has(objections("\"offset\":\"0x1p+0\"", "\"offset\":\"one\""), "'one' is no number of a rule"));

  // A range that reaches one argument too far.
  Job longer = job;
  longer.bits = 31; // cos x is nearer than that to 1 up to about 2^-27.5
  longer.last = longer.arguments().parse("0x1p-26", "");
  SearchResult too_long;
  divide(
      longer, longer.range(), {}, [&](const RegimeRange& range) { too_long.regimes.push_back(range); },
      [](const Stretch&) {});
  too_long.sort();
  REQUIRE_FALSE(too_long.regimes.empty());
  too_long.covered = longer.range();
  too_long.workers = {{longer.size(), {}, ""}};
  RegimeRange& first = too_long.regimes.front();
  REQUIRE(first.ranks.last < longer.last);
  ++first.ranks.last;
  const ResultFile file = parse_result(source_of(json_lines(longer, run_of(longer), too_long)), "r");
  CHECK(has(objections_to(file), "no hard case in a range said to have nothing else"));
}

TEST_CASE("result files: every planted mistake is named") {
  const Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  const std::string text = json_lines(job, run_of(job), result);
  const std::string hardest = to_hex(result.cases.front().x);
  const auto objections = [&](const std::string& wrong) { return objections_to(parse_result(source_of(wrong), "r")); };
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& one : parts)
      all += one;
    return all;
  };

  auto dropped = lines;
  dropped.erase(dropped.begin() + 1);
  CHECK(has(objections(joined(dropped)), "cases, but there are"));
  auto doubled = lines;
  doubled.insert(doubled.begin() + 2, lines[1]);
  CHECK(has(objections(joined(doubled)), "it stands in line 2 already"));
  auto swapped = lines;
  std::swap(swapped[1], swapped[result.cases.size()]);
  CHECK(has(objections(joined(swapped)), "the hardest come first"));
  auto garbled = lines;
  garbled[1] = "{\"type\":\"case\",\"x\"\n";
  CHECK(has(objections(joined(garbled)), "2  it is no record"));
  auto cut = lines;
  cut.pop_back();
  CHECK(has(objections(joined(cut)), "cut off"));
  auto behind = lines;
  behind.push_back(lines[1]);
  CHECK(has(objections(joined(behind)), "behind the summary"));

  CHECK(has(objections(replaced(text, "\"bits\":6,", "\"bits\":5,")), "its parts make up"));
  CHECK(has(objections(replaced(text, "\"precision\":53", "\"precision\":52")), "its precision is 52"));
  CHECK(has(objections(replaced(text, "tmd search log2", "tmd search log")), "it is not that of the request"));
  CHECK(has(objections(replaced(text, "tmd search log2", "cat")), "it is not that of the request"));
  CHECK(has(objections(replaced(text, "\"type\":\"case\"", "\"type\":\"exact\"")),
            "it is hard, not exact (MPFR and Arb)"));
  CHECK(has(objections(replaced(text, "\"type\":\"exact\"", "\"type\":\"undecided\"")), "it is exact, not undecided"));
  CHECK(has(objections(replaced(text, "\"breakpoint\":\"midpoint\"", "\"breakpoint\":\"representable\"")),
            "its breakpoint is midpoint, not representable"));
  CHECK(has(objections(replaced(text, "\"x\":\"" + hardest, "\"x\":\"0x1.8p+0")), "outside the range"));

  const double bits = four_decimals(result.cases.front().bits);
  const std::string written = Json(bits).dump();
  for (const double off : {0.0001, -0.0001})
    CHECK(has(objections(replaced(text, "\"bits\":" + written, "\"bits\":" + Json(four_decimals(bits + off)).dump())),
              " bits, not "));
}

TEST_CASE("result files: what is none") {
  const Job job = log2_job();
  const auto message = [&](const std::string& text) {
    return message_of([&] { (void)parse_result(source_of(text), "r"); });
  };
  CHECK(has(message(""), "'r' is no result of tmd search: it is empty"));
  CHECK(has(message("0x1p+0\n"), "Made by tmd"));
  CHECK(has(message("{\"type\":\"device\"}\n"), "line 1: it does not begin with a `search` record"));
  CHECK(has(message("{\"type\":\"search\",\"schema\":2}\n"), "schema 2"));
  CHECK(has(message("{\"type\":\"sea"), "line 1: it is no record"));
  const std::string text = json_lines(job, run_of(job), search_by_mpfr(job));
  CHECK(has(message(replaced(text, "\"bits\":6", "\"bits\":500")), "500 is no K"));
  CHECK(has(message(replaced(text, "\"function\":\"log2\"", "\"function\":\"lug2\"")), "lug2"));
  CHECK(has(message("# Made by tmd 0 with: tmd search expp\n"), "its command 'tmd search expp' is none"));
}

TEST_CASE("result files: those of 0.1.0, which have a command and no request") {
  const Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  RunDescription run = run_of(job);
  run.request = {};
  run.command = fmt::format("tmd search log2 --from={} --to {} --bits 6 --order=argument", run.from, run.to);
  for (const std::string& text : {json_lines(job, run, result), wc_file(job, run, result, CaseOrder::argument)}) {
    CHECK_FALSE(has(text, "equest"));
    const ResultFile file = parse_result(source_of(text), "r");
    REQUIRE(file.asked);
    CHECK(file.is_by_argument);
    CHECK(check_header(file).empty());
    const std::string other = replaced(text, "--bits 6", "--bits 5");
    CHECK_FALSE(check_header(parse_result(source_of(other), "r")).empty());
  }
  const ResultFile none = parse_result(source_of(replaced(json_lines(job, run, result), "tmd search", "cat")), "r");
  CHECK(none.not_asked == "it is no `tmd search`");
}
