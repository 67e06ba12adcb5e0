// The tables that the kernels' log2 and exp2 look into (cl_kernels/boxes/fixed_power.clh).
#pragma once

#include <cstdint>
#include <vector>

namespace tmd::engine::boxes {

// In the order of cl_kernels/boxes/layout.clh, each number rounded to nearest by MPFR.
[[nodiscard]] std::vector<std::uint64_t> power_tables();

} // namespace tmd::engine::boxes
