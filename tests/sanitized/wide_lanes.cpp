// The wide test in vectors, from the kernels' own text: each lane does as the scalar text, whatever its neighbours are.
#include "sanitized/lanes.hpp"
#include "sanitized/wide_builds.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

// clang-format off
namespace exact {
#include "cl_kernels/wide/polynomial.clh"
} // namespace exact
#undef TMD_VECTOR_WIDTH
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

namespace lanes {
constexpr std::size_t width = 4;
#define TMD_VECTOR_WIDTH 4
using vu64 = tmd::Lanes<u64, width>;
using vfloat = tmd::Lanes<float, width>;
using vi32 = tmd::Lanes<i32, width>;
using vu32 = tmd::Lanes<u32, width>;
using vflags32 = vi32;
#define SELECT32(no, yes, flags) select(no, yes, flags)
#define TO_I32(x) ((x).to<i32>())
#define TO_U32(x) ((x).to<u32>())
#define TO_U64(x) ((x).to<u64>())
#define TO_FLOATS(x) ((x).to<float>())
#define AS_I64(x) ((x).to<i64>())
#define AS_I32(x) ((x).to<i32>())
#define AS_U32(x) ((x).to<u32>())
#define AS_BITS(x) ((x).as<u32>())
#define AS_FLOAT(x) ((x).as<float>())
int ANY32(const vflags32& flags) {
  return std::any_of(flags.values.begin(), flags.values.end(), [](i32 flag) { return flag < 0; }) ? 1 : 0;
}
#include "cl_kernels/wide/polynomial.clh"
namespace divisions {
#define TMD_RECIPROCALS 0
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_RECIPROCALS
} // namespace divisions
namespace reciprocals {
#define TMD_RECIPROCALS 1
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_RECIPROCALS
} // namespace reciprocals
} // namespace lanes
// clang-format on

// groups.cl's walk: open lanes only.
template <typename Lines, typename Crowded>
void walk(Lines l, float m, std::array<std::vector<i32>, lanes::width>& candidates, const Crowded& walk_crowded) {
  lanes::vflags32 open = has_lines(&l);
  const auto keep = [&](const lanes::vflags32& near, const lanes::vi32& arguments) {
    for (std::size_t lane = 0; lane < lanes::width; ++lane)
      if (near.values[lane] < 0)
        tmd::keep_argument(arguments.values[lane], m, candidates[lane]);
  };
  while (lanes::ANY32(open) != 0) {
    const auto roots = roots_of(&l);
    const lanes::vflags32 crowded = open & is_crowded(&l, roots.root);
    lanes::vflags32 left = open & has_left(&l);
    if (lanes::ANY32(crowded) != 0) {
      walk_crowded(l, roots.right, roots.root, crowded);
      walk_crowded(l, roots.left, roots.root, crowded & left);
      open = open & !crowded;
      left = left & !crowded;
    }
    lanes::vfloat number = number_near(&l, m, roots.right);
    keep(open & is_near(&l, m, roots.right, roots.root, number), argument_of(&l, m, number));
    number = number_near(&l, m, roots.left);
    keep(left & is_near(&l, m, roots.left, roots.root, number), argument_of(&l, m, number));
    next_line(&l);
    open = has_lines(&l);
  }
}

bool same(float x, float y) { return std::memcmp(&x, &y, sizeof x) == 0; }

// Four groups of one launch. Scalar: the namespace's lines_of_group; in lanes: its lines_of and wide_bounds.
template <typename Scalar, typename InLanes> void compare(u64 seed, const Scalar& scalar_lines, const InLanes& lines) {
  tmd::Random random(seed);
  std::array<std::vector<i32>, lanes::width> candidates;
  std::array<std::vector<i32>, lanes::width> parts;
  u64 differing = 0;
  u64 chords = 0;
  u64 put_off = 0;
  u64 kept = 0;
  u64 hits = 0;
  u64 stopped = 0;
  for (u64 round = 0; round < tmd::test::trials(70000); ++round) {
    const int half_bits = random.one_in(4) ? 20 : 6 + static_cast<int>(random.below(7));
    std::array<tmd::GivenGroup, lanes::width> groups{};
    lanes::vu64 c0;
    lanes::vu64 c1;
    lanes::vfloat c2M2;
    std::array<tmd::Group, lanes::width> exact{};
    for (std::size_t lane = 0; lane < lanes::width; ++lane) {
      const tmd::Trial trial = random_trial(random, half_bits, -20, -4);
      exact[lane] = trial.group;
      const tmd::GivenGroup group = trial.given();
      groups[lane] = lane == 0 ? group : groups[0]; // one launch, one set of bounds
      c0.values[lane] = groups[lane].c0 = group.c0;
      c1.values[lane] = groups[lane].c1 = group.c1;
      c2M2.values[lane] = groups[lane].c2M2 = group.c2M2;
      candidates[lane].clear();
      parts[lane].clear();
    }
    const auto all = lines(c0, c1, c2M2, groups[0]);
    const auto value = [&](const lanes::vi32& i) {
      return lanes::vu64::each([&](std::size_t lane) { // in lanes that do not count, the value does not matter
        return exact[lane].value_in_64_bits(i.values[lane]);
      });
    };
    const float m = groups[0].half_width;
    const float half_part = tmd::Found(groups[0]).half_part;
    const auto walk_crowded = [&](const auto& l, const lanes::vfloat& y, const lanes::vfloat& root,
                                  const lanes::vflags32& flags) {
      const auto chord = chord_of(&l, m, y, root);
      const auto members = members_on(&chord, &l, m, groups[0].error, groups[0].curvature, value(chord.first),
                                      value(chord.first + chord.steps * chord.step));
      lanes::vi32 last;
      const lanes::vi32 first = parts_near(&l, m, half_part, y, root, &last);
      for (std::size_t lane = 0; lane < lanes::width; ++lane)
        if (flags.values[lane] >= 0)
          continue;
        else if (members.decided.values[lane] < 0)
          for (i32 k = members.from.values[lane]; k <= members.to.values[lane]; ++k)
            tmd::keep_argument(chord.first.values[lane] + k * chord.step.values[lane], m, candidates[lane]);
        else
          for (i32 part = first.values[lane]; part <= last.values[lane]; ++part)
            parts[lane].push_back(part);
    };
    walk(all, m, candidates, walk_crowded);
    const auto filters = filter_of(&all, groups[0].half_width);
    for (std::size_t lane = 0; lane < lanes::width; ++lane) {
      const auto one = scalar_lines(groups[lane]);
      tmd::Found expected(groups[lane]);
      tmd::walk_group(
          one, groups[lane], [&](i32 i) { return exact[lane].value_in_64_bits(i); }, expected);
      differing += (all.refused.values[lane] < 0) != expected.refused;
      differing += candidates[lane] != expected.candidates || parts[lane] != expected.parts;
      chords += expected.chords;
      put_off += expected.parts.size();
      if (one.refused != 0)
        continue;
      const auto filter = filter_of(&one, groups[lane].half_width);
      differing += (filters.usable.values[lane] < 0) != (filter.usable != 0);
      for (u32 number = 1; filter.usable != 0 && number < 20; number += TMD_FILTERED_LINES) {
        const auto first = static_cast<float>(number);
        const lanes::vu32 apexes = filters.apex + number * filters.apex_step;
        for (const bool left : {false, true}) {
          const bool hit = may_hit(&filter, first, filter.apex + number * filter.apex_step, left) != 0;
          differing += hit != (may_hit(&filters, first, apexes, left ? 1 : 0).values[lane] < 0);
          (hit ? hits : stopped) += 1;
        }
      }
      differing += !same(all.line.values[lane], one.line) || !same(all.last.values[lane], one.last);
      differing += !same(all.residue.values[lane], one.residue) || !same(all.denominator.values[lane], one.denominator);
      differing += !same(all.least_root.values[lane], one.least_root) || !same(all.twice_g.values[lane], one.twice_g);
      kept += expected.candidates.size();
    }
  }
  CHECK(differing == 0);
  CHECK(chords > 10000);
  CHECK(put_off > 10000);
  CHECK(kept > 10000);
  CHECK(hits > 10000);
  CHECK(stopped > 10000);
}

} // namespace

TEST_CASE("wide test in vectors: each lane does as the scalar text") {
  SUBCASE("roots and quotients") {
    compare(31, exact::divisions::lines_of_group, [](const auto& c0, const auto& c1, const auto& c2M2, const auto& g) {
      using namespace lanes::divisions;
      return lines_of(c0, c1, c2M2, wide_bounds{g.half_width, g.error, g.curvature, g.denominator_limit, g.most_lines});
    });
  }
  SUBCASE("reciprocals of both") {
    compare(32, exact::reciprocals::lines_of_group,
            [](const auto& c0, const auto& c1, const auto& c2M2, const auto& g) {
              using namespace lanes::reciprocals;
              return lines_of(c0, c1, c2M2,
                              wide_bounds{g.half_width, g.error, g.curvature, g.denominator_limit, g.most_lines});
            });
  }
}

TEST_CASE("wide test in vectors: polynomials") {
  tmd::Random random(33);
  u64 differing = 0;
  for (int round = 0; round < 100000; ++round) {
    std::array<u32, TMD_RECORD_FLOATS> record{};
    std::array<lanes::vu32, TMD_RECORD_FLOATS> record_lanes{};
    for (std::size_t i = 0; i < record.size(); ++i) {
      record[i] = random.one_in(8) ? ~u32(0) : static_cast<u32>(random());
      record_lanes[i] = lanes::vu32(record[i]);
    }
    lanes::vu32 t;
    for (u32& of_lane : t.values)
      of_lane = static_cast<u32>(random() >> (32 + random.below(32)));
    const auto b2 = static_cast<float>(random.between(-1, 1));
    const auto b3 = static_cast<float>(random.between(-1, 1));
    const auto b4 = static_cast<float>(random.between(-1, 1));
    const lanes::vfloat part = TO_FLOATS(t) * 0x1p-32f;
    const lanes::vfloat curvatures = lanes::curvature_at(b2, b3, b4, part);
    const lanes::vu64 single = lanes::value_at(record_lanes.data(), t);
    lanes::vu64 slopes;
    const lanes::vu64 values = lanes::value_and_slope_at(record_lanes.data(), t, &slopes);
    for (std::size_t lane = 0; lane < lanes::width; ++lane) {
      u64 slope = 0;
      const u64 value = exact::value_and_slope_at(record.data(), t.values[lane], &slope);
      differing += values.values[lane] != value || slopes.values[lane] != slope || single.values[lane] != value;
      differing += exact::value_at(record.data(), t.values[lane]) != value;
      differing += !same(curvatures.values[lane], exact::curvature_at(b2, b3, b4, part.values[lane]));
    }
  }
  CHECK(differing == 0);
}
