// How survivors are collected: the numbers that kernels know it by.
#pragma once

namespace tmd {

// TMD_COMPACTION's in cl_kernels/common/compaction_numbers.clh, as engine/domains/reference.cpp asserts.
inline constexpr int by_atomics = 1;
inline constexpr int by_scan = 2;
inline constexpr int by_sub_groups = 3;

} // namespace tmd
