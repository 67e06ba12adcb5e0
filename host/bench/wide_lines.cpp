#include "bench/wide_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace tmd {

namespace {

// The names that the shared kernel pieces expect (cl_kernels/portable.clh, vector32.clh).
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using std::fabs;
using std::fma;
using std::ldexp;
using std::sqrt;
[[maybe_unused]] float fmin(float x, float y) { return std::fmin(x, y); }
[[maybe_unused]] float fmax(float x, float y) { return std::fmax(x, y); }
u64 unsigned_high_half(u64 x, u64 y) { return static_cast<u64>((uint128(x) * y) >> 64); }
u32 as_uint(float x) { return std::bit_cast<u32>(x); }
float as_float(u32 x) { return std::bit_cast<float>(x); }
#define PURE [[maybe_unused]] inline
#define TMD_UNROLL
#define TMD_VECTOR_WIDTH 1
#define TMD_ROOT 1
#define TMD_RECIPROCAL 1
#define global

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/vector.clh"
#include "cl_kernels/vector32.clh"
#include "cl_kernels/wide_lines.clh"
#include "cl_kernels/wide_polynomial.clh"
#include "cl_kernels/wide_shift.clh"
// NOLINTEND
// clang-format on
#undef global

} // namespace

WideLines sample_lines(const IntervalPlan& plan, std::uint64_t groups) {
  const WidePolynomial& polynomial = *plan.wide.polynomial;
  const int group_bits = polynomial.group_bits();
  const int sub_bits = polynomial.sub_bits();
  const std::uint64_t all = ((plan.count - 1) >> group_bits) + 1;
  wide_bounds bounds{};
  bounds.half_width = std::ldexp(1.0F, group_bits - 1);
  bounds.error = plan.wide.error;
  bounds.curvature = plan.wide.curvature;
  bounds.denominator_limit = plan.wide.denominator_limit;
  bounds.most_lines = plan.wide.most_lines;
  WideLines result;
  result.groups = std::min(groups, all);
  std::array<u32, TMD_RECORD_LIMBS> record{};
  std::uint64_t recorded = ~std::uint64_t(0); // the sub-interval
  for (std::uint64_t i = 0; i < result.groups; ++i) {
    const auto group = static_cast<std::uint64_t>(uint128(all) * i / result.groups);
    const u64 centre = (group << group_bits) + (u64(1) << (group_bits - 1));
    if (const std::uint64_t sub_interval = centre >> sub_bits; sub_interval != recorded) {
      shift_to(polynomial.coefficients().data(), polynomial.size(), polynomial.words(), sub_interval << sub_bits,
               2 * (group_bits - 1), sub_bits, record.data());
      recorded = sub_interval;
    }
    const u64 t = centre & ((u64(1) << sub_bits) - 1);
    u64 c1 = 0;
    const u64 c0 = value_and_slope_at(record.data(), t, &c1);
    const float c2M2 =
        curvature_at(as_float(record[TMD_RECORD_FLOATS]), as_float(record[TMD_RECORD_FLOATS + 1]),
                     as_float(record[TMD_RECORD_FLOATS + 2]), std::ldexp(static_cast<float>(t), -sub_bits));
    const wide_lines lines = lines_of(c0, c1, c2M2, bounds);
    if (lines.refused != 0) {
      ++result.refused;
      continue;
    }
    const double count = std::max(0.0, static_cast<double>(lines.last) - static_cast<double>(lines.line) + 1);
    result.mean_lines += count;
    result.most_lines = std::max(result.most_lines, count);
    result.mean_denominator += static_cast<double>(lines.denominator);
  }
  const auto counted = static_cast<double>(std::max<std::uint64_t>(result.groups - result.refused, 1));
  result.mean_lines /= counted;
  result.mean_denominator /= counted;
  return result;
}

} // namespace tmd
