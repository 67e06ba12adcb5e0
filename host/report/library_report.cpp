// The table has a row for each direction, the first faults, the flags and the promise; the records have all faults that
// the findings keep. Other headers of this folder make the parts on flags, on differences from another library, and on
// misrounded results.
#include "report/library_report.hpp"

#include "report/difference_report.hpp"
#include "report/flag_report.hpp"
#include "report/misrounded_report.hpp"
#include "result/records.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::report {

namespace {

constexpr std::size_t most_rows = 20; // rows of the table; the JSON Lines have all

result::Json error_in_record(std::optional<double> error) {
  return error && std::isfinite(*error) ? result::Json(*error) : result::Json(nullptr);
}

std::string_view kind_of_fault(library::LibraryAnswer::Kind kind) {
  switch (kind) {
  case library::LibraryAnswer::Kind::crashed:
    return "crash";
  case library::LibraryAnswer::Kind::hung:
    return "hang";
  case library::LibraryAnswer::Kind::unreadable:
    return "unreadable";
  case library::LibraryAnswer::Kind::changed_environment:
    return "environment";
  case library::LibraryAnswer::Kind::wrote_output:
    return "output";
  case library::LibraryAnswer::Kind::returned:
  case library::LibraryAnswer::Kind::not_called:
    break;
  }
  return "misrounded";
}

} // namespace

std::string library_records(const result::Json& head, const library::LibraryFindings& findings, const Format& format,
                            const result::Json& more) {
  std::string text = result::record_line(head);
  for (const library::LibraryFault& fault : findings.faults) {
    result::Json record = result::plain_record("fault", {{"kind", kind_of_fault(fault.answer.kind)},
                                                         {"x", fault.x},
                                                         {"rounding", to_string(fault.direction)},
                                                         {"result", nullptr},
                                                         {"expected", fault.expected},
                                                         {"error", nullptr}});
    if (fault.answer.kind == library::LibraryAnswer::Kind::returned) {
      record["result"] = fault.answer.text;
      record["error"] = error_in_record(fault.error);
    } else {
      record["message"] = fault.answer.text;
    }
    text += result::record_line(record);
  }
  text += binade_records(findings, format);
  if (findings.differences)
    text += difference_records(*findings.differences);
  result::Json summary = result::plain_record("summary", {{"directions", result::Json::array()}});
  for (const Direction direction : directions) {
    const library::LibraryTally& tally = findings.in(direction);
    if (tally.calls == 0)
      continue;
    summary["directions"].push_back({{"rounding", to_string(direction)},
                                     {"arguments", tally.calls},
                                     {"misrounded", tally.misrounded},
                                     {"lost", tally.lost},
                                     {"undecided", tally.undecided},
                                     {"largest_error", error_in_record(tally.largest_error)},
                                     {"x", tally.at}});
  }
  add_misrounded(summary, findings);
  if (findings.differences)
    summary["differences"] = difference_counts(*findings.differences);
  if (const auto& promise = findings.promise)
    summary["promise"] = {{"text", promise->text},
                          {"broken", promise->broken},
                          {"x", promise->broken == 0 ? result::Json(nullptr) : result::Json(promise->first)}};
  if (findings.flags)
    summary["flags"] = flag_record(*findings.flags);
  summary.update(more);
  return text + result::record_line(summary);
}

std::string all_records(const result::Json& head, const library::AllFindings& findings, const Format& format) {
  return library_records(head, findings, format,
                         {{"arguments", findings.arguments},
                          {"not_called", findings.not_called},
                          {"no_value", findings.no_value},
                          {"undecided", findings.undecided},
                          {"faults", findings.faults.size() + findings.more_faults},
                          {"correct", findings.is_right()}});
}

std::string all_verdict(const library::AllFindings& findings) {
  std::string text;
  if (findings.no_value != 0) {
    const std::string more = findings.no_value > findings.no_values.size() ? ", …" : "";
    text += fmt::format("{} not judged, because the right results are unknown ({}{})\n",
                        support::counted(findings.no_value, "argument", "arguments"),
                        fmt::join(findings.no_values, ", "), more);
  }
  if (findings.not_called != 0)
    text += fmt::format("{} not called, because too many calls were lost\n",
                        support::counted(findings.not_called, "argument", "arguments"));
  return text + (findings.is_right()
                     ? fmt::format("correctly rounded: proven for {} {}\n",
                                   support::counted(findings.arguments - findings.no_value, "argument", "arguments"),
                                   findings.in(Direction::upward).calls == 0 ? "to nearest" : "in every direction")
                     : "not correctly rounded\n");
}

std::string error_text(double error) {
  constexpr int usual_digits = 4;
  constexpr int most_digits = 17; // distinguish any two doubles
  constexpr double large = 1e6;   // of such an error it does not matter whether it is a whole number of ulps
  if (std::fabs(error) >= large)
    return fmt::format("{:.{}g}", error, usual_digits);
  for (int digits = usual_digits; digits < most_digits; ++digits) {
    const std::string text = fmt::format("{:.{}g}", error, digits);
    const double halves = 2 * std::strtod(text.c_str(), nullptr);
    if (halves != std::round(halves) || 2 * error == halves)
      return digits == usual_digits ? text : fmt::format("{:.{}g}", error, std::min(digits + 2, most_digits));
  }
  return fmt::format("{:.{}g}", error, most_digits);
}

std::string library_table(const library::LibraryFindings& findings) {
  std::string text = fmt::format("{:<12} {:>9} {:>10} {:>7} {:>18}  {}\n", "rounding", "arguments", "misrounded",
                                 "lost", "largest error", "at");
  for (const Direction direction : directions) {
    const library::LibraryTally& tally = findings.in(direction);
    if (tally.calls == 0)
      continue;
    text +=
        fmt::format("{:<12} {:>9} {:>10} {:>7} {:>19} {}\n", to_string(direction), tally.calls, tally.misrounded,
                    tally.lost, tally.largest_error ? error_text(*tally.largest_error) + " ulp " : "none ", tally.at);
  }
  for (std::size_t i = 0; i < std::min(findings.faults.size(), most_rows); ++i) {
    const library::LibraryFault& fault = findings.faults[i];
    const bool returned = fault.answer.kind == library::LibraryAnswer::Kind::returned;
    text += fmt::format(
        "{:<10} {} {}: {}\n", kind_of_fault(fault.answer.kind), fault.x, to_string(fault.direction),
        returned ? fmt::format("{} instead of {}, {} ulp", fault.answer.text, fault.expected, error_text(fault.error))
                 : fault.answer.text);
  }
  const std::uint64_t faults = findings.faults.size() + findings.more_faults;
  if (faults > most_rows)
    text += fmt::format("and {} more\n", faults - std::min<std::uint64_t>(faults, most_rows));
  std::uint64_t undecided = 0;
  for (const library::LibraryTally& tally : findings.tallies)
    undecided += tally.undecided;
  if (undecided != 0)
    text += fmt::format("{} roundings are not known: they were not compared\n", undecided);
  if (findings.flags)
    text += flag_table(*findings.flags);
  if (const auto& promise = findings.promise)
    text += fmt::format("promise {}: {}\n", promise->text,
                        promise->broken == 0
                            ? "kept"
                            : fmt::format("broken at {}, the least of them {}",
                                          support::counted(promise->broken, "argument", "arguments"), promise->first));
  return text;
}

} // namespace tmd::report
