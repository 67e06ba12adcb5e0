// The tables for log2 and exp2 in the kernels (cl_kernels/boxes/fixed_power.clh).
#pragma once

#include <cstdint>
#include <vector>

namespace tmd::engine::boxes {

// The tables in the order of cl_kernels/boxes/layout.clh, each number rounded to nearest by MPFR.
[[nodiscard]] std::vector<std::uint64_t> power_tables();

} // namespace tmd::engine::boxes
