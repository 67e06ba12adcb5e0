// What all records have in common that this program writes as JSON Lines: their type, in the first of a file the number
// of their form and the program, and how they become lines. doc/records.json has the keys of each, and a test compares
// what every command writes with it; doc/reference/records.md says what they mean.
#pragma once

#include "result/program.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace tmd::result {

using Json = nlohmann::ordered_json;

// It changes when a key changes its meaning or goes. Readers take those before it, too, and refuse others.
inline constexpr int record_schema = 2;

// A record of a type, with these keys.
[[nodiscard]] Json plain_record(std::string_view type, const Json& keys = Json::object());
// The first one of a file, with `schema` and the keys of the program that has made what the file tells, or writes it.
[[nodiscard]] Json first_record(std::string_view type, const Program& program, const Json& keys = Json::object());
// Throws UsageError where a first record is of a schema that is not read.
void require_schema(const Json& record);

// A record as a line of its file. What is no UTF-8, such as a name that a device has, is replaced.
[[nodiscard]] std::string record_line(const Json& record);
// Whether a line is a record of a type, by its beginning: for who looks at millions of them.
[[nodiscard]] bool is_record_of(std::string_view type, std::string_view line);
// How such a line begins, up to the type, for who writes millions of them.
inline constexpr std::string_view record_beginning = R"({"type":")";

// The keys `version`, `commit`, `kernels` and `foreign_kernels` of a record.
void write_program(Json& record, const Program& program);
// Throws Json::exception where one but `commit` is missing, or of another type.
[[nodiscard]] Program read_program(const Json& record);
// The key `other_programs`, where there are some.
void write_other_programs(Json& record, const std::vector<Program>& programs);
[[nodiscard]] std::vector<Program> read_other_programs(const Json& record);

// As records have bits and errors.
[[nodiscard]] inline double four_decimals(double value) { return std::round(value * 1e4) / 1e4; }

} // namespace tmd::result
