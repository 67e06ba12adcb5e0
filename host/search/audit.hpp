// A finished search, searched again in random parts by other means. What methods in general have searched, another
// method searches again. What an engine claims, no other method can follow: there the engine itself looks again with
// what makes its work another one everywhere (EngineKind::varied), and short runs of arguments are taken one by one.
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

// The test for an audit: one that has nothing in common with what searched most of the result.
[[nodiscard]] std::string_view auditing_algorithm(const result::SearchResult& result);

// `count` of the range's ranks or a few less, in up to `parts` parts, one in each equal share of the range; all of it
// where it has no more.
[[nodiscard]] job::Coverage random_parts(const job::Coverage& range, uint128 count, std::size_t parts,
                                         number::Random& random);

// What of a finished search can be searched again. Neither what it left out nor ranges that were proven at once.
struct Auditable {
  job::Coverage tested;               // ranks for methods in general
  std::vector<engine::Field> claimed; // what an engine claims of the others on any device, in the order of ranks
  job::Coverage claimed_ranks;

  [[nodiscard]] uint128 size() const { return tested.size() + claimed_ranks.size(); }
};
[[nodiscard]] Auditable auditable(const job::Job& job, const result::SearchResult& result);

// How something is searched again.
struct AuditWay {
  enum class Means {
    test,   // another method
    varied, // the engine that claims it, varied
    runs,   // short runs, argument by argument
  };
  Means means = Means::test;
  std::string algorithm;                                          // that devices are opened with
  std::vector<std::pair<std::string, std::string>> tunables = {}; // likewise, beside the others
};
// "by the wide test", "by the phase test with phase.width-percent=120 and phase.segment-bits=3", "one by one"
[[nodiscard]] std::string describe(const AuditWay& way);

// All ways to search again what there is. `algorithm`: of methods in general. `used`: by the search, where known.
[[nodiscard]] std::vector<AuditWay> ways_of(const Auditable& what, std::string_view algorithm,
                                            const device::Tunables& used, number::Random& random);

// How much is searched again.
struct AuditSize {
  double share = 0;       // of the arguments that a test has searched; or, where it is 0,
  double seconds = 0;     // for about so long, by each way
  std::uint64_t runs = 0; // arguments of runs; 0: as share and seconds say, but no more than 2^17 by a share
};

// What an audit has found, and where the two searches differ.
struct AuditComparison {
  result::AuditReport report;
  std::vector<Case> missing;     // that the first search should have found
  std::vector<Case> superfluous; // that only the first search has found

  [[nodiscard]] bool differs() const { return !missing.empty() || !superfluous.empty(); }
};

// Searches random parts again in one way, and compares what is found there. The workers are opened as the way asks for
// it. An audit by time ends at the first part that differs. Throws what run_search() throws. Interrupted, it tells of
// what was compared until then.
[[nodiscard]] AuditComparison search_again(const job::Job& job, const result::SearchResult& result,
                                           const Auditable& what, std::span<const std::unique_ptr<Worker>> workers,
                                           const AuditWay& way, const AuditSize& size, std::uint64_t seed,
                                           const engine::Interrupt& interrupted);

// The same of a search that is this program's own. Throws SoundnessError at the first difference, naming the argument,
// and what run_search() throws. Interrupted, it tells of what was compared until then.
[[nodiscard]] result::AuditReport audit(const job::Job& job, const result::SearchResult& result, const Auditable& what,
                                        std::span<const std::unique_ptr<Worker>> workers, const AuditWay& way,
                                        const AuditSize& size, std::uint64_t seed,
                                        const engine::Interrupt& interrupted);

} // namespace tmd::searches
