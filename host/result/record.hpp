// What all records written as JSON Lines have in common: their type, in the first record of a file also the schema and
// the program, and how they become lines. doc/records.json lists the keys of each, and a test compares all commands'
// output with it; doc/reference/records.md explains them.
#pragma once

#include "result/program.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace tmd::result {

using Json = nlohmann::ordered_json;

// Raised when a key changes its meaning or is removed. Readers accept earlier schemas and refuse others.
inline constexpr int record_schema = 2;

// A record of a type, with these keys.
[[nodiscard]] Json plain_record(std::string_view type, const Json& keys = Json::object());
// The first record of a file, with `schema` and the keys of the program that made the findings, or that writes the
// file.
[[nodiscard]] Json first_record(std::string_view type, const Program& program, const Json& keys = Json::object());
// Throws UsageError if a first record has a schema that cannot be read.
void require_schema(const Json& record);

// A record as a line of its file. Invalid UTF-8, in a device's name for example, is replaced.
[[nodiscard]] std::string record_line(const Json& record);
// Whether a line is a record of a type, by its beginning: parsing millions of lines would take long.
[[nodiscard]] bool is_record_of(std::string_view type, std::string_view line);
// The beginning of a line up to the type, for writers of millions of records.
inline constexpr std::string_view record_beginning = R"({"type":")";

// The keys `version`, `commit`, `kernels` and `foreign_kernels` of a record.
void write_program(Json& record, const Program& program);
// Throws Json::exception if one except `commit` is missing or has another type.
[[nodiscard]] Program read_program(const Json& record);
// The key `other_programs`, if there are any.
void write_other_programs(Json& record, const std::vector<Program>& programs);
[[nodiscard]] std::vector<Program> read_other_programs(const Json& record);

// Rounds as bits and errors in records are rounded.
[[nodiscard]] inline double four_decimals(double value) { return std::round(value * 1e4) / 1e4; }

} // namespace tmd::result
