// A job, a run and a result that tests print, write and read.
#pragma once

#include "host/engine/domains/ledger.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/wide/ledger.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/job.hpp"
#include "host/result/run_description.hpp"
#include "host/result/search_result.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace tmd {

inline Argument argument(const char* text, int precision = 53) {
  const format::ArgumentSet set(find_format("binary64"), precision);
  return set.at(set.parse(text, "x"));
}

inline job::Job some_job() {
  job::Job job;
  job.function = &function::find_function("exp");
  job.format = find_format("binary64");
  job.first = job.arguments().parse("1", "");
  job.last = job.arguments().parse("2", "");
  return job;
}

// The counts of the engines' stage of that name.
inline void set_stage(engine::Stages& stages, std::string_view name, std::uint64_t tested, std::uint64_t kept,
                      double seconds) {
  engine::Stage counts = engine::stage(engine::all_stages(), name);
  counts.tested = tested;
  counts.kept = kept;
  counts.seconds = seconds;
  std::erase_if(stages, [&](const engine::Stage& one) { return one.name == name; });
  stages.push_back(counts);
}

inline result::SearchResult some_result(const job::Job& job) {
  result::SearchResult result;
  result.cases = {{argument("0x1.aca7ae8da5a7bp+0"), 53.99216, Breakpoint::midpoint},
                  {argument("0x1.8p+0"), 45.00004, Breakpoint::representable}};
  result.exact = {{argument("-0x1.4p+0"), INFINITY, Breakpoint::representable, Case::Kind::exact}};
  result.covered = job.range();
  result.candidates = 7;
  set_stage(result.stages, "phase1", 100, 10, 0.5);
  set_stage(result.stages, "phase2", 80, 5, 0.25);
  set_stage(result.stages, "phase3", 5, 7, 0.125);
  result.workers = {{job.size(), result.stages, ""}};
  return result;
}

inline result::RunDescription some_run() {
  result::RunDescription run;
  run.program = {"0", "0123456789ab-dirty", {"0123456789abcdef", true}};
  run.command = "tmd search exp";
  run.from = "1";
  run.to = "2";
  run.devices.resize(1);
  run.devices[0].device.name = "Phi";
  run.devices[0].profile = "some profile";
  return run;
}

inline engine::PlanReport wide_report(int group_bits) {
  engine::wide::WideLedger ledger;
  ledger.epsilon = ledger.subinterval = ledger.group = number::Bound::power_of_two(-44);
  return {"wide",
          {{"degree", "degree"}, {"words", "words"}, {"group_bits", "groups of", true, group_bits, group_bits}},
          ledger.lines(),
          {}};
}

inline engine::PlanReport domain_report() {
  engine::domains::DomainLedger ledger;
  ledger.epsilon = number::Bound::power_of_two(-44);
  return {"regular",
          {{"degree", "degree"},
           {"words", "words"},
           {"domain_bits", "N =", true, 15, 15},
           {"split_bits", "kappa =", true, 3, 3}},
          ledger.lines(),
          {}};
}

// A piece of three intervals, two of which the wide test got.
inline result::SearchResult searched_both_ways(const job::Job& job) {
  result::SearchResult result = some_result(job);
  set_stage(result.stages, "wide_groups", 1000, 30, 2);
  set_stage(result.stages, "wide_refused", 64, 3, 0.5);
  set_stage(result.stages, "wide_refused_again", 4, 1, 0.25);
  set_stage(result.stages, "wide_check", 33, 2, 0.125);
  set_stage(result.stages, "wide_polynomials", 7, 0, 0.03125);
  set_stage(result.stages, "polynomials_on_device", 9, 0, 0.03125);
  result.workers = {{job.size(), result.stages, ""}};
  result::FieldReport& report = result.fields.emplace_back();
  report.field.arguments = {false, -52, uint128(1) << 52, 4};
  report.field.kind = job::OutputBinade{false, 1};
  report.intervals = 3;
  report.methods = {{"regular", 1}, {"wide", 2}};
  constexpr double never = std::numeric_limits<double>::infinity();
  report.prices = {{"wide", 0.5}, {"regular", 0.25}, {"lefevre", never}, {"exhaustive", never}};
  report.plan = wide_report(21);
  report.plan.merge(wide_report(18));
  report.plan.merge(domain_report());
  return result;
}

// The same search by the wide test alone.
inline result::SearchResult searched_by_wide_test(const job::Job& job) {
  result::SearchResult result = searched_both_ways(job);
  std::erase_if(result.stages, [](const engine::Stage& one) {
    return !one.name.starts_with("wide") || one.name.starts_with("wide_refused");
  });
  result::FieldReport& report = result.fields[0];
  report.methods.erase("regular");
  report.plan = wide_report(21);
  return result;
}

} // namespace tmd
