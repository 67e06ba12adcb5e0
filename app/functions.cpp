// tmd functions: lists the catalogue.
#include "commands.hpp"
#include "options.hpp"
#include "standard_streams.hpp"

#include "function/pairs.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"
#include "tmd/function.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

result::Json record(const FunctionInfo& function) {
  return result::first_record(
      "function", result::running_program(),
      {{"name", function.name},
       {"description", function.description},
       {"domain", function.domain.text},
       {"symmetry", to_string(function.symmetry)},
       {"exact", function.exact_cases},
       {"theorem", function.theorem},
       {"scaling", function.scaling.empty() ? result::Json(nullptr) : result::Json(function.scaling)}});
}

result::Json record(const FamilyInfo& family) {
  return result::first_record(
      "family", result::running_program(),
      {{"name", family.name}, {"description", family.description}, {"parameter", family.parameter}});
}

result::Json record(const function::PairFunction& function) {
  return result::first_record("pair_function", result::running_program(),
                              {{"name", function.name},
                               {"description", function.description},
                               {"operands", {function.operands[0], function.operands[1]}},
                               {"exact", function.exact_cases},
                               {"theorem", function.theorem}});
}

// Prints lines of columns with equal widths, except the last.
template <std::size_t columns> void print_table(const std::vector<std::array<std::string, columns>>& rows) {
  std::array<std::size_t, columns> widths{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < columns; ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < columns; ++i)
      fmt::print("{:<{}}  ", row[i], widths[i]);
    fmt::print("{}\n", row.back());
  }
}

void print_all() {
  std::vector<std::array<std::string, 5>> rows{{"name", "f(x)", "domain", "symmetry", "exact where"}};
  for (const FunctionInfo& function : list_functions())
    rows.push_back({function.name, function.description, function.domain.text,
                    std::string(to_string(function.symmetry)), function.exact_cases});
  print_table(rows);
  fmt::print("\n");
  std::vector<std::array<std::string, 3>> families{{"family", "f(x)", "N"}};
  for (const FamilyInfo& family : list_families())
    families.push_back({family.name + ":N", family.description, family.parameter});
  print_table(families);
  fmt::print("\n");
  std::vector<std::array<std::string, 4>> pairs{{"of two", "f", "operands", "exact where"}};
  for (const function::PairFunction& function : function::pair_functions())
    pairs.push_back({function.name, function.description,
                     fmt::format("{}, {}", function.operands[0], function.operands[1]), function.exact_cases});
  print_table(pairs);
}

void print(const FunctionInfo& function) {
  fmt::print("{}: {}\n", function.name, function.description);
  const auto line = [](std::string_view name, std::string_view value) { fmt::print("  {:<13}{}\n", name, value); };
  line("domain", function.domain.text);
  line("symmetry", to_string(function.symmetry));
  line("exact where", function.exact_cases);
  line("because", function.theorem);
  if (!function.scaling.empty())
    line("scaling", function.scaling);
}

} // namespace

cxxopts::Options functions_options() {
  cxxopts::Options options("tmd functions", "Lists the functions that can be searched: domain, symmetry, exact cases.");
  options.custom_help("[NAME] [OPTION ...]").positional_help("").set_width(120);
  auto add = options.add_options();
  add("json", "write a record per function to FILE (JSON Lines)", cxxopts::value<std::string>(), "FILE");
  add("h,help", "this text");
  options.add_options("positional")("name", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"name"});
  return options;
}

int functions(const Arguments& arguments) {
  cxxopts::Options options = functions_options();
  const auto parsed = parse(options, "functions", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const std::vector<std::string> names = values_of(parsed, "name");
  if (names.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one function at a time", names[1]));
  const std::optional<FunctionInfo> function =
      names.empty() ? std::nullopt : std::optional(describe_function(names.front()));
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  std::string lines;
  if (function) {
    lines = result::record_line(record(*function));
  } else {
    for (const FunctionInfo& one : list_functions())
      lines += result::record_line(record(one));
    for (const FamilyInfo& family : list_families())
      lines += result::record_line(record(family));
    for (const function::PairFunction& pair : function::pair_functions())
      lines += result::record_line(record(pair));
  }
  if (json)
    json->commit(lines);
  if (function)
    print(*function);
  else
    print_all();
  return 0;
}

} // namespace tmd::app
