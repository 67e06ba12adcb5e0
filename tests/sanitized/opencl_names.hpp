// Names of OpenCL C in C++, for the tests that include kernels' own text: types, built-in functions, and what pure
// functions begin with.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace opencl_names {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;
[[maybe_unused]] inline u64 unsigned_high_half(u64 x, u64 y) { return static_cast<u64>((u128(x) * y) >> 64); }
[[maybe_unused]] inline i64 high_half(i64 x, i64 y) { return static_cast<i64>((i128(x) * y) >> 64); }
[[maybe_unused]] inline u32 as_uint(float x) { return std::bit_cast<u32>(x); }
[[maybe_unused]] inline float as_float(u32 x) { return std::bit_cast<float>(x); }
[[maybe_unused]] inline double as_double(u64 x) { return std::bit_cast<double>(x); }
[[maybe_unused]] inline i32 leading_zeros(u64 x) { return std::countl_zero(x); }
using std::ceil;
using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::ldexp;
using std::max;
using std::min;
using std::rint;
using std::sqrt;

} // namespace opencl_names

#define PURE [[maybe_unused]] inline
#define TMD_UNROLL
#define TMD_ROLLED
