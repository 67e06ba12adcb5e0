// Each kind of record has a function that writes it and one that reads it. Reading throws UsageError for a value that
// no program has written; whoever reads a line adds where it stands.
#include "result/records.hpp"

#include "engine/registry.hpp"
#include "function/expression.hpp"
#include "job/scaling.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tmd::result {

namespace {

constexpr std::string_view unsearched = "not searched";
constexpr std::string_view too_fast = "values change too fast";
constexpr std::string_view gap = "gap";
constexpr std::string_view poles = "poles";

constexpr std::array<std::string_view, 3> side_names{"below", "above", "undecided"};

job::Side read_side(const std::string& name) {
  const auto* const found = std::find(side_names.begin(), side_names.end(), name);
  if (found == side_names.end())
    throw UsageError(fmt::format("'{}' is no side of a breakpoint", name));
  return static_cast<job::Side>(found - side_names.begin());
}

Breakpoint breakpoint_of(const Json& name) {
  for (const Breakpoint one : {Breakpoint::representable, Breakpoint::midpoint})
    if (name == to_string(one))
      return one;
  throw UsageError(fmt::format("{} is no kind of breakpoint", name.dump()));
}

Json ranks_record(const job::Job& job, const job::RankInterval& ranks) {
  return plain_record("range", {{"first", to_hex(job.arguments().at(ranks.first))},
                                {"last", to_hex(job.arguments().at(ranks.last - 1))},
                                {"arguments", to_json(static_cast<uint128>(ranks.last - ranks.first))}});
}

Json stages_record(const engine::Stages& stages) {
  Json record = Json::object();
  for (const engine::Stage& one : stages)
    if (one.tested > 0 || one.kept > 0 || one.seconds > 0)
      record[std::string(one.name)] = {one.tested, one.kept, one.seconds};
  return record;
}

engine::Stages read_stages(const Json& record) {
  engine::Stages stages = engine::all_stages();
  if (!record.is_object())
    throw UsageError("its stages are no record");
  for (engine::Stage& one : stages)
    if (const auto found = record.find(one.name); found != record.end()) {
      one.tested = to_count(found->at(0));
      one.kept = to_count(found->at(1));
      one.seconds = to_amount(found->at(2));
    }
  return stages;
}

std::string_view to_text(job::Rounded rounded) {
  switch (rounded) {
  case job::Rounded::next_above:
    return "next above";
  case job::Rounded::next_below:
    return "next below";
  case job::Rounded::to_breakpoint:
    break;
  }
  return "breakpoint";
}

} // namespace

Json to_json(uint128 value) { return tmd::to_string(value); }

uint128 to_integer(const Json& value) {
  if (!value.is_string())
    return to_count(value);
  constexpr uint128 most = ~uint128(0);
  const std::string digits = value;
  uint128 result = 0;
  for (const char digit : digits) {
    const auto unit = static_cast<uint128>(digit - '0');
    if (digit < '0' || digit > '9' || result > (most - unit) / 10)
      throw UsageError(fmt::format("{} is no integer, or too large", value.dump()));
    result = 10 * result + unit;
  }
  if (digits.empty())
    throw UsageError("an integer is an empty text");
  return result;
}

std::uint64_t to_count(const Json& value) {
  if (!value.is_number_integer() || (!value.is_number_unsigned() && value.get<std::int64_t>() < 0))
    throw UsageError(fmt::format("{} is no number that counts something", value.dump()));
  return value.get<std::uint64_t>();
}

int to_int(const Json& value) {
  const std::uint64_t count = to_count(value);
  if (count > std::numeric_limits<int>::max())
    throw UsageError(fmt::format("{} is too large", count));
  return static_cast<int>(count);
}

double to_amount(const Json& value) {
  if (!value.is_number() || !(value.get<double>() >= 0))
    throw UsageError(fmt::format("{} is no number of seconds or bits", value.dump()));
  return value.get<double>();
}

Json to_json(Symmetry symmetry) { return symmetry == Symmetry::none ? Json(nullptr) : Json(to_string(symmetry)); }

Symmetry read_symmetry(const Json& value) {
  for (const Symmetry one : {Symmetry::even, Symmetry::odd})
    if (value == to_string(one))
      return one;
  return Symmetry::none;
}

Json scaling_record(const job::Job& job) {
  return job.by_scaling ? Json(function::to_string(job.function->scaling.value())) : Json(nullptr);
}

Json decisive_record(const job::Job& job) {
  if (!job.by_scaling)
    return nullptr;
  Json ranges = Json::array();
  for (const auto& [first, last] : job::decisive_ranks(job).intervals())
    ranges.push_back({to_hex(job.arguments().at(first)), to_hex(job.arguments().at(last))});
  return ranges;
}

void write_job(Json& record, const job::Job& job) {
  record["job"] = job.identity();
  record["function"] = job.function->name;
  record["format"] = job.format.name;
  record["precision"] = job.format.precision;
  record["argument_precision"] = job.argument_precision;
  record["from"] = to_hex(job.arguments().at(job.first));
  record["to"] = to_hex(job.arguments().at(job.last));
  record["rounding"] = to_string(job.rounding);
  record["values"] = to_string(job.values);
  record["bits"] = job.K;
  record["scaling"] = scaling_record(job);
}

OwnedJob read_parts_of_job(const Json& record) {
  const auto text = [&](const char* key) { return record.at(key).get<std::string>(); };
  OwnedJob result{function::function_of(text("function")), {}};
  job::Job& job = result.job;
  job.function = result.function.get();
  job.format = find_format(text("format"));
  job.argument_precision = to_int(record.at("argument_precision"));
  if (job.argument_precision < 2 || job.argument_precision > max_precision + 1)
    throw UsageError(fmt::format("{} is no precision of arguments", job.argument_precision));
  job.rounding = parse_rounding(text("rounding"));
  job.values = parse_values(text("values"));
  job.K = to_int(record.at("bits"));
  job.first = job.arguments().parse(text("from"), "from");
  job.last = job.arguments().parse(text("to"), "to");
  if (job.first >= job.last)
    throw UsageError("its range is empty");
  if (const auto& scaling = job.function->scaling)
    job.by_scaling = record.value("scaling", Json()) == function::to_string(*scaling);
  return result;
}

OwnedJob read_job(const Json& record) {
  OwnedJob result = read_parts_of_job(record);
  const std::string said = record.at("job");
  if (const std::string made = result.job.identity(); made != said)
    throw UsageError(fmt::format("its job is stated as '{}', but its parts describe '{}'", said, made));
  return result;
}

Json case_record(const Case& one, double bits) {
  const bool is_hard = one.kind == Case::Kind::hard;
  Json record = plain_record(is_hard ? "case" : to_string(one.kind));
  record["x"] = to_hex(one.x);
  if (is_hard)
    record["bits"] = bits;
  record["breakpoint"] = to_string(one.breakpoint);
  if (one.is_least)
    record["or_more"] = true;
  return record;
}

void append_case(std::string& text, const Case& one, double bits) {
  std::array<char, 192> record; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  char* end = record.data();
  const auto put = [&](std::string_view piece) { end = std::copy(piece.begin(), piece.end(), end); };
  const bool is_hard = one.kind == Case::Kind::hard;
  put(record_beginning);
  put(is_hard ? "case" : to_string(one.kind));
  put(R"(","x":")");
  put(to_hex(one.x));
  put(R"(",)");
  if (is_hard) {
    put(R"("bits":)");
    char* const number = end;
    end = std::to_chars(end, record.end(), bits).ptr; // the shortest decimal that is this double
    put(std::find(number, end, '.') == end ? ".0," : ",");
  }
  put(R"("breakpoint":")");
  put(to_string(one.breakpoint));
  put(one.is_least ? R"(","or_more":true})" : R"("})");
  text.append(record.data(), end);
}

Case read_case(const job::Job& job, const Json& record) {
  Case one;
  const format::ArgumentSet arguments = job.arguments();
  one.x = arguments.at(arguments.parse(record.at("x").get<std::string>(), "x"));
  one.breakpoint = breakpoint_of(record.at("breakpoint"));
  const auto& type = record.at("type");
  if (type == "case") {
    one.bits = to_amount(record.at("bits"));
    one.is_least = record.value("or_more", false);
    return one;
  }
  one.bits = std::numeric_limits<double>::infinity();
  one.kind = type == to_string(Case::Kind::exact) ? Case::Kind::exact : Case::Kind::undecided;
  if (type != to_string(one.kind))
    throw UsageError(fmt::format("{} is no kind of case", type.dump()));
  return one;
}

void write_part_work(Json& record, const PartResult& part) {
  record["seconds"] = part.seconds;
  record["planning_seconds"] = part.planning_seconds;
  record["candidates"] = part.candidates;
  record["direct"] = to_json(part.direct);
  record["stages"] = stages_record(part.stages);
  write_idle(record, part.idle);
  if (part.exact_unlisted > 0)
    record["exact_unlisted"] = part.exact_unlisted;
}

void append_part_result(std::string& text, const PartResult& part) {
  constexpr std::size_t usual_case = 96; // bytes
  Json work = Json::object();
  write_part_work(work, part);
  const std::string of_work = work.dump();
  text += ',';
  text.append(of_work, 1, of_work.size() - 2);
  text += R"(,"found":[)";
  text.reserve(text.size() + usual_case * (part.found.size() + 1));
  for (const Case& one : part.found) {
    if (&one != &part.found.front())
      text += ',';
    append_case(text, one, one.bits);
  }
  text += ']';
}

PartResult read_part_work(const Json& record) {
  PartResult part;
  part.seconds = to_amount(record.at("seconds"));
  part.planning_seconds = to_amount(record.at("planning_seconds"));
  part.candidates = to_count(record.at("candidates"));
  part.direct = to_integer(record.at("direct"));
  part.stages = read_stages(record.at("stages"));
  part.idle = read_idle(record);
  if (const auto unlisted = record.find("exact_unlisted"); unlisted != record.end())
    part.exact_unlisted = to_count(*unlisted);
  return part;
}

void write_idle(Json& record, const engine::Idle& idle) {
  if (idle.seconds() <= 0)
    return;
  Json& target = record["idle"];
  target["seconds"] = idle.seconds();
  for (std::size_t i = 0; i < engine::idle_reasons; ++i)
    target[std::string(engine::idle_keys.at(i))] = idle.of.at(i);
}

engine::Idle read_idle(const Json& record) {
  engine::Idle idle;
  if (const auto found = record.find("idle"); found != record.end())
    for (std::size_t i = 0; i < engine::idle_reasons; ++i)
      if (const auto seconds = found->find(std::string(engine::idle_keys.at(i))); seconds != found->end())
        idle.of.at(i) = to_amount(*seconds);
  return idle;
}

void write_named_stages(Json& record, const engine::Stages& stages) {
  engine::Stages all = engine::all_stages();
  engine::add(all, stages);
  for (const engine::Stage& one : all) {
    Json& target = record[std::string(one.name)];
    target[std::string(one.key)] = one.tested;
    if (one.filters)
      target["survivors"] = one.kept;
    target["seconds"] = one.seconds;
  }
}

engine::Stages read_named_stages(const Json& record) {
  engine::Stages stages = engine::all_stages();
  for (engine::Stage& one : stages) {
    const auto found = record.find(std::string(one.name));
    if (found == record.end())
      continue;
    const Json& source = *found;
    one.tested = to_count(source.at(std::string(one.key)));
    if (one.filters)
      one.kept = to_count(source.at("survivors"));
    one.seconds = to_amount(source.at("seconds"));
  }
  return stages;
}

Json to_record(const AuditReport& report) {
  return {{"algorithm", report.algorithm}, {"way", report.way},         {"arguments", to_json(report.arguments)},
          {"cases", report.cases},         {"planted", report.planted}, {"seconds", report.seconds},
          {"seed", to_json(report.seed)}};
}

Json tunables_record(const device::Tunables& tunables) {
  Json record;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    record[std::string(tunable.name)] =
        tunable.names.empty() ? Json(tunables[tunable]) : Json(device::to_string(tunable, tunables[tunable]));
  return record;
}

device::Tunables read_tunables(const Json& record) {
  device::Tunables tunables;
  for (const auto& [name, value] : record.items())
    engine::engine_tuning().set(tunables, name, value.is_string() ? value.get<std::string>() : value.dump());
  return tunables;
}

Json range_record(const job::Job& job, const job::RegimeRange& range) {
  Json record = ranks_record(job, range.ranks);
  const auto& rule = range.regime.rule;
  const auto& some = range.regime.some;
  record["cases"] = rule ? "all" : some ? "some" : "none";
  if (some) {
    record["count"] = to_json(range.cases());
    record["beside"] = some->beside;
    record["significands"] = some->significands();
  }
  if (range.regime.is_exact)
    record["exact"] = "all";
  if (range.regime.is_pole)
    record["why"] = poles;
  if (rule) {
    record["rule"] = {{"slope", rule->slope}, {"offset", rule->offset}};
    record["side"] = side_names.at(static_cast<std::size_t>(rule->side));
    record["breakpoint"] = rule->breakpoint ? Json(to_string(*rule->breakpoint)) : Json(nullptr);
    record["rounded"] = nullptr;
    if (const auto rounded = job::rounded_values(*rule))
      record["rounded"] = {
          {"nearest", to_text(rounded->nearest)}, {"up", to_text(rounded->up)}, {"down", to_text(rounded->down)}};
  }
  return record;
}

Json left_out_record(const job::Job& job, const job::RankInterval& ranks) {
  Json record = ranks_record(job, ranks);
  record["cases"] = unsearched;
  record["why"] = too_fast;
  return record;
}

Json gap_record(const job::Job& job, const job::RankInterval& ranks) {
  Json record = ranks_record(job, ranks);
  record["cases"] = unsearched;
  record["why"] = gap;
  return record;
}

Json shard_record(const job::Job& job, const job::Shard& shard) {
  return {{"index", shard.index},
          {"of", shard.count},
          {"from", to_hex(job.arguments().at(shard.first))},
          {"to", to_hex(job.arguments().at(shard.last))}};
}

job::Shard read_shard(const job::Job& job, const Json& record) {
  const format::ArgumentSet arguments = job.arguments();
  return {record.at("index"), record.at("of"), arguments.parse(record.at("from").get<std::string>(), "from"),
          arguments.parse(record.at("to").get<std::string>(), "to")};
}

void read_range(SearchResult& result, const job::Job& job, const Json& record) {
  const format::ArgumentSet arguments = job.arguments();
  const job::RankInterval ranks{arguments.parse(record.at("first").get<std::string>(), "first"),
                                arguments.parse(record.at("last").get<std::string>(), "last") + 1};
  if (ranks.first >= ranks.last || ranks.first < job.first || ranks.last > job.last)
    throw UsageError("a range is empty, or not within that of the job");
  const std::string cases = record.at("cases");
  if (cases == unsearched) {
    const std::string why = record.at("why");
    if (why != gap && why != too_fast)
      throw UsageError(fmt::format("'{}' is no reason to leave a range out", why));
    (why == gap ? result.gaps : result.left_out).add(ranks.first, ranks.last);
    return;
  }
  job::RegimeRange range{ranks, {}};
  if (cases == "all") {
    job::BreakpointRule rule{
        record.at("rule").at("slope"), record.at("rule").at("offset"), read_side(record.at("side")), {}};
    if (!record.at("breakpoint").is_null())
      rule.breakpoint = breakpoint_of(record.at("breakpoint"));
    range.regime.rule = rule;
  } else if (cases == "some") {
    range.regime.some = std::make_shared<const job::BinadeCases>(
        job::BinadeCases::of(record.at("beside"), job.argument_precision, record.at("significands")));
  } else if (cases == "none") {
    range.regime.is_pole = record.value("why", "") == poles;
    range.regime.is_exact = record.contains("exact");
    if (range.regime.is_exact && record["exact"] != "all")
      throw UsageError(fmt::format("'{}' says nothing of a range's exact cases", record["exact"].dump()));
  } else {
    throw UsageError(fmt::format("'{}' says nothing of a range's cases", cases));
  }
  result.covered.add(ranks.first, ranks.last);
  result.regimes.push_back(range);
}

} // namespace tmd::result
