// JSON Lines, written and read.
#include "host/result/json_lines.hpp"
#include "host/engine/domains/tunables.hpp"
#include "tmd/error.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace tmd;

namespace {

const std::string one_case = R"({"type":"case","x":"0x1.8p+0","bits":40.5,"breakpoint":"midpoint"})";
const std::string exact_case = R"({"type":"exact","x":"0x1p+0","breakpoint":"representable"})";

} // namespace

TEST_CASE("JSON Lines: one record a line, read back") {
  const Job job = some_job();
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
  CHECK(records[4]["arguments"] == std::uint64_t(1) << 52);
  CHECK(records[4]["cases"] == 2);
  CHECK(records[4]["exact"] == 1);
  CHECK(records[4]["phase1"]["domains"] == 100);
  CHECK(records[4]["phase2"]["survivors"] == 5);
  CHECK(records[4]["phase3"]["seconds"] == 0.125);
  // Beyond 2^53 a number would lose bits in many readers.
  SearchResult wide = some_result(job);
  wide.covered = Coverage(0, (int128(1) << 60) + 1);
  std::istringstream again(json_lines(job, some_run(), wide));
  std::string last;
  for (std::string line; std::getline(again, line);)
    last = line;
  CHECK(nlohmann::json::parse(last)["arguments"] == "1152921504606846977");
}

TEST_CASE("JSON Lines: ranges, and what was left out") {
  Job job = some_job();
  job.values = Values::format;
  SearchResult result = some_result(job);
  const BreakpointRule rule{"0x1p+0", "0x0p+0", false, Breakpoint::representable};
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
                       {"arguments", 4096},
                       {"cases", "all"},
                       {"rule", {{"slope", "0x1p+0"}, {"offset", "0x0p+0"}}},
                       {"side", "below"},
                       {"breakpoint", "representable"},
                       {"rounded", {{"nearest", "breakpoint"}, {"up", "breakpoint"}, {"down", "next below"}}}});
  CHECK(records[5]["cases"] == "none");
  CHECK_FALSE(records[5].contains("rule"));
  CHECK(records[6]["cases"] == "not searched");
  CHECK(records[6]["arguments"] == 16);
  CHECK(records[7]["cases_in_ranges"] == 4096);
  CHECK(records[7]["none_in_ranges"] == 4096);
  CHECK(records[7]["partial"] == true);
  CHECK(records[7]["left_out"] == 16);
  CHECK(read_json_lines(source_of(json_lines(job, run, result))).found.size() == 6);
}

TEST_CASE("JSON Lines of several devices: what each did") {
  const Job job = some_job();
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
  run.devices[1].tunables.set(domain_tunable("phase1.items"), 3);
  result.workers = {{job.size() / 4, {}, ""}, {job.size() / 4 * 3, result.stages, "it caught fire"}};
  const auto two = search_record();
  CHECK_FALSE(two.contains("device"));
  CHECK_FALSE(two.contains("tunables"));
  REQUIRE(two["devices"].size() == 2);
  CHECK(two["devices"][0]["device"]["name"] == "Phi");
  CHECK(two["devices"][0]["arguments"] == std::uint64_t(1) << 50);
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
  const Job job = some_job();
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

TEST_CASE("a search's records are read, with and without CPU modes") {
  const std::string summary =
      R"({"type":"summary","arguments":"18446744073709551616","cases":1,"exact":1,)"
      R"("phase1":{"domains":8,"survivors":4,"seconds":0.5},"phase2":{"domains":8,"survivors":4,"seconds":0.25},)"
      R"("phase3":{"domains":8,"survivors":4,"seconds":0.125},"polynomials":{"seconds":7},)"
      R"("wide_polynomials":{"sub-intervals":0,"seconds":0},"wide_groups":{"groups":4,"survivors":2,"seconds":2},)"
      R"("wide_refused":{"parts":0,"survivors":0,"seconds":0},)"
      R"("wide_refused_again":{"runs":0,"survivors":0,"seconds":0},)"
      R"("wide_check":{"candidates":2,"survivors":1,"seconds":1},)"
      R"("phase_starts":{"chunks":0,"seconds":0},"phase_walk":{"windows":0,"survivors":0,"seconds":0},)"
      R"("phase_again":{"windows":0,"survivors":0,"seconds":0},"phase_host":{"windows":0,"survivors":0,"seconds":0},)"
      R"("polynomials_on_device":{"domains":8,"seconds":0.0625},"seconds":3.5})";
  const std::string head =
      R"({"type":"search","schema":1,"version":"1.0","kernels":"0123","job":"a job","device":{"name":"Phi"})";
  const std::string modes = head + R"-(,"cpu_mode":{"asked":"vector","in_effect":{"phase1":"vectorized (16)"}}})-";
  const RecordedSearch run =
      read_json_lines(source_of(modes + "\nnoise\n" + one_case + "\n" + exact_case + "\n" + summary + "\n"));
  CHECK(run.job == "a job");
  CHECK(run.program.version == "1.0");
  CHECK(run.program.kernels.digest == "0123");
  CHECK(run.device == "Phi");
  CHECK(run.exact == 1);
  CHECK(run.undecided == 0);
  REQUIRE(run.hardest.size() == 1);
  CHECK(run.hardest.at("midpoint").x == "0x1.8p+0");
  CHECK(run.hardest.at("midpoint").bits == 40.5);
  CHECK(stage(run.stages, "wide_groups").seconds + stage(run.stages, "wide_check").seconds == 3);
  CHECK(stage(run.stages, "wide_check").kept == 1);
  CHECK(seconds_of(run.stages) == 3.9375);
  CHECK(stage(run.stages, "polynomials_on_device").seconds == 0.0625);
  CHECK(run.planning_seconds == 7);
  CHECK(run.seconds == 3.5);
  CHECK(run.arguments == 18446744073709551616.0);
  CHECK(run.found == std::vector{one_case, exact_case});
  CHECK(run.cases == 1);
  CHECK(run.modes_in_effect == std::map<std::string, std::string>{{"phase1", "vectorized (16)"}});
  for (const char* without : {"}", R"(,"cpu_mode":null})"})
    CHECK(read_json_lines(source_of(head + without + "\n" + summary)).modes_in_effect.empty());
  CHECK_THROWS_AS((void)read_json_lines(source_of("")), DeviceError);
  CHECK_THROWS_AS((void)read_json_lines(source_of(one_case + "\n")), DeviceError);
  CHECK_THROWS_AS((void)read_json_lines(source_of(summary)), DeviceError); // of which search?
  CHECK_THROWS_AS((void)read_json_lines(source_of(modes + "\n" + summary.substr(0, summary.size() / 2))), DeviceError);
  CHECK_THROWS_AS((void)read_json_lines(source_of(modes + "\n" + R"({"type":"summary","seconds":1})")), DeviceError);
}

TEST_CASE("JSON Lines: what is written is read back") {
  const Job job = some_job();
  SearchResult result = searched_both_ways(job);
  result.undecided = {{number("0x1.cp+0"), INFINITY, Breakpoint::midpoint, Case::Kind::undecided}};
  result.planning_seconds = 0.75;
  result.seconds = 12.5;
  RunDescription run = some_run();
  run.devices[0].cpu_modes = CpuModes{opencl::CpuMode::vector, {{"phase1", "explicit vectors of 8"}}};
  const std::string text = json_lines(job, run, result);
  const RecordedSearch read = read_json_lines(source_of(text));
  CHECK(read.job == job.identity());
  CHECK(read.arguments == std::ldexp(1.0, 52));
  CHECK(read.program.version == "0");
  CHECK(read.program.kernels.digest == "0123456789abcdef");
  CHECK(read.device == "Phi");
  CHECK(read.cases == 2);
  CHECK(read.exact == 1);
  CHECK(read.undecided == 1);
  CHECK(read.hardest.at("representable").x == "0x1.8p+0");
  REQUIRE(read.found.size() == 4);
  for (const std::string& record : read.found)
    CHECK(text.find("\n" + record + "\n") != std::string::npos);
  CHECK(read.found[3] == R"({"type":"undecided","x":"0x1.cp+0","breakpoint":"midpoint"})");
  // Without the records themselves, everything else is the same.
  const RecordedSearch counted = read_json_lines(source_of(text), false);
  CHECK(counted.found.empty());
  CHECK(counted.cases == read.cases);
  CHECK(counted.exact == read.exact);
  CHECK(counted.undecided == read.undecided);
  CHECK(counted.hardest.at("representable").x == "0x1.8p+0");
  CHECK(counted.seconds == read.seconds);
  CHECK(read.stages.size() == all_stages().size());
  for (const Stage& one : read.stages) {
    const Stage written = stage(result.stages, one.name);
    INFO(std::string(one.name));
    CHECK(one.tested == written.tested);
    CHECK(one.kept == (one.filters ? written.kept : 0));
    CHECK(one.seconds == written.seconds);
  }
  CHECK(read.planning_seconds == 0.75);
  CHECK(read.seconds == 12.5);
  CHECK(read.modes_in_effect == std::map<std::string, std::string>{{"phase1", "explicit vectors of 8"}});
  // Beyond 2^53, of several devices, and among what a driver prints.
  result.covered = Coverage(0, int128(1) << 100);
  result.workers.push_back(result.workers[0]);
  run.devices.push_back(run.devices[0]);
  const RecordedSearch several = read_json_lines(
      source_of("a driver's words\n{\"its\":\"JSON\"}\n" + json_lines(job, run, result) + "[1, 2]\n{\n"));
  CHECK(several.arguments == std::ldexp(1.0, 100));
  CHECK(several.found == read.found);
  CHECK(several.modes_in_effect.empty());
  // Nothing found at all.
  result.cases.clear();
  result.exact.clear();
  result.undecided.clear();
  CHECK(read_json_lines(source_of(json_lines(job, run, result))).found.empty());
}

TEST_CASE("JSON Lines: another schema and incomplete records are refused with a sentence") {
  const Job job = some_job();
  const std::string text = json_lines(job, some_run(), searched_both_ways(job));
  const auto complaint = [](const std::string& lines) -> std::string {
    try {
      (void)read_json_lines(source_of(lines));
    } catch (const DeviceError& error) {
      return error.what();
    }
    return "nothing";
  };
  const auto replaced = [&](const std::string& what, const std::string& by) {
    std::string changed = text;
    REQUIRE(changed.find(what) != std::string::npos);
    return changed.replace(changed.find(what), what.size(), by);
  };
  CHECK(complaint(text) == "nothing");
  CHECK(complaint(replaced("\"schema\":1", "\"schema\":2")) == "its records have schema 2, not 1");
  CHECK(complaint(replaced("\"schema\":1,", "")) == "its records have schema 0, not 1"); // older than that number
  const std::string incomplete = "its records are not complete";
  CHECK(complaint("") == incomplete);
  CHECK(complaint(replaced("\"schema\":1", "\"schema\":\"1\"")) == "its records have schema \"1\", not 1");
  CHECK(complaint(replaced("\"job\":", "\"bob\":")) == incomplete);
  // Cut off anywhere; its last line's end is all that may be missing.
  for (std::size_t size = 0; size + 1 < text.size(); size += 7)
    CHECK(complaint(text.substr(0, size)) == incomplete);
  CHECK(complaint(text.substr(0, text.size() - 2)) == incomplete);
  CHECK(complaint(text.substr(0, text.size() - 1)) == "nothing");
  // Without its beginning, or with a summary that lacks something or has it in another type; a stage that it lacks was
  // not known when it was written, and did nothing.
  CHECK(complaint(text.substr(text.find('\n') + 1)) == incomplete);
  const std::string until_summary = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
  CHECK(complaint(until_summary) == incomplete);
  const auto summary = nlohmann::json::parse(text.substr(until_summary.size()));
  for (const Stage& one : all_stages()) {
    nlohmann::json changed = summary;
    changed.erase(std::string(one.name));
    CHECK(stage(read_json_lines(source_of(until_summary + changed.dump())).stages, one.name).tested == 0);
    changed = summary;
    changed[std::string(one.name)]["seconds"] = "long";
    CHECK(complaint(until_summary + changed.dump()) == incomplete);
  }
  for (const char* key : {"arguments", "seconds", "polynomials"})
    for (const char* other : {"null", "\"many\"", "[]"}) {
      nlohmann::json changed = summary;
      changed[key] = nlohmann::json::parse(other);
      CHECK(complaint(until_summary + changed.dump()) == incomplete);
    }
}
