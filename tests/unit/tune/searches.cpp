// The searches of a tuning: their jobs and sizes, and how a child's end is interpreted.
#include "tune/searches.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

using namespace tmd::tune;
using tmd::SearchSpec;

namespace {

// The records of a search that took that many seconds, with that many cases.
std::string records(double seconds, std::size_t cases) {
  std::string text =
      R"({"type":"search","schema":1,"version":"0.2.0","kernels":"0","command":"tmd search exp","job":"j",)"
      R"("function":"exp","format":"binary64","precision":53,"argument_precision":53,"from":"0x1p+0","to":"0x1p+1",)"
      R"("rounding":"all","values":"unbounded","bits":40,"device":{"name":"d"}})"
      "\n";
  for (std::size_t i = 0; i < cases; ++i)
    text += R"({"type":"case","x":"0x1p+0","bits":40.5,"breakpoint":"midpoint"})"
            "\n";
  return text + fmt::format(R"({{"type":"summary","arguments":1024,"cases":{},"exact":0,"undecided":0,)"
                            R"("cases_in_ranges":0,"none_in_ranges":0,"partial":false,"left_out":0,"gaps":0,)"
                            R"("wide_groups":{{"groups":1,"survivors":1,"seconds":{}}},)"
                            R"("phase1":{{"domains":1,"survivors":1,"seconds":{}}},)"
                            R"("polynomials":{{"seconds":0.5}},"seconds":3}})"
                            "\n",
                            cases, seconds, seconds);
}

} // namespace

TEST_CASE("the search in phases is the seeds' and must have their cases") {
  std::size_t cases = 243;
  SearchSpec asked;
  TuningSearches searches(
      [&](const SearchSpec& spec, double) {
        asked = spec;
        return ChildSearch{State::ok, records(0.25, cases), ""};
      },
      false);
  SearchRun run = searches.run(Work::phases, {{"phase1.items", "4"}}, 60);
  CHECK(run.state == State::ok);
  CHECK(run.seconds.at(Part::phase1) == 0.25);
  CHECK(run.seconds.at(Part::whole) == 1); // both stages, and the host's time
  CHECK(run.found.size() == 243);
  CHECK(asked.functions == std::vector<std::string>{"exp"});
  CHECK(asked.to == "1+2^-13");
  CHECK(asked.bits == 33);
  CHECK(asked.choices.algorithm == "regular");
  CHECK(asked.tunables == tmd::device::Setting{{"phase1.items", "4"}});
  cases = 242;
  run = searches.run(Work::phases, {}, 60);
  CHECK(run.state == State::incorrect);
  CHECK(run.message == "it finds 242 cases, and there are 243");
}

TEST_CASE("other searches grow until they take the device long enough, and then stay") {
  SearchSpec asked;
  int children = 0;
  TuningSearches searches(
      [&](const SearchSpec& spec, double) {
        asked = spec;
        ++children;
        return ChildSearch{State::ok, records(spec.to == "1+2^-4" ? 0.02 : 0.0001, 64), ""};
      },
      true);
  CHECK(searches.run(Work::wide, {}, 60).seconds.at(Part::wide) == doctest::Approx(0.04)); // all stages
  CHECK(children > 1);
  CHECK(asked.bits == 43);
  const int before = children;
  (void)searches.run(Work::wide, {{"wide.items", "2"}}, 60);
  CHECK(children == before + 1);
  CHECK(asked.to == "1+2^-4");
}

TEST_CASE("what a child's end says") {
  for (const State state : {State::compile, State::runtime, State::timeout, State::incorrect}) {
    TuningSearches searches([&](const auto&, double) { return ChildSearch{state, "", "why"}; }, true);
    const SearchRun run = searches.run(Work::walk, {}, 60);
    CHECK(run.state == state);
    CHECK(run.message == "why");
    CHECK(run.seconds.empty());
  }
  TuningSearches searches([&](const auto&, double) { return ChildSearch{State::ok, "cut off", ""}; }, true);
  CHECK(searches.run(Work::wide, {}, 60).state == State::runtime);
}

TEST_CASE("a search that other methods have done tells nothing of the settings") {
  TuningSearches searches([&](const auto&, double) { return ChildSearch{State::ok, records(1, 64), ""}; }, true);
  (void)searches.run(Work::walk, {}, 60); // without a stage of the walk it grows as far as it can
  CHECK(searches.run(Work::walk, {{"phase.chunk-bits", "7"}}, 60).state == State::runtime);
}
