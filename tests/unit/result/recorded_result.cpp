// A search's records, read again as what it has found.
#include "host/result/recorded_result.hpp"
#include "host/error.hpp"
#include "host/result/json_lines.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tmd;

namespace {

SearchResult result_with_everything(const Job& job) {
  SearchResult result = some_result(job);
  result.exact = {{number("0x1.4p+0"), INFINITY, Breakpoint::representable, Case::Kind::exact}};
  result.undecided = {{number("0x1.2p+0"), INFINITY, Breakpoint::midpoint, Case::Kind::undecided}};
  const auto rank = [&](const char* x) { return job.arguments().parse(x, ""); };
  result.regimes = {{{rank("0x1.1p+0"), rank("0x1.18p+0")}, {}},
                    {{rank("0x1.18p+0"), rank("0x1.19p+0")}, {BreakpointRule{"0x1p+0", "0x0p+0", true, {}}}}};
  result.left_out = Coverage(rank("0x1.ep+0"), rank("0x1.fp+0"));
  result.covered = result.left_out.complement_in(job.range());
  return result;
}

std::string refusal(const std::string& text) {
  try {
    (void)read_recorded_result(text, "exp.jsonl");
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

std::string without_line(std::string text, const std::string& beginning) {
  const std::size_t begin = text.find(beginning);
  REQUIRE(begin != std::string::npos);
  return text.erase(begin, text.find('\n', begin) + 1 - begin);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  REQUIRE(begin != std::string::npos);
  return text.replace(begin, from.size(), to);
}

} // namespace

TEST_CASE("what was written is read: job, cases, ranges, and what was covered") {
  const Job job = some_job();
  const SearchResult result = result_with_everything(job);
  const std::string text = json_lines(job, some_run(), result);
  for (const std::string& read : {text, "a driver's line\n" + text + "{not json\n"}) {
    const RecordedResult found = read_recorded_result(read, "exp.jsonl");
    CHECK(found.job().identity() == job.identity());
    CHECK(found.job().function->name == "exp");
    REQUIRE(found.result.cases.size() == 2);
    CHECK(found.result.cases[0].x == result.cases[0].x);
    CHECK(found.result.cases[0].bits == 53.9922);
    CHECK(found.result.cases[0].breakpoint == Breakpoint::midpoint);
    CHECK(found.result.exact.size() == 1);
    CHECK(found.result.undecided.size() == 1);
    CHECK(found.result.undecided[0].breakpoint == Breakpoint::midpoint);
    CHECK(found.result.regimes.size() == 2);
    CHECK(found.result.arguments_of_regimes(true) == result.arguments_of_regimes(true));
    CHECK(found.result.left_out == result.left_out);
    CHECK(found.result.covered == result.covered);
    CHECK(found.result.is_partial());
  }
}

TEST_CASE("what is no result of one search is refused, with its line") {
  const Job job = some_job();
  const std::string text = json_lines(job, some_run(), result_with_everything(job));
  for (const std::string& list :
       {std::string(), std::string("# a list\n0x1.8p+0\n"), std::string("{\"type\":\"case\"}\n")})
    CHECK(refusal(list) == "exp.jsonl: it has no records of a search, which `tmd search --json FILE` writes; a list of "
                           "arguments does not say their bits");
  CHECK(refusal(without_line(text, R"({"type":"summary")")) ==
        "exp.jsonl: its records are not complete: there is no summary");
  CHECK(refusal(without_line(text, R"({"type":"case")")).ends_with("the summary counts other records than there are"));
  CHECK(refusal(without_line(text, R"({"type":"undecided")")).ends_with("counts other records than there are"));
  CHECK(refusal(text + text).ends_with("another search begins; one at a time"));
  CHECK(refusal(replaced(text, "\"schema\":1", "\"schema\":7")) ==
        "exp.jsonl, line 1: the records have schema 7, not 1");
  CHECK(refusal(replaced(text, "\"x\":\"0x1.8p+0\",", "")) == "exp.jsonl, line 3: no record of a search");
  CHECK(refusal(replaced(text, "0x1.aca7ae8da5a7bp+0", "no number")).starts_with("exp.jsonl, line 2: "));
  CHECK(refusal(replaced(text, "\"function\":\"exp\"", "\"function\":\"sin\"")).starts_with("exp.jsonl, line 1: "));
  CHECK(refusal(replaced(text, "\"cases\":\"none\"", "\"cases\":\"some\"")).find("says nothing") != std::string::npos);
}
