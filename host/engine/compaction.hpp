// The numbers by which kernels know the ways of collecting survivors.
#pragma once

#include "device/tunables.hpp"

namespace tmd::engine {

// Values of TMD_COMPACTION in cl_kernels/common/compaction_numbers.clh, as engine/domains/reference.cpp asserts.
inline constexpr int by_atomics = static_cast<int>(Compaction::atomic);
inline constexpr int by_scan = static_cast<int>(Compaction::scan);
inline constexpr int by_sub_groups = 3; // a scan, if the device has the instructions

} // namespace tmd::engine
