// Reports exception flags and errno that a math library sets wrongly, in sentences and as part of a record.
#pragma once

#include "library/flags.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tmd::report {

// A line for each flag that is spurious or missing, with the least argument; then the definition of tiny results that
// fits, and whether errno is used at all.
[[nodiscard]] std::string flag_table(const library::FlagFindings& findings);
[[nodiscard]] nlohmann::ordered_json flag_record(const library::FlagFindings& findings);

} // namespace tmd::report
