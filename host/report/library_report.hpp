// What a math library did at many arguments, against the correctly rounded values: as a table, and as records.
#pragma once

#include "library/all_arguments.hpp"
#include "library/library_findings.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace tmd::report {

// An error in ulps, with as many digits as tell it from half an ulp and from a whole one: "-1.855",
// "0.50000000000000485".
[[nodiscard]] std::string error_text(double error);

[[nodiscard]] std::string library_table(const library::LibraryFindings& findings);
// JSON Lines, after a record that says what was called; with further keys in the last of them.
[[nodiscard]] std::string library_records(const nlohmann::ordered_json& head, const library::LibraryFindings& findings,
                                          const Format& format,
                                          const nlohmann::ordered_json& more = nlohmann::ordered_json::object());
// The same for all arguments; and what that proves, behind the table.
[[nodiscard]] std::string all_records(const nlohmann::ordered_json& head, const library::AllFindings& findings,
                                      const Format& format);
[[nodiscard]] std::string all_verdict(const library::AllFindings& findings);

} // namespace tmd::report
