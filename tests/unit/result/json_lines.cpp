// Results written as JSON Lines.
#include "host/result/json_lines.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/result/records.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace tmd::result {

TEST_CASE("JSON Lines: one record a line, read back") {
  const job::Job job = some_job();
  std::istringstream text(json_lines(job, some_run(), some_result(job)));
  std::vector<nlohmann::json> records;
  for (std::string line; std::getline(text, line);)
    records.push_back(nlohmann::json::parse(line));
  REQUIRE(records.size() == 5);
  CHECK(records[0]["type"] == "search");
  CHECK(records[0]["schema"] == record_schema);
  CHECK(records[0]["job"] == job.identity());
  CHECK(records[0]["kernels"] == "0123456789abcdef");
  CHECK(records[0]["foreign_kernels"] == true);
  CHECK(records[0]["function"] == "exp");
  CHECK(records[0]["format"] == "binary64");
  CHECK(records[0]["from"] == "0x1p+0");
  CHECK(records[0]["to"] == "0x1p+1");
  CHECK(records[0]["bits"] == 44);
  CHECK(records[0]["rounding"] == "all");
  CHECK(records[1] ==
        nlohmann::json{{"type", "case"}, {"x", "0x1.aca7ae8da5a7bp+0"}, {"bits", 53.9922}, {"breakpoint", "midpoint"}});
  CHECK(records[2]["bits"] == 45.0);
  CHECK(records[3] == nlohmann::json{{"type", "exact"}, {"x", "-0x1.4p+0"}, {"breakpoint", "representable"}});
  CHECK(records[4]["type"] == "summary");
  CHECK(records[4]["arguments"] == "4503599627370496");
  CHECK(records[4]["cases"] == 2);
  CHECK(records[4]["exact"] == "1");
  CHECK(records[4]["phase1"]["domains"] == 100);
  CHECK(records[4]["phase2"]["survivors"] == 5);
  CHECK(records[4]["phase3"]["seconds"] == 0.125);
  // Beyond 2^53 a number would lose bits in many readers.
  SearchResult wide = some_result(job);
  wide.covered = job::Coverage(0, (int128(1) << 60) + 1);
  std::istringstream again(json_lines(job, some_run(), wide));
  std::string last;
  for (std::string line; std::getline(again, line);)
    last = line;
  CHECK(nlohmann::json::parse(last)["arguments"] == "1152921504606846977");
}

TEST_CASE("JSON Lines: ranges, and what was left out") {
  job::Job job = some_job();
  job.values = Values::format;
  SearchResult result = some_result(job);
  const job::BreakpointRule rule{"0x1p+0", "0x0p+0", job::Side::below, Breakpoint::representable};
  result.regimes = {{{job.first, job.first + 4096}, {rule}}, {{job.first + 4096, job.first + 8192}, {}}};
  result.left_out.add(job.last - 16, job.last);
  RunDescription run = some_run();
  run.symmetry = Symmetry::odd;
  std::istringstream text(json_lines(job, run, result));
  std::vector<nlohmann::json> records;
  for (std::string line; std::getline(text, line);)
    records.push_back(nlohmann::json::parse(line));
  REQUIRE(records.size() == 8);
  CHECK(records[0]["values"] == "format");
  CHECK(records[0]["symmetry"] == "odd");
  CHECK(records[4] ==
        nlohmann::json{{"type", "range"},
                       {"first", "0x1p+0"},
                       {"last", "0x1.0000000000fffp+0"},
                       {"arguments", "4096"},
                       {"cases", "all"},
                       {"rule", {{"slope", "0x1p+0"}, {"offset", "0x0p+0"}}},
                       {"side", "below"},
                       {"breakpoint", "representable"},
                       {"rounded", {{"nearest", "breakpoint"}, {"up", "breakpoint"}, {"down", "next below"}}}});
  for (const job::Side side : {job::Side::below, job::Side::above, job::Side::undecided}) {
    result.regimes.front().regime.rule->side = side;
    SearchResult again;
    read_range(again, job, range_record(job, result.regimes.front()));
    CHECK(again.regimes.front().regime == result.regimes.front().regime);
  }
  CHECK(records[5]["cases"] == "none");
  CHECK_FALSE(records[5].contains("rule"));
  CHECK(records[6]["cases"] == "not searched");
  CHECK(records[6]["arguments"] == "16");
  CHECK(records[7]["cases_in_ranges"] == "4096");
  CHECK(records[7]["none_in_ranges"] == "4096");
  CHECK(records[7]["partial"] == true);
  CHECK(records[7]["left_out"] == "16");
}

TEST_CASE("JSON Lines of several devices: what each did") {
  const job::Job job = some_job();
  SearchResult result = some_result(job);
  RunDescription run = some_run();
  const auto search_record = [&] {
    const std::string text = json_lines(job, run, result);
    return nlohmann::json::parse(text.substr(0, text.find('\n')));
  };
  const auto one = search_record();
  CHECK(one["device"]["name"] == "Phi");
  CHECK(one["profile"] == "some profile");
  CHECK(one["tunables"]["phase1.items"] == 1);
  CHECK_FALSE(one.contains("devices"));

  run.devices.push_back(run.devices[0]);
  run.devices[1].device.name = "Xeon";
  run.devices[1].device.index = 7;
  run.devices[1].tunables.set(engine::domains::domain_tunable("phase1.items"), 3);
  result.workers = {{job.size() / 4, {}, ""}, {job.size() / 4 * 3, result.stages, "it caught fire"}};
  const auto two = search_record();
  CHECK_FALSE(two.contains("device"));
  CHECK_FALSE(two.contains("tunables"));
  REQUIRE(two["devices"].size() == 2);
  CHECK(two["devices"][0]["device"]["name"] == "Phi");
  CHECK(two["devices"][0]["arguments"] == "1125899906842624");
  CHECK(two["devices"][0]["share"] == 0.25);
  CHECK_FALSE(two["devices"][0].contains("failure"));
  CHECK(two["devices"][1]["device"]["name"] == "Xeon");
  CHECK(two["devices"][1]["profile"] == "some profile");
  CHECK(two["devices"][1]["tunables"]["phase1.items"] == 3);
  CHECK(two["devices"][1]["phase1"]["domains"] == 100);
  CHECK(two["devices"][1]["phase3"]["survivors"] == 7);
  CHECK(two["devices"][1]["seconds"] == 0.875);
  CHECK(two["devices"][1]["failure"] == "it caught fire");
}

TEST_CASE("JSON Lines of the wide test") {
  const job::Job job = some_job();
  const std::string text = json_lines(job, some_run(), searched_both_ways(job));
  const auto search = nlohmann::json::parse(text.substr(0, text.find('\n')));
  CHECK(search["ledger"][0]["group_bits"] == 21);
  CHECK(search["ledger"][0]["domain_bits"] == 15);
  CHECK(search["ledger"][0]["group"] == std::ldexp(1.0, -44));
  CHECK(search["ledger"][0]["expected_costs"]["wide"] == 0.5);
  CHECK(search["ledger"][0]["expected_costs"]["lefevre"].is_null());
  const auto last = nlohmann::json::parse(text.substr(text.rfind('\n', text.size() - 2) + 1));
  CHECK(last["wide_groups"]["groups"] == 1000);
  CHECK(last["wide_refused"]["parts"] == 64);
  CHECK(last["wide_refused_again"]["survivors"] == 1);
  CHECK(last["wide_check"]["seconds"] == 0.125);
  CHECK_FALSE(last["wide_polynomials"].contains("survivors"));
  // By the wide test alone: what a plan has not chosen is not there.
  SearchResult alone = searched_by_wide_test(job);
  const std::string lines = json_lines(job, some_run(), alone);
  const auto of_alone = nlohmann::json::parse(lines.substr(0, lines.find('\n')))["ledger"][0];
  CHECK_FALSE(of_alone.contains("domain_bits"));
  CHECK_FALSE(of_alone.contains("split_bits"));
  // No polynomial at all.
  alone.fields[0].methods.clear();
  alone.fields[0].plan = {};
  CHECK(json_lines(job, some_run(), alone).find("\"ledger\":[]") != std::string::npos);
}

TEST_CASE("JSON Lines: a case as text is its record") {
  const job::Job job = some_job();
  for (const double bits : {45.0, 45.4923, 33.0001, 7.5, 120.0, 53.99})
    for (const Case::Kind kind : {Case::Kind::hard, Case::Kind::exact, Case::Kind::undecided}) {
      Case one{job.arguments().at(job.first + 5), bits, Breakpoint::midpoint, kind};
      for (const bool is_least : {false, kind == Case::Kind::hard}) {
        one.is_least = is_least;
        std::string text;
        append_case(text, one, bits);
        CHECK(text + '\n' == record_line(case_record(one, bits)));
        CHECK(read_case(job, Json::parse(text)).is_least == is_least);
      }
    }
}

} // namespace tmd::result
