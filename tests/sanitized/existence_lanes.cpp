// The existence test in vectors, from the kernels' own text: each lane answers as the scalar test does, whatever its
// neighbours are.
#include "sanitized/lanes.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using word = u64;
using std::floor;
using std::fma;
#define PURE [[maybe_unused]] static inline
#define TMD_WORD_BITS 64
#define TMD_LOGMS 3

// clang-format off
#define TMD_VECTOR_WIDTH 1
#include "cl_kernels/common/vector.clh"
namespace regular {
#define TMD_ALGORITHM 1
namespace integers { // lengths of 64 bits, for the numbers that are kept
#define TMD_DIVISION 1
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace integers
namespace in_double {
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double
namespace in_double_reciprocal {
#define TMD_DIVISION 6
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double_reciprocal
#undef TMD_ALGORITHM
} // namespace regular
namespace lefevre {
#define TMD_ALGORITHM 2
namespace integers {
#define TMD_DIVISION 1
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace integers
namespace in_double {
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double
namespace in_double_reciprocal {
#define TMD_DIVISION 6
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double_reciprocal
#undef TMD_ALGORITHM
} // namespace lefevre
#undef TMD_VECTOR_WIDTH
#undef SELECT
#undef ANY
#undef TO_DOUBLES
#undef TO_FLOATS

namespace lanes {
constexpr std::size_t width = 4;
#define TMD_VECTOR_WIDTH 4
using vu64 = tmd::Lanes<u64, width>;
using vi64 = tmd::Lanes<i64, width>;
using vdouble = tmd::Lanes<double, width>;
using vflags = vi64;
#define SELECT(no, yes, flags) select(no, yes, flags)
#define TO_DOUBLES(x) ((x).to<double>())
#define TO_FLOATS(x) ((x).to<float>())
int ANY(const vflags& flags) {
  return std::any_of(flags.values.begin(), flags.values.end(), [](i64 flag) { return flag < 0; }) ? 1 : 0;
}
namespace regular {
#define TMD_ALGORITHM 1
namespace in_double {
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double
namespace in_double_reciprocal {
#define TMD_DIVISION 6
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double_reciprocal
#undef TMD_ALGORITHM
} // namespace regular
namespace lefevre {
#define TMD_ALGORITHM 2
namespace in_double {
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double
namespace in_double_reciprocal {
#define TMD_DIVISION 6
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace in_double_reciprocal
#undef TMD_WORD_BITS
#define TMD_WORD_BITS 6
namespace bits_6 {
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace bits_6
namespace bits_6_by_reciprocal {
#define TMD_DIVISION 6
#include "cl_kernels/domains/existence.clh"
#undef TMD_DIVISION
} // namespace bits_6_by_reciprocal
#undef TMD_ALGORITHM
} // namespace lefevre
} // namespace lanes
// clang-format on

// The builds of one test.
struct Builds {
  using InVectors = lanes::vflags (*)(lanes::vu64, lanes::vu64, u64, u64);
  using Scalar = int (*)(u64, u64, u64, u64);
  InVectors by_double;
  InVectors by_reciprocal;
  Scalar scalar_double;
  Scalar scalar_reciprocal;
  Scalar integers;
};
const std::array<Builds, 2> tests{{
    {lanes::regular::in_double::may_exist, lanes::regular::in_double_reciprocal::may_exist,
     regular::in_double::may_exist, regular::in_double_reciprocal::may_exist, regular::integers::may_exist},
    {lanes::lefevre::in_double::may_exist, lanes::lefevre::in_double_reciprocal::may_exist,
     lefevre::in_double::may_exist, lefevre::in_double_reciprocal::may_exist, lefevre::integers::may_exist},
}};

struct Line {
  u64 a, b;
};

// Slopes from vanishing lengths and huge partial quotients to the golden ratio, and random ones; values on both sides
// of the threshold at some argument, and random ones.
Line random_line(std::mt19937_64& random, u64 threshold, u64 size) {
  u64 a = random();
  switch (random() % 8) {
  case 0:
    a >>= random() % 64;
    break;
  case 1:
    a = -(a >> (random() % 64));
    break;
  case 2:
    a = ~u64(0) / (1 + random() % 3000) * (1 + random() % 3000) + (random() >> (8 + random() % 56));
    break;
  case 3:
    a = 0x9e3779b97f4a7c15 + (random() >> (8 + random() % 56));
    break;
  case 4: // a first quotient of about the size, in either step: float's reciprocal is too coarse for the largest ones
    a = ~u64(0) / (1 + size / 2 + random() % size);
    a = random() % 2 == 0 ? a : -a;
    break;
  default:
    break;
  }
  switch (random() % 4) {
  case 0: // within the threshold, or just not, at an argument of the domain, at its last one or the one after it
    return {a, a * (random() % 4 == 0 ? size - 2 + random() % 3 : random() % size) + threshold - random() % 3};
  case 1: // near a few multiples of the slope, from both sides: with a tiny one, far fewer than its quotient
    return {a, a * (random() % 5000) + (random() >> (random() % 64))};
  case 2:
    return {a, -(a * (random() % 5000)) + (random() >> (random() % 64))};
  default:
    return {a, random()};
  }
}

} // namespace

TEST_CASE("existence in vectors: each lane answers as the scalar test") {
  for (const Builds& test : tests) {
    std::mt19937_64 random(77);
    u64 kept = 0;
    u64 dismissed = 0;
    std::array<u64, 4> differing{};
    u64 unlike_integers = 0;
    for (u64 round = 0; round < tmd::test::trials(150000); ++round) {
      // Sizes up to the largest domains, beyond what an estimate in float can divide.
      const u64 size = random() % 4 == 0 ? u64(1) << 24 : 2 + (random() & ((u64(1) << (1 + random() % 24)) - 1));
      const u64 threshold = std::max<u64>(1, (random() >> (1 + random() % 20)) / size);
      lanes::vu64 a;
      lanes::vu64 b;
      for (std::size_t lane = 0; lane < lanes::width; ++lane) {
        const Line line = random_line(random, threshold, size);
        a.values[lane] = line.a;
        b.values[lane] = line.b;
      }
      const auto by_double = test.by_double(a, b, threshold, size);
      const auto by_reciprocal = test.by_reciprocal(a, b, threshold, size);
      for (std::size_t lane = 0; lane < lanes::width; ++lane) {
        const u64 a_here = a.values[lane];
        const u64 b_here = b.values[lane];
        const bool one = test.scalar_double(a_here, b_here, threshold, size) != 0;
        const bool other = test.scalar_reciprocal(a_here, b_here, threshold, size) != 0;
        differing[0] += one != (by_double.values[lane] < 0);
        differing[1] += one != (by_reciprocal.values[lane] < 0);
        differing[2] += one != other;
        // Flags are all ones or nothing.
        differing[3] += by_double.values[lane] != 0 && by_double.values[lane] != -1;
        // Words of up to 52 bits give the answers of integer lengths.
        const u64 rounded_a = a_here & ~u64(0xfff);
        const u64 rounded_b = b_here & ~u64(0xfff);
        const u64 rounded_threshold = (((threshold - 1) >> 12) + 1) << 12;
        unlike_integers += (test.scalar_double(rounded_a, rounded_b, rounded_threshold, size) != 0) !=
                           (test.integers(rounded_a, rounded_b, rounded_threshold, size) != 0);
        (one ? kept : dismissed) += 1;
      }
    }
    for (const u64 count : differing)
      CHECK(count == 0);
    CHECK(unlike_integers == 0);
    CHECK(kept > 10000);
    CHECK(dismissed > 10000);
  }
}

// Neighbouring lanes get unrelated slopes and values.
TEST_CASE("existence in vectors: words of 6 bits, Lefèvre's test is right on every a, b and size") {
  constexpr u64 words = 64;
  u64 wrong = 0;
  u64 hits = 0;
  std::vector<u64> least(words * words); // by a and b: min over x < size of (b − a·x) mod 1
  for (u64 line = 0; line < least.size(); ++line)
    least[line] = line % words;
  for (u64 size = 2; size < words; ++size) {
    for (u64 line = 0; line < least.size(); ++line)
      least[line] = std::min(least[line], (line % words - line / words * (size - 1)) % words);
    for (const u64 threshold : {1, 2, 3, 5, 17, 63}) {
      for (u64 first = 0; first < least.size(); first += lanes::width) {
        const auto line = [&](std::size_t lane) { return (first + lane) * 1237 % (words * words); };
        const auto a = lanes::vu64::each([&](std::size_t lane) { return line(lane) / words; });
        const auto b = lanes::vu64::each([&](std::size_t lane) { return line(lane) % words; });
        const auto by_double = lanes::lefevre::bits_6::may_exist(a, b, threshold, size);
        const auto by_reciprocal = lanes::lefevre::bits_6_by_reciprocal::may_exist(a, b, threshold, size);
        for (std::size_t lane = 0; lane < lanes::width; ++lane) {
          const i64 expected = least[line(lane)] < threshold ? -1 : 0;
          wrong += by_double.values[lane] != expected || by_reciprocal.values[lane] != expected;
          hits += expected != 0;
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(hits > 100000);
}
