// Tables of a search.
#include "host/report/report.hpp"
#include "unit/contains.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace tmd::report {

namespace {} // namespace

TEST_CASE("several devices: a line each of what they did, none for one") {
  const job::Job job = some_job();
  result::SearchResult result = some_result(job);
  result::RunDescription run = some_run();
  CHECK(device_table(run, result).empty());
  run.devices.push_back(run.devices[0]);
  run.devices[1].device.name = "Xeon";
  run.devices[1].device.index = 7;
  result.workers = {{job.size() / 4, {}, ""}, {job.size() / 4 * 3, result.stages, "it caught fire"}};
  const std::string table = device_table(run, result);
  CHECK(std::count(table.begin(), table.end(), '\n') == 2);
  CHECK(table.find("device 7") != std::string::npos);
  CHECK(table.find("3377699720527872 arguments") != std::string::npos);
  CHECK(table.find("75.00 %") != std::string::npos);
  CHECK(table.find("0.875 s, idle 0.000 s, then lost") != std::string::npos);
  CHECK(table.find("lost") > table.find("device 7"));
  const std::string names = describe_devices(run);
  CHECK(names.find("device 0: Phi") != std::string::npos);
  CHECK(names.find("device 7: Xeon") != std::string::npos);
}

TEST_CASE("the wide test in the summary and the ledger") {
  const job::Job job = some_job();
  const result::SearchResult both = searched_both_ways(job);
  CHECK(engine::seconds_of(both.stages) == 0.875 + 2.875 + 0.0625);
  std::string summary = summary_table(job, both);
  for (const char* words :
       {"\n  wide test ", " 1000 groups ", "\n    refused ", " 64 parts ", "\n    again ", " 4 runs ", "\n    check ",
        " 33 candidates ", "\n  phase 1 ", " 9 domains ", " 7 sub-intervals "}) {
    INFO(summary);
    INFO(std::string(words));
    CHECK(contains(summary, words));
  }
  CHECK_FALSE(contains(summary, "idle"));
  result::SearchResult waited = both;
  waited.idle[engine::IdleReason::polynomials] = 0.7;
  waited.idle[engine::IdleReason::kernels] = 0.9;
  waited.idle[engine::IdleReason::host] = 0.01;
  CHECK(contains(summary_table(job, waited),
                 "\n  idle        for kernels 0.9, for polynomials 0.7            1.610 s\n"));
  const std::string methods = method_table(both);
  CHECK(contains(methods, "  algorithm   regular on 1 interval, wide on 2 intervals\n"));
  CHECK(contains(methods, "regular on 1, wide on 2, expected per argument of the first interval, in regular tests: "
                          "wide 5.00e-01, regular 2.50e-01, lefevre -, exhaustive -\n"));
  std::string ledger = ledger_table(both);
  CHECK(contains(ledger, "3 intervals, degree 0, words 0, groups of 2^21 down to 2^18, N = 2^15, kappa = 2^3\n"));
  for (const char* term : {"epsilon", "truncation1", "subinterval", "group", "= wide", "= wide_check", "= phase3"})
    CHECK(contains(ledger, std::string("\n  ") + term + " "));

  const result::SearchResult alone = searched_by_wide_test(job);
  summary = summary_table(job, alone);
  CHECK(contains(summary, " 7 sub-intervals "));
  for (const char* words : {"phase", "refused", "again", "domains"})
    CHECK_FALSE(contains(summary, words));
  CHECK(
      contains(method_table(alone), "]: expected per argument of the first interval, in regular tests: wide 5.00e-01"));
  ledger = ledger_table(alone);
  CHECK(contains(ledger, "3 intervals, degree 0, words 0, groups of 2^21\n"));
  for (const char* term : {"truncation", "fixedpoint", "phase", "kappa"})
    CHECK_FALSE(contains(ledger, term));
  // There is no polynomial at all.
  result::SearchResult direct = alone;
  direct.fields[0].methods.clear();
  direct.fields[0].plan = {};
  CHECK(contains(ledger_table(direct), "every argument in MPFR alone"));
  CHECK_FALSE(contains(method_table(direct), "expected"));
  // Negative arguments come in increasing order.
  job::Stretch& piece = direct.fields[0].field.arguments;
  piece.negative = true;
  CHECK(contains(ledger_table(direct),
                 "piece [" + to_hex(piece.argument(piece.count - 1)) + ", " + to_hex(piece.argument(0)) + "]"));
}

TEST_CASE("CPU mode: the line of the summary groups equal answers, and stands only where it says something") {
  engine::CpuModes modes;
  CHECK(cpu_mode_table(std::nullopt).empty());
  CHECK(cpu_mode_table(modes).empty());
  for (const char* stage : {"phase1", "phase2", "phase3", "polynomials_on_device", "wide_groups", "wide_check"})
    modes.rows.push_back({stage, {}});
  for (engine::CpuModes::Row& row : modes.rows)
    row.in_effect = "unknown";
  CHECK(cpu_mode_table(modes).empty());
  modes.asked = CpuMode::vector;
  CHECK(cpu_mode_table(modes) == "  CPU mode    vector asked\n");
  modes.asked = CpuMode::automatic;
  modes.rows[0].in_effect = modes.rows[2].in_effect = "vectorized by the runtime (16)";
  modes.rows[1].in_effect = "not vectorized";
  for (std::size_t i = 3; i < modes.rows.size(); ++i)
    modes.rows[i].in_effect.clear();
  CHECK(cpu_mode_table(modes) ==
        "  CPU mode    auto asked; phase1, phase3 vectorized by the runtime (16); phase2 not vectorized\n");
}

} // namespace tmd::report
