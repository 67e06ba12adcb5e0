#include "engine/wide/model.hpp"

#include "engine/kernel_text.hpp"
#include "engine/wide/constants.hpp"
#include "number/arb.hpp"

#include <algorithm>
#include <cmath>

namespace tmd {

namespace {

using namespace kernel_text;
#define TMD_ROOT 1
#define TMD_RECIPROCAL 1

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/common/vector.clh"
#include "cl_kernels/common/vector32.clh"
#include "cl_kernels/wide/filter.clh"
// NOLINTEND
// clang-format on

// What the reports say is what the kernels compute with.
static_assert(wide_line_rounding == static_cast<double>(TMD_LINE_ROUNDING));
static_assert(wide_root_rounding == static_cast<double>(TMD_ROOT_ROUNDING));
static_assert(most_denominator == static_cast<double>(TMD_MOST_DENOMINATOR));

// ball modulo 1, in units of 2^−64.
u64 fraction_of(arb_srcptr ball) {
  arf_t scaled;
  arf_init(scaled);
  arf_mul_2exp_si(scaled, arb_midref(ball), 64);
  Integer whole;
  arf_get_fmpz(whole, scaled, ARF_RND_FLOOR);
  arf_clear(scaled);
  u64 result = 0;
  write_words(whole, 1, &result);
  return result;
}

} // namespace

std::vector<WideSample> sample_groups(const TaylorPolynomial& taylor, int groups) {
  constexpr long precision = 192;
  const long size = taylor.coefficients.size();
  ArbVector derivative(std::max(size - 1, 1L));
  ArbVector second(std::max(size - 2, 1L));
  _arb_poly_derivative(derivative.data(), taylor.coefficients.data(), size, precision);
  if (size > 2)
    _arb_poly_derivative(second.data(), derivative.data(), size - 1, precision);
  std::vector<WideSample> samples(static_cast<std::size_t>(groups));
  Arb t;
  Arb value;
  for (int i = 0; i < groups; ++i) {
    WideSample& sample = samples[static_cast<std::size_t>(i)];
    const double place = (i + 0.5) / groups - 0.5;
    arb_set_d(t, std::floor(place * static_cast<double>(taylor.count)));
    _arb_poly_evaluate(value, taylor.coefficients.data(), size, t, precision);
    sample.c0 = fraction_of(value);
    _arb_poly_evaluate(value, derivative.data(), size - 1, t, precision);
    sample.c1 = fraction_of(value);
    if (size > 2) {
      _arb_poly_evaluate(value, second.data(), size - 2, t, precision);
      sample.c2 = arf_get_d(arb_midref(static_cast<arb_srcptr>(value)), ARF_RND_NEAR) / 2;
    }
  }
  return samples;
}

WideExpectation try_groups(const std::vector<WideSample>& groups, const WideBounds& bounds, double most_lines) {
  const auto m = static_cast<float>(std::exp2(bounds.group_bits - 1));
  const wide_bounds kernel_bounds{m, static_cast<float>(bounds.error), static_cast<float>(bounds.curvature),
                                  static_cast<float>(bounds.denominator_limit), static_cast<float>(bounds.most_lines)};
  const auto count = static_cast<double>(groups.size());
  WideExpectation sum;
  for (const WideSample& group : groups) {
    wide_lines l = lines_of(group.c0, group.c1, static_cast<float>(group.c2 * m * m), kernel_bounds);
    bool refused = l.refused != 0;
    // As scalars have it: of a vector's lanes the neighbours, which are not tried, have a say.
    const bool filtered = l.last - l.line > unfiltered_lines(1) && filter_of(&l, m).usable != 0;
    for (; l.refused == 0 && has_lines(&l) != 0; next_line(&l)) {
      const wide_roots roots = roots_of(&l);
      const bool crowded = is_crowded(&l, roots.root) != 0;
      // The group's parts try every member so close.
      const float reach = std::min(l.twice_g / roots.root, l.reach) + TMD_ROOT_ROUNDING * m;
      const float members = std::min(2 * reach, 2 * m) * l.per_denominator + 1;
      for (const float y : {roots.right, roots.left})
        if (y == roots.right || has_left(&l) != 0)
          sum.candidates += crowded ? members : is_near(&l, m, y, roots.root, number_near(&l, m, y));
      sum.lines += 1;
      sum.filtered_lines += filtered ? 1 : 0;
      refused = refused || crowded;
    }
    sum.refused += refused ? 1 : 0;
    if (sum.lines > most_lines * count)
      break;
  }
  return {sum.lines / count, sum.filtered_lines / count, sum.candidates / count, sum.refused / count};
}

} // namespace tmd
