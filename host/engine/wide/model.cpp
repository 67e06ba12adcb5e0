#include "engine/wide/model.hpp"

#include "engine/kernel_text.hpp"
#include "engine/wide/constants.hpp"
#include "number/arb.hpp"

#include <algorithm>
#include <cmath>

namespace tmd::engine::wide {

namespace {

using namespace kernel_text;
#define TMD_RECIPROCALS 0

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/common/vector.clh"
#include "cl_kernels/common/vector32.clh"
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
// NOLINTEND
// clang-format on

// The reports' numbers must be those that the kernels compute with.
static_assert(wide_line_rounding == static_cast<double>(TMD_LINE_ROUNDING));
static_assert(wide_root_rounding == static_cast<double>(TMD_ROOT_ROUNDING));
static_assert(most_denominator == static_cast<double>(TMD_MOST_DENOMINATOR));

// ball modulo 1, in units of 2^−64.
kernel_layout::u64 fraction_of(arb_srcptr ball) {
  arf_t scaled;
  arf_init(scaled);
  arf_mul_2exp_si(scaled, arb_midref(ball), 64);
  number::Integer whole;
  arf_get_fmpz(whole, scaled, ARF_RND_FLOOR);
  arf_clear(scaled);
  kernel_layout::u64 result = 0;
  number::write_words(whole, 1, &result);
  return result;
}

// Adds the work of a refused group, as if all its parts were like one around its middle (walk_part of
// cl_kernels/wide/parts.cl): a part with too many members of a class is evaluated argument by argument.
void add_parts(WideExpectation& sum, const WideSample& group, wide_bounds bounds, int part_bits, double most_lines) {
  const double parts = std::exp2(part_bits);
  const float m = std::ldexp(bounds.half_width, -part_bits);
  bounds.half_width = m;
  bounds.most_lines = wide_most_lines;
  wide_lines l = lines_of(group.c0, group.c1, static_cast<float>(group.c2) * m * m, bounds);
  bool is_refused = l.refused != 0;
  float members = 0;
  for (; !is_refused && sum.lines <= most_lines && has_lines(&l); next_line(&l)) {
    const wide_roots roots = roots_of(&l);
    for (const float y : {roots.right, roots.left}) {
      if (y != roots.right && has_left(&l) == 0)
        continue;
      float first = 0;
      const float near = members_near(&l, m, y, roots.root, &first);
      is_refused = is_refused || !(near <= most_members);
      members += std::max(near, 0.0F);
    }
    sum.lines += parts;
  }
  sum.parts += parts;
  sum.candidates += parts * (is_refused ? 2 * m : std::min(members, 2 * m));
}

} // namespace

std::vector<WideSample> sample_groups(const polynomial::TaylorPolynomial& taylor, int groups) {
  constexpr long precision = 192;
  const long size = taylor.coefficients.size();
  number::ArbVector derivative(std::max(size - 1, 1L));
  number::ArbVector second(std::max(size - 2, 1L));
  _arb_poly_derivative(derivative.data(), taylor.coefficients.data(), size, precision);
  if (size > 2)
    _arb_poly_derivative(second.data(), derivative.data(), size - 1, precision);
  std::vector<WideSample> samples(static_cast<std::size_t>(groups));
  number::Arb t;
  number::Arb value;
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < groups; ++i) {
    WideSample& sample = samples[static_cast<std::size_t>(i)];
    // If all arguments are short numbers, their values may have the same places between breakpoints.
    const double in_share = std::fmod((i + 1) * golden, 1.0);
    const double place = (i + in_share) / groups - 0.5;
    arb_set_d(t, std::floor(place * static_cast<double>(taylor.count)));
    _arb_poly_evaluate(value, taylor.coefficients.data(), size, t, precision);
    sample.c0 = fraction_of(value);
    _arb_poly_evaluate(value, derivative.data(), size - 1, t, precision);
    sample.c1 = fraction_of(value);
    if (size > 2) {
      _arb_poly_evaluate(value, second.data(), size - 2, t, precision);
      sample.c2 = arf_get_d(mid(value), ARF_RND_NEAR) / 2;
    }
  }
  return samples;
}

WideExpectation try_groups(const std::vector<WideSample>& groups, const WideBounds& bounds, double most_lines) {
  const auto m = static_cast<float>(std::exp2(bounds.group_bits - 1));
  const wide_bounds kernel_bounds{m, static_cast<float>(bounds.error), static_cast<float>(bounds.curvature),
                                  static_cast<float>(bounds.denominator_limit), static_cast<float>(bounds.most_lines)};
  const auto count = static_cast<double>(groups.size());
  const int part_bits = part_bits_of(bounds.group_bits);
  const float half_part = std::ldexp(m, -part_bits);
  WideExpectation sum;
  for (const WideSample& group : groups) {
    if (sum.lines > most_lines * count)
      break;
    wide_lines l = lines_of(group.c0, group.c1, static_cast<float>(group.c2 * m * m), kernel_bounds);
    if (l.refused != 0) {
      add_parts(sum, group, kernel_bounds, part_bits, most_lines * count);
      continue;
    }
    // As a scalar kernel decides: in a vector, neighbouring lanes matter, which are not tried here.
    const bool filtered = l.last - l.line > unfiltered_lines(1) && filter_of(&l, m).usable != 0;
    for (; has_lines(&l) != 0; next_line(&l)) {
      const wide_roots roots = roots_of(&l);
      const bool crowded = is_crowded(&l, roots.root) != 0;
      for (const float y : {roots.right, roots.left}) {
        if (y != roots.right && has_left(&l) == 0)
          continue;
        if (!crowded) {
          sum.candidates += is_near(&l, m, y, roots.root, number_near(&l, m, y));
          continue;
        }
        if (chord_of(&l, m, y, roots.root).usable != 0) { // and most of them decide
          sum.chords += 1;
          continue;
        }
        kernel_layout::i32 last = 0;
        const kernel_layout::i32 first = parts_near(&l, m, half_part, y, roots.root, &last);
        sum.parts += std::max(last - first + 1, 0);
        // A part tries every member this close; floats lose less there, as all numbers are smaller.
        const float given = 2 * m * l.denominator * kernel_bounds.error;
        const float twice_g = given + (l.twice_g - given) * half_part / m;
        const float reach = std::min(twice_g / roots.root, l.reach) + 2 * TMD_ROOT_ROUNDING * half_part;
        sum.candidates += std::min(2 * reach * l.per_denominator, 2 * half_part);
      }
      sum.lines += 1;
      sum.filtered_lines += filtered ? 1 : 0;
    }
  }
  return {sum.lines / count, sum.filtered_lines / count, sum.candidates / count, sum.chords / count, sum.parts / count};
}

} // namespace tmd::engine::wide
