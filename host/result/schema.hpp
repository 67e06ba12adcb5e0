// What the records have in common that this program writes as JSON Lines (doc/results.md): their number, and numbers.
#pragma once

#include <cmath>

#include <nlohmann/json.hpp>

namespace tmd {

using Json = nlohmann::ordered_json;

// Readers refuse another one. It changes when a key changes its meaning or goes.
inline constexpr int record_schema = 1;

// As records have bits and errors.
[[nodiscard]] inline double four_decimals(double value) { return std::round(value * 1e4) / 1e4; }

} // namespace tmd
