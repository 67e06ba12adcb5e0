// The number of the records that this program writes as JSON Lines (doc/results.md).
#pragma once

namespace tmd {

// Readers refuse another one. It changes when a key changes its meaning or goes.
inline constexpr int record_schema = 1;

} // namespace tmd
