// The index of results: searches that are done, that have failed, and that are waiting.
#include "host/result/index.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace tmd;

namespace {

// One done by two devices, one with a failure that would break a table, one waiting.
std::vector<IndexEntry> some_entries() {
  const Job job = some_job();
  RunDescription run = some_run();
  run.devices.push_back(run.devices[0]);
  run.devices[1].device.name = "Xeon|2";
  SearchResult result = some_result(job);
  result.workers.push_back(result.workers[0]);
  result.undecided = {{number("0x1.4p+0"), 0, Breakpoint::midpoint, Case::Kind::undecided}};
  return {{"done", job, read_json_lines(json_lines(job, run, result)), ""},
          {"failed", job, std::nullopt, "no device | none"},
          {"waiting", job, std::nullopt, ""}};
}

} // namespace

TEST_CASE("index: chance expects 2·2^−K of the arguments") {
  Job job = some_job();
  CHECK(expected_cases(job) == 512); // 2^52 arguments, K = 44
  job.bits = 54;
  CHECK(expected_cases(job) == 0.5);
}

TEST_CASE("index: a line a search, of as many columns each") {
  const std::string page = index_page(some_entries());
  CHECK(page.find("| done | `exp` | [0x1p+0, 0x1p+1) | binary64, arguments of 53 bits | all | 44 | 2 | 512.0 | "
                  "`0x1.aca7ae8da5a7bp+0` 53.9922 (midpoint)<br>`0x1.8p+0` 45.0000 (representable) | 1 | 1 | ") !=
        std::string::npos);
  CHECK(page.find(" | Phi, Xeon\\|2 |\n") != std::string::npos);
  CHECK(page.find("| failed: no device \\| none | | | | | | |\n") != std::string::npos);
  CHECK(page.find("| not done | | | | | | |\n") != std::string::npos);
  std::vector<std::ptrdiff_t> bars;
  for (std::size_t begin = 0; begin < page.size(); begin = page.find('\n', begin) + 1) {
    const std::string line = page.substr(begin, page.find('\n', begin) - begin);
    std::ptrdiff_t count = std::count(line.begin(), line.end(), '|');
    for (std::size_t escaped = line.find("\\|"); escaped != std::string::npos; escaped = line.find("\\|", escaped + 2))
      --count;
    bars.push_back(count);
  }
  CHECK(bars == std::vector<std::ptrdiff_t>(5, 14));
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
  CHECK(done["exact"] == 1);
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
