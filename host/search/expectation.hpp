// How many cases there should be, if values fall between breakpoints as chance would have it: a list that is far from
// it deserves a second look.
#pragma once

#include "job/job.hpp"
#include "result/search_result.hpp"

#include <cstdint>
#include <vector>

namespace tmd {

// A field with another number of hard cases than expected.
struct Unexpected {
  Field field;
  std::uint64_t cases = 0;
  double expected = 0; // 2·N·2^−K of N arguments
};

// The fields whose number of cases is off by more than six times its standard deviation, the root of the expectation.
// Asked are those that were searched by a test, whose slopes vary enough to be a fair sample, and where some tens of
// cases are expected.
[[nodiscard]] std::vector<Unexpected> unexpected_counts(const Job& job, const SearchResult& result);

} // namespace tmd
