// The kernels' text of the boxes engine as C++, for the tests that include this: in the namespace `full` as it is, and
// in others with a term of the proof left out.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace boxes_text {

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

// clang-format off
#define PURE [[maybe_unused]] inline
#define TMD_UNROLL
#define TMD_ROLLED
#define global
#include "cl_kernels/boxes/layout.clh"
#include "cl_kernels/boxes/fixed_power.clh"
#include "cl_kernels/boxes/surface.clh"
#include "cl_kernels/boxes/places.clh"
#include "cl_kernels/boxes/vectors.clh"
// clang-format on

// All that is found, as pairs counted from the middle, and as entries.
struct Sink {
  place at{};
  std::set<std::pair<i32, i32>> found;
  std::vector<u64> entries;
  std::vector<i32> refused;
};
inline void found(Sink* sink, i32 i, i32 j) {
  sink->found.emplace(i, j);
  if (sink->at.strip != nullptr && has_pair(&sink->at, i, j))
    sink->entries.push_back(pair_entry(&sink->at, i, j));
}
inline void refused(Sink* sink, i32 box) { sink->refused.push_back(box); }
inline void take(Sink* sink, u64 entry) { sink->entries.push_back(entry); }

// clang-format off
#define FOUND Sink
namespace full {
#include "cl_kernels/boxes/lines.clh"
#include "cl_kernels/boxes/rows.clh"
} // namespace full
#undef TMD_POINT_ERROR
#undef TMD_ROOT_ERROR
namespace no_float_error {
#define TMD_POINT_ERROR 0.0f
#define TMD_ROOT_ERROR 0.0f
#include "cl_kernels/boxes/lines.clh"
#include "cl_kernels/boxes/rows.clh"
#undef TMD_POINT_ERROR
#undef TMD_ROOT_ERROR
} // namespace no_float_error
#undef FOUND
#undef global
#undef PURE
// clang-format on

} // namespace boxes_text
