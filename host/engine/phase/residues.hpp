// Multiples of a number modulo another: one by one, and how many.
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

// How many these are, in time that grows with the bits of the modulus alone.
[[nodiscard]] number::Integer count_within(const number::Integer& factor, const number::Integer& offset,
                                           const number::Integer& width, const number::Integer& modulus,
                                           std::uint64_t count);

} // namespace tmd::engine::phase
