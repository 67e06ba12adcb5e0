// Each term of the wide test's tolerance is needed: where one is left out, arguments are missed.
#include "sanitized/wide_builds.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

// clang-format off
#define TMD_RECIPROCALS 0
#undef TMD_LINE_ROUNDING
#undef TMD_ROOT_ROUNDING
namespace sloppy::no_line_rounding {
#define TMD_LINE_ROUNDING 0.0f
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
TMD_LINES_OF_GIVEN_GROUP
} // namespace sloppy::no_line_rounding
#undef TMD_ROOT_ROUNDING
namespace sloppy::no_rounding {
#define TMD_ROOT_ROUNDING 0.0f
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
TMD_LINES_OF_GIVEN_GROUP
} // namespace sloppy::no_rounding
#undef TMD_LINE_ROUNDING
namespace sloppy::half_line_no_root_rounding {
#define TMD_LINE_ROUNDING 4.76837158203125e-7f
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
TMD_LINES_OF_GIVEN_GROUP
} // namespace sloppy::half_line_no_root_rounding
#undef TMD_ROOT_ROUNDING
namespace sloppy::half_line_rounding {
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
TMD_LINES_OF_GIVEN_GROUP
} // namespace sloppy::half_line_rounding
// clang-format on
namespace full = sloppy::divisions;
using Lines = full::wide_lines;

// Groups of all kinds.
tmd::Trial any(tmd::Random& random) { return random_trial(random, 6 + static_cast<int>(random.below(7)), -20, -4); }
// Next to no ε, and a cubic term.
tmd::Trial cubic(tmd::Random& random) {
  tmd::Trial t = random_trial(random, 6 + static_cast<int>(random.below(7)), -40, -30);
  t.group.c3 = tmd::fixed(random.sign() * random.power_of_2(-16, -8) / std::pow(t.group.half_width(), 3));
  t.group.plant(t.hit, 0);
  return t;
}
// Next to no ε, and a slope so close to a rational that what it is off by, as given, decides.
tmd::Trial flat(tmd::Random& random) {
  tmd::Trial t = tmd::rounding_trial(random);
  const u64 denominator = 20000 + random.below(10000);
  t.denominator_limit = static_cast<double>(denominator);
  t.group.drift = 30;
  t.group.c2 = 0;
  t.group.c1 = ~tmd::u128(0) / denominator * random.below(denominator) + (tmd::u128(1 + random.below(4)) << 79);
  t.group.plant(t.hit, 0);
  return t;
}

constexpr auto as_given = [](const tmd::Trial& t) { return t.given(); };

// The number of groups, among `all` or a quarter of them, in which the known argument is missed, without those that
// postpone it.
template <typename Make, typename Walk> u64 misses(u64 all, const Make& make, const Walk& walk) {
  const u64 trials = tmd::test::trials(all);
  tmd::Random random(11);
  u64 missed = 0;
  u64 treated = 0;
  for (u64 i = 0; i < trials; ++i) {
    const tmd::Trial t = make(random);
    tmd::Found found(t.given());
    walk(t, found);
    if (found.puts_off(t.hit))
      continue;
    ++treated;
    missed += !found.keeps(t.hit);
  }
  CHECK(4 * treated > trials);
  return missed;
}
auto values_of(const tmd::Trial& t) {
  return [&t](i32 i) { return t.group.value_in_64_bits(i); };
}
// Counts the same with other bounds.
template <typename Make, typename Give> u64 misses_given(u64 trials, const Make& make, const Give& give) {
  return misses(trials, make, [&](const tmd::Trial& t, tmd::Found& found) {
    const tmd::GivenGroup group = give(t);
    tmd::walk_group(full::lines_of_group(group), group, values_of(t), found);
  });
}
// Counts the same with other lines.
template <typename Make, typename Change> u64 misses_changed(u64 trials, const Make& make, const Change& change) {
  return misses(trials, make, [&](const tmd::Trial& t, tmd::Found& found) {
    const tmd::GivenGroup group = t.given();
    Lines lines = full::lines_of_group(group);
    change(lines);
    tmd::walk_group(lines, group, values_of(t), found);
  });
}
// Counts the same with other chords.
template <typename Change> struct ChordsBy : tmd::AsItIs {
  explicit ChordsBy(const Change& by) : change(by) {}
  template <typename Chord, typename AllLines> void chord(Chord& c, AllLines& l, tmd::GivenGroup& g) const {
    change(c, l, g);
  }
  Change change;
};
template <typename Make, typename Change> u64 misses_on_chords(u64 trials, const Make& make, const Change& change) {
  return misses(trials, make, [&](const tmd::Trial& t, tmd::Found& found) {
    const tmd::GivenGroup group = t.given();
    tmd::walk_group(full::lines_of_group(group), group, values_of(t), found, ChordsBy<Change>(change));
  });
}

// Counts the same with other filters.
template <typename Change> struct FiltersBy : tmd::AsItIs {
  explicit FiltersBy(const Change& by) : change(by) {}
  template <typename Filter> void filter(Filter& f) const { change(f); }
  Change change;
};

double greatest(const Lines& l) { return double(l.fraction) + double(l.slope) + double(l.bend); }
double at_left_end(const Lines& l) { return double(l.fraction) - double(l.slope) + double(l.bend); }
double least(const Lines& l) {
  const double slope = l.slope;
  const double bend = l.bend;
  return slope < 2 * bend ? double(l.fraction) - slope * slope / (4 * bend) : at_left_end(l);
}

} // namespace

TEST_CASE("wide mutations: nothing is missed without them") {
  CHECK(misses_given(1000000, any, as_given) == 0);
  CHECK(misses_given(200000, cubic, as_given) == 0);
  CHECK(misses_given(200000, flat, as_given) == 0);
  CHECK(misses_given(1000000, tmd::rounding_trial, as_given) == 0);
}

TEST_CASE("wide mutations: terms of the error") {
  SUBCASE("no epsilon") {
    CHECK(misses_given(20000, any, [](const tmd::Trial& t) {
            tmd::GivenGroup g = t.given();
            g.error = static_cast<float>(t.group.cubic_error() + t.group.given_error());
            return g;
          }) > 100);
  }
  SUBCASE("no cubic term") {
    CHECK(misses_given(20000, cubic, [](const tmd::Trial& t) {
            tmd::GivenGroup g = t.given();
            g.error = static_cast<float>(t.group.epsilon + t.group.given_error());
            return g;
          }) > 100);
  }
  SUBCASE("no error of the slope") {
    CHECK(misses_given(20000, flat, [](const tmd::Trial& t) {
            tmd::GivenGroup g = t.given();
            g.error = static_cast<float>(t.group.epsilon + t.group.cubic_error());
            return g;
          }) > 100);
  }
  SUBCASE("no rounding of the curvature") {
    CHECK(misses_given(500000, tmd::rounding_trial, [](const tmd::Trial& t) {
            tmd::GivenGroup g = t.given();
            g.curvature = 0;
            return g;
          }) > 100);
  }
}

TEST_CASE("wide mutations: rounding") {
  const auto by = [](auto lines_of_group) {
    return misses(500000, tmd::rounding_trial, [&](const tmd::Trial& t, tmd::Found& found) {
      const tmd::GivenGroup group = t.given();
      tmd::walk_group(lines_of_group(group), group, values_of(t), found);
    });
  };
  CHECK(by(sloppy::no_line_rounding::lines_of_group) > 100);
  CHECK(by(sloppy::no_rounding::lines_of_group) > 100);
  // The rounding of lines is ample enough to cover that of roots; half of it is not.
  CHECK(by(sloppy::half_line_rounding::lines_of_group) == 0);
  CHECK(by(sloppy::half_line_no_root_rounding::lines_of_group) > 10);
}

TEST_CASE("wide mutations: lines") {
  SUBCASE("no margin below") {
    CHECK(misses_changed(200000, any, [](Lines& l) {
            for (const double first = std::ceil(least(l)); double(l.line) < first;)
              next_line(&l);
          }) > 100);
  }
  SUBCASE("no margin above") {
    CHECK(misses_changed(200000, any, [](Lines& l) {
            l.last = std::min(float(l.last), static_cast<float>(std::floor(greatest(l))));
          }) > 100);
  }
  SUBCASE("no margin of left roots") {
    CHECK(misses_changed(200000, any, [](Lines& l) { l.last_left = static_cast<float>(std::floor(at_left_end(l))); }) >
          100);
  }
  SUBCASE("no left roots") {
    CHECK(misses_changed(20000, any, [](Lines& l) { l.last_left = -INFINITY; }) > 100);
  }
}

TEST_CASE("wide mutations: how far from a root") {
  SUBCASE("half of what the bend asks for") {
    CHECK(misses_changed(100000, any, [](Lines& l) { l.reach = 0.5f * l.reach; }) > 100);
  }
  SUBCASE("half of what the slope asks for") {
    CHECK(misses_changed(100000, any, [](Lines& l) { l.twice_g = 0.5f * l.twice_g; }) > 100);
  }
  SUBCASE("classes are never crowded") {
    CHECK(misses_changed(20000, any, [](Lines& l) { l.least_root = -1.0f; }) > 100);
  }
  SUBCASE("classes are crowded half as soon") {
    CHECK(misses_changed(500000, any, [](Lines& l) { l.least_root = 0.5f * l.least_root; }) > 25);
  }
}

TEST_CASE("wide mutations: chords") {
  using Chord = full::wide_chord;
  const auto crowded = [](tmd::Random& random) { // small denominators
    tmd::Trial t = random_trial(random, 8 + static_cast<int>(random.below(7)), -20, -4);
    t.denominator_limit = std::min(t.denominator_limit, 16.0);
    t.most_lines = 4096;
    return t;
  };
  SUBCASE("as they are") {
    CHECK(misses_on_chords(500000, crowded, [](Chord&, Lines&, tmd::GivenGroup&) {}) == 0);
  }
  SUBCASE("no error") {
    CHECK(misses_on_chords(500000, crowded, [](Chord&, Lines&, tmd::GivenGroup& g) { g.error = 0; }) > 100);
  }
  SUBCASE("no bend") {
    CHECK(misses_on_chords(500000, crowded, [](Chord&, Lines& l, tmd::GivenGroup& g) {
            l.bend = 0;
            g.curvature = 0;
          }) > 100);
  }
  SUBCASE("half of a chord") {
    CHECK(misses_on_chords(500000, crowded, [](Chord& c, Lines&, tmd::GivenGroup&) {
            c.first += c.steps / 4 * c.step;
            c.steps /= 2;
          }) > 100);
  }
  SUBCASE("members between others") {
    CHECK(misses_on_chords(500000, crowded, [](Chord& c, Lines&, tmd::GivenGroup&) { c.first += 1; }) > 100);
  }
}

TEST_CASE("wide mutations: parts that are put off") {
  const auto by = [](auto change) {
    u64 missed = 0;
    u64 put_off = 0;
    tmd::Random random(12);
    for (u64 i = 0; i < tmd::test::trials(300000); ++i) {
      const tmd::Trial t = random_trial(random, 20 + static_cast<int>(random.below(7)), -45, -16);
      const tmd::GivenGroup group = t.given();
      Lines lines = full::lines_of_group(group);
      change(lines);
      tmd::Found found(group);
      tmd::walk_group(lines, group, values_of(t), found, tmd::WithoutChords());
      if (found.refused)
        continue;
      put_off += found.puts_off(t.hit);
      missed += !found.puts_off(t.hit) && !found.keeps(t.hit);
    }
    CHECK(put_off > 1000);
    return missed;
  };
  CHECK(by([](Lines&) {}) == 0);
  CHECK(by([](Lines& l) { l.side = -l.side; }) > 100);
}

TEST_CASE("wide mutations: parts") {
  const auto by = [](auto lines_of_group) {
    const auto as_large_as_any = [](tmd::Random& random) {
      return tmd::rounding_trial_of(random, 20 + static_cast<int>(random.below(2)));
    };
    return misses(200000, as_large_as_any, [&](const tmd::Trial& t, tmd::Found& found) {
      const tmd::GivenGroup group = t.given();
      found.refused = tmd::walk_part(lines_of_group(group), group.half_width, found.candidates);
    });
  };
  CHECK(by(full::lines_of_group) == 0);
  CHECK(by(sloppy::half_line_rounding::lines_of_group) == 0);
  CHECK(by(sloppy::half_line_no_root_rounding::lines_of_group) > 10);
  CHECK(by(sloppy::no_line_rounding::lines_of_group) > 100);
}

TEST_CASE("wide mutations: the filter") {
  const auto by = [](u64 trials, const auto& make, const auto& change) {
    u64 runs = 0;
    u64 stopped = 0;
    return misses(trials, make, [&](const tmd::Trial& t, tmd::Found& found) {
      const tmd::GivenGroup group = t.given();
      tmd::walk_filtered_group(full::lines_of_group(group), group, values_of(t), found, runs, stopped,
                               FiltersBy(change));
    });
  };
  using Filter = full::line_filter;
  SUBCASE("as it is") {
    CHECK(by(500000, any, [](Filter&) {}) == 0);
    CHECK(by(500000, tmd::rounding_trial, [](Filter&) {}) == 0);
  }
  SUBCASE("half of what the slope asks for") {
    CHECK(by(500000, any, [](Filter& f) { f.per_root = 0.5f * f.per_root; }) > 25);
  }
  SUBCASE("no slack") {
    CHECK(by(500000, tmd::rounding_trial, [](Filter& f) { f.slack = 0.0f; }) > 25);
  }
  SUBCASE("apices are where they are not") {
    CHECK(by(20000, any, [](Filter& f) { f.apex += 1u << 24; }) > 100);
  }
  SUBCASE("residues go on by another step") {
    CHECK(by(20000, any, [](Filter& f) { f.apex_step += 1u << 24; }) > 100);
  }
  SUBCASE("roots in another unit") {
    CHECK(by(20000, any, [](Filter& f) { f.shift += 1; }) > 100);
  }
  SUBCASE("squares that grow too slowly") {
    CHECK(by(20000, any, [](Filter& f) { f.square_step = 0.999f * f.square_step; }) > 100);
  }
}
