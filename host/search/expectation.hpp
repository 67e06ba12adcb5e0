// The number of cases expected by chance. A list that is far from it deserves a second look.
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

// The work of a search, as far as the host can tell.
struct Survey {
  uint128 all_cases = 0;               // arguments in regimes in which all are cases
  uint128 none = 0;                    // in regimes without a case
  uint128 exact = 0;                   // in regimes of exact cases
  uint128 beside = 0;                  // in regimes with the same cases in every binade
  uint128 left_out = 0;                // in stretches that would be left out
  uint128 rest = 0;                    // to be searched
  double cases = 0;                    // expected among the N of `rest`: 2·N·2^−K
  std::vector<job::Stretch> to_search; // the stretches of `rest`
};

// Finds a job's regimes, and what would be left out if that is allowed and no engine claims it. Throws Interrupted when
// `interrupted` returns true.
[[nodiscard]] Survey survey(const job::Job& job, bool leaves_out, const Claims& claims,
                            const std::function<bool()>& interrupted);

// A field with an unexpected number of hard cases, or neighbouring fields of the same size with the same number.
struct Unexpected {
  job::RankInterval ranks;
  std::size_t fields = 1;
  uint128 arguments = 0; // searched arguments of each field
  std::uint64_t cases = 0;
  std::uint64_t most_cases = 0; // in one field; `cases` is the least number
  double expected = 0;          // in each field: 2·N·2^−K of N arguments
};

// The fields whose number of cases differs from the expected one by more than six standard deviations (its root),
// counting covered arguments, for the search may have been interrupted. Only fields are looked at that a test has
// searched, whose slopes vary enough to be a fair sample, and in which some tens of cases are expected; not those where
// f is so close to its leading term that the cases are that one's.
[[nodiscard]] std::vector<Unexpected> unexpected_counts(const job::Job& job, const result::SearchResult& result);
// As a sentence without an end.
[[nodiscard]] std::string describe(const job::Job& job, const Unexpected& one);

} // namespace tmd::searches
