#include "report/built_ins_report.hpp"

#include "report/library_report.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace tmd::report {

namespace {

constexpr const char* first_columns = "{:<14} {:>8}";
constexpr const char* column = " {:>20}";

std::string error_of(const result::Json& record) {
  const result::Json& error = record.at("largest_error"); // null: no error, or an infinite one, which has a place
  if (error.is_number())
    return error_text(std::fabs(error.get<double>()));
  return record.at("x").get_ref<const std::string&>().empty() ? "none" : "inf";
}

std::string bound_of(const std::vector<result::Json>& records) {
  for (const result::Json& record : records)
    if (const result::Json bound = record.value("bound", result::Json()); bound.is_string())
      return bound.get<std::string>();
  return "";
}

} // namespace

result::Json built_ins_head(const std::vector<opencl::DeviceDescription>& devices, const Format& format,
                            const std::string& build_options, const result::Json& seed) {
  result::Json list = result::Json::array();
  for (const opencl::DeviceDescription& device : devices)
    list.push_back({{"index", device.index},
                    {"name", device.name},
                    {"platform", device.platform},
                    {"driver", device.driver_version},
                    {"profile", device.profile}});
  return result::first_record(
      "built_ins", result::running_program(),
      {{"format", format.name}, {"build_options", build_options}, {"seed", seed}, {"devices", std::move(list)}});
}

result::Json built_in_record(std::size_t device, const std::string& symbol, const result::Json& summary) {
  const bool has_bound = summary.contains("promise");
  const bool is_kept = has_bound && summary["promise"].at("broken") == 0;
  result::Json record =
      result::plain_record("built_in", {{"device", device},
                                        {"symbol", symbol},
                                        {"state", !has_bound ? "open"
                                                  : is_kept  ? "kept"
                                                             : "broken"},
                                        {"bound", has_bound ? summary["promise"].at("text") : result::Json()}});
  const result::Json& nearest = summary.at("directions").at(0);
  for (const char* key : {"arguments", "misrounded", "lost", "largest_error", "x"})
    record[key] = nearest.at(key);
  return record;
}

result::Json built_in_failure(std::size_t device, const std::string& symbol, const std::string& sentence) {
  return result::plain_record("built_in",
                              {{"device", device}, {"symbol", symbol}, {"state", "failed"}, {"failure", sentence}});
}

std::string built_ins_heading(const std::vector<opencl::DeviceDescription>& devices) {
  std::string names;
  std::string text = fmt::format(first_columns, "ulps", "allowed");
  for (const opencl::DeviceDescription& device : devices) {
    names += fmt::format("device {}: {}, {}\n", device.index, device.name, device.platform);
    text += fmt::format(column, fmt::format("device {}", device.index));
  }
  return names + text + "\n";
}

std::string built_ins_row(const std::string& symbol, const std::vector<result::Json>& records) {
  std::string text = fmt::format(first_columns, symbol, bound_of(records));
  std::string failures;
  for (const result::Json& record : records) {
    const bool is_failed = record.at("state") == "failed";
    text += fmt::format(column, is_failed                        ? "failed"
                                : record.at("state") == "broken" ? error_of(record) + " broken"
                                                                 : error_of(record));
    if (is_failed)
      failures += fmt::format("  device {}: {}\n", record.at("device").get<std::size_t>(),
                              record.at("failure").get<std::string>());
  }
  return text + "\n" + failures;
}

} // namespace tmd::report
