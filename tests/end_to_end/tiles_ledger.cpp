// The terms of a tile's ledger (doc/theory/boxes.md, section 8) all over binary32, in exact arithmetic: the polynomial
// against the function, and what the kernels compute of it against the polynomial. None is exceeded, and each is
// needed.
#include "host/engine/boxes/reference.hpp"
#include "host/engine/boxes/tiles.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace tmd::test::tiles_ledger {

namespace {

constexpr long precision = 800; // all but quotients and functions are exact

// P and its derivatives, in steps of the arguments.
struct Exact {
  number::Arb value, x, y, xx, xy, yy;
};

number::Arb power(const number::Arb& base, int exponent) {
  number::Arb result;
  arb_pow_ui(result, base, static_cast<unsigned long>(std::max(exponent, 0)), precision);
  return result;
}

Exact exact_surface(const std::uint64_t* words, const engine::boxes::PowerPair& pair) {
  const auto bits_x = static_cast<int>(words[1] & 0xffffffff);
  const auto bits_y = static_cast<int>(words[1] >> 32);
  number::Arb u;
  number::Arb v;
  arb_set_si(u, static_cast<long>(pair.x) - static_cast<long>(words[0] & 0xffffffff));
  arb_set_si(v, static_cast<long>(pair.y) - static_cast<long>(words[0] >> 32));
  arb_mul_2exp_si(u, u, -bits_x);
  arb_mul_2exp_si(v, v, -bits_y);
  Exact result;
  const std::uint64_t* at = words + 2;
  for (int m = 8; m >= 0; --m)
    for (int n = 8 - m; n >= 0; --n, at += 2) {
      number::Arb k;
      number::Arb low;
      arb_set_si(k, static_cast<long>(at[0]));
      arb_set_ui(low, at[1]);
      arb_mul_2exp_si(low, low, -64);
      arb_add(k, k, low, precision);
      const auto add = [&](number::Arb& to, int a, int b, long factor, int shift) {
        if (factor == 0)
          return;
        number::Arb term;
        arb_mul(term, power(u, m - a), power(v, n - b), precision);
        arb_mul(term, term, k, precision);
        arb_mul_si(term, term, factor, precision);
        arb_mul_2exp_si(term, term, -shift);
        arb_add(to, to, term, precision);
      };
      add(result.value, 0, 0, 1, 0);
      add(result.x, 1, 0, m, bits_x);
      add(result.y, 0, 1, n, bits_y);
      add(result.xx, 2, 0, m * (m - 1) / 2, 2 * bits_x);
      add(result.xy, 1, 1, static_cast<long>(m) * n, bits_x + bits_y);
      add(result.yy, 0, 2, n * (n - 1) / 2, 2 * bits_y);
    }
  return result;
}

double rounded(const number::Arb& x) { return arf_get_d(number::mid(x), ARF_RND_NEAR); }

// x·2^64 modulo 2^64, rounded to nearest.
std::uint64_t fraction_of(const number::Arb& x) {
  number::Arb scaled;
  number::Integer whole;
  std::uint64_t word = 0;
  arb_mul_2exp_si(scaled, x, 64);
  arf_get_fmpz(whole, number::mid(scaled), ARF_RND_NEAR);
  number::write_words(whole, 1, &word);
  return word;
}

// |x/2^64 - exact| modulo 1.
double off_modulo_1(std::uint64_t x, const number::Arb& exact) {
  number::Arb difference;
  arb_set_ui(difference, x);
  arb_mul_2exp_si(difference, difference, -64);
  arb_sub(difference, difference, exact, precision);
  number::Integer whole;
  arf_get_fmpz(whole, number::mid(difference), ARF_RND_NEAR);
  arb_sub_fmpz(difference, difference, whole, precision);
  return std::fabs(rounded(difference));
}

double beyond_rounding(float found, double exact) {
  return std::max(0.0, std::fabs(found - exact) - std::ldexp(std::fabs(exact), -24));
}

engine::boxes::PowerPair pair_of(const engine::boxes::layout::box_strip& strip, std::uint32_t along,
                                 std::uint32_t across) {
  return strip.axis == 0 ? engine::boxes::PowerPair{along, across} : engine::boxes::PowerPair{across, along};
}

// The greatest shares of terms, and pairs at a breakpoint that filters have lost.
struct Shares {
  double function = 0, value = 0, slopes = 0, form = 0;
  int pairs = 0, lost = 0, lost_without_function = 0, lost_without_value = 0;
};

void look_at(const engine::boxes::SurfaceWords& words, const engine::boxes::PowerStrip& strip,
             const engine::boxes::PowerPair& pair, const number::Arb& f, Shares& most) {
  engine::boxes::layout::box_strip s = strip.kernel;
  const engine::boxes::BoxLedger& ledger = strip.ledger;
  const Exact exact = exact_surface(words.words.data() + s.polynomial, pair);
  number::Arb off;
  arb_sub(off, exact.value, f, precision);
  if (std::fabs(rounded(off)) > 0.25) // f belongs to the tile's other spacing
    return;
  ++most.pairs;
  most.function = std::max(most.function, std::fabs(rounded(off)) / ledger.function.value());
  const engine::boxes::PairSurface found = engine::boxes::surface_on_host(words, s, pair);
  most.value = std::max(most.value, off_modulo_1(found.value, exact.value) / ledger.value.value());
  if (strip.is_walked) {
    const bool swaps = s.axis != 0;
    const double far_across = (s.height - 1) / 2.0;
    const double far_along = s.width / 2.0 + std::fabs(s.lean / 65536.0) * far_across + 1;
    most.slopes = std::max(most.slopes, (off_modulo_1(found.along, swaps ? exact.y : exact.x) * far_along +
                                         off_modulo_1(found.across, swaps ? exact.x : exact.y) * far_across) /
                                            ledger.slopes.value());
    number::Arb both;
    number::Arb across;
    number::Arb slope;
    const number::Arb& a = swaps ? exact.yy : exact.xx;
    arb_set_d(slope, static_cast<double>(s.slope));
    arb_mul(both, a, slope, precision);
    arb_add(across, both, exact.xy, precision);
    arb_mul(across, across, slope, precision);
    arb_add(across, across, swaps ? exact.xx : exact.yy, precision);
    arb_mul_2exp_si(both, both, 1);
    arb_add(both, both, exact.xy, precision);
    const double one = std::ldexp(static_cast<double>(s.z_unit), 64);
    most.form = std::max(most.form, (beyond_rounding(found.xx, rounded(a) * s.of_along) +
                                     beyond_rounding(found.xy, rounded(both) * s.of_both) +
                                     beyond_rounding(found.yy, rounded(across) * s.of_across)) /
                                        one / ledger.form.value());
  }
  // The second filter at a pair whose value is a breakpoint.
  s.offset = 0 - fraction_of(f);
  const std::uint64_t hit = std::uint64_t(pair.x) << engine::boxes::layout::pair_bits | pair.y;
  const auto loses = [&](const number::Bound& accept) {
    s.accept = accept.fixed_point();
    return !engine::boxes::pair_may_be_case(words, s, hit);
  };
  most.lost += loses(ledger.function + ledger.value) ? 1 : 0;
  most.lost_without_function += loses(ledger.value) ? 1 : 0;
  // And at a pair where P itself is an integer, within half of 2^-64.
  s.offset = 0 - fraction_of(exact.value);
  most.lost += loses(ledger.value) ? 1 : 0;
  most.lost_without_value += loses(number::Bound::power_of_two(-64)) ? 1 : 0;
}

} // namespace

TEST_CASE("tiles: no term of the ledger is exceeded, and each is needed") {
  const format::BreakpointGrid grid{Rounding::all, 24, -126, 127};
  std::mt19937_64 random(5);
  Shares most;
  for (const char* text : {"sqrt(x^2+y^2)", "exp(x)*y", "atan(y/x)", "log(x)+y", "x^y", "x*y/3+x^3*y^2/7"}) {
    const function::PairExpression expression = function::make_pair_expression(text);
    for (const auto& [ex, ey] : {std::pair(0, 0), {2, -3}, {-4, 1}, {1, 2}})
      for (const std::uint32_t size : {1U << 13, 1U << 18, 1U << 21}) {
        const auto range = [&](std::uint32_t width) {
          const auto first = (1U << 23) + static_cast<std::uint32_t>(random() % ((1U << 23) - width));
          return engine::boxes::SignificandRange{first, first + width};
        };
        // Where x and y are alike sqrt(x^2+y^2) has 16000 strips in the largest square, which take seconds to plan.
        const bool is_narrow = !tries_all && text == std::string_view("sqrt(x^2+y^2)") && ex >= 0 && ey >= ex;
        const engine::boxes::TileRectangle rectangle{{ex - 23, false, range(size)},
                                                     {ey - 23, false, range(is_narrow ? size / 16 : size)}};
        engine::boxes::PlannedPairs planned;
        engine::boxes::TilePlanner(*expression.formula, grid, 10, {}).plan(rectangle, planned);
        const engine::boxes::SurfaceWords words{std::span<const std::uint64_t>(planned.polynomials),
                                                engine::boxes::SurfaceKind::tile};
        for (int i = 0; i < 60 && !planned.strips.empty(); ++i) {
          const std::size_t strip = random() % planned.strips.size();
          const engine::boxes::layout::box_strip& kernel = planned.strips[strip].kernel;
          const auto any = [&](int first, int end) {
            const std::array<int, 3> all{first, end - 1, first + static_cast<int>(random() % unsigned(end - first))};
            return static_cast<std::uint32_t>(all.at(random() % 3));
          };
          const engine::boxes::PowerPair pair =
              pair_of(kernel, any(kernel.along, kernel.along_end), any(kernel.across, kernel.across_end));
          number::Mpfr x(32);
          number::Mpfr y(32);
          mpfr_set_ui_2exp(x, pair.x, rectangle.x.exponent, MPFR_RNDN);
          mpfr_set_ui_2exp(y, pair.y, rectangle.y.exponent, MPFR_RNDN);
          const function::ValueEnclosure value = expression.function.value(x, y, 300);
          number::Arb f;
          arf_set_mpfr(number::mid(f), value.lower);
          arb_mul_2exp_si(f, f, -grid.spacing_exponent(static_cast<int>(mpfr_get_exp(value.lower)) - 1));
          look_at(words, planned.strips[strip], pair, f, most);
        }
      }
  }
  MESSAGE(most.pairs << " pairs; greatest shares: function " << most.function << ", value " << most.value << ", slopes "
                     << most.slopes << ", form " << most.form << "; lost without function "
                     << most.lost_without_function << ", without value " << most.lost_without_value);
  CHECK(most.pairs > 2000);
  CHECK(most.function <= 1);
  CHECK(most.value <= 1);
  CHECK(most.slopes <= 1);
  CHECK(most.form <= 1);
  CHECK(most.function > 0.1);
  CHECK(most.value > 0.03);
  CHECK(most.slopes > 0.01);
  CHECK(most.form > 0.0001);
  CHECK(most.lost == 0);
  CHECK(most.lost_without_function > 0);
  CHECK(most.lost_without_value > 0);
}

} // namespace tmd::test::tiles_ledger
