// Lists or counts the multiples of a number whose residues lie in an interval.
#pragma once

#include "number/arb.hpp"

#include <cstdint>
#include <vector>

namespace tmd::engine::phase {

// The n with 0 ≤ n < count and (factor·n + offset) mod modulus ≤ width, in increasing order. 0 ≤ factor, offset, width
// < modulus.
[[nodiscard]] std::vector<std::uint64_t> multiples_within(const number::Integer& factor, const number::Integer& offset,
                                                          const number::Integer& width, const number::Integer& modulus,
                                                          std::uint64_t count);

// The number of these n, in time that grows only with the bits of the modulus.
[[nodiscard]] number::Integer count_within(const number::Integer& factor, const number::Integer& offset,
                                           const number::Integer& width, const number::Integer& modulus,
                                           std::uint64_t count);

} // namespace tmd::engine::phase
