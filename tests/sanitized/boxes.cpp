// The pieces of the boxes engine's kernels, from their own text: powers in fixed point against MPFR, the pairs of boxes
// counted one by one, and the points near a surface against all pairs of its box.
#include "host/engine/boxes/tables.hpp"
#include "sanitized/boxes_text.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <array>
#include <map>
#include <random>

namespace {

using namespace boxes_text;

const std::vector<u64>& tables() {
  static const std::vector<u64> all = tmd::engine::boxes::power_tables();
  return all;
}

// The greatest float that is not above x.
float float_below(double x) {
  const auto rounded = static_cast<float>(x);
  return static_cast<double>(rounded) > x ? std::nextafter(rounded, 0.0F) : rounded;
}

// Sizes and units of boxes whose form reaches `delta` from its middle.
box_strip strip_of(i32 width, i32 height, i32 lean, double delta) {
  box_strip s{};
  s.width = width;
  s.height = height;
  s.lean = lean;
  s.slope = static_cast<float>(lean / 65536.0);
  s.x_unit = float_below(2.0 / width);
  s.y_unit = height == 1 ? 4.0F : float_below(2.0 / (height - 1));
  s.z_unit = static_cast<float>(std::ldexp(1 / delta, -64));
  s.determinant = static_cast<float>(static_cast<double>(s.x_unit) * static_cast<double>(s.y_unit) / delta);
  return s;
}

using Real = long double;

// V of a pair in exact arithmetic, but for the last bits of 64.
Real value_of(const box_strip& s, const surface& f, i32 i, i32 j) {
  const Real x = (static_cast<Real>(i) - static_cast<Real>(s.slope) * j) * s.x_unit;
  const Real y = static_cast<Real>(j) * s.y_unit;
  const auto z = static_cast<i64>(f.value + static_cast<u64>(height_of(&f, {i, j})));
  return static_cast<Real>(z) * s.z_unit + f.xx * x * x + f.xy * x * y + f.yy * y * y;
}

enum class Basis {
  usual,
  flat,      // that of the first two vectors and of a turn
  incomplete // the same with the first vector doubled, so that they do not have all pairs
};

class Trial {
public:
  Trial(std::mt19937_64& random, Basis basis) : random_(random) {
    const double lambda3 = std::exp2(3 + 4 * share());
    const double pairs = std::exp2(8 + 5 * share());
    const double ratio = std::exp2(-5 + 10 * share());
    const auto far_along = std::max(1, static_cast<i32>(std::sqrt(pairs * ratio) / 2));
    far_across_ = std::max(1, static_cast<i32>(std::sqrt(pairs / ratio) / 2));
    const double half_along = far_along + 0.5;
    delta_ = lambda3 / (8 * half_along * far_across_);
    strip = strip_of(2 * far_along + 1, 2 * far_across_ + 1,
                     static_cast<i32>((share() - 0.5) * 131072 * half_along / far_across_), delta_);
    form();
    f.along = random();
    f.across = random();
    if (random() % 4 == 0) { // next to a rational number, where a vector is short
      const u64 q = 1 + random() % 12;
      f.along = static_cast<u64>((u128(random() % q) << 64) / q) +
                static_cast<u64>(static_cast<i64>((share() - 0.5) * 0x1p62 * delta_ / half_along));
    }
    if (basis != Basis::usual)
      flatten();
    if (delta_ >= 0.1 || begin_vectors(&strip, &f, v) == 0)
      return;
    if (basis == Basis::usual)
      serves = basis_of(&strip, &f, v, &b) != 0;
    else
      serves = flat_basis_of(&strip, &f, v, &b) != 0;
    if (serves && basis == Basis::incomplete) {
      v[0] = {2 * v[0].along, 2 * v[0].across};
      CHECK(flat_basis_of(&strip, &f, v, &b) == 0);
    }
  }

  // A pair of the box; of edges and corners more often than not.
  [[nodiscard]] std::pair<i32, i32> any_pair() {
    const i32 far_along = (strip.width - 1) / 2;
    const auto any = [&](i32 far) {
      const auto choice = random_() % 6;
      return choice == 0 ? far : choice == 1 ? -far : static_cast<i32>(random_() % static_cast<u64>(2 * far + 1)) - far;
    };
    const i32 j = any(far_across_);
    return {any(far_along) + lean_of(&strip, j), j};
  }
  // Shifts the surface so that V of that pair is `off`.
  void plant(std::pair<i32, i32> at, double off) {
    f.value = 0;
    const Real now = value_of(strip, f, at.first, at.second);
    const Real units = (off - now) / static_cast<Real>(strip.z_unit);
    f.value = static_cast<u64>(static_cast<i64>(std::rint(std::remainder(units, 0x1p64L) / 2))) * 2;
  }
  // All pairs of the box with |V| ≤ tolerance.
  [[nodiscard]] std::set<std::pair<i32, i32>> all_near(double tolerance) const {
    std::set<std::pair<i32, i32>> result;
    const i32 far_along = (strip.width - 1) / 2;
    for (i32 j = -far_across_; j <= far_across_; ++j)
      for (i32 i = -far_along; i <= far_along; ++i)
        if (std::fabs(value_of(strip, f, i + lean_of(&strip, j), j)) <= tolerance)
          result.emplace(i + lean_of(&strip, j), j);
    return result;
  }

  box_strip strip{};
  surface f{};
  pair_step v[3]{};
  basis b{};
  bool serves = false;

private:
  [[nodiscard]] double share() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  // From the middle to a side F changes by 2^-18 to 2^-1 turns; the unit of heights is from 2^-16 on, and the form is
  // small.
  void flatten() {
    delta_ = std::exp2(-16 + 12 * share());
    strip = strip_of(strip.width, strip.height, strip.lean, delta_);
    const auto slope = [&](i32 size) {
      const double turns = (random_() % 2 == 0 ? 1 : -1) * std::exp2(-18 + 17 * share());
      return static_cast<u64>(static_cast<i64>(turns * 0x1p64 * 2 / size));
    };
    f.along = slope(strip.width);
    f.across = slope(strip.height);
    const auto smaller = static_cast<float>(std::exp2(-16 * share()));
    f.xx *= smaller;
    f.xy *= smaller;
    f.yy *= smaller;
  }
  // Forms that are definite, indefinite or nearly of rank one, some with a mixed term.
  void form() {
    double xx = 2 * share();
    double yy = 2 - xx;
    const auto kind = random_() % 6;
    if (kind == 0)
      xx = yy = 1;
    else if (kind == 1)
      yy = -yy;
    else if (kind == 2)
      xx = std::exp2(-10 * share());
    else if (kind == 3)
      xx *= 0.2, yy *= -0.1;
    const double sign = random_() % 2 == 0 ? 1 : -1;
    f.xx = static_cast<float>(sign * xx);
    f.yy = static_cast<float>(sign * yy);
    f.xy = kind == 3 || random_() % 3 == 0 ? static_cast<float>((2 * share() - 1) * std::exp2(-6 * share())) : 0;
  }

  std::mt19937_64& random_;
  double delta_ = 0;
  i32 far_across_ = 0;
};

using ListPoints = int (*)(const box_strip*, const surface*, const pair_step*, const basis*, int, Sink*);

struct Tally {
  int boxes = 0;
  int refused = 0;
  int cases = 0;
  int missed = 0;
};

// Boxes with a pair planted right at the tolerance; the walk is told only `share` of that.
Tally search(ListPoints list, int boxes, double least, double greatest, double share, unsigned seed,
             Basis basis = Basis::usual, bool is_flat = false) {
  std::mt19937_64 random(seed);
  Tally result;
  for (int n = 0; n < boxes; ++n) {
    Trial trial(random, basis);
    if (!trial.serves)
      continue;
    const double tolerance = std::exp2(least + (greatest - least) * static_cast<double>(random() >> 11) * 0x1p-53);
    for (int plant = 0; plant < 4; ++plant) {
      trial.plant(trial.any_pair(), random() % 2 == 0 ? tolerance : -tolerance);
      trial.strip.tolerance = static_cast<float>(share * tolerance);
      Sink sink;
      ++result.boxes;
      if (list(&trial.strip, &trial.f, trial.v, &trial.b, is_flat ? 1 : 0, &sink) == 0) {
        ++result.refused;
        continue;
      }
      const auto expected = trial.all_near(tolerance * (1 + 0x1p-40));
      result.cases += static_cast<int>(expected.size());
      for (const auto& each : expected)
        result.missed += sink.found.count(each) == 0;
    }
  }
  return result;
}

} // namespace

TEST_CASE("boxes: logarithms, powers and their last bits, against MPFR") {
  std::mt19937_64 random(1);
  mpfr_t x;
  mpfr_t exact;
  mpfr_t found;
  mpfr_inits2(300, x, exact, found, static_cast<mpfr_ptr>(nullptr));
  const auto set = [&](two_words words, long exponent) {
    mpfr_set_si(found, words.high, MPFR_RNDN);
    mpfr_mul_2si(found, found, 64, MPFR_RNDN);
    mpfr_add_ui(found, found, words.low, MPFR_RNDN);
    mpfr_mul_2si(found, found, exponent, MPFR_RNDN);
  };
  double worst_log = 0;
  double worst_near_1 = 0;
  for (int round = 0; round < 60000; ++round) {
    // Tests every entry of the table, at its ends more often than not, with any length.
    const u32 entry = 2048 + static_cast<u32>(round % 2048);
    const u32 low = static_cast<u32>(random()) & 0xfffff;
    u32 significand = entry << 20 | (round % 3 == 0 ? 0 : round % 3 == 1 ? 0xfffff : low);
    if (round % 5 == 0)
      significand >>= random() % 31;
    const i32 power = round % 4 == 0 ? -31 : static_cast<i32>(random() % 300) - 180;
    mpfr_set_ui_2exp(x, significand, power, MPFR_RNDN);
    mpfr_log2(exact, x, MPFR_RNDN);
    set(log2_of(tables().data(), significand, power), -92);
    mpfr_sub(found, found, exact, MPFR_RNDN);
    const double off = std::fabs(mpfr_get_d(found, MPFR_RNDN));
    worst_log = std::max(worst_log, off);
    const double size = std::fabs(mpfr_get_d(exact, MPFR_RNDN));
    if (size > 0 && size < 0x1p-11)
      worst_near_1 = std::max(worst_near_1, off / size);
  }
  CHECK(worst_log <= 0x1.2p-72);
  CHECK(worst_near_1 <= 0x1.2p-61);
  double worst_power = 0;
  for (int round = 0; round < 60000; ++round) {
    const u64 part = round % 3 == 0 ? u64(round % 256) << 56 | (random() % 3 == 0 ? ~u64(0) >> 8 : 0) : random();
    mpfr_set_ui_2exp(x, part, -64, MPFR_RNDN);
    mpfr_exp2(exact, x, MPFR_RNDN);
    mpfr_set_ui_2exp(found, exp2_of(tables().data(), part), -63, MPFR_RNDN);
    mpfr_sub(found, found, exact, MPFR_RNDN);
    worst_power = std::max(worst_power, std::fabs(mpfr_get_d(found, MPFR_RNDN)));
  }
  CHECK(worst_power <= 2.6 * 0x1p-63);
  mpfr_clears(x, exact, found, static_cast<mpfr_ptr>(nullptr));
}

// n·log2(1 + x) where the value may be in a format: relative where |x| is small, else relative to n.
TEST_CASE("boxes: (1 + x)^n in fixed point") {
  std::mt19937_64 random(5);
  mpfr_t exact;
  mpfr_t found;
  mpfr_inits2(400, exact, found, static_cast<mpfr_ptr>(nullptr));
  double worst_small = 0;
  double worst_large = 0;
  for (int round = 0; round < 100000; ++round) {
    const int length = random() % 4 == 0 ? 1 + static_cast<int>(random() % 24) : 24;
    const u32 low = random() % 3 == 0 ? (random() % 2 == 0 ? 0 : ~0U) : static_cast<u32>(random());
    const u32 X = (1U << (length - 1)) | (low & ((1U << (length - 1)) - 1));
    box_strip s{};
    s.x_sign = random() % 2 == 0 ? 1 : -1;
    s.sign = random() % 2 == 0 ? 1 : -1;
    const int top =
        random() % 3 == 0 ? -11 + static_cast<int>(random() % 3) - 1 : static_cast<int>(random() % 140) - 76;
    s.x_exponent = (s.x_sign < 0 ? std::min(top, 0) : top) - length;
    const double x = std::ldexp(s.x_sign * static_cast<double>(X), s.x_exponent);
    const double most = std::min(200 / std::fabs(std::log1p(x)), 0x1p31);
    if (!(most >= 1))
      continue;
    const u32 n = random() % 4 == 0 ? static_cast<u32>(most) : 1 + static_cast<u32>(random() % static_cast<u64>(most));
    s.base = static_cast<u32>(random() % n);
    const compounds::exponent e =
        compounds::exponent_at(tables().data(), &s, static_cast<i32>(X), static_cast<i32>(n - s.base));
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_log2p1(exact, exact, MPFR_RNDN);
    mpfr_mul_ui(exact, exact, n, MPFR_RNDN);
    mpfr_mul_si(exact, exact, s.sign, MPFR_RNDN);
    mpfr_set_ui_2exp(found, e.part, -64, MPFR_RNDN);
    mpfr_add_si(found, found, e.whole, MPFR_RNDN);
    mpfr_sub(found, found, exact, MPFR_RNDN);
    const double of_one = x < 0x1p62 ? 0 : 1.4427 / x * n;                         // 1 + x is rounded to x
    const double off = std::fabs(mpfr_get_d(found, MPFR_RNDN)) - 0x1p-64 - of_one; // rounded down
    const double size = std::fabs(mpfr_get_d(exact, MPFR_RNDN));
    if (std::fabs(x) < 0x1p-11)
      worst_small = std::max(worst_small, off / size);
    else
      worst_large = std::max(worst_large, (off - size * 0x1p-69) / n);
  }
  MESSAGE("small: " << worst_small * 0x1p69 << " of the bound, large: " << worst_large * 0x1p71);
  CHECK(worst_small <= 0x1p-69);
  CHECK(worst_small > 0x1p-72);
  CHECK(worst_large <= 0x1p-71);
  CHECK(worst_large > 0x1p-74);
  mpfr_clears(exact, found, static_cast<mpfr_ptr>(nullptr));
}

TEST_CASE("boxes: numbers of two words") {
  std::mt19937_64 random(2);
  int wrong = 0;
  for (int round = 0; round < 100000; ++round) {
    const auto any = [&] { return random() % 3 == 0 ? ~u64(0) << random() % 64 : random() >> random() % 64; };
    const two_words x{static_cast<i64>(any()), any()};
    const two_words y{static_cast<i64>(any()), any()};
    const auto number = [](two_words w) { return u128(static_cast<u64>(w.high)) << 64 | w.low; };
    const auto n = static_cast<i64>(any());
    const auto bits = 1 + static_cast<i32>(random() % 127);
    wrong += number(sum_of_words(x, y)) != number(x) + number(y);
    wrong += number(negated_words(x)) != 0 - number(x);
    wrong += number(times_words(n, x)) != static_cast<u128>(static_cast<i128>(n)) * number(x);
    wrong += number(shifted_words(x, bits)) != static_cast<u128>(static_cast<i128>(number(x)) >> bits);
  }
  CHECK(wrong == 0);
}

// Horner's scheme loses a unit a step at most: 44 in the value, 8·45 in a slope and one where it is shifted.
TEST_CASE("boxes: a tile's polynomial and its slopes in fixed point") {
  std::mt19937_64 random(6);
  mpfr_t exact;
  mpfr_t term;
  mpfr_inits2(500, exact, term, static_cast<mpfr_ptr>(nullptr));
  std::array<u64, TMD_TILE_WORDS> words{};
  double worst_value = 0;
  double worst_slope = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::array<int, 2> bits{1 + static_cast<int>(random() % 24), 1 + static_cast<int>(random() % 24)};
    std::array<i64, 2> at{};
    for (std::size_t k = 0; k < 2; ++k) {
      const i64 half = i64(1) << bits[k];
      at[k] = random() % 4 == 0 ? half : random() % 4 == 0 ? -half : static_cast<i64>(random() % (2 * half)) - half;
    }
    words[0] = u64(1) << 24 | u64(1) << 56; // the middle
    words[1] = static_cast<u64>(bits[0]) | static_cast<u64>(bits[1]) << 32;
    for (std::size_t k = TMD_TILE_COEFFICIENTS; k < words.size(); k += 2) { // below 2^91, 45 of them below 2^97
      words[k] = static_cast<u64>(static_cast<i64>(random()) >> (37 + random() % 27));
      words[k + 1] = random();
    }
    // Σ k·ξ^m·ν^n, or its derivative by the pairs along one coordinate.
    const auto sum = [&](int derivative) {
      mpfr_set_zero(exact, 1);
      std::size_t k = TMD_TILE_COEFFICIENTS;
      for (int m = TMD_DEGREE; m >= 0; --m)
        for (int n = TMD_DEGREE - m; n >= 0; --n, k += 2) {
          std::array<int, 2> powers{m, n};
          mpfr_set_si_2exp(term, static_cast<i64>(words[k]), 64, MPFR_RNDN);
          mpfr_add_ui(term, term, words[k + 1], MPFR_RNDN);
          if (derivative >= 0) {
            mpfr_mul_si(term, term, powers[derivative]--, MPFR_RNDN);
            mpfr_div_2si(term, term, bits[derivative], MPFR_RNDN);
          }
          for (std::size_t of = 0; of < 2; ++of)
            for (int i = 0; i < powers[of]; ++i) {
              mpfr_mul_si(term, term, at[of], MPFR_RNDN);
              mpfr_div_2si(term, term, bits[of], MPFR_RNDN);
            }
          mpfr_add(exact, exact, term, MPFR_RNDN);
        }
    };
    // How far a number modulo 2^64 is from the sum.
    const auto off = [&](u64 found) {
      mpfr_sub_ui(term, exact, found, MPFR_RNDN);
      mpfr_div_2ui(term, term, 64, MPFR_RNDN);
      mpfr_t whole;
      mpfr_init2(whole, 500);
      mpfr_rint(whole, term, MPFR_RNDN);
      mpfr_sub(term, term, whole, MPFR_RNDN);
      mpfr_clear(whole);
      return std::fabs(mpfr_get_d(term, MPFR_RNDN)) * 0x1p64;
    };
    box_strip s{};
    s.axis = static_cast<i32>(random() % 2);
    s.of_along = s.of_both = s.of_across = 1;
    const i32 x = static_cast<i32>((1 << 24) + at[0]);
    const i32 y = static_cast<i32>((1 << 24) + at[1]);
    const surface f = tiles::surface_at(words.data(), &s, x, y);
    sum(-1);
    worst_value = std::max(worst_value, off(f.value));
    CHECK(f.value == tiles::polynomial_at(tiles::tile_place_at(words.data(), &s, x, y)).low);
    for (int along = 0; along < 2; ++along) {
      const int of = s.axis == 0 ? along : 1 - along;
      sum(of);
      worst_slope = std::max(worst_slope, (off(along == 0 ? f.along : f.across) - 1) * std::exp2(bits[of]));
    }
  }
  MESSAGE("value " << worst_value << " units, slopes " << worst_slope);
  CHECK(worst_value <= 44);
  CHECK(worst_value > 2);
  CHECK(worst_slope <= 8 * 45);
  mpfr_clears(exact, term, static_cast<mpfr_ptr>(nullptr));
}

TEST_CASE("boxes: each pair of a rectangle is in one box of it, and in one that its strip walks") {
  std::mt19937_64 random(3);
  int wrong = 0;
  int unwalked = 0;
  int walked = 0;
  for (int round = 0; round < 300; ++round) {
    const auto odd = [&](u32 most) { return static_cast<i32>(2 * (random() % most) + 1); };
    box_strip s = strip_of(odd(20), odd(20), static_cast<i32>(random() % (1 << 18)) - (1 << 17), 0.01);
    // A part of a cell, of 8 bits, on either side of x = 1.
    s.axis = static_cast<i32>(random() % 2);
    s.along = 128 + static_cast<i32>(random() % 100);
    s.along_end = s.along + 1 + static_cast<i32>(random() % static_cast<u64>(256 - s.along));
    s.across = 128 + static_cast<i32>(random() % 100);
    s.across_end = s.across + 1 + static_cast<i32>(random() % static_cast<u64>(256 - s.across));
    s.x_exponent = -7 - static_cast<i32>(random() % 3) + 1;
    s.y_exponent = -7 + static_cast<i32>(random() % 4);
    s.sign = random() % 2 == 0 ? 1 : -1;
    s.scale = 8;
    const i32 first = lean_of(&s, -(s.height - 1) / 2);
    const i32 last = lean_of(&s, (s.height - 1) / 2);
    s.row_begin = s.along - std::max(first, last);
    s.boxes = (s.along_end - std::min(first, last) - s.row_begin + s.width - 1) / s.width;
    const i32 rows = (s.across_end - s.across + s.height - 1) / s.height;
    s.least = s.greatest = exponent_at(tables().data(), &s, s.axis == 0 ? s.along : s.across_end - 1,
                                       s.axis == 0 ? s.across_end - 1 : s.along)
                               .whole;
    std::map<std::pair<i32, i32>, int> times;
    for (i32 row = 0; row < rows; ++row) {
      const auto range = full::boxes_of(tables().data(), &s, row);
      for (i32 box = 0; box < s.boxes; ++box) {
        const place p = place_of(&s, 0, row, box);
        const bool is_walked = box >= range.first && box < range.end;
        for (i32 j = -40; j <= 40; ++j)
          for (i32 i = -140; i <= 140; ++i) {
            if (!has_pair(&p, i, j))
              continue;
            ++times[{p.along + i, p.across + j}];
            const i32 value = exponent_at(tables().data(), &s, x_of(&p, i, j), y_of(&p, i, j)).whole;
            unwalked += value == s.least && !is_walked;
            walked += value == s.least;
          }
      }
    }
    for (const auto& [pair, count] : times)
      wrong += count != 1;
    wrong += times.size() !=
             static_cast<std::size_t>(s.along_end - s.along) * static_cast<std::size_t>(s.across_end - s.across);
  }
  CHECK(wrong == 0);
  CHECK(unwalked == 0);
  CHECK(walked > 10000);
}

TEST_CASE("boxes: of all pairs of a box, those near the surface are found") {
  const Tally wide = search(full::list_points, 1500, -8, 0, 1, 4);
  CHECK(wide.missed == 0);
  CHECK(wide.cases > 5000);
  CHECK(wide.refused < wide.boxes / 100);
  const Tally narrow = search(full::list_points, 6000, -24, -8, 1, 5);
  CHECK(narrow.missed == 0);
  CHECK(narrow.refused < narrow.boxes / 100);
}

TEST_CASE("boxes: where F is flat, two vectors and a turn are a basis") {
  const int rounds = tmd::test::tries_all ? 6000 : 2500;
  const Tally flat = search(full::list_points, rounds, -16, 0, 1, 9, Basis::flat, true);
  CHECK(flat.missed == 0);
  CHECK(flat.cases > rounds);
  CHECK(flat.refused < flat.boxes / 4); // with cases of the next integer, too
  // The points of other planes are elsewhere, and so are those of vectors that do not have all pairs.
  CHECK(search(full::list_points, rounds / 4, -16, 0, 1, 9, Basis::flat, false).missed > 0);
  CHECK(search(full::list_points, rounds / 4, -16, 0, 1, 9, Basis::incomplete, true).missed > 0);
}

TEST_CASE("boxes: vectors that are begun anew become short, though their integers are large") {
  std::mt19937_64 random(10);
  const box_strip strip = strip_of(211, 4451, 3207, 0x1p-15);
  int unusable = 0;
  for (int n = 0; n < 5000; ++n) {
    surface f{};
    f.along = static_cast<u64>(static_cast<i64>(-0x1p64 * 0.41)) + (random() >> 7);
    f.across = static_cast<u64>(static_cast<i64>(-0x1p64 * 0.005)) + (random() >> 11);
    pair_step v[3];
    basis b;
    unusable += begin_vectors(&strip, &f, v) == 0 || basis_of(&strip, &f, v, &b) == 0 ? 1 : 0;
  }
  CHECK(unusable == 0); // with TMD_ACCURATE_ROW as large as TMD_MOST_ROW: a twelfth of them
}

TEST_CASE("boxes: a basis of vectors whose integers floats do not hold is refused") {
  std::mt19937_64 random(8);
  int longer = 0;
  for (int n = 0; n < 20000; ++n) { // F hardly changes from pair to pair: only a long vector is a turn high
    const auto width = 513 + 2 * static_cast<i32>(random() % 256);
    const box_strip strip = strip_of(width, width, 0, 0x1p-16);
    const auto far = static_cast<i32>((1 << 23) + random() % (1 << 24));
    surface f{};
    f.along = static_cast<u64>(0x1p64 * 0.7 / far);
    f.across = random() >> 34;
    const pair_step v[3]{{1, 0}, {0, 1}, {far, 0}};
    basis b;
    const bool serves = basis_of(&strip, &f, v, &b) != 0;
    CHECK(serves == (far < 1 << 24 && complete_basis(&b, strip.determinant) != 0));
    longer += far >= 1 << 24 && complete_basis(&b, strip.determinant) != 0 ? 1 : 0;
  }
  CHECK(longer > 100); // a length that would be enough for all other boxes
}

TEST_CASE("boxes: without a term of the tolerance, pairs are missed") {
  CHECK(search(full::list_points, 1000, -8, 0, 0.5, 6).missed > 0);
  CHECK(search(no_float_error::list_points, 20000, -40, -30, 1, 7).missed > 0);
}
