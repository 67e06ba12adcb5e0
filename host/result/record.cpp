#include "result/record.hpp"

#include "tmd/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

constexpr const char* others_key = "other_programs";

} // namespace

Json plain_record(std::string_view type, const Json& keys) {
  Json record{{"type", type}};
  record.update(keys);
  return record;
}

Json first_record(std::string_view type, const Program& program, const Json& keys) {
  Json record{{"type", type}, {"schema", record_schema}};
  write_program(record, program);
  record.update(keys);
  return record;
}

void require_schema(const Json& record) {
  if (const Json schema = record.value("schema", Json(0)); schema != 1 && schema != record_schema)
    throw UsageError(fmt::format("its records have schema {}, not 1 or {}", schema.dump(), record_schema));
}

// Names of files and texts from drivers may be invalid in UTF-8, which JSON requires: such bytes become U+FFFD.
std::string record_line(const Json& record) {
  return record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_record_of(std::string_view type, std::string_view line) {
  if (!line.starts_with(record_beginning))
    return false;
  line.remove_prefix(record_beginning.size());
  return line.starts_with(type) && line.substr(type.size()).starts_with('"');
}

void write_program(Json& record, const Program& program) {
  record["version"] = program.version;
  record["commit"] = program.commit.empty() ? Json(nullptr) : Json(program.commit);
  record["kernels"] = program.kernels.digest;
  record["foreign_kernels"] = program.kernels.foreign;
}

Program read_program(const Json& record) {
  Program program{record.at("version"), {}, {record.at("kernels"), record.value("foreign_kernels", false)}};
  if (const auto commit = record.find("commit"); commit != record.end() && !commit->is_null())
    program.commit = *commit;
  return program;
}

void write_other_programs(Json& record, const std::vector<Program>& programs) {
  for (const Program& one : programs) {
    Json other = Json::object();
    write_program(other, one);
    record[others_key].push_back(std::move(other));
  }
}

std::vector<Program> read_other_programs(const Json& record) {
  std::vector<Program> programs;
  if (const auto others = record.find(others_key); others != record.end())
    for (const Json& one : *others)
      programs.push_back(read_program(one));
  return programs;
}

} // namespace tmd::result
