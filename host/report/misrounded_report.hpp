// Reports how many results a math library misrounded, by the size of their error and by the hardness of the right
// values, as tables and for records.
#pragma once

#include "library/library_findings.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tmd::report {

// Two tables with a column for each direction called; empty if nothing was misrounded.
[[nodiscard]] std::string misrounded_tables(const library::LibraryFindings& findings);

// Adds the keys `error_bins` and `degrees` to the last record, and `errors` to its directions.
void add_misrounded(nlohmann::ordered_json& summary, const library::LibraryFindings& findings);
// A record `binade` for each binade of arguments in which something was misrounded.
[[nodiscard]] std::string binade_records(const library::LibraryFindings& findings, const Format& format);

} // namespace tmd::report
