// The wide test on groups of functions, as large and with denominators as great as any: no planted hit is missed.
#include "sanitized/wide_functions.hpp"

#include "sanitized/wide_builds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace {

constexpr double most_denominator = TMD_MOST_DENOMINATOR;

constexpr tmd::FunctionJob exp_1{"exp [1, 2)", tmd::Of::exp, 53, 0, 44, 20};
constexpr tmd::FunctionJob exp_large{"exp [1, 2) in large groups", tmd::Of::exp, 53, 0, 44, 22};
constexpr tmd::FunctionJob exp_21{"exp [2^-21, 2^-20)", tmd::Of::exp, 53, -21, 44, 22};
constexpr tmd::FunctionJob exp_22{"exp [2^-22, 2^-21)", tmd::Of::exp, 53, -22, 44, 22};
constexpr tmd::FunctionJob exp_25{"exp [2^-25, 2^-24)", tmd::Of::exp, 53, -25, 44, 22};
constexpr tmd::FunctionJob exp_25_larger{"exp [2^-25, 2^-24) in larger groups", tmd::Of::exp, 53, -25, 44, 25};
constexpr tmd::FunctionJob exp_28_largest{"exp [2^-28, 2^-27) in the largest", tmd::Of::exp, 53, -28, 44, 26};
constexpr tmd::FunctionJob log_1000{"log [2^1000, 2^1001)", tmd::Of::log, 53, 1000, 44, 22};
constexpr tmd::FunctionJob log_10{"log [2^10, 2^11)", tmd::Of::log, 53, 10, 44, 22};
constexpr tmd::FunctionJob log_1000_larger{"log [2^1000, 2^1001) in larger groups", tmd::Of::log, 53, 1000, 44, 23};
constexpr tmd::FunctionJob exp_22_larger{"exp [2^-22, 2^-21) in larger groups", tmd::Of::exp, 53, -22, 44, 25};
constexpr tmd::FunctionJob exp_80{"binary80's exp [1, 2)", tmd::Of::exp, 64, 0, 55, 22};
constexpr tmd::FunctionJob exp_80_large{"binary80's exp [1, 2) in large groups", tmd::Of::exp, 64, 0, 55, 24};
constexpr tmd::FunctionJob exp_80_larger{"binary80's exp [1, 2) in larger groups", tmd::Of::exp, 64, 0, 55, 25};
constexpr tmd::FunctionJob log_80{"binary80's log [2^100, 2^101)", tmd::Of::log, 64, 100, 55, 22};
constexpr tmd::FunctionJob log_80_large{"binary80's log [2^100, 2^101) in large groups", tmd::Of::log, 64, 100, 55, 24};
constexpr tmd::FunctionJob log_80_largest{
    "binary80's log [2^100, 2^101) in the largest", tmd::Of::log, 64, 100, 55, 26};

struct Result {
  u64 refused = 0;
  u64 chords = 0;
  u64 outside = 0; // ends of chords outside of the group
  u64 parts = 0;   // postponed parts
  u64 swept = 0;   // parts that were refused, too
  u64 candidates = 0;
  u64 missed = 0;
  u64 runs = 0; // runs of lines that the filter examines
  u64 stopped = 0;
};

template <typename LinesOf>
void try_group(Result& result, const tmd::PlantedGroup& planted, double error_factor, const LinesOf& lines_of_group) {
  i32 hit = planted.hit;
  const tmd::GivenGroup given = planted.given(error_factor);
  tmd::Found found(given);
  const auto value = [&](i32 i) {
    return planted.group.value_in_64_bits(i) + static_cast<u64>(static_cast<i64>(planted.value_off));
  };
  tmd::walk_filtered_group(lines_of_group(given), given, value, found, result.runs, result.stopped);
  result.refused += found.refused;
  result.chords += found.chords;
  result.parts += found.parts.size();
  result.candidates += found.candidates.size();
  result.outside += found.outside;
  if (!found.puts_off(hit)) {
    result.missed += !found.keeps(hit);
    return;
  }
  const tmd::GivenGroup part = planted.part(hit).given(error_factor);
  std::vector<i32> candidates;
  if (tmd::walk_part(lines_of_group(part), part.half_width, candidates))
    ++result.swept;
  else
    result.missed += std::find(candidates.begin(), candidates.end(), hit) == candidates.end();
}

double apex_of(const tmd::GivenGroup& g) {
  const auto l = exact::divisions::lines_of_group(g);
  return -l.side * l.slope / (2 * l.bend);
}

// Half of the groups are tested on a device that errs.
Result search(const tmd::FunctionJob& job, int groups) {
  tmd::Random random(41);
  Result result;
  for (int i = 0; i < groups; ++i) {
    const tmd::PlantedGroup planted = planted_group(random, job, most_denominator, apex_of);
    switch (i % 4) {
    case 0:
      try_group(result, planted, 1, exact::divisions::lines_of_group);
      break;
    case 1:
      try_group(result, planted, 1, exact::reciprocals::lines_of_group);
      break;
    case 2:
      try_group(result, planted, 1, sloppy::divisions::lines_of_group);
      break;
    default:
      try_group(result, planted, 1, sloppy::reciprocals::lines_of_group);
      break;
    }
  }
  INFO(std::string(job.name) << ": " << groups << " groups, " << result.refused << " refused, " << result.chords
                             << " chords, " << result.parts << " parts put off, " << result.swept << " of them swept, "
                             << double(result.candidates) / groups << " candidates a group, "
                             << double(result.runs) / groups << " runs of lines, " << double(result.stopped) / groups
                             << " stopped");
  CHECK(result.missed == 0);
  CHECK(result.outside == 0);
  CHECK(result.swept < 0.001 * groups);
  CHECK(result.candidates < 3.0 * groups);
  return result;
}

template <typename LinesOf>
u64 misses(const tmd::FunctionJob& job, int groups, double error_factor, const LinesOf& lines_of_group) {
  tmd::Random random(42);
  Result result;
  for (int i = 0; i < groups; ++i)
    try_group(result, planted_group(random, job, most_denominator, apex_of), error_factor, lines_of_group);
  return result.missed;
}

} // namespace

TEST_CASE("wide functions: hits in groups that are hardly ever refused") {
  for (const tmd::FunctionJob& job :
       {exp_1, exp_large, exp_21, exp_22, exp_22_larger, log_10, log_1000, log_1000_larger, exp_80, exp_80_large,
        exp_80_larger, log_80, log_80_large, log_80_largest})
    CHECK(search(job, 100000).refused < 100000 / 10);
}

TEST_CASE("wide functions: hits on chords, where slopes are below every fraction's") {
  for (const tmd::FunctionJob& job : {exp_25, exp_25_larger, exp_28_largest}) {
    const Result result = search(job, 50000);
    CHECK(result.chords > 50000 / 20);
    CHECK(result.parts < result.chords); // a quarter of the hits is at an end of the group
  }
}

TEST_CASE("wide functions: half of the error makes hits go missing") {
  CHECK(misses(log_80, 50000, 0.5, sloppy::divisions::lines_of_group) > 5);
  CHECK(misses(log_80_largest, 50000, 0.5, sloppy::divisions::lines_of_group) > 100);
}
