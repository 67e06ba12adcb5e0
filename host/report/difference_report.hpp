// Reports where two math libraries differ, and which of them is right, as a table and for records.
#pragma once

#include "library/library_findings.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tmd::report {

// other: the name of the second library.
[[nodiscard]] std::string difference_table(const library::Differences& differences, const std::string& other);

// The `difference` records; below, the value of `differences` in the last record.
[[nodiscard]] std::string difference_records(const library::Differences& differences);
[[nodiscard]] nlohmann::ordered_json difference_counts(const library::Differences& differences);

} // namespace tmd::report
