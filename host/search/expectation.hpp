// How many cases there should be, if values fall between breakpoints as chance would have it: a list that is far from
// it deserves a second look.
#pragma once

#include "job/job.hpp"
#include "job/stretch.hpp"
#include "result/search_result.hpp"
#include "search/search.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tmd::searches {

// What a search will have before it, as far as the host can tell.
struct Survey {
  uint128 all_cases = 0;               // arguments of ranges of which every one is a case
  uint128 none = 0;                    // of ranges without a case
  uint128 exact = 0;                   // of ranges of which every one is an exact case
  uint128 beside = 0;                  // of ranges whose cases are those of one binade
  uint128 left_out = 0;                // that would be left out
  uint128 rest = 0;                    // to be searched
  double cases = 0;                    // to be expected among those: 2·N·2^−K of N
  std::vector<job::Stretch> to_search; // these
};

// Finds a job's ranges and what would be left out, where that is allowed and no engine claims it. Throws Interrupted
// when `interrupted` says so.
[[nodiscard]] Survey survey(const job::Job& job, bool leaves_out, const Claims& claims,
                            const std::function<bool()>& interrupted);

// A field with another number of hard cases than expected, or neighbours that are alike: of as many arguments each.
struct Unexpected {
  job::RankInterval ranks;
  std::size_t fields = 1;
  uint128 arguments = 0; // of each, that were searched
  std::uint64_t cases = 0;
  std::uint64_t most_cases = 0; // in one of them; `cases` are the fewest
  double expected = 0;          // in each: 2·N·2^−K of N arguments
};

// The fields whose number of cases is off by more than six times its standard deviation, the root of the expectation,
// as far as they are covered: the search may have been interrupted. Asked are those that were searched by a test, whose
// slopes vary enough to be a fair sample, and where some tens of cases are expected; not those where f lies so near to
// its companion that the number is that one's.
[[nodiscard]] std::vector<Unexpected> unexpected_counts(const job::Job& job, const result::SearchResult& result);
// As a sentence without an end.
[[nodiscard]] std::string describe(const job::Job& job, const Unexpected& one);

} // namespace tmd::searches
