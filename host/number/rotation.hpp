// A point goes around a circle in equal steps, as F does modulo 1 where it is nearly a line. Finds when it first enters
// an arc.
#pragma once

#include <cstdint>
#include <optional>

namespace tmd::number {

// The circle has 2^64 units. The least t ≤ most with (start + t·step) mod 2^64 ≤ width; nothing if there is none.
[[nodiscard]] std::optional<std::uint64_t> first_within(std::uint64_t start, std::uint64_t step, std::uint64_t width,
                                                        std::uint64_t most);

} // namespace tmd::number
