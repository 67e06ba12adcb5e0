// Where two math libraries differ, and which of them is right: as a table, and for records.
#pragma once

#include "library/library_findings.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tmd {

// other: the name of the second one.
[[nodiscard]] std::string difference_table(const Differences& differences, const std::string& other);

// Records `difference`; and what the last record has in `differences`.
[[nodiscard]] std::string difference_records(const Differences& differences);
[[nodiscard]] nlohmann::ordered_json difference_counts(const Differences& differences);

} // namespace tmd
