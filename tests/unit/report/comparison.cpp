// Comparisons of cells made by hand: their table, records and figure.
#include "host/engine/registry.hpp"
#include "host/report/comparison_report.hpp"
#include "tmd/error.hpp"
#include "unit/contains.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::report {

using State = ComparisonCell::State;

namespace {

const result::FoundEntry one_case{2, argument("0x1.8p+0"), Case::Kind::hard, 40.5, Breakpoint::midpoint};
const result::FoundEntry other_case{3, argument("0x1.9p+0"), Case::Kind::hard, 40.4, Breakpoint::midpoint};
const result::FoundEntry exact_case{3, argument("0x1p+0"), Case::Kind::exact, {}, Breakpoint::representable};

// Seconds of the device for a stage.
double& seconds_for(result::RecordedSearch& run, std::string_view name) {
  engine::Stages& stages = run.summary->stages;
  const auto found =
      std::find_if(stages.begin(), stages.end(), [&](const engine::Stage& one) { return one.name == name; });
  REQUIRE(found != stages.end());
  return found->seconds;
}

result::RecordedSearch measured(double seconds, std::vector<result::FoundEntry> cases = {one_case, exact_case}) {
  result::RecordedSearch run;
  run.summary.emplace();
  run.summary->stages = engine::all_stages();
  seconds_for(run, "phase1") = 0.75 * seconds;
  seconds_for(run, "phase2") = 0.25 * seconds;
  run.summary->seconds = 3 * seconds;
  run.summary->arguments = 1024;
  run.found = std::move(cases);
  run.entries.hard = 1;
  return run;
}

// Two devices; the first, a CPU, in two modes.
Comparison make_comparison() {
  Comparison comparison;
  comparison.job = "exp on [1, 2), don't panic";
  comparison.devices = {
      {0, "Some CPU", "Some platform", "cpu", "1.0", 8},
      {3, "Some GPU (with a long name, as drivers give them)", "Other platform", "nvidia-gpu", "2.0", 32}};
  for (const auto& [device, mode] : {std::pair(0, "scalar"), std::pair(0, "vector"), std::pair(1, "auto")})
    for (const char* algorithm : {"regular", "lefevre"})
      comparison.cells.push_back({static_cast<std::size_t>(device), algorithm, mode, "three", {}, {}, {}});
  return comparison;
}

void fill(Comparison& comparison) {
  const double seconds[] = {4, 8, 2, 6, 0.5, 2.5};
  for (std::size_t i = 0; i < comparison.cells.size(); ++i)
    comparison.add(i, measured(seconds[i]));
}

std::vector<std::string> table_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::string line_with(const std::string& text, const std::string& wanted) {
  for (const std::string& line : table_lines(text))
    if (line.find(wanted) != std::string::npos)
      return line;
  FAIL("no line with ", wanted, " in\n", text);
  return {};
}

} // namespace

TEST_CASE("a divergence record is read") {
  const auto nmdm = read_divergence_record(R"({"type":"divergence","nmdm":{"8":0.01,"32":0.25}})");
  CHECK(nmdm == std::map<unsigned, double>{{8, 0.01}, {32, 0.25}});
  for (const char* bad : {"", "{}", R"({"type":"divergence"})", R"({"type":"divergence","nmdm":{"x":1}})"})
    CHECK_THROWS_AS((void)read_divergence_record(bad), DeviceError);
}

TEST_CASE("ratios, gains and the best") {
  Comparison comparison = make_comparison();
  CHECK(comparison.fastest() == nullptr);
  CHECK(comparison.count(State::waiting) == 6);
  fill(comparison);
  const auto& cells = comparison.cells;
  CHECK(comparison.count(State::done) == 6);
  CHECK(comparison.fastest() == &cells[4]);
  CHECK(comparison.fastest(0) == &cells[2]);
  CHECK(comparison.ratio(cells[1]) == 1);
  CHECK(comparison.ratio(cells[4]) == 16);
  CHECK(comparison.gain(cells[0]) == 2);
  CHECK(comparison.gain(cells[2]) == 3);
  CHECK(comparison.gain(cells[4]) == 5);
  CHECK_FALSE(comparison.gain(cells[1]));
  CHECK(Comparison::rate(cells[4]) == 2048);
  // NMDM of the test at the device's width; there is none if work-items run one by one.
  comparison.nmdm["lefevre"] = {{8, 0.25}, {32, 0.5}};
  CHECK_FALSE(comparison.nmdm_of(cells[1]));
  CHECK(comparison.nmdm_of(cells[3]) == 0.25);
  CHECK(comparison.nmdm_of(cells[5]) == 0.5);
  CHECK_FALSE(comparison.nmdm_of(cells[2]));
  comparison.devices[0].simd_width = 4;
  CHECK_FALSE(comparison.nmdm_of(cells[3]));
}

TEST_CASE("other tests than lefevre give a gain too, and none without any") {
  Comparison comparison = make_comparison();
  comparison.cells[1].algorithm = "lefevre-swap";
  comparison.cells[3].algorithm = "exhaustive";
  fill(comparison);
  CHECK(comparison.gain(comparison.cells[0]) == 2);
  CHECK_FALSE(comparison.gain(comparison.cells[2]));
}

TEST_CASE("the median of the runs counts") {
  Comparison comparison = make_comparison();
  for (const double seconds : {9.0, 1.0, 4.0, 5.0, 3.0})
    comparison.add(0, measured(seconds));
  CHECK(comparison.cells[0].device_seconds() == 4);
  CHECK(comparison.cells[0].median().summary->seconds == 12);
}

TEST_CASE("other cases than the first's are seen, whatever differs") {
  result::FoundEntry longer_bits = one_case;
  longer_bits.bits = 40.6;
  const std::pair<std::vector<result::FoundEntry>, std::string> wrong[] = {
      {{exact_case}, "0x1.8p+0 is missing"},
      {{one_case}, "0x1p+0 is missing"},
      {{}, "0 entries instead of 2"},
      {{one_case, other_case, exact_case}, "0x1.9p+0 is too much"},
      {{longer_bits, exact_case}, "0x1.8p+0 is missing"},
      {{exact_case, one_case}, "another order"}};
  for (const auto& [cases, words] : wrong) {
    Comparison comparison = make_comparison();
    comparison.add(0, measured(1));
    comparison.add(1, measured(1, cases));
    comparison.add(2, measured(1));
    CHECK(comparison.cells[0].state == State::done);
    CHECK(comparison.cells[1].state == State::differing);
    CHECK(comparison.cells[2].state == State::done);
    INFO(comparison.cells[1].failure);
    CHECK(contains(comparison.cells[1].failure, words));
    CHECK(contains(comparison.cells[1].failure, "device 0, regular, CPU mode scalar, deployment three"));
    CHECK(contains(line_with(comparison_table(comparison), "WRONG"), words));
    CHECK(comparison.fastest() != &comparison.cells[1]);
  }
  // In a later run, and of another number of arguments.
  Comparison comparison = make_comparison();
  comparison.add(0, measured(1));
  comparison.add(0, measured(1, {}));
  CHECK(comparison.cells[0].state == State::differing);
  comparison = make_comparison();
  comparison.add(0, measured(1));
  result::RecordedSearch run = measured(1);
  run.summary->arguments = 1023;
  comparison.add(1, run);
  CHECK(comparison.cells[1].state == State::differing);
}

TEST_CASE("the table has a row a cell, and says what failed") {
  Comparison comparison = make_comparison();
  fill(comparison);
  comparison.nmdm["lefevre"] = {{8, 0.25}};
  comparison.cells[2].runs[0].modes_in_effect["phase1"] = "explicit vectors of 8";
  std::string table = comparison_table(comparison);
  CHECK(table_lines(table).size() == 1 + 2 + 6 + 4);
  const std::string heading = table_lines(table).front();
  const std::string first = table_lines(table)[2];
  for (const auto& [name, value] : {std::pair("phase 1", "3.00"), std::pair("device", "4.00"),
                                    std::pair("wall", "12.0"), std::pair("ratio", "2.00"), std::pair("gain", "2.00")})
    CHECK(first.substr(heading.find(name) + std::string(name).size() - 4, 4) == value);
  CHECK(contains(table, "device 3: Some GPU (with a long name, as drivers give them) (Other platform), nvidia-gpu, "
                        "SIMD width 32\n"));
  const std::string best = line_with(table, "* regular       vector");
  for (const char* figure : {" 2.00", " 1.50", " 0.500", " 6.00", " 4.00", " 3.00", "5.12e+02"})
    CHECK(contains(best, figure));
  CHECK(best.substr(best.size() - 21) == "explicit vectors of 8");
  CHECK(contains(line_with(table, "lefevre       vector"), "25.0 %"));
  CHECK(contains(table, "1 case in every row, the same; fastest: device 3, regular, CPU mode auto"));
  for (const std::string& line : table_lines(table))
    CHECK((line.empty() || line.back() != ' '));

  comparison.cells[4].state = State::failed;
  comparison.cells[4].failure = "it took too long";
  comparison.cells[5].state = State::waiting;
  table = comparison_table(comparison);
  CHECK(contains(line_with(table, "  regular       auto"), "failed: it took too long"));
  CHECK(contains(line_with(table, "  lefevre       auto"), "not run"));
  CHECK(contains(table, "1 case in 4 of 6 rows; fastest: device 0"));

  // No cell has worked.
  for (ComparisonCell& cell : comparison.cells)
    cell.state = State::failed;
  CHECK_FALSE(contains(comparison_table(comparison), "fastest"));
}

TEST_CASE("the wide test beside the others: its time, its mode, its gain") {
  Comparison comparison = make_comparison();
  for (ComparisonCell& cell : comparison.cells)
    if (cell.algorithm == "regular")
      cell.algorithm = "wide";
  fill(comparison);
  result::RecordedSearch& run = comparison.cells[2].runs[0];
  seconds_for(run, "wide_groups") = seconds_for(run, "phase1") - 0.5;
  seconds_for(run, "phase1") = seconds_for(run, "phase2") = 0;
  seconds_for(run, "wide_polynomials") = 0.25;
  run.modes_in_effect = {{"wide_groups", "explicit vectors of 16"}, {"wide_check", "not vectorized"}};
  const std::string table = comparison_table(comparison);
  const std::string heading = table_lines(table).front();
  const std::string row = line_with(table, "* wide          vector");
  for (const auto& [name, value] :
       {std::pair("on device", "0.250"), std::pair("wide test", "1.00"), std::pair("phase 1", "    "),
        std::pair("   device", "1.25"), std::pair("gain", "4.80")})
    CHECK(row.substr(heading.find(name) + std::string(name).size() - std::string(value).size(),
                     std::string(value).size()) == value);
  CHECK(contains(row, "explicit vectors of 16"));
  const result::Json cell = result::Json::parse(table_lines(comparison_records(comparison, 60))[3]);
  CHECK(cell["seconds"]["wide_groups"] == 1);
  CHECK(cell["seconds"]["device"] == 1.25);
}

TEST_CASE("the records") {
  Comparison comparison = make_comparison();
  fill(comparison);
  comparison.add(2, measured(3));
  comparison.cells[5].state = State::failed;
  comparison.cells[5].failure = "it was ended by signal 11 (Segmentation fault)";
  const auto lines = table_lines(comparison_records(comparison, 60));
  REQUIRE(lines.size() == 8);
  const result::Json head = result::Json::parse(lines.front());
  CHECK(head["type"] == "comparison");
  CHECK(head["version"] == TMD_VERSION);
  CHECK(head["devices"].size() == 2);
  CHECK_FALSE(head["devices"][0].contains("watts"));
  CHECK(head["devices"][1]["index"] == 3);
  for (std::size_t i = 0; i < 6; ++i) {
    const result::Json cell = result::Json::parse(lines[i + 1]);
    CHECK(cell["type"] == "cell");
    CHECK(cell["algorithm"] == comparison.cells[i].algorithm);
    CHECK(cell["cpu_mode"]["asked"] == comparison.cells[i].cpu_mode);
    CHECK(cell["state"] == (i == 5 ? "failed" : "done"));
    CHECK(cell["failure"].is_null() == (i != 5));
    CHECK(cell.contains("seconds") == (i != 5));
  }
  const result::Json best = result::Json::parse(lines[3]);
  CHECK(best["seconds"]["device"] == 3); // the upper of two
  CHECK(best["device_seconds_of_runs"] == result::Json::array({2.0, 3.0}));
  CHECK(best["best"] == true);
  CHECK(best["gain"] == 2);
  CHECK(best["nmdm"].is_null());
  CHECK_FALSE(best.contains("arguments_per_joule"));
  CHECK(best["cases"] == 1);
  const result::Json summary = result::Json::parse(lines.back());
  CHECK(summary["cells"] == 6);
  CHECK(summary["done"] == 5);
  CHECK(summary["failed"] == 1);
  CHECK(summary["fastest"] == 4);
  CHECK(summary["cases"] == 1);
}

} // namespace tmd::report
