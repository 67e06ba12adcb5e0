// Results of every form are read line by line, and mistakes in them are named.
#include "host/result/recorded_search.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/regime_joiner.hpp"
#include "host/request/command.hpp"
#include "host/result/json_lines.hpp"
#include "host/result/result_check.hpp"
#include "host/result/wc.hpp"
#include "tmd/error.hpp"
#include "unit/message_of.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace tmd::result {

namespace {

job::Job log2_job() {
  job::Job job;
  job.function = &function::find_function("log2");
  job.format = find_format("binary64");
  job.K = 6;
  job.first = job.arguments().parse("0x1.fffffffffff8p+0", "");
  job.last = job.arguments().parse("0x1.00000000001p+1", "");
  return job;
}

// All cases of the job, found by MPFR.
SearchResult search_by_mpfr(const job::Job& job) {
  SearchResult result;
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  for (auto rank = job.first; rank < job.last; ++rank)
    if (const auto found = confirmation.confirm(job.arguments().at(rank)))
      result.add({*found});
  result.covered = job.range();
  result.workers = {{job.size(), {}, ""}};
  result.sort();
  return result;
}

RunDescription run_of(const job::Job& job) {
  RunDescription run = some_run();
  run.from = to_hex(job.arguments().at(job.first));
  run.to = to_hex(job.arguments().at(job.last));
  run.request.functions = {job.function->name};
  run.request.format = job.format.name;
  run.request.from = run.from;
  run.request.to = run.to;
  run.request.values = job.values;
  run.request.bits = job.K;
  run.command = request::command_of(run.request);
  return run;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

// The objections of all checks, a line each.
std::string objections_to(const RecordedSearch& file) {
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

RecordedSearch read_text(const std::string& text) { return read_search(recognize(support::source_of(text), "r")); }

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("result files: records, read as they were written") {
  const job::Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  REQUIRE(result.cases.size() > 2);
  REQUIRE(result.exact.size() == 1);
  const std::string text = json_lines(job, run_of(job), result);
  const RecordedSearch file = read_text(text);
  CHECK(file.kind == FileKind::records);
  CHECK(file.program.version == "0");
  CHECK(file.program.commit == "0123456789ab-dirty");
  CHECK(file.program.kernels.foreign);
  CHECK(file.devices == std::vector<std::string>{"Phi"});
  CHECK(file.job().identity() == job.identity());
  CHECK(file.entries.hard == result.cases.size());
  CHECK(file.entries.exact == 1);
  REQUIRE(file.summary);
  CHECK(file.summary->arguments == job.size());
  CHECK(file.summary->line == result.cases.size() + 3);
  CHECK(std::next(file.found.begin())->line == 3);
  CHECK(std::next(file.found.begin())->x == std::next(result.cases.begin())->x);
  CHECK(file.mistakes.empty());
  CHECK(objections_to(file).empty());
  // Schema 1 has numbers instead of digits.
  const std::regex digits(R"-("(arguments|direct|exact|cases_in_ranges|none_in_ranges|left_out|gaps)":"(\d+)")-");
  const std::string older = replaced(std::regex_replace(text, digits, R"("$1":$2)"), R"("schema":2)", R"("schema":1)");
  CHECK(has(older, R"("exact":1,)"));
  CHECK(objections_to(read_text(older)).empty());
  CHECK_THROWS_AS((void)read_text(replaced(text, R"("schema":2)", R"("schema":3)")), UsageError);

  const SearchResult again = to_search_result(file);
  CHECK(again.covered == job.range());
  CHECK(again.cases.size() == result.cases.size());
  CHECK(again.exact.size() == 1);
}

TEST_CASE("result files: lists, by their comments") {
  const job::Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  const std::string text = wc_file(job, run_of(job), result);
  const RecordedSearch file = read_text(text);
  CHECK(file.kind == FileKind::list);
  CHECK(file.program.version == "0");
  CHECK(file.program.commit == "0123456789ab-dirty");
  CHECK(file.program.kernels.digest == "0123456789abcdef");
  CHECK(file.program.kernels.foreign);
  CHECK(file.entries.hard == result.cases.size());
  REQUIRE(file.summary);
  CHECK(file.summary->exact == 1);
  CHECK(file.entries.exact == 1);
  CHECK(file.lists_exact());
  // Lists as they were before they had exact cases.
  const std::string older =
      replaced(replaced(text, "1 exact cases.", "1 exact cases not listed."), "# Exact: ", "# Made by tmd 0: ");
  CHECK_FALSE(read_text(older).lists_exact());
  CHECK(objections_to(file).empty());

  CHECK(has(objections_to(read_text(replaced(text, "2^-6 ", "2^-5 "))), "2^-6"));
  CHECK(has(objections_to(read_text(replaced(text, "K = 6", "K = 5"))), "its job is stated as"));
  CHECK(has(objections_to(read_text(replaced(text, " cases, ", "1 cases, "))), "it says"));
  CHECK(has(objections_to(read_text(text + "0x1.8p+0\n")), "outside the range"));
  CHECK(has(objections_to(read_text(text + "zero\n")), "is not a number"));
}

TEST_CASE("result files: ranges of records and of lists") {
  job::Job job;
  job.function = &function::find_function("cos");
  job.format = find_format("binary32");
  job.argument_precision = 24;
  job.K = 15;
  job.values = Values::format;
  job.first = job.arguments().parse("0x1p-30", "");
  job.last = job.arguments().parse("0x1p-28", "");
  SearchResult result;
  job::divide(
      job, job.range(), {}, [&](const job::RegimeRange& range) { result.regimes.push_back(range); },
      [](const job::Stretch&) {});
  result.covered = job.range();
  result.workers = {{job.size(), {}, ""}};
  result.sort();
  REQUIRE(result.regimes.size() == 1);
  REQUIRE(result.regimes[0].regime.rule);
  REQUIRE(result.regimes[0].size() == job.size());
  const RunDescription run = run_of(job);
  for (const std::string& text : {json_lines(job, run, result), wc_file(job, run, result)}) {
    const RecordedSearch file = read_text(text);
    REQUIRE(file.regimes.size() == 1);
    CHECK(file.regimes[0].range.ranks == result.regimes[0].ranks);
    CHECK(file.regimes[0].range.regime == result.regimes[0].regime);
    CHECK(objections_to(file).empty());
  }

  const std::string text = json_lines(job, run, result);
  const auto objections = [&](std::string_view from, std::string_view to) {
    return objections_to(read_text(replaced(text, from, to)));
  };
  // The border moved by one; the rule; its side.
  CHECK(
      has(objections("\"last\":\"0x1.fffffep-29\"", "\"last\":\"0x1.fffffcp-29\""), "it is a case, beside the range"));
  CHECK(has(objections("\"slope\":\"0x0p+0\"", "\"slope\":\"0x1p-60\""), "cases by another rule"));
  CHECK(has(objections("\"side\":\"below\"", "\"side\":\"above\""), "cases by another rule"));
  CHECK(has(objections("\"cases\":\"all\"", "\"cases\":\"none\""), "in a range said to have none"));
  CHECK(has(objections("\"down\":\"next below\"", "\"down\":\"breakpoint\""), "its `rounded` should be"));
  CHECK(has(objections("\"offset\":\"0x1p+0\"", "\"offset\":\"one\""), "'one' is not a number of a rule"));

  // A range that reaches one argument too far.
  job::Job longer = job;
  longer.K = 31; // cos x is nearer than that to 1 up to about 2^-27.5
  longer.last = longer.arguments().parse("0x1p-26", "");
  SearchResult too_long;
  job::divide(
      longer, longer.range(), {}, [&](const job::RegimeRange& range) { too_long.regimes.push_back(range); },
      [](const job::Stretch&) {});
  too_long.sort();
  REQUIRE_FALSE(too_long.regimes.empty());
  too_long.covered = longer.range();
  too_long.workers = {{longer.size(), {}, ""}};
  job::RegimeRange& first = too_long.regimes.front();
  REQUIRE(first.ranks.last < longer.last);
  ++first.ranks.last;
  const RecordedSearch file = read_text(json_lines(longer, run_of(longer), too_long));
  CHECK(has(objections_to(file), "no hard case in a range said to have nothing else"));
}

TEST_CASE("result files: every planted mistake is named") {
  const job::Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  const std::string text = json_lines(job, run_of(job), result);
  const std::string hardest = to_hex(result.cases.front().x);
  const auto objections = [&](const std::string& wrong) { return objections_to(read_text(wrong)); };
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
  CHECK(has(objections(joined(doubled)), "it repeats line 2"));
  auto swapped = lines;
  std::swap(swapped[1], swapped[result.cases.size()]);
  CHECK(has(objections(joined(swapped)), "the hardest come first"));
  auto garbled = lines;
  garbled[1] = "{\"type\":\"case\",\"x\"\n";
  CHECK(has(objections(joined(garbled)), "2  it is not a record"));
  auto cut = lines;
  cut.pop_back();
  CHECK(has(objections(joined(cut)), "cut off"));
  auto behind = lines;
  behind.push_back(lines[1]);
  CHECK(has(objections(joined(behind)), "follows the summary"));

  CHECK(has(objections(replaced(text, "\"bits\":6,", "\"bits\":5,")), "its parts describe"));
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
  const std::string written = result::Json(bits).dump();
  for (const double off : {0.0001, -0.0001})
    CHECK(has(
        objections(replaced(text, "\"bits\":" + written, "\"bits\":" + result::Json(four_decimals(bits + off)).dump())),
        " bits, not "));
}

TEST_CASE("result files: what is none") {
  const job::Job job = log2_job();
  const auto message = [&](const std::string& text) { return message_of([&] { (void)read_text(text); }); };
  CHECK(has(message(""), "'r' is not a result of tmd search: it is empty"));
  CHECK(has(message("0x1p+0\n"), "Made by tmd"));
  CHECK(has(message("{\"type\":\"device\"}\n"), "line 1: it does not begin with a `search` record"));
  CHECK(has(message("{\"type\":\"search\",\"schema\":3}\n"), "schema 3"));
  CHECK(has(message("{\"type\":\"sea"), "line 1: it is not a record"));
  const std::string text = json_lines(job, run_of(job), search_by_mpfr(job));
  CHECK(has(message(replaced(text, "\"bits\":6", "\"bits\":500")), "K must be 1 to 120, not 500"));
  for (const char* bits : {"3.7e145", "6.5", "-1", "true"})
    CHECK(has(message(replaced(text, "\"bits\":6,", fmt::format("\"bits\":{},", bits))), "is no number that counts"));
  for (const char* precision : {"4294967349", "18446744073709551615"}) // 2^32 + 53; 2^64 - 1
    CHECK(has(message(replaced(text, "\"argument_precision\":53", fmt::format("\"argument_precision\":{}", precision))),
              "is too large"));
  CHECK(has(message(replaced(text, "\"function\":\"log2\"", "\"function\":\"lug2\"")), "lug2"));
  CHECK(has(message("# Made by tmd 0 with: tmd search expp\n"), "its command 'tmd search expp' is none"));
}

TEST_CASE("result files: those of 0.1.0, which have a command and no request") {
  const job::Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  RunDescription run = run_of(job);
  run.request = {};
  run.command = fmt::format("tmd search log2 --from={} --to {} --bits 6 --order=argument", run.from, run.to);
  for (const std::string& text : {json_lines(job, run, result), wc_file(job, run, result, CaseOrder::argument)}) {
    CHECK_FALSE(has(text, "equest"));
    const RecordedSearch file = read_text(text);
    REQUIRE(file.asked);
    CHECK(file.is_by_argument);
    CHECK(check_header(file).empty());
    const std::string other = replaced(text, "--bits 6", "--bits 5");
    CHECK_FALSE(check_header(read_text(other)).empty());
  }
  const RecordedSearch none = read_text(replaced(json_lines(job, run, result), "tmd search", "cat"));
  CHECK(none.not_asked == "it is not a `tmd search` command");
}

TEST_CASE("recorded searches: what is written is read back") {
  const job::Job job = some_job();
  SearchResult result = searched_both_ways(job);
  result.undecided = {{argument("0x1.cp+0"), INFINITY, Breakpoint::midpoint, Case::Kind::undecided}};
  result.planning_seconds = 0.75;
  result.idle[engine::IdleReason::kernels] = 1.5;
  result.idle[engine::IdleReason::other] = 0.25;
  result.seconds = 12.5;
  RunDescription run = some_run();
  run.devices[0].cpu_modes = engine::CpuModes{CpuMode::vector, {{"phase1", "explicit vectors of 8"}}};
  const std::string text = json_lines(job, run, result);
  const RecordedSearch read = read_text(text);
  CHECK(read.mistakes.empty());
  CHECK(read.said == job.identity());
  CHECK(read.summary->arguments == uint128(1) << 52);
  CHECK(read.program.version == "0");
  CHECK(read.program.kernels.digest == "0123456789abcdef");
  CHECK(read.devices == std::vector<std::string>{"Phi"});
  CHECK(read.entries.hard == 2);
  CHECK(read.summary->exact == 1);
  CHECK(read.entries.undecided == 1);
  CHECK(read.entries.hardest.at("representable").x == argument("0x1.8p+0"));
  REQUIRE(read.found.size() == 4);
  CHECK(read.found[3] == FoundEntry{5, argument("0x1.cp+0"), Case::Kind::undecided, {}, Breakpoint::midpoint});
  // If entries are passed on, they are not kept, and everything else is the same.
  std::vector<FoundEntry> handed;
  const RecordedSearch counted =
      read_search(recognize(support::source_of(text), "r"), [&](const FoundEntry& one) { handed.push_back(one); });
  CHECK(counted.found.empty());
  CHECK(handed == read.found);
  CHECK(counted.entries.hard == 2);
  CHECK(counted.entries.exact == 1);
  CHECK(counted.entries.undecided == 1);
  CHECK(counted.entries.hardest.at("representable").x == argument("0x1.8p+0"));
  CHECK(counted.summary->seconds == read.summary->seconds);
  CHECK(read.summary->stages.size() == engine::all_stages().size());
  for (const engine::Stage& one : read.summary->stages) {
    const engine::Stage written = engine::stage(result.stages, one.name);
    INFO(std::string(one.name));
    CHECK(one.tested == written.tested);
    CHECK(one.kept == (one.filters ? written.kept : 0));
    CHECK(one.seconds == written.seconds);
  }
  CHECK(read.summary->planning_seconds == 0.75);
  CHECK(read.summary->idle.of == result.idle.of);
  CHECK(read.summary->seconds == 12.5);
  CHECK(read.modes_in_effect == std::map<std::string, std::string>{{"phase1", "explicit vectors of 8"}});
  // Records of several devices, between lines that a driver prints.
  result.workers.push_back(result.workers[0]);
  run.devices.push_back(run.devices[0]);
  const RecordedSearch several = read_text("a driver's words\n" + json_lines(job, run, result) + "[1, 2]\n");
  CHECK(several.mistakes.empty());
  CHECK(several.devices == std::vector<std::string>{"Phi", "Phi"});
  CHECK(several.found.size() == read.found.size());
  CHECK(several.modes_in_effect.empty());
  // The search found nothing at all.
  result.cases.clear();
  result.exact.clear();
  result.undecided.clear();
  CHECK(read_text(json_lines(job, run, result)).found.empty());
}

TEST_CASE("recorded searches: of a child process, nothing may be missing") {
  const job::Job job = some_job();
  const std::string text = json_lines(job, some_run(), searched_both_ways(job));
  const auto complaint = [](const std::string& lines) -> std::string {
    try {
      (void)read_complete_search(recognize(support::source_of(lines), "r"));
    } catch (const DeviceError& error) {
      return error.what();
    }
    return "nothing";
  };
  const auto with = [&](const std::string& what, const std::string& by) { return replaced(text, what, by); };
  CHECK(complaint(text) == "nothing");
  CHECK(has(complaint(with("\"schema\":2", "\"schema\":3")), "its records have schema 3, not 1 or 2"));
  // a file older than that number
  CHECK(has(complaint(with("\"schema\":2,", "")), "its records have schema 0, not 1 or 2"));
  const std::string incomplete = "its records are not complete";
  CHECK(has(complaint(""), incomplete));
  CHECK(has(complaint(with("\"schema\":2", "\"schema\":\"1\"")), "its records have schema \"1\", not 1 or 2"));
  CHECK(has(complaint(with("\"job\":", "\"bob\":")), incomplete));
  // A file is cut off anywhere; only the end of its last line may be missing.
  for (std::size_t size = 0; size + 1 < text.size(); size += 7)
    CHECK(has(complaint(text.substr(0, size)), incomplete));
  CHECK(has(complaint(text.substr(0, text.size() - 2)), incomplete));
  CHECK(complaint(text.substr(0, text.size() - 1)) == "nothing");
  // The beginning is missing, or the summary lacks a key or has another type. A missing stage was unknown when the file
  // was written, and did nothing.
  CHECK(has(complaint(text.substr(text.find('\n') + 1)), incomplete));
  const std::string until_summary = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
  CHECK(has(complaint(until_summary), incomplete));
  const auto summary = nlohmann::json::parse(text.substr(until_summary.size()));
  for (const engine::Stage& one : engine::all_stages()) {
    nlohmann::json changed = summary;
    changed.erase(std::string(one.name));
    CHECK(engine::stage(read_text(until_summary + changed.dump()).summary->stages, one.name).tested == 0);
    changed = summary;
    changed[std::string(one.name)]["seconds"] = "long";
    CHECK(has(complaint(until_summary + changed.dump()), incomplete));
  }
  for (const char* key : {"arguments", "seconds", "polynomials"})
    for (const char* other : {"null", "\"many\"", "[]"}) {
      nlohmann::json changed = summary;
      changed[key] = nlohmann::json::parse(other);
      CHECK(has(complaint(until_summary + changed.dump()), incomplete));
    }
}

TEST_CASE("readers: a file is what its first clear line says") {
  const auto kind = [](const std::string& text) { return recognize(support::source_of(text), "r").kind; };
  const job::Job job = log2_job();
  const SearchResult result = search_by_mpfr(job);
  CHECK(kind("\n" + json_lines(job, run_of(job), result)) == FileKind::records);
  CHECK(kind("a driver's words\n" + json_lines(job, run_of(job), result)) == FileKind::records);
  CHECK(kind(wc_file(job, run_of(job), result)) == FileKind::list);
  CHECK(kind("{\"type\":\"journal\",") == FileKind::journal);
  CHECK(kind("{\"type\":\"publication\",") == FileKind::publication);
  CHECK(kind("{\"type\":\"device\"}\n") == FileKind::json);
  CHECK(kind(" \r\n\n") == FileKind::empty);
  CHECK(kind("[1,2,3]\n") == FileKind::other);
  CHECK(kind("0x1p+0\n") == FileKind::other);
  CHECK(has(message_of([&] { (void)kind("1\n\xff\n"); }), "'r' is not UTF-8 text: line 2 has other bytes"));
  // A byte order mark is no part of the text.
  std::string text;
  const std::string marked = "\xef\xbb\xbf{\"type\":\"journal\"}";
  const ResultText opened = recognize(support::source_of(marked), "r");
  opened.text([&](std::string_view piece) { text += piece; });
  CHECK(opened.kind == FileKind::journal);
  CHECK(text == "{\"type\":\"journal\"}");
}

TEST_CASE("recorded searches: published lists name fewer cases than their ranges are of") {
  const std::string head =
      "# Hard-to-round cases of exp(x)/x, binary64 with arguments of 53 bits, breakpoints: all, values "
      "as the format has them.\n";
  const std::string listed = "# Listed from K = 45: 1 of the 3 that were found from K = 44 on.\n";
  const std::string covered =
      "# [0x1p+0, 0x1.fp+0]: every argument closer than 2^-45 spacings to a breakpoint is listed\n"
      "# [0x1.fcp+0, 0x1.ffp+0]: likewise\n";
  const RecordedSearch list = read_text(head + listed + covered + "0x1.8p+0\n");
  CHECK(list.mistakes.empty());
  CHECK(list.is_published);
  CHECK(list.job().function->name == "exp(x)/x");
  CHECK(list.job().K == 45);
  CHECK(list.bits_of_ranges == 44);
  CHECK(list.job().values == Values::format);
  CHECK(list.left_out.size() == 1);
  CHECK(list.summary->partial);
  CHECK(check_counts(list).empty());
  CHECK_FALSE(check_counts(read_text(head + listed + covered)).empty());
  CHECK(has(message_of([&] { (void)read_text(head + listed + "0x1.8p+0\n"); }), "do not say of which function it is"));
  CHECK(has(message_of([&] { (void)read_text(replaced(head, "binary64", "b64") + listed + covered); }), "line 1: "));
  const auto of_bits = [&](const std::string& digits) {
    return message_of([&] { (void)read_text(head + replaced(listed, "K = 45", "K = " + digits) + covered); });
  };
  CHECK(has(of_bits("4\x89"), "line 2: a number is missing in it"));
  CHECK(has(of_bits("18446744073709551661"), "line 2: a number in it is too large"));
}

} // namespace tmd::result
