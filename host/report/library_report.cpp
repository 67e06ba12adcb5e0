#include "report/library_report.hpp"

#include "result/records.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::size_t most_rows = 20; // of the table; the JSON Lines have all

void judge(LibraryFindings& findings, const LibraryCall& call, const LibraryAnswer& answer, const RoundedValue& value,
           const Format& format) {
  LibraryTally& tally = findings.tallies.at(static_cast<std::size_t>(call.direction));
  ++tally.calls;
  const std::optional<Mpfr>& rounded = value.in(call.direction);
  const std::string expected = rounded ? to_hex(mpfr_srcptr(*rounded)) : "";
  if (answer.kind != LibraryAnswer::Kind::returned) {
    ++tally.lost;
    findings.faults.push_back({call, answer, expected});
    return;
  }
  if (!rounded) {
    ++tally.undecided;
    return;
  }
  Mpfr result(64);
  mpfr_set_str(result, answer.text.c_str(), 0, MPFR_RNDN);
  const bool no_number = mpfr_nan_p(mpfr_srcptr(result)) != 0 && mpfr_nan_p(mpfr_srcptr(*rounded)) != 0;
  const bool right = no_number || mpfr_equal_p(mpfr_srcptr(result), mpfr_srcptr(*rounded)) != 0;
  // Beyond the largest number there is no ulp that would say how good a right result is.
  const std::optional<Mpfr>& nearest = value.in(Direction::nearest);
  const bool overflow = nearest && mpfr_inf_p(mpfr_srcptr(*nearest)) != 0;
  const double error = right && overflow ? 0 : error_in_ulps(value, format, result);
  // A right result of a directed rounding may err by nearly an ulp, which says nothing of the library.
  const bool counts = !right || call.direction == Direction::nearest;
  if (counts && (!tally.largest_error || std::fabs(error) > std::fabs(*tally.largest_error))) {
    tally.largest_error = error;
    tally.at = to_hex(call.x);
  }
  if (right)
    return;
  ++tally.misrounded;
  findings.faults.push_back({call, answer, expected, error});
}

Json error_in_record(std::optional<double> error) {
  return error && std::isfinite(*error) ? Json(*error) : Json(nullptr);
}

std::string_view kind_of_fault(LibraryAnswer::Kind kind) {
  switch (kind) {
  case LibraryAnswer::Kind::crashed:
    return "crash";
  case LibraryAnswer::Kind::hung:
    return "hang";
  case LibraryAnswer::Kind::changed_environment:
    return "environment";
  case LibraryAnswer::Kind::wrote_output:
    return "output";
  case LibraryAnswer::Kind::returned:
    break;
  }
  return "misrounded";
}

} // namespace

LibraryFindings judge_library(const LibraryCalls& calls, const LibraryAnswers& answers, const Format& format) {
  LibraryFindings findings;
  const auto value_of = [&](std::size_t call) -> const RoundedValue& { return calls.values[call / directions.size()]; };
  for (std::size_t i = 0; i < calls.calls.size(); ++i)
    judge(findings, calls.calls[i], answers.answers[i], value_of(i), format);
  for (const auto& [i, answer] : answers.besides) {
    const std::optional<Mpfr>& rounded = value_of(i).in(calls.calls[i].direction);
    findings.faults.push_back({calls.calls[i], answer, rounded ? to_hex(mpfr_srcptr(*rounded)) : ""});
  }
  const auto weight = [](const LibraryFault& fault) {
    const auto kind = fault.answer.kind;
    const bool is_lost = kind == LibraryAnswer::Kind::crashed || kind == LibraryAnswer::Kind::hung;
    return std::pair(is_lost ? 2 : kind == LibraryAnswer::Kind::returned ? 0 : 1, std::fabs(fault.error));
  };
  std::stable_sort(findings.faults.begin(), findings.faults.end(),
                   [&](const LibraryFault& left, const LibraryFault& right) { return weight(left) > weight(right); });
  return findings;
}

std::string library_records(const Json& head, const LibraryFindings& findings) {
  std::string text = record_line(head);
  for (const LibraryFault& fault : findings.faults) {
    Json record = plain_record("fault", {{"kind", kind_of_fault(fault.answer.kind)},
                                         {"x", to_hex(fault.call.x)},
                                         {"rounding", to_string(fault.call.direction)},
                                         {"result", nullptr},
                                         {"expected", fault.expected},
                                         {"error", nullptr}});
    if (fault.answer.kind == LibraryAnswer::Kind::returned) {
      record["result"] = fault.answer.text;
      record["error"] = error_in_record(fault.error);
    } else {
      record["message"] = fault.answer.text;
    }
    text += record_line(record);
  }
  Json summary = plain_record("summary", {{"directions", Json::array()}});
  for (const Direction direction : directions) {
    const LibraryTally& tally = findings.in(direction);
    summary["directions"].push_back({{"rounding", to_string(direction)},
                                     {"arguments", tally.calls},
                                     {"misrounded", tally.misrounded},
                                     {"lost", tally.lost},
                                     {"undecided", tally.undecided},
                                     {"largest_error", error_in_record(tally.largest_error)},
                                     {"x", tally.at}});
  }
  return text + record_line(summary);
}

std::string error_text(double error) {
  constexpr int usual_digits = 4;
  constexpr int most_digits = 17; // which tell any double from any other
  for (int digits = usual_digits; digits < most_digits; ++digits) {
    const std::string text = fmt::format("{:.{}g}", error, digits);
    const double halves = 2 * std::strtod(text.c_str(), nullptr);
    if (halves != std::round(halves) || 2 * error == halves)
      return digits == usual_digits ? text : fmt::format("{:.{}g}", error, std::min(digits + 2, most_digits));
  }
  return fmt::format("{:.{}g}", error, most_digits);
}

std::string library_table(const LibraryFindings& findings) {
  std::string text = fmt::format("{:<12} {:>9} {:>10} {:>7} {:>18}  {}\n", "rounding", "arguments", "misrounded",
                                 "lost", "largest error", "at");
  for (const Direction direction : directions) {
    const LibraryTally& tally = findings.in(direction);
    text +=
        fmt::format("{:<12} {:>9} {:>10} {:>7} {:>19} {}\n", to_string(direction), tally.calls, tally.misrounded,
                    tally.lost, tally.largest_error ? error_text(*tally.largest_error) + " ulp " : "none ", tally.at);
  }
  for (std::size_t i = 0; i < std::min(findings.faults.size(), most_rows); ++i) {
    const LibraryFault& fault = findings.faults[i];
    const bool returned = fault.answer.kind == LibraryAnswer::Kind::returned;
    text += fmt::format(
        "{:<10} {} {}: {}\n", kind_of_fault(fault.answer.kind), to_hex(fault.call.x), to_string(fault.call.direction),
        returned ? fmt::format("{} instead of {}, {} ulp", fault.answer.text, fault.expected, error_text(fault.error))
                 : fault.answer.text);
  }
  if (findings.faults.size() > most_rows)
    text += fmt::format("and {} more\n", findings.faults.size() - most_rows);
  std::size_t undecided = 0;
  for (const LibraryTally& tally : findings.tallies)
    undecided += tally.undecided;
  if (undecided != 0)
    text += fmt::format("{} roundings are not known: they were not compared\n", undecided);
  return text;
}

} // namespace tmd
