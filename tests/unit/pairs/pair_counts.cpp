// Counts of cases beside chance: those of complete lists are explained by it, those of half a list are not.
#include "host/pairs/pair_counts.hpp"
#include "host/pairs/pair_search.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tmd::pairs {

TEST_CASE("counts of pairs beside chance") {
  const auto job_of = [](const char* name, const char* format, int bits) {
    return PairJob{function::find_pair_function(name), find_format(format), Rounding::all, bits};
  };
  std::vector<PairJob> jobs{job_of("atan2", "bfloat16", 11), job_of("atan2pi", "binary16", 14),
                            PairJob{function::find_pair_function("pow"), {"nine bits", 9, -14, 15}, Rounding::all, 11},
                            job_of("pown", "binary16", 8), job_of("rootn", "bfloat16", 13)};
  if (test::tries_all)
    for (const PairJob& job : {job_of("atan2", "binary16", 14), job_of("rootn", "binary16", 16)})
      jobs.push_back(job);
  for (const PairJob& job : jobs) {
    CAPTURE(describe(job));
    std::vector<PairCase> cases = search_pairs(job, 2).cases;
    const std::vector<PairCount> counts = count_pairs(job, cases);
    REQUIRE(counts.size() > 4);
    CHECK(std::is_sorted(counts.begin(), counts.end(),
                         [](const auto& left, const auto& right) { return left.p < right.p; }));
    CHECK(counts.front().p * static_cast<double>(counts.size()) > 1e-3);
    const auto all = std::find_if(counts.begin(), counts.end(), [](const auto& one) { return one.cell == all_cells; });
    REQUIRE(all != counts.end());
    MESSAGE(all->cases << " of " << cases.size() << " cases, " << all->expected << " expected, least p "
                       << counts.front().p << ": " << counts.front().cell << ", " << counts.front().cases << " where "
                       << counts.front().expected << " were to be expected");
    cases.resize(cases.size() / 2);
    CHECK(count_pairs(job, cases).front().p < 1e-6);
  }
  CHECK(count_pairs(job_of("hypot", "binary32", 44), {}).empty());
}

} // namespace tmd::pairs
