// The names that the kernels' shared pieces expect in C++ (cl_kernels/common/portable.clh), for host code that includes
// their text: the host computes its references with the same text that runs on a device.
//
//   namespace {
//   using namespace kernel_text;
//   #include "cl_kernels/…"
//   }
#pragma once

#include "engine/kernel_layout.hpp"
#include "tmd/integer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tmd::engine::kernel_text {

using namespace kernel_layout;
using word = kernel_layout::u64;
using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::min;
using std::sqrt;
[[maybe_unused]] inline float rsqrt(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
[[maybe_unused]] inline kernel_layout::u32 as_uint(float x) { return std::bit_cast<kernel_layout::u32>(x); }
[[maybe_unused]] inline float as_float(kernel_layout::u32 x) { return std::bit_cast<float>(x); }
[[maybe_unused]] inline double as_double(kernel_layout::u64 x) { return std::bit_cast<double>(x); }
[[maybe_unused]] inline kernel_layout::i64 high_half(kernel_layout::i64 x, kernel_layout::i64 y) {
  return static_cast<kernel_layout::i64>((int128(x) * y) >> 64);
}
[[maybe_unused]] inline kernel_layout::u64 unsigned_high_half(kernel_layout::u64 x, kernel_layout::u64 y) {
  return static_cast<kernel_layout::u64>((uint128(x) * y) >> 64);
}

} // namespace tmd::engine::kernel_text

#define PURE [[maybe_unused]] inline
#define TMD_WORD_BITS 64
#define TMD_UNROLL
#define TMD_ROLLED
#define TMD_VECTOR_WIDTH 1
