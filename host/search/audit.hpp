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
#include <vector>

namespace tmd {

// The test for an audit: one that has nothing in common with what searched most of the result.
[[nodiscard]] std::string_view auditing_algorithm(const SearchResult& result);

// `count` of the range's ranks or a few less, in up to `parts` parts, one in each equal share of the range.
[[nodiscard]] Coverage random_parts(const Coverage& range, uint128 count, std::size_t parts, Random& random);

// How much is searched again.
struct AuditSize {
  double share = 0;   // of the arguments that a test has searched; or, where it is 0,
  double seconds = 0; // for about so long
};

// What an audit has found, and where the two searches differ.
struct AuditComparison {
  AuditReport report;
  std::vector<Case> missing;     // that the first search should have found
  std::vector<Case> superfluous; // that only the first search has found

  [[nodiscard]] bool differs() const { return !missing.empty() || !superfluous.empty(); }
};

// Searches random parts again of what a test has searched, and compares what is found there. The workers are of the
// algorithm named. An audit by time ends at the first part that differs. Throws what run_search() throws. Interrupted,
// it tells of what was compared until then.
[[nodiscard]] AuditComparison search_again(const Job& job, const SearchResult& result,
                                           std::span<const std::unique_ptr<Worker>> workers, std::string_view algorithm,
                                           const AuditSize& size, std::uint64_t seed, const Interrupt& interrupted);

// The same of a search that is this program's own. Throws SoundnessError at the first difference, naming the argument,
// and what run_search() throws. Interrupted, it tells of what was compared until then.
[[nodiscard]] AuditReport audit(const Job& job, const SearchResult& result,
                                std::span<const std::unique_ptr<Worker>> workers, std::string_view algorithm,
                                const AuditSize& size, std::uint64_t seed, const Interrupt& interrupted);

} // namespace tmd
