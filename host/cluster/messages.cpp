// The messages of ranks as JSON, written and read side by side.
#include "cluster/messages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tmd::cluster {

namespace {

constexpr std::string_view fault = "fault";
constexpr std::string_view device = "device";
constexpr std::string_view other = "other";

// JSON has no infinity.
result::Json finite_or_null(double value) { return std::isfinite(value) ? result::Json(value) : result::Json(nullptr); }
double finite_or_infinite(const result::Json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

result::Json part_record(const result::Part& part) {
  return {{"field", part.field}, {"first", result::to_json(part.first)}, {"count", result::to_json(part.count)}};
}

result::Part read_part(const result::Json& record) {
  return {record.at("field"), result::to_integer(record.at("first")), result::to_integer(record.at("count"))};
}

result::Json plan_record(const engine::PlanReport& plan) {
  result::Json record{{"method", plan.method},
                      {"facts", result::Json::array()},
                      {"ledger", result::Json::array()},
                      {"notes", plan.notes}};
  for (const engine::PlanFact& fact : plan.facts)
    record["facts"].push_back({fact.name, fact.label, fact.is_log2, fact.least, fact.greatest});
  for (const engine::LedgerLine& line : plan.ledger)
    record["ledger"].push_back({line.name, finite_or_null(line.bound.value()), line.is_sum});
  return record;
}

constexpr std::size_t case_size = 17; // bytes
constexpr unsigned midpoint_flag = 4;
constexpr unsigned least_flag = 8;

void put(char* bytes, std::uint64_t value) {
  for (int i = 0; i < 8; ++i)
    bytes[i] = static_cast<char>(value >> (8 * i));
}

std::uint64_t get(const char* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

// Adds the cases' common properties to the record; returns the cases as bytes.
std::string write_cases(result::Json& record, const std::vector<Case>& found) {
  const Argument& least = std::min_element(found.begin(), found.end(), [](const Case& left, const Case& right) {
                            return left.x.significand < right.x.significand;
                          })->x;
  record["cases"] = {least.negative, least.unit_exponent, result::to_json(least.significand), found.size()};
  std::string bytes(case_size * found.size(), '\0');
  char* next = bytes.data();
  for (const Case& one : found) {
    const uint128 offset = one.x.significand - least.significand;
    if (one.x.negative != least.negative || one.x.unit_exponent != least.unit_exponent ||
        offset > std::numeric_limits<std::uint64_t>::max())
      throw SoundnessError("a part has cases in several binades");
    put(next, static_cast<std::uint64_t>(offset));
    put(next + 8, std::bit_cast<std::uint64_t>(one.bits));
    next[16] = static_cast<char>(static_cast<unsigned>(one.kind) |
                                 (one.breakpoint == Breakpoint::midpoint ? midpoint_flag : 0) |
                                 (one.is_least ? least_flag : 0));
    next += case_size;
  }
  return bytes;
}

std::vector<Case> read_cases(const job::Job& job, const result::Json& common, std::string_view bytes) {
  const auto count = common.at(3).get<std::size_t>();
  if (count == 0 || bytes.size() / case_size != count || bytes.size() % case_size != 0)
    throw UsageError("cases are missing");
  Argument x{common.at(0), result::to_integer(common.at(2)), common.at(1)};
  const uint128 least = x.significand;
  uint128 greatest = least;
  std::vector<Case> found(count);
  const char* next = bytes.data();
  for (Case& one : found) {
    x.significand = least + get(next);
    greatest = std::max(greatest, x.significand);
    const auto flags = static_cast<unsigned char>(next[16]);
    one = {x, std::bit_cast<double>(get(next + 8)),
           (flags & midpoint_flag) != 0 ? Breakpoint::midpoint : Breakpoint::representable,
           static_cast<Case::Kind>(flags & (midpoint_flag - 1)), (flags & least_flag) != 0};
    if (flags >= 2 * least_flag || one.kind > Case::Kind::undecided || (one.is_least && one.kind != Case::Kind::hard) ||
        std::isfinite(one.bits) != (one.kind == Case::Kind::hard) || std::isnan(one.bits))
      throw UsageError("a message has a damaged case");
    next += case_size;
  }
  // Both hold for all arguments between them, too.
  const format::ArgumentSet arguments = job.arguments();
  for (const uint128 significand : {least, greatest}) {
    x.significand = significand;
    const format::ArgumentSet::Rank rank = arguments.rank(x);
    if (rank < job.first || rank >= job.last || arguments.at(rank) != x)
      throw UsageError("a message has a case outside the job's range");
  }
  return found;
}

engine::PlanReport read_plan(const result::Json& record, Names& names) {
  engine::PlanReport plan;
  plan.method = names.keep(record.at("method"));
  for (const result::Json& fact : record.at("facts"))
    plan.facts.push_back({names.keep(fact.at(0)), names.keep(fact.at(1)), fact.at(2), fact.at(3), fact.at(4)});
  for (const result::Json& line : record.at("ledger"))
    plan.ledger.push_back({names.keep(line.at(0)), number::Bound::of(finite_or_infinite(line.at(1))), line.at(2)});
  for (const result::Json& note : record.at("notes"))
    plan.notes.push_back(note);
  return plan;
}

// The record without the cases.
result::Json result_record(const result::PartResult& result) {
  result::Json record = part_record(result.part);
  result::write_part_work(record, result);
  record["fixed_seconds"] = result.fixed_seconds;
  if (!result.plan)
    return record;
  record["plan"] = plan_record(*result.plan);
  record["intervals"] = result.intervals;
  record["prices"] = result::Json::array();
  for (const engine::Price& price : result.prices)
    record["prices"].push_back({price.method, finite_or_null(price.cost)});
  return record;
}

} // namespace

result::Json message(std::string_view type, std::size_t search) { return {{"type", type}, {"search", search}}; }

std::string to_text(const result::Json& record) {
  return record.dump(-1, ' ', false, result::Json::error_handler_t::replace);
}

std::string to_text(result::Json record, const result::PartResult& result) {
  record["part"] = result_record(result);
  if (result.found.empty())
    return to_text(record);
  const std::string bytes = write_cases(record, result.found);
  std::string text = to_text(record);
  text.reserve(text.size() + 1 + bytes.size());
  text += '\0';
  return text += bytes;
}

Received read_message(std::string_view text) {
  const std::size_t end = std::min(text.find('\0'), text.size());
  return {result::Json::parse(text.substr(0, end)), text.substr(std::min(end + 1, text.size()))};
}

result::Json assignment_record(const searches::PartExchange::Assignment& assignment) {
  const engine::Field& field = assignment.field;
  const job::Stretch& stretch = field.arguments;
  result::Json record = part_record(assignment.part);
  record["arguments"] = {stretch.negative, stretch.unit_exponent, result::to_json(stretch.first),
                         result::to_json(stretch.count)};
  if (const job::OutputBinade* values = field.values())
    record["values"] = {values->negative, values->exponent};
  if (const engine::Claim* claim = field.claim())
    record["claim"] = {{"engine", claim->engine}, {"extent", result::to_json(claim->extent)}};
  return record;
}

searches::PartExchange::Assignment read_assignment(const result::Json& record, Names& names) {
  const result::Json& stretch = record.at("arguments");
  engine::Field field{
      {stretch.at(0), stretch.at(1), result::to_integer(stretch.at(2)), result::to_integer(stretch.at(3))}};
  if (const auto values = record.find("values"); values != record.end())
    field.kind = job::OutputBinade{values->at(0), values->at(1)};
  if (const auto claim = record.find("claim"); claim != record.end())
    field.kind =
        engine::Claim{.engine = names.keep(claim->at("engine")), .extent = result::to_integer(claim->at("extent"))};
  return {read_part(record), field};
}

result::PartResult read_result(const job::Job& job, const Received& message, Names& names) {
  const result::Json& record = message.record.at("part");
  result::PartResult result = result::read_part_work(record);
  result.part = read_part(record);
  result.fixed_seconds = record.at("fixed_seconds");
  if (const auto cases = message.record.find("cases"); cases != message.record.end())
    result.found = read_cases(job, *cases, message.cases);
  else if (!message.cases.empty())
    throw UsageError("a message has cases, but no record of them");
  if (const auto plan = record.find("plan"); plan != record.end()) {
    result.plan = read_plan(*plan, names);
    result.intervals = record.at("intervals");
    for (const result::Json& price : record.at("prices"))
      result.prices.push_back({names.keep(price.at(0)), finite_or_infinite(price.at(1))});
  }
  return result;
}

result::Json device_use_record(const result::DeviceUse& use) {
  const opencl::DeviceDescription& one = use.device;
  return {{"index", one.index},
          {"name", one.name},
          {"vendor", one.vendor},
          {"platform", one.platform},
          {"driver", one.driver_version},
          {"uuid", one.uuid},
          {"types", {one.is_gpu, one.is_cpu, one.is_accelerator}},
          {"host", one.host},
          {"tunables", result::tunables_record(use.tunables)},
          {"profile", use.profile},
          {"polynomials", use.polynomials}};
}

result::DeviceUse read_device_use(const result::Json& record) {
  result::DeviceUse use;
  use.device.index = record.at("index");
  use.device.name = record.at("name");
  use.device.vendor = record.at("vendor");
  use.device.platform = record.at("platform");
  use.device.driver_version = record.at("driver");
  use.device.uuid = record.at("uuid");
  use.device.host = record.at("host");
  const result::Json& types = record.at("types");
  use.device.is_gpu = types.at(0);
  use.device.is_cpu = types.at(1);
  use.device.is_accelerator = types.at(2);
  use.tunables = result::read_tunables(record.at("tunables"));
  use.profile = record.at("profile");
  use.polynomials = record.at("polynomials");
  return use;
}

result::Json cpu_modes_record(const std::optional<engine::CpuModes>& modes) {
  if (!modes)
    return nullptr;
  result::Json rows = result::Json::array();
  for (const engine::CpuModes::Row& row : modes->rows)
    rows.push_back({row.stage, row.in_effect});
  return {{"asked", static_cast<int>(modes->asked)}, {"rows", rows}};
}

std::optional<engine::CpuModes> read_cpu_modes(const result::Json& record) {
  if (record.is_null())
    return std::nullopt;
  engine::CpuModes modes{static_cast<CpuMode>(record.at("asked").get<int>()), {}};
  for (const result::Json& row : record.at("rows"))
    modes.rows.push_back({row.at(0), row.at(1)});
  return modes;
}

void write_failure(result::Json& record, const std::exception& error) {
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

std::exception_ptr read_failure(const result::Json& record) {
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
