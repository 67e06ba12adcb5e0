// The phases on the host, with the kernels' own text: what a device's answers are compared with.
#pragma once

#include "engine/domains/batch.hpp"

#include <cstdint>
#include <vector>

namespace tmd {

// Searches a batch as DomainSearch does with three kernels. Returns the candidates, sorted: arguments, counted from the
// batch's first.
[[nodiscard]] std::vector<std::uint64_t> search_on_host(const DomainBatch& batch, PhaseTrace* trace = nullptr);

} // namespace tmd
