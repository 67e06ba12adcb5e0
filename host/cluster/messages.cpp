#include "cluster/messages.hpp"

#include <cmath>
#include <limits>

namespace tmd::cluster {

namespace {

constexpr std::string_view fault = "fault";
constexpr std::string_view device = "device";
constexpr std::string_view other = "other";

// JSON has no infinity.
Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double finite_or_infinite(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

Json part_record(const Part& part) {
  return {{"field", part.field}, {"first", to_json(part.first)}, {"count", to_json(part.count)}};
}

Part read_part(const Json& record) {
  return {record.at("field"), to_integer(record.at("first")), to_integer(record.at("count"))};
}

Json plan_record(const PlanReport& plan) {
  Json record{{"method", plan.method}, {"facts", Json::array()}, {"ledger", Json::array()}, {"notes", plan.notes}};
  for (const PlanFact& fact : plan.facts)
    record["facts"].push_back({fact.name, fact.label, fact.is_log2, fact.least, fact.greatest});
  for (const LedgerLine& line : plan.ledger)
    record["ledger"].push_back({line.name, finite_or_null(line.bound.value()), line.is_sum});
  return record;
}

PlanReport read_plan(const Json& record, Names& names) {
  PlanReport plan;
  plan.method = names.keep(record.at("method"));
  for (const Json& fact : record.at("facts"))
    plan.facts.push_back({names.keep(fact.at(0)), names.keep(fact.at(1)), fact.at(2), fact.at(3), fact.at(4)});
  for (const Json& line : record.at("ledger"))
    plan.ledger.push_back({names.keep(line.at(0)), Bound::of(finite_or_infinite(line.at(1))), line.at(2)});
  for (const Json& note : record.at("notes"))
    plan.notes.push_back(note);
  return plan;
}

} // namespace

Json message(std::string_view type, std::size_t search) { return {{"type", type}, {"search", search}}; }

Json assignment_record(const PartExchange::Assignment& assignment) {
  const Field& field = assignment.field;
  const Stretch& stretch = field.arguments;
  Json record = part_record(assignment.part);
  record["arguments"] = {stretch.negative, stretch.unit_exponent, to_json(stretch.first), to_json(stretch.count)};
  record["values"] = field.values ? Json{field.values->negative, field.values->exponent} : Json(nullptr);
  record["claimed_by"] = field.claimed_by;
  record["extent"] = to_json(field.extent);
  return record;
}

PartExchange::Assignment read_assignment(const Json& record, Names& names) {
  const Json& stretch = record.at("arguments");
  Field field{{stretch.at(0), stretch.at(1), to_integer(stretch.at(2)), to_integer(stretch.at(3))},
              std::nullopt,
              names.keep(record.at("claimed_by")),
              to_integer(record.at("extent")),
              {}};
  if (const Json& values = record.at("values"); !values.is_null())
    field.values = OutputBinade{values.at(0), values.at(1)};
  return {read_part(record), field};
}

Json result_record(const PartResult& result) {
  Json record = part_record(result.part);
  write_part_result(record, result);
  if (!result.plan)
    return record;
  record["plan"] = plan_record(*result.plan);
  record["intervals"] = result.intervals;
  record["prices"] = Json::array();
  for (const Price& price : result.prices)
    record["prices"].push_back({price.method, finite_or_null(price.cost)});
  return record;
}

PartResult read_result(const Job& job, const Json& record, Names& names) {
  PartResult result = read_part_result(job, record);
  result.part = read_part(record);
  if (const auto plan = record.find("plan"); plan != record.end()) {
    result.plan = read_plan(*plan, names);
    result.intervals = record.at("intervals");
    for (const Json& price : record.at("prices"))
      result.prices.push_back({names.keep(price.at(0)), finite_or_infinite(price.at(1))});
  }
  return result;
}

Json device_use_record(const DeviceUse& use) {
  const opencl::DeviceDescription& one = use.device;
  return {{"index", one.index},
          {"name", one.name},
          {"vendor", one.vendor},
          {"platform", one.platform},
          {"driver", one.driver_version},
          {"uuid", one.uuid},
          {"types", {one.is_gpu, one.is_cpu, one.is_accelerator}},
          {"host", one.host},
          {"tunables", tunables_record(use.tunables)},
          {"profile", use.profile},
          {"polynomials", use.polynomials}};
}

DeviceUse read_device_use(const Json& record) {
  DeviceUse use;
  use.device.index = record.at("index");
  use.device.name = record.at("name");
  use.device.vendor = record.at("vendor");
  use.device.platform = record.at("platform");
  use.device.driver_version = record.at("driver");
  use.device.uuid = record.at("uuid");
  use.device.host = record.at("host");
  const Json& types = record.at("types");
  use.device.is_gpu = types.at(0);
  use.device.is_cpu = types.at(1);
  use.device.is_accelerator = types.at(2);
  use.tunables = read_tunables(record.at("tunables"));
  use.profile = record.at("profile");
  use.polynomials = record.at("polynomials");
  return use;
}

Json cpu_modes_record(const std::optional<CpuModes>& modes) {
  if (!modes)
    return nullptr;
  Json rows = Json::array();
  for (const CpuModes::Row& row : modes->rows)
    rows.push_back({row.stage, row.in_effect});
  return {{"asked", static_cast<int>(modes->asked)}, {"rows", rows}};
}

std::optional<CpuModes> read_cpu_modes(const Json& record) {
  if (record.is_null())
    return std::nullopt;
  CpuModes modes{static_cast<opencl::CpuMode>(record.at("asked").get<int>()), {}};
  for (const Json& row : record.at("rows"))
    modes.rows.push_back({row.at(0), row.at(1)});
  return modes;
}

void write_failure(Json& record, const std::exception& error) {
  const auto kind = [&] {
    if (dynamic_cast<const FaultError*>(&error) != nullptr)
      return fault;
    return dynamic_cast<const DeviceError*>(&error) != nullptr ? device : other;
  };
  const Failure failure = failure_of(error);
  record["kind"] = kind();
  record["status"] = static_cast<int>(failure.status);
  record["sentence"] = failure.sentence;
}

std::exception_ptr read_failure(const Json& record) {
  const auto status = static_cast<Status>(record.at("status").get<int>());
  const std::string sentence = record.at("sentence");
  if (record.at("kind") == fault)
    return std::make_exception_ptr(FaultError(sentence, status));
  if (record.at("kind") == device)
    return std::make_exception_ptr(DeviceError(sentence));
  return status == Status::unsound ? std::make_exception_ptr(SoundnessError(sentence))
                                   : std::make_exception_ptr(Error(status, sentence));
}

} // namespace tmd::cluster
