#include "report/flag_report.hpp"

#include "result/record.hpp"
#include "support/text.hpp"

#include <string_view>

#include <fmt/format.h>

namespace tmd::report {

namespace {

std::string at_calls(const library::MarkedCalls& calls, const library::Encodings& encodings) {
  return fmt::format("at {}, the least of them {} {}", support::counted(calls.count, "call", "calls"),
                     encodings.text(calls.argument), to_string(calls.direction));
}

// F.10 of C23 leaves open whether inexact is raised, and whether underflow is raised without need.
bool is_left_open_by_c(std::size_t flag, bool is_spurious) {
  return 1U << flag == library::flag_inexact || (1U << flag == library::flag_underflow && is_spurious);
}

std::string tininess_text(const library::FlagFindings& findings) {
  const library::MarkedCalls& before = findings.tiny_before();
  const library::MarkedCalls& after = findings.tiny_after();
  if (before.count == 0 && after.count == 0)
    return "";
  if (before.count == 0 || after.count == 0)
    return fmt::format(
        "results are tiny by their values {} rounding: {} this\n", before.count != 0 ? "before" : "after",
        before.count + after.count == 1 ? "1 call shows" : fmt::format("{} calls show", before.count + after.count));
  return fmt::format("inconsistent underflow: results are tiny by their values before rounding {}; after rounding {}\n",
                     at_calls(before, findings.encodings()), at_calls(after, findings.encodings()));
}

result::Json record_of(const library::MarkedCalls& calls, const library::Encodings& encodings) {
  const bool is_none = calls.count == 0;
  return {{"calls", calls.count},
          {"x", is_none ? result::Json(nullptr) : result::Json(encodings.text(calls.argument))},
          {"rounding", is_none ? result::Json(nullptr) : result::Json(to_string(calls.direction))}};
}

} // namespace

std::string flag_table(const library::FlagFindings& findings) {
  std::string text;
  for (std::size_t flag = 0; flag < library::call_flag_names.size(); ++flag)
    for (const bool is_spurious : {true, false})
      if (const library::MarkedCalls calls = is_spurious ? findings.spurious(flag) : findings.missing(flag);
          calls.count != 0)
        text += fmt::format("{} {} {}{}\n", is_spurious ? "spurious" : "missing", library::call_flag_names.at(flag),
                            at_calls(calls, findings.encodings()),
                            is_left_open_by_c(flag, is_spurious) ? " (C leaves it open)" : "");
  if (findings.are_right())
    text += fmt::format("flags are right at {}\n", support::counted(findings.calls(), "call", "calls"));
  return text + tininess_text(findings) + (findings.uses_errno() ? "" : "errno is never set\n");
}

result::Json flag_record(const library::FlagFindings& findings) {
  result::Json wrong = result::Json::array();
  for (std::size_t flag = 0; flag < library::call_flag_names.size(); ++flag)
    for (const bool is_spurious : {true, false})
      if (const library::MarkedCalls calls = is_spurious ? findings.spurious(flag) : findings.missing(flag);
          calls.count != 0) {
        result::Json one{{"flag", library::call_flag_names.at(flag)}, {"kind", is_spurious ? "spurious" : "missing"}};
        one.update(record_of(calls, findings.encodings()));
        wrong.push_back(one);
      }
  return {{"calls", findings.calls()},
          {"wrong", wrong},
          {"tiny_before", record_of(findings.tiny_before(), findings.encodings())},
          {"tiny_after", record_of(findings.tiny_after(), findings.encodings())},
          {"errno", findings.uses_errno()}};
}

} // namespace tmd::report
