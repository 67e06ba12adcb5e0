// Audits: random parts of a finished search are searched again by other means. Parts that general methods have searched
// are searched by another method. Parts that an engine has claimed cannot be searched by another method: there the same
// engine searches with settings that change all of its intermediate results (EngineKind::varied), and short runs of
// arguments are decided one by one.
#pragma once

#include "job/job.hpp"
#include "number/random.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "search/search.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::searches {

// The algorithm for an audit: one that shares nothing with the one that searched most of the result.
[[nodiscard]] std::string_view auditing_algorithm(const result::SearchResult& result);

// About `count` ranks of the range, in at most `parts` parts, one in each equal share of the range; the whole range if
// it has no more.
[[nodiscard]] job::Coverage random_parts(const job::Coverage& range, uint128 count, std::size_t parts,
                                         number::Random& random);

// The parts of a finished search that can be searched again: neither those left out nor regimes.
struct Auditable {
  job::Coverage tested;               // ranks that general methods can search
  std::vector<engine::Field> claimed; // the claims, by an engine on any device, among the other ranks, sorted by rank
  job::Coverage claimed_ranks;

  [[nodiscard]] uint128 size() const { return tested.size() + claimed_ranks.size(); }
};
[[nodiscard]] Auditable auditable(const job::Job& job, const result::SearchResult& result);

// One way of searching again.
struct AuditWay {
  enum class Means {
    test,   // another method
    varied, // the engine that claims it, varied
    runs,   // short runs of arguments, each decided by MPFR
  };
  Means means = Means::test;
  std::string algorithm;                                          // the algorithm with which devices are opened
  std::vector<std::pair<std::string, std::string>> tunables = {}; // tunables set in addition
};
// "by the wide test", "by the phase test with phase.width-percent=120 and phase.segment-bits=3", "one by one"
[[nodiscard]] std::string describe(const AuditWay& way);

// All ways that apply. `algorithm` is for general methods; `used` is the algorithm of the search, if known.
[[nodiscard]] std::vector<AuditWay> ways_of(const Auditable& what, std::string_view algorithm,
                                            const device::Tunables& used, number::Random& random);

// How much is searched again.
struct AuditSize {
  double share = 0;       // of the arguments that a test has searched; if 0, `seconds` counts
  double seconds = 0;     // approximate time for each way
  std::uint64_t runs = 0; // number of arguments in runs; 0: as share and seconds say, but at most 2^17 with a share
};

// The result of an audit: how much was compared, and how the two searches differ.
struct AuditComparison {
  result::AuditReport report;
  std::vector<Case> missing;     // cases that the first search should have found
  std::vector<Case> superfluous; // cases that only the first search has found

  [[nodiscard]] bool differs() const { return !missing.empty() || !superfluous.empty(); }
};

// Searches random parts again in one way and compares the cases found there. The workers must have been opened as the
// way asks. An audit by time ends at the first part that differs. Throws what run_search() throws. If interrupted, it
// returns the comparison so far.
[[nodiscard]] AuditComparison search_again(const job::Job& job, const result::SearchResult& result,
                                           const Auditable& what, std::span<const std::unique_ptr<Worker>> workers,
                                           const AuditWay& way, const AuditSize& size, std::uint64_t seed,
                                           const engine::Interrupt& interrupted);

// Audits a search of this process. Throws SoundnessError at the first difference, naming the argument, and what
// run_search() throws. If interrupted, it returns the report so far.
[[nodiscard]] result::AuditReport audit(const job::Job& job, const result::SearchResult& result, const Auditable& what,
                                        std::span<const std::unique_ptr<Worker>> workers, const AuditWay& way,
                                        const AuditSize& size, std::uint64_t seed,
                                        const engine::Interrupt& interrupted);

} // namespace tmd::searches
