// A finished search, searched again in random parts by another test.
#pragma once

#include "job/job.hpp"
#include "number/random.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "search/search.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tmd {

// The test for an audit: one that has nothing in common with what searched most of the result.
[[nodiscard]] std::string_view auditing_algorithm(const SearchResult& result);

// `count` of the job's ranks or a few less, in up to `parts` intervals, one in each equal share of the range.
[[nodiscard]] Coverage random_parts(const Job& job, uint128 count, std::size_t parts, Random& random);

// How much is searched again.
struct AuditSize {
  double share = 0;   // of the arguments; or, where it is 0,
  double seconds = 0; // for about so long
};

// Searches random parts of the job again and compares what is found there. The workers are of the algorithm named.
// Throws SoundnessError at the first difference, naming the argument, and what run_search() throws. Interrupted, it
// tells of what was compared until then.
[[nodiscard]] AuditReport audit(const Job& job, const SearchResult& result,
                                std::span<const std::unique_ptr<Worker>> workers, std::string_view algorithm,
                                const AuditSize& size, std::uint64_t seed, const Interrupt& interrupted);

} // namespace tmd
