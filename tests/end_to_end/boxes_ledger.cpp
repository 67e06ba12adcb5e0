// Checks the terms of a box's ledger that are too small to be seen by enumeration: the errors of F, its slopes and its
// form, against 300 bits of MPFR, all over binary32. None exceeds its term, and each comes so near to it that with a
// small part of the term a case would be missed.
#include "compound_corners.hpp"
#include "host/engine/boxes/reference.hpp"
#include "host/engine/boxes/tables.hpp"
#include "host/number/mpfr.hpp"
#include "host/number/random.hpp"
#include "power_corners.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace tmd::test {

namespace {

constexpr long digits = 300;

class Real {
public:
  Real(double x) : value_(digits) { mpfr_set_d(value_, x, MPFR_RNDN); } // NOLINT: as numbers are
  [[nodiscard]] const number::Mpfr& mpfr() const { return value_; }
  [[nodiscard]] double rounded() const { return mpfr_get_d(value_, MPFR_RNDN); }

  template <typename Operation> static Real of(const Operation& operation) {
    Real result(0);
    operation(static_cast<mpfr_ptr>(result.value_));
    return result;
  }
  friend Real operator+(const Real& x, const Real& y) {
    return of([&](mpfr_ptr r) { mpfr_add(r, x.value_, y.value_, MPFR_RNDN); });
  }
  friend Real operator-(const Real& x, const Real& y) {
    return of([&](mpfr_ptr r) { mpfr_sub(r, x.value_, y.value_, MPFR_RNDN); });
  }
  friend Real operator*(const Real& x, const Real& y) {
    return of([&](mpfr_ptr r) { mpfr_mul(r, x.value_, y.value_, MPFR_RNDN); });
  }
  friend Real operator/(const Real& x, const Real& y) {
    return of([&](mpfr_ptr r) { mpfr_div(r, x.value_, y.value_, MPFR_RNDN); });
  }

private:
  number::Mpfr value_;
};

Real two_to(int n) {
  return Real::of([&](mpfr_ptr r) { mpfr_set_ui_2exp(r, 1, n, MPFR_RNDN); });
}

// F of a pair and its derivatives along and across, by the formulas of doc/theory/boxes.md.
struct ExactSurface {
  Real value;
  Real along;
  Real across;
  Real A;
  Real B;
  Real C;
};

ExactSurface exact_surface(const engine::boxes::layout::box_strip& s, const engine::boxes::PowerPair& pair) {
  const Real X(pair.x);
  const Real Y(pair.y);
  const Real y = Y * two_to(s.y_exponent) * s.sign;
  const Real x = X * two_to(s.x_exponent) * (s.x_sign == 0 ? 1 : s.x_sign);
  const Real base = s.x_sign == 0 ? x : x + 1;
  const Real t = y * Real::of([&](mpfr_ptr r) { mpfr_log(r, base.mpfr(), MPFR_RNDN); });
  const Real inverse_slope = base * X / x; // of log x, or log(1 + x), with respect to X
  const Real f = Real::of([&](mpfr_ptr r) { mpfr_exp(r, t.mpfr(), MPFR_RNDN); }) * two_to(s.scale);
  const Real by_x = f * y / inverse_slope;
  const Real by_y = f * t / Y;
  const Real xx = by_x * (y - 1) / inverse_slope / 2;
  const Real yy = by_y * t / Y / 2;
  const bool swaps = s.axis != 0;
  return {f, swaps ? by_y : by_x, swaps ? by_x : by_y, swaps ? yy : xx, by_x * (t + 1) / Y, swaps ? xx : yy};
}

// The difference |x/2^64 − exact| modulo 1.
double off_modulo_1(std::uint64_t x, const Real& exact) {
  const Real difference = Real::of([&](mpfr_ptr r) { mpfr_set_ui_2exp(r, x, -64, MPFR_RNDN); }) - exact;
  const Real nearest = Real::of([&](mpfr_ptr r) { mpfr_rint(r, difference.mpfr(), MPFR_RNDN); });
  return std::fabs((difference - nearest).rounded());
}

// The error of a coefficient beyond the rounding to a float, in box units.
double beyond_rounding(float found, const Real& exact) {
  return std::max(0.0, std::fabs((Real(found) - exact).rounded()) - std::ldexp(std::fabs(exact.rounded()), -24));
}

// The greatest shares of terms seen so far.
struct Shares {
  double value = 0;
  double slopes = 0;
  double form = 0;
  int pairs = 0;
  int lost = 0;         // pairs shifted onto a breakpoint that the filter has lost,
  int lost_without = 0; // and those that a filter without the term of the value has lost
};

void look_at(std::span<const std::uint64_t> tables, const engine::boxes::PowerStrip& strip,
             const engine::boxes::PowerPair& pair, Shares& most) {
  engine::boxes::layout::box_strip s = strip.kernel;
  const ExactSurface exact = exact_surface(s, pair);
  // A lean with which the form has hardly a mixed term, as far as floats determine it: there products cancel.
  s.slope = static_cast<float>((exact.B / exact.A).rounded() / -2);
  if (!(std::fabs(s.slope) < 0x1p14F))
    s.slope = 0;
  const engine::boxes::PairSurface found = engine::boxes::surface_on_host(tables, s, pair);
  const double far_across = (s.height - 1) / 2.0;
  const double far_along = s.width / 2.0 + std::fabs(s.lean / 65536.0) * far_across + 1;
  const Real xy = (exact.B + exact.A * s.slope * 2) * s.of_both;
  const Real yy = (exact.C + (exact.B + exact.A * s.slope) * s.slope) * s.of_across;
  const double one = std::ldexp(static_cast<double>(s.z_unit), 64);
  const engine::boxes::BoxLedger& ledger = strip.ledger;
  most.value = std::max(most.value, off_modulo_1(found.value, exact.value) / ledger.value.value());
  most.slopes = std::max(most.slopes, (off_modulo_1(found.along, exact.along) * far_along +
                                       off_modulo_1(found.across, exact.across) * far_across) /
                                          ledger.slopes.value());
  most.form = std::max(most.form, (beyond_rounding(found.xx, exact.A * s.of_along) + beyond_rounding(found.xy, xy) +
                                   beyond_rounding(found.yy, yy)) /
                                      one / ledger.form.value());
  ++most.pairs;
  // Applies the second filter to a pair that is on a breakpoint.
  const Real fraction = exact.value - Real::of([&](mpfr_ptr r) { mpfr_floor(r, exact.value.mpfr()); });
  s.offset = 0 - mpfr_get_ui((fraction * two_to(64)).mpfr(), MPFR_RNDN);
  const std::uint64_t hit = std::uint64_t(pair.x) << engine::boxes::layout::pair_bits | (pair.y - s.base);
  most.lost += !engine::boxes::pair_may_be_case(tables, s, hit);
  s.accept = ledger.epsilon.fixed_point();
  most.lost_without += !engine::boxes::pair_may_be_case(tables, s, hit);
}

// Looks at 400 pairs of each strip of each rectangle.
void check_shares(const std::vector<engine::boxes::PowerRectangle>& rectangles) {
  const std::vector<std::uint64_t> tables = engine::boxes::power_tables();
  const engine::boxes::PowerPlanner planner({Rounding::all, 24, -126, 127}, 100, engine::boxes::BoxOptions{});
  number::Random random(46);
  Shares most;
  for (const engine::boxes::PowerRectangle& rectangle : rectangles)
    for (const engine::boxes::PowerTile& tile : planner.plan(rectangle))
      for (const engine::boxes::PowerStrip& strip : tile.strips)
        for (int n = 0; n < 400 && strip.is_walked; ++n) {
          const engine::boxes::PowerRectangle& r = tile.pairs;
          const engine::boxes::PowerPair pair{r.x_first + static_cast<std::uint32_t>(random.below(r.x_end - r.x_first)),
                                              r.y_first +
                                                  static_cast<std::uint32_t>(random.below(r.y_end - r.y_first))};
          if (engine::boxes::value_on_host(tables, strip.kernel, pair))
            look_at(tables, strip, pair, most);
        }
  MESSAGE(most.pairs << " pairs; at most " << most.value << " of value, " << most.slopes << " of slopes, " << most.form
                     << " of form");
  CHECK(most.pairs > 2000);
  CHECK(most.value <= 1);
  CHECK(most.slopes <= 1);
  CHECK(most.form <= 1);
  // Mutants have a part of each term; for the form, the rounding to floats exceeds its own term by far.
  CHECK(most.value > 1.0 / 8);
  CHECK(most.slopes > 1.0 / 16);
  CHECK(most.form > 1.0 / 256);
  CHECK(most.lost == 0);
  CHECK(most.lost_without > 0);
}

} // namespace

TEST_CASE("boxes: what F, its slopes and its form are off by, and that the ledger needs each") {
  std::vector<engine::boxes::PowerRectangle> rectangles;
  for (const PowerCorner& corner : power_corners_and({{1, -17, false, 1.5, 1.4}, {40, -5, false, 1.2, 1.9}}))
    rectangles.push_back(corner.rectangle(1 << 12, 1 << 12));
  check_shares(rectangles);
}

TEST_CASE("boxes of (1 + x)^n: what F, its slopes and its form are off by, and that the ledger needs each") {
  std::vector<engine::boxes::PowerRectangle> rectangles;
  for (const CompoundCorner& corner : compound_corners())
    rectangles.push_back(corner.rectangle(1 << 12, 1 << 12));
  check_shares(rectangles);
}

} // namespace tmd::test
