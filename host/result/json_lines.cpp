// Writes a whole result, record by record: `search`, the cases hardest first, exact and undecided ones, ranges, what
// was not searched, `summary`. records.cpp makes the records that other files have as well.
#include "result/json_lines.hpp"

#include "engine/registry.hpp"
#include "request/spec_json.hpp"
#include "result/records.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tmd::result {

namespace {

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json field_record(const FieldReport& report) {
  const job::Stretch& arguments = report.field.arguments;
  Json record{{"first", to_hex(arguments.argument(0))}, {"last", to_hex(arguments.argument(arguments.count - 1))}};
  if (const job::OutputBinade* values = report.field.values())
    record["output_binade"] = values->exponent;
  record["intervals"] = to_json(report.intervals);
  record["methods"] = report.methods;
  record["expected_costs"] = Json::object();
  for (const engine::Price& price : report.prices)
    record["expected_costs"][std::string(price.method)] = finite_or_null(price.cost);
  for (const engine::PlanFact& fact : report.plan.facts)
    record[std::string(fact.name)] = fact.greatest;
  for (const engine::LedgerLine& line : report.plan.ledger)
    record[std::string(line.name)] = line.bound.value();
  return record;
}

Json cpu_modes_record(const std::optional<engine::CpuModes>& modes) {
  if (!modes)
    return nullptr;
  Json in_effect = Json::object();
  for (const engine::CpuModes::Row& row : modes->rows)
    in_effect[row.stage] = row.in_effect;
  return {{"asked", to_string(modes->asked)}, {"in_effect", in_effect}};
}

Json device_record(const std::string& name, std::string_view class_name, const std::string& platform,
                   const std::string& driver) {
  return {{"name", name}, {"class", class_name}, {"platform", platform}, {"driver", driver}};
}

Json device_record(const opencl::DeviceDescription& device) {
  return device_record(device.name, to_string(device.device_class()), device.platform, device.driver_version);
}

Json earlier_device_record(const JournalDevice& device) {
  return {{"device", device_record(device.name, device.class_name, device.platform, device.driver)},
          {"arguments", to_json(device.arguments)},
          {"seconds", device.seconds}};
}

// The record of one of several devices.
Json worker_record(const DeviceUse& use, const WorkerReport& report, const SearchResult& result) {
  const double all = std::max(static_cast<double>(result.arguments()), 1.0);
  Json record{{"device", device_record(use.device)},
              {"index", use.device.index},
              {"profile", use.profile},
              {"polynomials", use.polynomials},
              {"tunables", tunables_record(use.tunables)},
              {"arguments", to_json(report.arguments)},
              {"share", four_decimals(static_cast<double>(report.arguments) / all)}};
  if (use.rank) {
    record["rank"] = *use.rank;
    record["host"] = use.device.host;
  }
  write_named_stages(record, report.stages);
  write_idle(record, report.idle);
  record["seconds"] = engine::seconds_of(report.stages);
  if (!report.failure.empty())
    record["failure"] = report.failure;
  return record;
}

std::string search_record(const job::Job& job, const RunDescription& run, const SearchResult& result,
                          bool reproducible) {
  Json record = first_record("search", run.program);
  write_other_programs(record, run.other_programs);
  record["command"] = run.command;
  write_job(record, job);
  record["symmetry"] = to_json(run.symmetry);
  record["decisive"] = decisive_record(job);
  if (run.shard)
    record["shard"] = shard_record(job, *run.shard);
  if (!run.request.functions.empty())
    record["request"] = request::to_json(run.request);
  if (reproducible)
    return record_line(record);
  record["algorithm"] = run.request.choices.algorithm;
  record["deployment"] = to_string(run.request.choices.deployment);
  record["compaction"] = to_string(run.request.choices.compaction);
  if (run.devices.size() == 1) {
    const DeviceUse& use = run.devices.front();
    record["polynomials"] = use.polynomials;
    record["device"] = device_record(use.device);
    record["cpu_mode"] = cpu_modes_record(use.cpu_modes);
    record["profile"] = use.profile;
    record["tunables"] = tunables_record(use.tunables);
  } else {
    for (std::size_t i = 0; i < run.devices.size(); ++i)
      record["devices"].push_back(worker_record(run.devices[i], result.workers[i], result));
    for (const JournalDevice& device : run.earlier)
      record["devices"].push_back(earlier_device_record(device));
  }
  record["ledger"] = Json::array();
  for (const FieldReport& report : result.fields)
    if (report.has_plan())
      record["ledger"].push_back(field_record(report));
  return record_line(record);
}

std::string summary_record(const job::Job& job, const RunDescription& run, const SearchResult& result,
                           bool reproducible) {
  Json record = plain_record("summary", {{"arguments", to_json(result.arguments())},
                                         {"cases", result.cases.size()},
                                         {"exact", to_json(uint128(result.exact.size()))},
                                         {"undecided", result.undecided.size()},
                                         {"cases_in_ranges", to_json(result.arguments_of_regimes(true))},
                                         {"none_in_ranges", to_json(result.arguments_of_regimes(false))},
                                         {"partial", result.is_partial()},
                                         {"left_out", to_json(result.left_out.size())},
                                         {"gaps", to_json(result.gaps.size())}});
  if (const uint128 exact = result.exact_of_regimes(); exact > 0)
    record["exact_in_ranges"] = to_json(exact);
  if (result.exact.unlisted() > 0) {
    record["exact_listed"] = result.exact.size() - result.exact.unlisted();
    record["exact_rule"] = job.function->exact_cases;
  }
  if (reproducible)
    return record_line(record);
  record["candidates"] = result.candidates;
  record["direct"] = to_json(result.direct);
  write_named_stages(record, result.stages);
  write_idle(record, result.idle);
  record["polynomials"] = {{"seconds", result.planning_seconds}};
  record["seconds"] = result.seconds;
  if (!run.audits.empty()) {
    record["audit"] = to_record(run.audits.front()); // for readers of schema 1
    for (const AuditReport& audit : run.audits)
      record["audits"].push_back(to_record(audit));
  }
  return record_line(record);
}

} // namespace

void write_json_lines(const support::TextSink& sink, const job::Job& job, const RunDescription& run,
                      const SearchResult& result, bool reproducible) {
  const auto write = [&](const Json& record) { sink(record_line(record)); };
  sink(search_record(job, run, result, reproducible));
  std::string line;
  for (const auto* list : {&result.cases, &result.exact, &result.undecided})
    for (const Case& found : *list) {
      line.clear();
      append_case(line, found, four_decimals(found.bits));
      sink(line += '\n');
    }
  for (const job::RegimeRange& range : result.regimes)
    write(range_record(job, range));
  for (const auto& [first, last] : result.left_out.intervals())
    write(left_out_record(job, {first, last}));
  for (const auto& [first, last] : result.gaps.intervals())
    write(gap_record(job, {first, last}));
  sink(summary_record(job, run, result, reproducible));
}

std::string json_lines(const job::Job& job, const RunDescription& run, const SearchResult& result, bool reproducible) {
  std::string text;
  write_json_lines([&](std::string_view piece) { text += piece; }, job, run, result, reproducible);
  return text;
}

} // namespace tmd::result
