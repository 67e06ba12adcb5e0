// The wide test's lines from the kernels' own text, in every build: each way to compute roots and quotients, exactly
// rounded and on a device that errs as far as OpenCL allows.
#pragma once

#include "sanitized/sloppy_float.hpp"
#include "sanitized/wide_groups.hpp"
#include "sanitized/wide_walk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
#define PURE [[maybe_unused]] static inline

// Functions for each namespace that holds a copy of wide_lines.clh.
#define TMD_LINES_OF_GIVEN_GROUP                                                                                       \
  [[maybe_unused]] inline wide_lines lines_of_group(const tmd::GivenGroup& g) {                                        \
    return lines_of(g.c0, g.c1, g.c2M2,                                                                                \
                    wide_bounds{g.half_width, g.error, g.curvature, g.denominator_limit, g.most_lines});               \
  }

#ifdef __clang__ // comparisons give int in OpenCL C
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#endif

namespace { // every test file has its own

// clang-format off
#define TMD_VECTOR_WIDTH 1
#define TMD_UNROLL
#include "cl_kernels/common/vector.clh"
using std::min;
[[maybe_unused]] inline u32 as_uint(float x) { return std::bit_cast<u32>(x); }
[[maybe_unused]] inline float as_float(u32 x) { return std::bit_cast<float>(x); }
namespace exact {
using std::fabs;
using std::fma;
using std::fmax;
using std::fmin;
using std::sqrt;
[[maybe_unused]] inline float rsqrt(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }
#include "cl_kernels/common/vector32.clh"
#include "sanitized/wide_builds_each.hpp"
} // namespace exact
#undef SELECT32
#undef ANY32
#undef TO_I32
#undef TO_U32
#undef TO_U64
#undef TO_FLOATS
#undef AS_I64
#undef AS_I32
#undef AS_U32
#undef AS_BITS
#undef AS_FLOAT
namespace sloppy {
using vfloat = tmd::SloppyFloat;
using vi32 = i32;
using vu32 = u32;
using vflags32 = int;
[[maybe_unused]] inline vfloat fma(vfloat x, vfloat y, vfloat z) { return std::fma(x.value(), y.value(), z.value()); }
[[maybe_unused]] inline vfloat fabs(vfloat x) { return std::fabs(x.value()); }
[[maybe_unused]] inline vfloat fmax(vfloat x, vfloat y) { return std::fmax(x.value(), y.value()); }
[[maybe_unused]] inline vfloat fmin(vfloat x, vfloat y) { return std::fmin(x.value(), y.value()); }
#define SELECT32(no, yes, flags) ((flags) ? (yes) : (no))
#define ANY32(flags) (flags)
#define TO_I32(x) ((i32)(x))
#define TO_U32(x) ((u32)(x))
#define TO_U64(x) ((u64)(x))
#define TO_FLOATS(x) (vfloat((float)(x)))
#define AS_I64(x) ((i64)(x))
#define AS_I32(x) ((i32)(x))
#define AS_U32(x) ((u32)(x))
#define AS_BITS(x) as_uint((x).value())
#define AS_FLOAT(x) vfloat(as_float(x))
#include "sanitized/wide_builds_each.hpp"
} // namespace sloppy
// clang-format on

} // namespace
