// The pieces of the phase walk's kernels, from the kernels' own text: numbers of three words against schoolbook
// arithmetic on digits of 16 bits, bases of lattices that are made shorter, and the points of a body against all points
// of the lattice that its box can hold.
#include "opencl_names.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

namespace {

using namespace opencl_names;

// clang-format off
#include "cl_kernels/phase/fixed_point.clh"
#include "cl_kernels/phase/layout.clh"
namespace two_words { // with two words of m and far longer vectors
#define TMD_M_WORDS 2
#define TMD_UNIT_BITS TMD_ROBUST_BITS
#define global
#define FOUND std::vector<i64>
void found(std::vector<i64>* sink, int /*target*/, i64 told) { sink->push_back(told); }
#include "cl_kernels/phase/lattice.clh"
#include "cl_kernels/phase/walk.clh"
#undef FOUND
#undef global
#undef TMD_UNIT_BITS
#undef TMD_M_WORDS
} // namespace two_words
#define TMD_M_WORDS 1
#define TMD_UNIT_BITS 50
#include "cl_kernels/phase/lattice.clh"
using significands = std::set<i64>;
void found(significands* sink, int /*target*/, i64 m) { sink->insert(m); }
#define global
#define FOUND significands
#include "cl_kernels/phase/walk.clh"
#undef global
// clang-format on

// Digits of 16 bits, the least significant first; modulo 2^(16·digits), two's complement.
using Number = std::vector<u32>;
constexpr u32 digit = 0xffff;

Number number(const wide& x, std::size_t digits = 12) {
  Number result;
  for (int i = 2; i >= 0; --i)
    for (int part = 0; part < 4; ++part)
      result.push_back(static_cast<u32>(x.word[i] >> (16 * part)) & digit);
  const u32 sign = static_cast<i64>(x.word[0]) < 0 ? digit : 0;
  result.resize(digits, sign);
  return result;
}

Number small(u64 x, std::size_t digits) {
  Number result;
  for (int part = 0; part < 4; ++part)
    result.push_back(static_cast<u32>(x >> (16 * part)) & digit);
  result.resize(digits, 0);
  return result;
}

Number sum(const Number& x, const Number& y) {
  Number result;
  u32 carry = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    carry += x[i] + y[i];
    result.push_back(carry & digit);
    carry >>= 16;
  }
  return result;
}

Number negated(Number x) {
  for (u32& each : x)
    each ^= digit;
  return sum(x, small(1, x.size()));
}

Number product(const Number& x, const Number& y) {
  Number result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    u64 carry = 0;
    for (std::size_t j = 0; i + j < x.size(); ++j) {
      carry += result[i + j] + u64(x[i]) * y[j];
      result[i + j] = static_cast<u32>(carry) & digit;
      carry >>= 16;
    }
  }
  return result;
}

// One bit at a time.
Number doubled(const Number& x) { return sum(x, x); }

u64 low_word(const Number& x, std::size_t first) {
  u64 result = 0;
  for (std::size_t i = 0; i < 4; ++i)
    result |= u64(x[first + i]) << (16 * i);
  return result;
}

// Random words, more often than not such that carries stop, pass or begin.
u64 any_word(std::mt19937_64& random) {
  static constexpr u64 extremes[] = {0, 1, ~u64(0), ~u64(0) - 1, u64(1) << 63, (u64(1) << 63) - 1, u64(1) << 32};
  const u64 choice = random() % 14;
  return choice < 7 ? extremes[choice] : random();
}

wide any_wide(std::mt19937_64& random) { return {{any_word(random), any_word(random), any_word(random)}}; }

// Modulo 2^128, as its terms may be larger than it is.
i128 determinant(const point v[3]) {
  const auto word = [](i64 x) { return static_cast<u128>(static_cast<i128>(x)); };
  const auto minor = [&](i64 a, i64 b, i64 c, i64 d) { return word(a) * word(d) - word(b) * word(c); };
  return static_cast<i128>(word(v[0].m) * minor(v[1].y, v[1].z, v[2].y, v[2].z) -
                           word(v[0].y) * minor(v[1].m, v[1].z, v[2].m, v[2].z) +
                           word(v[0].z) * minor(v[1].m, v[1].y, v[2].m, v[2].y));
}

double length(const point& v, const scales& s) {
  const double x = static_cast<double>(v.m) * s.x;
  const double y = static_cast<double>(v.y) * s.y;
  const double z = static_cast<double>(v.z) * s.z;
  return x * x + y * y + z * z;
}

double longest(const point v[3], const scales& s) {
  return std::max({length(v[0], s), length(v[1], s), length(v[2], s)});
}

bool is_multiple_by(const point& difference, const point& v, i64 k) {
  const auto same = [&](i64 x, i64 y) { return u64(x) == u64(k) * u64(y); };
  return same(difference.m, v.m) && same(difference.y, v.y) && same(difference.z, v.z);
}

} // namespace

TEST_CASE("phase numbers: sums, differences and products modulo 2^192") {
  std::mt19937_64 random(1);
  std::array<int, 5> wrong{};
  for (int round = 0; round < 20000; ++round) {
    const wide x = any_wide(random);
    const wide y = any_wide(random);
    const u64 n = any_word(random);
    const Number negative = negated(number(x));
    const Number of_n = small(n, 12);
    Number of_signed = of_n;
    if (static_cast<i64>(n) < 0)
      std::fill(of_signed.begin() + 4, of_signed.end(), digit);
    wrong[0] += number(wide_sum(x, y)) != sum(number(x), number(y));
    wrong[1] += number(wide_negated(x)) != negative;
    wrong[2] += number(wide_difference(y, x)) != sum(number(y), negative);
    wrong[3] += number(wide_product(n, x)) != product(number(x), of_n);
    wrong[4] += number(wide_signed_product(static_cast<i64>(n), x)) != product(number(x), of_signed);
  }
  for (const int each : wrong)
    CHECK(each == 0);
}

TEST_CASE("phase numbers: a share of one is rounded towards −∞, by less than a few units") {
  std::mt19937_64 random(2);
  int wrong = 0;
  u64 worst = 0;
  for (int round = 0; round < 20000; ++round) {
    const wide x = any_wide(random);
    const u64 t = any_word(random);
    // The product x·t in 256 bits, of which the upper 192 are returned.
    const Number whole = product(number(x, 16), small(t, 16));
    const Number exact(whole.begin() + 4, whole.end());
    const Number off = sum(exact, negated(number(wide_scaled(x, t))));
    wrong += std::any_of(off.begin() + 1, off.end(), [](u32 each) { return each != 0; });
    worst = std::max<u64>(worst, off[0]);
  }
  CHECK(wrong == 0);
  CHECK(worst <= 1); // carries of the products of the last word
}

TEST_CASE("phase numbers: shifts and slices") {
  std::mt19937_64 random(3);
  int wrong = 0;
  for (int round = 0; round < 500; ++round) {
    const wide x = any_wide(random);
    Number shifted = number(x);
    for (u32 bits = 0; bits < 192; ++bits) {
      wrong += number(wide_shifted(x, bits)) != shifted;
      wrong += static_cast<u64>(wide_slice(x, static_cast<i32>(bits))) != low_word(shifted, 8);
      shifted = doubled(shifted);
    }
    for (const int right : {1, 2, 31, 62, 63, 64, 200}) {
      const i64 head = static_cast<i64>(x.word[0]);
      wrong += wide_slice(x, -right) != (right > 63 ? (head < 0 ? -1 : 0) : head >> right);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("phase lattices: shortening keeps the determinant and lengthens nothing") {
  std::mt19937_64 random(4);
  int wrong = 0;
  int longer = 0;
  int short_enough = 0;
  int unordered = 0;   // costs time only, as
  int far_from_it = 0; // where squares have lost bits
  constexpr int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    // Small bases, whose determinant fits, and skewed ones, which need many steps.
    const int bits = 1 + static_cast<int>(random() % 39);
    const auto any = [&] {
      const i64 magnitude = static_cast<i64>(random() & ((u64(1) << bits) - 1));
      return random() % 2 == 0 ? magnitude : -magnitude;
    };
    point v[3];
    for (point& each : v)
      each = {any(), any(), any()};
    const scales s{std::ldexp(1.0F, -static_cast<int>(random() % 30)),
                   std::ldexp(1.0F, -static_cast<int>(random() % 30)),
                   std::ldexp(1.0F, -static_cast<int>(random() % 30))};
    const i128 before = determinant(v);
    const double length_before = longest(v, s);
    const double volume = std::fabs(static_cast<double>(before) * s.x * s.y * s.z);
    const bool is_halfway = round % 2 != 0; // twice the determinant is short enough
    const int passes = shorten(v, s, is_halfway ? static_cast<float>(volume) : 0);
    const i128 after = determinant(v);
    wrong += after != before && after != -before;
    longer += longest(v, s) > length_before * (1 + 1e-5);
    if (passes == 0 || before == 0)
      continue;
    basis b;
    const double box = std::fabs(static_cast<double>(after) * s.x * s.y * s.z);
    if (make_basis(v, &b, s, static_cast<float>(box), 1e30F, 1e30F) == 0)
      continue;
    ++short_enough;
    unordered += !(length(v[0], s) <= length(v[1], s) * 1.01 && length(v[1], s) <= length(v[2], s) * 1.01);
    const double product = length(v[0], s) * length(v[1], s) * length(v[2], s) / (box * box);
    wrong += product > 16.2;
    far_from_it += is_halfway && product > 4.05;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        wrong += std::fabs(dot(b.dual[i], b.vectors[j]) - (i == j ? 1 : 0)) > 0.05F;
    // A wrong determinant is refused, here that of a part of the lattice.
    wrong += make_basis(v, &b, s, static_cast<float>(box) / 2, 1e30F, 1e30F);
    wrong += make_basis(v, &b, s, static_cast<float>(box), 0, 0);
  }
  CHECK(wrong == 0);
  CHECK(longer == 0);
  CHECK(short_enough > rounds / 2);
  CHECK(unordered < short_enough / 20);
  CHECK(far_from_it < short_enough / 50);
}

TEST_CASE("phase lattices: vectors whose m would wrap around are refused") {
  std::mt19937_64 random(7);
  const scales s{0x1p-55F, 0x1p-30F, 0x1p-30F};
  constexpr double room = 256; // box units that m can represent
  int wrong = 0;
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto any = [&](double least, double most) {
      return std::uniform_real_distribution<double>(least, most)(random);
    };
    // (tilt, 1, 0), (0, 0, 1) and one orthogonal to them, as long as m has room for or longer, which many times the
    // first hide.
    const double tilt = any(0.05, 0.3);
    const double longest = any(100, 320);
    const double times = std::rint(any(400, 2000)) * (round % 2 == 0 ? 1 : -1);
    if (std::fabs(longest - times * tilt) > 0.9 * room)
      continue;
    const auto first = static_cast<i64>(std::ldexp(tilt, 55));
    const i128 hidden = static_cast<i128>(std::ldexp(longest, 55)) - static_cast<i128>(first) * static_cast<i64>(times);
    point v[3] = {{first, i64(1) << 30, 0},
                  {0, 0, i64(1) << 30},
                  {static_cast<i64>(hidden), -std::llrint(std::ldexp(longest * tilt + times, 30)), 0}};
    const bool is_short = shorten(v, s, 0) != 0;
    (is_short ? accepted : refused) += 1;
    wrong += is_short && longest >= room;
    wrong += !is_short && longest < 0.6 * room;
    wrong += is_short && std::fabs(std::fabs(static_cast<double>(v[2].m) * s.x) - longest) > 1;
  }
  CHECK(wrong == 0);
  CHECK(accepted > 500);
  CHECK(refused > 500);
}

TEST_CASE("phase lattices: m of two words, as numbers of 128 bits") {
  namespace two = two_words;
  std::mt19937_64 random(9);
  // All lengths except the last two bits', close to a full word, with either sign of either word.
  const auto any = [&] {
    const u128 bits = (u128(random()) << 64 | random()) >> (2 + random() % 126);
    const u128 edge = u128(1) << (random() % 126);
    const u128 x = random() % 2 == 0 ? bits : edge + random() % 3 - 1;
    return random() % 2 == 0 ? x : 0 - x;
  };
  const auto point_of = [](u128 m) {
    return two::point{static_cast<i64>(static_cast<u64>(m)), 0, 0, static_cast<i64>(static_cast<u64>(m >> 64))};
  };
  const auto m_of = [](const two::point& p) { return u128(static_cast<u64>(p.upper)) << 64 | static_cast<u64>(p.m); };
  int wrong = 0;
  for (int round = 0; round < 200000; ++round) {
    const u128 m[3] = {any(), any(), any()};
    const two::point v[3] = {point_of(m[0]), point_of(m[1]), point_of(m[2])};
    wrong += m_of(v[0]) != m[0];
    const auto k = static_cast<i32>(static_cast<u32>(random()) >> random() % 32);
    wrong += m_of(two::less(v[0], k, v[1])) != m[0] - static_cast<u128>(static_cast<i128>(k)) * m[1];
    // Rows of integers that floats can represent.
    const auto entry = [&] { return static_cast<float>(static_cast<i32>(random() >> 40 >> random() % 24) - 1000); };
    const two::spot row{entry(), entry(), entry()};
    wrong += m_of(two::combined(v, row)) != static_cast<u128>(static_cast<i128>(row.x)) * m[0] +
                                                static_cast<u128>(static_cast<i128>(row.y)) * m[1] +
                                                static_cast<u128>(static_cast<i128>(row.z)) * m[2];
    // Rounds to a float, once or twice, for a number of any size.
    const auto exact = static_cast<double>(static_cast<i128>(m[0]));
    wrong += std::fabs(two::units_of(v[0]) - exact) > std::fabs(exact) * 0x1p-22;
  }
  CHECK(wrong == 0);
}

TEST_CASE("phase walk: z of a logarithm has what its binade adds, modulo 1, and entries tell the binade") {
  std::mt19937_64 random(11);
  constexpr int dropped = 16; // bits of a number of 64 that z does not have
  for (int i = 0; i < 100000; ++i) {
    phase_parameters p{};
    p.omega[0] = 1; // 2^-64
    p.y_exponent = 64 - TMD_ROBUST_BITS;
    p.z_exponent = 64 - TMD_ROBUST_BITS - dropped;
    for (int word = 0; word < 3; ++word) {
      p.rise[word] = any_word(random);
      p.lift[1][word] = any_word(random);
    }
    const two_words::place at{{{0, 0, 0}}, {{any_word(random), any_word(random), any_word(random)}}, {{0, 0, 0}}};
    const i64 step = static_cast<i64>(random()) >> (2 + random() % 60); // of i
    const i64 binades = static_cast<i64>(random()) >> (40 + random() % 24);
    const two_words::point before{step, 0, static_cast<i64>(any_word(random)) >> 2,
                                  static_cast<i64>(u64(binades) - (step < 0 ? 1 : 0))};
    const two_words::point vector = two_words::renewed(&p, &at, before, TMD_ROBUST_BITS, -1);
    const two_words::point point = two_words::renewed(&p, &at, before, TMD_ROBUST_BITS, 1);
    CHECK(vector.y == step);
    CHECK(point.y == step);
    const Number rise = product(number(two_words::wide_of(p.rise)), number({{~u64(0), ~u64(0), u64(binades)}}));
    const Number risen =
        binades < 0 ? rise : product(number(two_words::wide_of(p.rise)), number({{0, 0, u64(binades)}}));
    const auto check = [&](const Number& fraction, i64 z) {
      const u64 expected = low_word(fraction, 8); // the highest of the three words
      // The same but for multiples of 1, and near what it was.
      CHECK((u64(z) << dropped) == (expected >> dropped << dropped));
      const i64 moved = static_cast<i64>(u64(z) - u64(before.z));
      CHECK(std::abs(moved) <= i64(1) << (63 - dropped));
    };
    check(risen, vector.z);
    const Number of_point = sum(risen, number(two_words::wide_of(p.lift[1])));
    check(sum(of_point, number({{at.f0.word[1], at.f0.word[2], 0}})), point.z);
    p.binade_bits = 22;
    const i64 told = two_words::told(&p, before);
    CHECK((u64(told) << 42) == (u64(binades) << 42));
    CHECK((u64(told) >> 22 << 22) == (u64(step) << 22));
    p.binade_bits = 0;
    CHECK(two_words::told(&p, before) == step);
  }
}

TEST_CASE("phase lattices: vectors that were short become short again however far they are sheared") {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> any(-1, 1);
  const scales s{0x1p-51F, 0x1p-50F, 0x1p-50F};
  int refused = 0;
  int lattices = 0;
  for (int round = 0; round < 20000; ++round) {
    point v[3];
    for (point& each : v)
      each = {std::llrint(std::ldexp(any(random), 51)), std::llrint(std::ldexp(any(random), 50)),
              std::llrint(std::ldexp(any(random), 50))};
    const auto volume =
        static_cast<float>(std::fabs(dot(spot_of(v[0], s), cross_product(spot_of(v[1], s), spot_of(v[2], s)))));
    if (volume < 0x1p-4F)
      continue;
    ++lattices;
    const auto shear = static_cast<i64>(random() >> 54); // up to 2^10
    for (point& each : v)
      each.z += shear * each.y;
    refused += shorten(v, s, volume) == 0;
  }
  CHECK(lattices > 5000);
  CHECK(refused == 0);
}

TEST_CASE("phase walk: a shear is less than two units below what it should be, for all that it may be given") {
  std::mt19937_64 random(12);
  const auto any_below = [&](i64 most) {
    const auto x = static_cast<i64>(any_word(random) >> (random() % 60)) % most;
    return random() % 8 == 0 ? (random() % 2 == 0 ? most - 1 : 1 - most) : random() % 2 == 0 ? x : -x;
  };
  int wrong = 0;
  for (int round = 0; round < 200000; ++round) {
    const i64 c = any_below((i64(1) << 61) + 1);
    const i64 y = any_below(i64(1) << 58);
    const i64 z = any_below(i64(1) << 30);
    const i128 off = i128(c) * y - (i128(sheared(z, c, y) - z) << TMD_COEFFICIENT_BITS);
    wrong += off < 0 || off >= i128(2) << TMD_COEFFICIENT_BITS;
  }
  CHECK(wrong == 0);
}

namespace {

// The greatest loss of F in a segment: doc/theory/phase-walk.md, "The sums".
struct Loss {
  double coefficients; // as they are rounded, in tables and on the way to the window, in units of 2^-57 z's
  double shears;       // and the differences that z is moved by, in units of z
  [[nodiscard]] double most() const { return coefficients + std::ldexp(shears, TMD_COEFFICIENT_BITS - TMD_UNIT_BITS); }
};

double choose(double n, int k) {
  double result = 1;
  for (int i = 0; i < k; ++i)
    result *= (n - i) / (i + 1);
  return result;
}

Loss loss_at(u32 degree, double windows) { // at the last of them
  const double table = 2.0 * degree + (degree + 1) / 2.0;
  const double before = windows - 1;
  return {table * (std::pow(windows, 2) + std::pow(windows, 3) + std::pow(windows, 4)) +
              5 * (choose(windows, 2) + choose(windows, 3) + choose(windows, 4)),
          choose(before, 1) + choose(before, 2) + choose(before, 3) + 2 * before};
}

} // namespace

TEST_CASE("phase walk: F over a segment is off by what the page's sums say, and by a part of that") {
  std::mt19937_64 random(13);
  const auto between = [&](long double least, long double most) {
    return least + (most - least) * static_cast<long double>(random()) / 0x1p64L;
  };
  for (u32 segment_bits = 0; segment_bits <= 6; ++segment_bits) {
    const u32 windows = u32(1) << segment_bits;
    double worst = 0;
    for (int round = 0; round < 4000; ++round) {
      phase_parameters p{};
      p.degree = 5 + static_cast<u32>(random() % 12);
      p.group_bits = 7 + static_cast<u32>(random() % 12);
      const auto first = static_cast<u32>(random() % ((u64(1) << p.group_bits) - windows + 1));
      const i64 width = (i64(1) << TMD_UNIT_BITS) + 1 + static_cast<i64>(random() >> (64 - TMD_UNIT_BITS)); // 2·y_box
      p.inverse_width = static_cast<u64>(std::ldexp(1 / static_cast<long double>(width), 63 + TMD_UNIT_BITS));
      // Three polynomials in the group's share, of which the host rounds the coefficients to integers.
      std::vector<u64> table(TMD_TABLE_WORDS(p.degree));
      u64* words = table.data() + TMD_TABLE_POLYNOMIALS + 6 * (p.degree + 1);
      const long double share = std::ldexp(static_cast<long double>(first), -static_cast<int>(p.group_bits));
      std::array<long double, 3> f{};
      for (u32 n = 0; n < 3; ++n)
        for (u32 k = p.degree + 1; k-- > 0;) {
          const long double whole = std::ldexp(1.0L, 50 - 8 * static_cast<int>(n));
          const long double each = between(-whole, whole);
          words[n * (p.degree + 1) + k] = u64(std::llrint(each));
          f.at(n) = f.at(n) * share + each;
        }
      growth g = growth_of(&p, table.data(), first);
      // To an end of the last window, from the segment's first on, about whose middle F is told.
      i64 y = static_cast<i64>(windows - 1) * width + (random() % 2 == 0 ? width / 2 : -width / 2);
      const long double from = static_cast<long double>(y) / static_cast<long double>(width);
      i64 z = 0;
      for (u32 j = 1; j < windows; ++j) {
        y -= width;
        z = sheared(z + g.k, g.c, y);
        advance(&g);
      }
      const long double to = static_cast<long double>(y) / static_cast<long double>(width);
      const long double f4 = static_cast<long double>(g.f31) / 4;
      const long double there =
          to * to * (static_cast<long double>(g.f2) + to * (static_cast<long double>(g.f3) + to * f4));
      const long double known = from * from * (f[0] + from * (f[1] + from * f[2]));
      const long double value = std::ldexp(static_cast<long double>(z), TMD_COEFFICIENT_BITS - TMD_UNIT_BITS) + there;
      const Loss loss = loss_at(p.degree, windows);
      worst = std::max(worst, static_cast<double>(std::fabs(value - known)) / loss.most());
      CHECK(loss.coefficients <= 4.0 * (p.degree + 4) * std::pow(windows + 2, 4)); // the ledger's
    }
    CAPTURE(segment_bits);
    CHECK(worst <= 1);
    CHECK(worst > 0.05);
  }
}

TEST_CASE("phase walk: the bound of what coordinates lose is more than the sum of what they lose") {
  for (const double thickness : {0.0, 1e-6, 1.0, 8.0, 100.0, 1e6})
    for (int j = 0; j < 64; ++j)
      for (const double first : {1.0, 1e3}) // D_0; all others are as large, or next to nothing
        for (const double others : {0.0, first}) {
          const double reach = 8.0 * j * j + 8 * j + 3 + thickness;
          const double anew = (18 + 32.0 * j) * (first * reach + 2.6);
          const double shears = j == 0 ? 0 : 2 * ((first + (j - 1) * others) * reach + j * 2.6);
          const double points = 8.0 * j + 16 * choose(j, 2) + choose(j, 1) + choose(j, 2) + choose(j, 3) + 2.0 * j + 3;
          const double sums = first + 1 + j * (others + 1);
          const double bound =
              (8.5 * (j + 2) * (j + 2) + 3 * thickness) * (2 * (first + 1) * (2 + 20.0 * j) + 2 * sums);
          CHECK(anew + shears + points <= bound);
        }
}

TEST_CASE("phase lattices: what floats lose of a dual basis is less than its proof says, and a part of that") {
  using place = std::array<double, 3>;
  std::mt19937_64 random(14);
  const auto cross = [](const place& a, const place& b) {
    return place{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto times = [](const place& a, const place& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const scales s{0x1.8p-30F, 0x1.4p-50F, 0x1.2p-50F};
  double worst = 0;
  double longest = 0;
  int bases = 0;
  for (int round = 0; round < 200000; ++round) {
    const auto any = [&](int bits) {
      return static_cast<i64>(random()) >> (64 - bits + static_cast<int>(random() % 8));
    };
    point v[3];
    std::array<place, 3> exact{};
    for (std::size_t i = 0; i < 3; ++i) {
      v[i] = {any(32), any(52), any(52)};
      exact.at(i) = {static_cast<double>(v[i].m) * s.x, static_cast<double>(v[i].y) * s.y,
                     static_cast<double>(v[i].z) * s.z};
    }
    const double volume = times(exact[0], cross(exact[1], exact[2]));
    basis b;
    if (!make_basis(v, &b, s, static_cast<float>(std::fabs(volume)), 0x1p60F, 0x1p60F))
      continue;
    ++bases;
    for (std::size_t i = 0; i < 3; ++i) {
      place dual = cross(exact.at((i + 1) % 3), exact.at((i + 2) % 3));
      for (double& each : dual)
        each /= volume;
      const place off{b.dual[i].x - dual[0], b.dual[i].y - dual[1], b.dual[i].z - dual[2]};
      const double length = std::sqrt(times(exact.at(i), exact.at(i)));
      worst = std::max(worst, std::sqrt(times(off, off)) * length);
      longest = std::max(longest, std::sqrt(times(dual, dual)) * length);
    }
  }
  CHECK(bases > 5000);
  CHECK(longest <= 4.001);
  CHECK(worst < 421 * 0x1p-24);
  CHECK(worst > 5 * 0x1p-24);
}

TEST_CASE("phase lattices: vectors that are no basis are refused") {
  const scales s{1, 1, 1};
  basis b;
  const auto refuses = [&](point x, point y, point z, float box) {
    point v[3] = {x, y, z};
    return shorten(v, s, box) == 0 || make_basis(v, &b, s, box, 1e30F, 1e30F) == 0;
  };
  CHECK(refuses({0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 1));
  CHECK(refuses({1, 2, 3}, {1, 2, 3}, {4, 5, 6}, 1));
  CHECK(refuses({1, 2, 3}, {2, 4, 6}, {-3, -6, -9}, 1));
  CHECK(refuses({1, 0, 0}, {0, 1, 0}, {1, 1, 0}, 1));
  CHECK(refuses({2, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1));
  CHECK_FALSE(refuses({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1));
  CHECK_FALSE(refuses({1, 0, 0}, {1000, 1, 0}, {12345, 67890, 1}, 1));
  // Coordinates as long as words have room for, and NaN.
  const i64 most = INT64_MAX;
  CHECK(refuses({most, most, most}, {-most, most, -most}, {most, -most, -most - 1}, 1));
  CHECK(refuses({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, std::nanf("")));
  const scales none{std::nanf(""), INFINITY, 0};
  point v[3] = {{1, 2, 3}, {-4, 5, 6}, {7, 8, -9}};
  CHECK((shorten(v, none, 1) == 0 || make_basis(v, &b, none, 1, 1e30F, 1e30F) == 0));
}

TEST_CASE("phase lattices: a point is moved by vectors of the lattice, to where it is near 0") {
  std::mt19937_64 random(5);
  const scales s{1, 1, 1};
  int wrong = 0;
  for (int round = 0; round < 1000; ++round) {
    const i64 side = 1 + static_cast<i64>(random() % 100);
    const point v[3] = {{side, 0, 0}, {0, 1 + static_cast<i64>(random() % 100), 0}, {0, 0, 7}};
    basis b;
    const auto box = static_cast<float>(determinant(v));
    REQUIRE(make_basis(v, &b, s, box, 1e30F, 1e30F) == 1);
    const auto any = [&] { return static_cast<i64>(random() % 20001) - 10000; };
    const point p{any(), any(), any()};
    const point moved = moved_near(p, v, &b, spot_of(p, s));
    for (const auto& [was, is, step] :
         {std::array<i64, 3>{p.m, moved.m, v[0].m}, std::array<i64, 3>{p.y, moved.y, v[1].y},
          std::array<i64, 3>{p.z, moved.z, v[2].z}}) {
      wrong += (was - is) % step != 0;
      wrong += 2 * std::abs(is) > step + 1;
    }
  }
  CHECK(wrong == 0);
  // Subtracts a vector any number of times, modulo 2^64.
  for (int round = 0; round < 1000; ++round) {
    const auto any = [&] { return static_cast<i64>(any_word(random)); };
    const point p{any(), any(), any()};
    const point v{any(), any(), any()};
    const auto k = static_cast<i32>(any_word(random));
    const point q = less(p, k, v);
    const auto off = [](i64 x, i64 y) { return static_cast<i64>(u64(x) - u64(y)); };
    CHECK(is_multiple_by({off(p.m, q.m), off(p.y, q.y), off(p.z, q.z)}, v, k));
  }
  CHECK(two_words::integer_near(1e30F) == 1 << 30);
  CHECK(two_words::integer_near(-INFINITY) == -(1 << 30));
  CHECK(std::abs(two_words::integer_near(std::nanf(""))) <= 1 << 30);
  CHECK(two_words::integer_near(2.5F) == 2);
  int other = 0;
  for (int i = -(1 << 22); i <= 1 << 22; ++i) {
    const auto x = static_cast<float>(i);
    const float half = std::abs(i) < 1 << 22 ? 0.5F : 0.0F; // at 2^22 no half is added
    other += integer_near(x) != i || near_integer(x) != x;
    other += std::fabs(static_cast<float>(integer_near(x + half)) - x - half) > 0.5F;
    other += static_cast<float>(integer_near(x + half)) != near_integer(x + half);
  }
  CHECK(other == 0);
  (void)integer_near(std::nanf("")), (void)integer_near(-INFINITY); // any result is allowed
}

namespace {

// Places in box units, and a parabola there: |z + f2·y² + f3·y³| ≤ tolerance.
struct Body {
  double f2;
  double f3;
  double tolerance;

  [[nodiscard]] bool contains(const std::array<double, 3>& at, double share) const {
    const auto& [x, y, z] = at;
    return std::fabs(x) <= 1 && std::fabs(y) <= 1 && std::fabs(z + y * y * (f2 + f3 * y)) <= share * tolerance;
  }
};

const scales box_units{0x1p-30F, 0x1p-50F, 0x1p-50F};

point at_place(double x, double y, double z) {
  return {std::llrint(x * 0x1p30), std::llrint(y * 0x1p50), std::llrint(z * 0x1p50)};
}

double volume_of(const point v[3]) {
  const spot a = spot_of(v[0], box_units);
  return std::fabs(dot(a, cross_product(spot_of(v[1], box_units), spot_of(v[2], box_units))));
}

point with_steps(const point& from, const std::array<i64, 3>& n, const point v[3]) {
  point p = from;
  for (int i = 0; i < 3; ++i)
    p = less(p, static_cast<i32>(-n[i]), v[i]);
  return p;
}

std::array<double, 3> place_of(const point& p) {
  return {static_cast<double>(p.m) * 0x1p-30, static_cast<double>(p.y) * 0x1p-50, static_cast<double>(p.z) * 0x1p-50};
}

// The greatest number of steps along each vector from a point to any place of the box; points farther away are no
// cases.
std::array<i64, 3> most_steps(const basis& b, const point& from, const Body& body) {
  const auto [x, y, z] = place_of(from);
  std::array<i64, 3> most{};
  for (int i = 0; i < 3; ++i) {
    const spot& d = b.dual[i];
    const double z_reach = std::fabs(body.f2) + std::fabs(body.f3) + body.tolerance + std::fabs(z);
    most[i] = 2 + static_cast<i64>(1.01 * (std::fabs(d.x) * (1 + std::fabs(x)) + std::fabs(d.y) * (1 + std::fabs(y)) +
                                           std::fabs(d.z) * z_reach));
  }
  return most;
}

} // namespace

namespace {

struct Lattice {
  point v[3];
  basis b;
  bool serves;
};

Lattice any_lattice(std::mt19937_64& random, double skew, double first) {
  std::uniform_real_distribution<double> any(-1, 1);
  Lattice result{};
  const double size = std::exp2(any(random));
  for (int i = 0; i < 3; ++i) {
    const double length = i == 0 ? first * size : size;
    result.v[i] = at_place(length * skew * any(random), length * any(random) / skew, length * any(random));
  }
  const auto volume = static_cast<float>(volume_of(result.v));
  result.serves = volume >= 0x1p-6F && shorten(result.v, box_units, volume) != 0 &&
                  make_basis(result.v, &result.b, box_units, volume, 128, 2048) != 0;
  return result;
}

Body any_body(std::mt19937_64& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  return {2 * any(random), 0.02 * any(random), std::exp2(-4 + 3 * any(random))};
}

// The points of a lattice that a walk lists, counted from any one.
significands listed(const Lattice& lattice, const Body& body, const point& start, int& refused) {
  phase_parameters p{};
  p.targets = 1;
  p.box = 1;
  p.tolerance = static_cast<float>(body.tolerance);
  p.thickness = static_cast<float>(body.tolerance + std::fabs(body.f3));
  p.inverse_square = u64(1) << 61; // the box is half a window wide
  growth g{};
  g.f2 = std::llrint(std::ldexp(body.f2, TMD_COEFFICIENT_BITS + 2));
  parabola shape{};
  shape.f2 = static_cast<float>(body.f2);
  shape.f3 = static_cast<float>(body.f3);
  shape.middle = 0.5F * shape.f2;
  shape.thickness = p.thickness;
  const lines all = lines_of(&lattice.b, &shape);
  point near[TMD_MOST_TARGETS] = {start};
  significands points;
  refused += move_near(&p, near, lattice.v, &lattice.b, box_units, shape.middle) == 0 ||
             list_points(&p, lattice.v, &lattice.b, &shape, &all, &g, near, box_units, 0, &points) == 0;
  return points;
}

} // namespace

TEST_CASE("phase walk: of all points of a lattice, those in the body are listed") {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> any(-1, 1);
  std::size_t in_bodies = 0;
  int lattices = 0;
  int missed = 0;
  int beyond = 0;
  int refused = 0;
  for (int round = 0; round < 8000; ++round) {
    // Boxes of long and of flat lattices; and rows of many points, of which planes may have none.
    const Lattice lattice = any_lattice(random, std::exp2((round % 4) * any(random)), round % 2 == 0 ? 1 : 0x1p-4);
    if (!lattice.serves)
      continue;
    const Body body = any_body(random);
    const double far = round % 5;
    const point start = at_place(far * any(random), far * any(random), far * any(random));
    const std::array<i64, 3> most = most_steps(lattice.b, start, body);
    if (most[0] * most[1] * most[2] > 8000)
      continue;
    ++lattices;
    significands expected;
    significands allowed;
    std::array<i64, 3> n{};
    for (n[2] = -most[2]; n[2] <= most[2]; ++n[2])
      for (n[1] = -most[1]; n[1] <= most[1]; ++n[1])
        for (n[0] = -most[0]; n[0] <= most[0]; ++n[0]) {
          const point q = with_steps(start, n, lattice.v);
          if (body.contains(place_of(q), 1 - 0x1p-10))
            expected.insert(q.m);
          if (body.contains(place_of(q), 1 + 0x1p-10))
            allowed.insert(q.m);
        }
    in_bodies += expected.size();
    const significands points = listed(lattice, body, start, refused);
    missed += !std::includes(points.begin(), points.end(), expected.begin(), expected.end());
    beyond += !std::includes(allowed.begin(), allowed.end(), points.begin(), points.end());
  }
  CHECK(missed == 0);
  CHECK(beyond == 0);
  CHECK(refused == 0);
  CHECK(lattices > 3000);
  CHECK(in_bodies > 10000);
}

// A plane without lines may come before one whose first line begins where points of the last plane have been tested.
TEST_CASE("phase walk: a line begins anew in each plane") {
  const Body body{-0.13698, -0.00520626, 0.0169841709};
  Lattice lattice{{{-231313621, 17980328664968, 319655216184},
                   {-39108736, -19508187087205, -396830376291707},
                   {98918126, 652956313457756, 25317850367503}},
                  {},
                  true};
  REQUIRE(make_basis(lattice.v, &lattice.b, box_units, 0.0444613211F, 128, 2048) == 1);
  const point start{-31810043, -197598230154752, 200448070098};
  int refused = 0;
  CHECK(listed(lattice, body, start, refused).count(-725750906) == 1);
  CHECK(refused == 0);
}

// Tolerances are those of walks, where nearly all lines are decided by their roots.
TEST_CASE("phase walk: a point beside the parabola is found, wherever the walk comes from") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> any(-1, 1);
  int planted = 0;
  int missed = 0;
  int refused = 0;
  for (int round = 0; round < 200000; ++round) {
    const Lattice lattice =
        any_lattice(random, std::exp2((round % 8) * any(random)), round % 3 == 0 ? std::exp2(-6 * any(random)) : 1);
    if (!lattice.serves)
      continue;
    const Body body{round % 16 == 0 ? 0x1p-8 * any(random) : 2 * any(random), 0x1p-12 * any(random),
                    std::exp2(-20 + 8 * any(random))};
    const double edge = round % 5 == 0 ? 1 : 0; // some next to corners, edges and the extremum
    const double x = edge != 0 && any(random) > 0 ? std::copysign(0.9999, any(random)) : any(random);
    const double y = round % 7 == 0                 ? 0.01 * any(random)
                     : edge != 0 && any(random) > 0 ? std::copysign(0.9999, any(random))
                                                    : any(random);
    const double z = 0.99 * body.tolerance * any(random) - y * y * (body.f2 + body.f3 * y);
    const point at = at_place(x, y, z);
    std::array<i64, 3> n{};
    for (i64& each : n)
      each = std::llrint(8 * any(random));
    ++planted;
    missed += listed(lattice, body, with_steps(at, n, lattice.v), refused).count(at.m) == 0;
  }
  CHECK(missed == 0);
  CHECK(refused == 0);
  CHECK(planted > 100000);
}

// A vector is so short that a point is farther away, in units of it, than the last bits of a float can represent.
TEST_CASE("phase walk: a point beside the parabola is found from far away, or the window is refused") {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> any(-1, 1);
  int planted = 0;
  int refused = 0;
  int missed = 0;
  for (int round = 0; round < 60000; ++round) {
    const double shortest = std::exp2(-17.5 + 1.5 * any(random));
    Lattice lattice{};
    for (int i = 0; i < 3; ++i) {
      const double size = i == 0 ? shortest : std::sqrt(4 / shortest);
      lattice.v[i] = at_place(size * any(random), size * any(random), size * any(random));
    }
    const auto volume = static_cast<float>(volume_of(lattice.v));
    if (volume < 0x1p-3F || shorten(lattice.v, box_units, volume) == 0 ||
        make_basis(lattice.v, &lattice.b, box_units, volume, 128, 2048) == 0)
      continue;
    const Body body{2 * any(random), 0, 0x1p-12};
    const double y = any(random);
    const point at = at_place(any(random), y, -y * y * body.f2);
    const double steps = std::exp2(19 + 6 * any(random)) * (round % 2 == 0 ? 1 : -1);
    const int refused_before = refused;
    const significands points =
        listed(lattice, body, with_steps(at, {std::llrint(steps), round % 3, 0}, lattice.v), refused);
    ++planted;
    missed += refused == refused_before && points.count(at.m) == 0;
  }
  CHECK(missed == 0);
  CHECK(refused > planted / 16);
  CHECK(refused < planted - planted / 16);
}

// Then the squares of roundings count, too.
TEST_CASE("phase walk: a window is refused whose points are a million boxes away") {
  Lattice lattice{};
  lattice.v[0] = at_place(0, 4, 0);
  lattice.v[1] = at_place(0, 0, 4);
  lattice.v[2] = at_place(0x1p20, 0, 0);
  REQUIRE(make_basis(lattice.v, &lattice.b, box_units, 0x1p24F, 128, 2048) != 0);
  const Body body{0, 0, 0x1p-4};
  for (const auto& [away, is_refused] : {std::pair(0x1p17, 0), std::pair(0x1p18, 1), std::pair(0x1.fp18, 1)}) {
    int refused = 0;
    CHECK(listed(lattice, body, at_place(away, 0.5, 0.5), refused).empty());
    CHECK(refused == is_refused);
  }
}
