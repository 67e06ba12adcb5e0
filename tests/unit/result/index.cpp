// The index of results: searches that are done, that have failed, and that are waiting.
#include "host/result/index.hpp"
#include "host/result/json_lines.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tmd::result {

namespace {

// One search was done by two devices, one failed with a message that would break a table, one is waiting.
std::vector<IndexEntry> some_entries() {
  const job::Job job = some_job();
  RunDescription run = some_run();
  run.devices.push_back(run.devices[0]);
  run.devices[1].device.name = "Xeon|2";
  SearchResult result = some_result(job);
  result.workers.push_back(result.workers[0]);
  result.undecided = {{argument("0x1.4p+0"), 0, Breakpoint::midpoint, Case::Kind::undecided}};
  return {{"done", job, read_complete_search(recognize(support::source_of(json_lines(job, run, result)), "r")), ""},
          {"failed", job, std::nullopt, "no device | none"},
          {"waiting", job, std::nullopt, "", Symmetry::even}};
}

// Half of the range is a regime of cases, an eighth one without, and another eighth is left out.
IndexEntry partial_entry() {
  const job::Job job = some_job();
  const format::ArgumentSet::Rank eighth = (job.last - job.first) / 8;
  SearchResult result = some_result(job);
  result.regimes = {
      {{job.first, job.first + 4 * eighth}, {job::BreakpointRule{"0x0p+0", "0x1p+0", job::Side::above, {}}}},
      {{job.first + 4 * eighth, job.first + 5 * eighth}, {}}};
  result.left_out.add(job.last - eighth, job.last);
  result.covered = result.left_out.complement_in(job.range());
  return {"partial", job, read_complete_search(recognize(support::source_of(json_lines(job, some_run(), result)), "r")),
          "", Symmetry::odd};
}

} // namespace

TEST_CASE("index: chance expects 2·2^−K of the arguments") {
  job::Job job = some_job();
  CHECK(job::expected_cases(job) == 512); // 2^52 arguments, K = 44
  job.K = 54;
  CHECK(job::expected_cases(job) == 0.5);
}

TEST_CASE("index: a line a search, of as many columns each") {
  const std::string page = index_page(some_entries());
  CHECK(page.find(
            "| done | `exp` | [0x1p+0, 0x1p+1) | binary64, arguments of 53 bits | all | unbounded | 44 | 2 | 512.0 | "
            "`0x1.aca7ae8da5a7bp+0` 53.9922 (midpoint)<br>`0x1.8p+0` 45.0000 (representable) | 1 | 1 |  |  | ") !=
        std::string::npos);
  CHECK(page.find(" | Phi, Xeon\\|2 |\n") != std::string::npos);
  CHECK(page.find("| failed: no device \\| none | | | | | | | | |\n") != std::string::npos);
  CHECK(page.find("| all | unbounded, even | 44 | not done") != std::string::npos);
  CHECK(page.find("| not done | | | | | | | | |\n") != std::string::npos);
  std::vector<std::ptrdiff_t> bars;
  for (std::size_t begin = 0; begin < page.size(); begin = page.find('\n', begin) + 1) {
    const std::string line = page.substr(begin, page.find('\n', begin) - begin);
    std::ptrdiff_t count = std::count(line.begin(), line.end(), '|');
    for (std::size_t escaped = line.find("\\|"); escaped != std::string::npos; escaped = line.find("\\|", escaped + 2))
      --count;
    bars.push_back(count);
  }
  CHECK(bars == std::vector<std::ptrdiff_t>(5, 17));
}

TEST_CASE("index: a record for programs") {
  const auto index = nlohmann::json::parse(index_json(some_entries()));
  CHECK(index["type"] == "index");
  CHECK(index["schema"] == record_schema);
  REQUIRE(index["searches"].size() == 3);
  const auto& done = index["searches"][0];
  CHECK(done["name"] == "done");
  CHECK(done["job"] == some_job().identity());
  CHECK(done["expected"] == 512);
  CHECK(done["done"] == true);
  CHECK(done["cases"] == 2);
  CHECK(done["exact"] == "1");
  CHECK(done["undecided"] == 1);
  CHECK(done["hardest"]["midpoint"]["x"] == "0x1.aca7ae8da5a7bp+0");
  CHECK(done["hardest"]["representable"]["bits"] == 45.0);
  CHECK(done["device"] == "Phi, Xeon|2");
  CHECK_FALSE(done.contains("failure"));
  CHECK(index["searches"][1]["done"] == false);
  CHECK(index["searches"][1]["failure"] == "no device | none");
  CHECK_FALSE(index["searches"][2].contains("failure"));
  CHECK_FALSE(index["searches"][2].contains("cases"));
}

TEST_CASE("index: regimes and what was left out are told, and chance says nothing of them") {
  const IndexEntry entry = partial_entry();
  CHECK(expected_cases(entry) == 128); // a quarter of 512
  CHECK(expected_cases(IndexEntry{"waiting", entry.job, std::nullopt, ""}) == 512);
  const std::string page = index_page({entry});
  CHECK(page.find("| unbounded, odd | 44 | 2 | 128.0 |") != std::string::npos);
  CHECK(page.find(" | 2: 2251799813685248 all cases, 562949953421312 none | PARTIAL: 562949953421312 | ") !=
        std::string::npos);
  const auto record = nlohmann::json::parse(index_json({entry}))["searches"][0];
  CHECK(record["values"] == "unbounded");
  CHECK(record["symmetry"] == "odd");
  CHECK(record["expected"] == 128);
  CHECK(record["regimes"] == 2);
  CHECK(record["cases_in_ranges"] == "2251799813685248");
  CHECK(record["none_in_ranges"] == "562949953421312");
  CHECK(record["partial"] == true);
  CHECK(record["left_out"] == "562949953421312");
  const auto whole = nlohmann::json::parse(index_json(some_entries()));
  CHECK(whole["searches"][0]["partial"] == false);
  CHECK(whole["searches"][0]["symmetry"].is_null());
  CHECK(whole["searches"][2]["symmetry"] == "even");
}

} // namespace tmd::result
