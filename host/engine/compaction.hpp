// How survivors are collected: the numbers that kernels know it by.
#pragma once

#include "device/tunables.hpp"

namespace tmd::engine {

// TMD_COMPACTION's in cl_kernels/common/compaction_numbers.clh, as engine/domains/reference.cpp asserts.
inline constexpr int by_atomics = static_cast<int>(Compaction::atomic);
inline constexpr int by_scan = static_cast<int>(Compaction::scan);
inline constexpr int by_sub_groups = 3; // a scan, where the device has the instructions

} // namespace tmd::engine
