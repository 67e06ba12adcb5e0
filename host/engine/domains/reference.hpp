// The phases on the host, with the kernels' own text: the reference for a device's results.
#pragma once

#include "engine/domains/batch.hpp"

#include <cstdint>
#include <vector>

namespace tmd::engine::domains {

// Searches a batch as DomainSearch does with three kernels. Returns the candidates, sorted: arguments, counted from the
// batch's first.
[[nodiscard]] std::vector<std::uint64_t> search_on_host(const DomainBatch& batch, PhaseTrace* trace = nullptr);

// F at argument m of a domain with these coefficients, modulo 1, in units of 2^−64.
[[nodiscard]] std::uint64_t value_in_domain(std::uint64_t line, std::uint64_t slope, std::int64_t curvature,
                                            const BatchParameters& parameters, std::uint64_t m);

} // namespace tmd::engine::domains
