// Reports what a math library did at many arguments, compared with the correctly rounded values: a table, and records.
#pragma once

#include "library/all_arguments.hpp"
#include "library/library_findings.hpp"

#include <string>

#include <nlohmann/json.hpp>

namespace tmd::report {

// An error in ulps, with enough digits to distinguish it from half an ulp and a whole one: "-1.855",
// "0.50000000000000485".
[[nodiscard]] std::string error_text(double error);

[[nodiscard]] std::string library_table(const library::LibraryFindings& findings);
// JSON Lines after a record that says what was called; the keys of `more` go into the last record.
[[nodiscard]] std::string library_records(const nlohmann::ordered_json& head, const library::LibraryFindings& findings,
                                          const Format& format,
                                          const nlohmann::ordered_json& more = nlohmann::ordered_json::object());
// The same for all arguments; below, the sentence after the table that says what is proven.
[[nodiscard]] std::string all_records(const nlohmann::ordered_json& head, const library::AllFindings& findings,
                                      const Format& format);
[[nodiscard]] std::string all_verdict(const library::AllFindings& findings);

} // namespace tmd::report
