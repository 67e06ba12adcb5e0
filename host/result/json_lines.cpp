#include "result/json_lines.hpp"

#include "engine/registry.hpp"
#include "error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd {

namespace {

using Json = nlohmann::ordered_json;

// JSON numbers are doubles to many readers: beyond 2^53 an integer is written as a string.
Json integer(uint128 value) {
  constexpr uint128 most = uint128(1) << 53;
  return value <= most ? Json(static_cast<std::uint64_t>(value)) : Json(to_string(value));
}

double as_double(const Json& number) {
  return number.is_string() ? std::stod(number.get<std::string>()) : number.get<double>();
}

double four_decimals(double value) { return std::round(value * 1e4) / 1e4; }

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// {"domains": …, "survivors": …, "seconds": …} under each stage's name, those of the engines that were not used, too.
void write_stages(Json& record, const Stages& stages) {
  Stages all = all_stages();
  add(all, stages);
  for (const Stage& one : all) {
    Json& target = record[std::string(one.name)];
    target[std::string(one.key)] = one.tested;
    if (one.filters)
      target["survivors"] = one.kept;
    target["seconds"] = one.seconds;
  }
}

Stages read_stages(const Json& record) {
  Stages stages = all_stages();
  for (Stage& one : stages) {
    const Json& source = record.at(std::string(one.name));
    one.tested = source.at(std::string(one.key));
    if (one.filters)
      one.kept = source.at("survivors");
    one.seconds = source.at("seconds");
  }
  return stages;
}

Json field_record(const FieldReport& report) {
  const Stretch& arguments = report.field.arguments;
  Json record{{"first", to_hex(arguments.argument(0))}, {"last", to_hex(arguments.argument(arguments.count - 1))}};
  if (report.field.values)
    record["output_binade"] = report.field.values->exponent;
  record["intervals"] = integer(report.intervals);
  record["methods"] = report.methods;
  record["expected_costs"] = Json::object();
  for (const Price& price : report.prices)
    record["expected_costs"][std::string(price.method)] = finite_or_null(price.cost);
  for (const PlanFact& fact : report.plan.facts)
    record[std::string(fact.name)] = fact.greatest;
  for (const LedgerLine& line : report.plan.ledger)
    record[std::string(line.name)] = line.bound.value();
  return record;
}

Json cpu_modes_record(const std::optional<CpuModes>& modes) {
  if (!modes)
    return nullptr;
  Json in_effect = Json::object();
  for (const CpuModes::Row& row : modes->rows)
    in_effect[row.stage] = row.in_effect;
  return {{"asked", to_string(modes->asked)}, {"in_effect", in_effect}};
}

Json device_record(const opencl::DeviceDescription& device) {
  return {{"name", device.name},
          {"class", to_string(device.device_class())},
          {"platform", device.platform},
          {"driver", device.driver_version}};
}

Json tunables_record(const Tunables& tunables) {
  Json record;
  for (const Tunable& tunable : tunable_table)
    record[std::string(tunable.name)] =
        tunable.names.empty() ? Json(tunables.*tunable.value) : Json(to_string(tunable, tunables.*tunable.value));
  return record;
}

// One of several devices, and what it did.
Json worker_record(const DeviceUse& use, const WorkerReport& report, const SearchResult& result) {
  const double all = std::max(static_cast<double>(result.arguments()), 1.0);
  Json record{{"device", device_record(use.device)},
              {"index", use.device.index},
              {"profile", use.profile},
              {"polynomials", use.polynomials},
              {"tunables", tunables_record(use.tunables)},
              {"arguments", integer(report.arguments)},
              {"share", four_decimals(static_cast<double>(report.arguments) / all)}};
  write_stages(record, report.stages);
  record["seconds"] = seconds_of(report.stages);
  if (!report.failure.empty())
    record["failure"] = report.failure;
  return record;
}

std::string search_record(const Job& job, const RunDescription& run, const SearchResult& result) {
  Json record{{"type", "search"},
              {"schema", record_schema},
              {"version", run.version},
              {"command", run.command},
              {"kernels", run.kernels.digest},
              {"foreign_kernels", run.kernels.foreign},
              {"job", job.identity()},
              {"function", job.function->name},
              {"format", job.format.name},
              {"precision", job.format.precision},
              {"argument_precision", job.argument_precision},
              {"from", to_hex(job.arguments().at(job.first))},
              {"to", to_hex(job.arguments().at(job.last))},
              {"rounding", to_string(job.rounding)},
              {"values", to_string(job.values)},
              {"symmetry", run.symmetry == Symmetry::none ? Json(nullptr) : Json(to_string(run.symmetry))},
              {"bits", job.bits},
              {"algorithm", run.algorithm},
              {"deployment", run.deployment},
              {"compaction", run.compaction}};
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
  }
  record["ledger"] = Json::array();
  for (const FieldReport& report : result.fields)
    if (report.has_plan())
      record["ledger"].push_back(field_record(report));
  return record.dump() + "\n";
}

Json ranks_record(const Job& job, int128 first, int128 last) {
  return {{"type", "range"},
          {"first", to_hex(job.arguments().at(first))},
          {"last", to_hex(job.arguments().at(last - 1))},
          {"arguments", integer(static_cast<uint128>(last - first))}};
}

std::string_view to_text(Rounded rounded) {
  switch (rounded) {
  case Rounded::next_above:
    return "next above";
  case Rounded::next_below:
    return "next below";
  case Rounded::to_breakpoint:
    break;
  }
  return "breakpoint";
}

std::string range_record(const Job& job, const RegimeRange& range) {
  Json record = ranks_record(job, range.ranks.first, range.ranks.last);
  const auto& rule = range.regime.rule;
  record["cases"] = rule ? "all" : "none";
  if (rule) {
    record["rule"] = {{"slope", rule->slope}, {"offset", rule->offset}};
    record["side"] = rule->is_above ? "above" : "below";
    record["breakpoint"] = rule->breakpoint ? Json(to_string(*rule->breakpoint)) : Json(nullptr);
    record["rounded"] = nullptr;
    if (const auto rounded = rounded_values(*rule))
      record["rounded"] = {
          {"nearest", to_text(rounded->nearest)}, {"up", to_text(rounded->up)}, {"down", to_text(rounded->down)}};
  }
  return record.dump() + "\n";
}

std::string left_out_record(const Job& job, const Coverage::Interval& ranks) {
  Json record = ranks_record(job, ranks.first, ranks.last);
  record["cases"] = "not searched";
  return record.dump() + "\n";
}

std::string summary_record(const RunDescription& run, const SearchResult& result) {
  Json record{{"type", "summary"},
              {"arguments", integer(result.arguments())},
              {"cases", result.cases.size()},
              {"exact", result.exact.size()},
              {"undecided", result.undecided.size()},
              {"cases_in_ranges", integer(result.arguments_of_regimes(true))},
              {"none_in_ranges", integer(result.arguments_of_regimes(false))},
              {"partial", result.is_partial()},
              {"left_out", integer(result.left_out.size())},
              {"candidates", result.candidates},
              {"direct", integer(result.direct)}};
  write_stages(record, result.stages);
  record["polynomials"] = {{"seconds", result.planning_seconds}};
  record["seconds"] = result.seconds;
  if (run.audit)
    record["audit"] = {{"algorithm", run.audit->algorithm},
                       {"arguments", integer(run.audit->arguments)},
                       {"cases", run.audit->cases},
                       {"seconds", run.audit->seconds}};
  return record.dump() + "\n";
}

// Of a search record.
std::string device_names(const Json& record) {
  if (record.contains("device"))
    return record.at("device").at("name");
  std::string names;
  for (const Json& worker : record.at("devices"))
    names += fmt::format("{}{}", names.empty() ? "" : ", ", worker.at("device").at("name").get<std::string>());
  return names;
}

// Calls use(record, its text) for every line that is a record.
template <typename Use> void each_record(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (const Json record = Json::parse(line, nullptr, false); record.is_object() && record.contains("type"))
      use(record, line);
  }
}

} // namespace

std::string json_lines(const Job& job, const RunDescription& run, const SearchResult& result) {
  std::string text = search_record(job, run, result);
  for (const Case& found : result.cases)
    text += Json{{"type", "case"},
                 {"x", to_hex(found.x)},
                 {"bits", four_decimals(found.bits)},
                 {"breakpoint", to_string(found.breakpoint)}}
                .dump() +
            "\n";
  for (const auto& [type, list] : {std::pair("exact", &result.exact), std::pair("undecided", &result.undecided)})
    for (const Case& found : *list)
      text += Json{{"type", type}, {"x", to_hex(found.x)}, {"breakpoint", to_string(found.breakpoint)}}.dump() + "\n";
  for (const RegimeRange& range : result.regimes)
    text += range_record(job, range);
  for (const Coverage::Interval& ranks : result.left_out.intervals())
    text += left_out_record(job, ranks);
  return text + summary_record(run, result);
}

RecordedSearch read_json_lines(std::string_view text) {
  RecordedSearch result;
  bool begun = false;
  bool complete = false;
  try {
    each_record(text, [&](const Json& record, std::string_view line) {
      const std::string type = record.at("type");
      if (type == "search") {
        if (const int schema = record.value("schema", 0); schema != record_schema)
          throw DeviceError(fmt::format("its records have schema {}, not {}", schema, record_schema));
        result.version = record.at("version");
        result.kernels = record.at("kernels");
        result.device = device_names(record);
        result.job = record.at("job");
        begun = true;
        if (record.contains("cpu_mode") && record["cpu_mode"].is_object())
          for (const auto& [stage, mode] : record["cpu_mode"].at("in_effect").items())
            result.modes_in_effect[stage] = mode;
      } else if (type == "case" || type == "exact" || type == "undecided" || type == "range") {
        result.found.emplace_back(line);
        result.cases += type == "case" ? 1 : 0;
        result.exact += type == "exact" ? 1 : 0;
        result.undecided += type == "undecided" ? 1 : 0;
        if (type == "case") // the hardest come first
          result.hardest.try_emplace(record.at("breakpoint"),
                                     RecordedSearch::Hardest{record.at("x"), record.at("bits")});
      } else if (type == "summary") {
        result.stages = read_stages(record);
        result.planning_seconds = record.at("polynomials").at("seconds");
        result.seconds = record.at("seconds");
        result.arguments = as_double(record.at("arguments"));
        complete = begun;
      }
    });
  } catch (const Json::exception&) { // a key is missing, or of another type
    complete = false;
  } catch (const std::logic_error&) { // no number
    complete = false;
  }
  if (!complete)
    throw DeviceError("its records are not complete");
  return result;
}

} // namespace tmd
