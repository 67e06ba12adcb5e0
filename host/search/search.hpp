// A whole search: range → fields → parts for workers → results.
#pragma once

#include "engine/engine.hpp"
#include "job/job.hpp"
#include "job/regime.hpp"
#include "result/search_recorder.hpp"
#include "result/search_result.hpp"
#include "search/worker.hpp"
#include "tmd/progress.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tmd::searches {

// Returns the field that an engine claims at the beginning of a stretch, before its output binades are looked at, or
// nothing.
using Claims = std::function<std::optional<engine::Field>(const job::Stretch&)>;

// The claims in a stretch, and the stretches between them.
struct ClaimedParts {
  std::vector<engine::Field> fields;
  std::vector<job::Stretch> left;
};
[[nodiscard]] ClaimedParts claimed_parts(const Claims& claims, const job::Stretch& stretch);

// The fields of claims by what one work can serve: those of one family of which `joins` holds for any two; the longest
// first, by whose arguments the work is shared out.
using Family = std::vector<engine::Field>;
[[nodiscard]] std::vector<Family>
families_of(std::vector<engine::Field> fields,
            const std::function<bool(const engine::Field&, const engine::Field&)>& joins);
// The first of a family, with all others noted in its claim.
[[nodiscard]] engine::Field leader_of(const Family& family);

// A search of another function that is otherwise the same job. Where both claim the same arguments, one walk may serve
// both, as it does for sin and cos, and for sinh and cosh.
struct OtherSearch {
  job::Job job;
  Claims claims;
  job::Coverage covered;                            // ranks of its arguments that count already
  std::vector<result::PartialClaim> partial_claims; // partly searched claims: from before, and from the present search
  result::SearchRecorder* recorder = nullptr;       // may be null
};

struct SearchHooks {
  std::function<void(const Progress&)> progress = {}; // called after every part, by one thread at a time
  engine::Interrupt interrupted = {};
  // Called when a worker has failed and others take its work, with its index and the reason. By one thread at a time.
  std::function<void(std::size_t, const std::string&)> lost = {};
  // Called for a claim of which an earlier run has searched parts that do not count, because these arguments are
  // partitioned differently now. By one thread.
  std::function<void(const result::PartialClaim&)> skipped = {};

  // Leave out stretches of very many pieces, as sin has at large arguments; otherwise they are searched, however long
  // it takes.
  bool leaves_out = false;

  // Regimes that are known before, from ranges_beside_leading_term(); they are not searched.
  std::vector<job::RegimeRange> proven = {};
  // Restricts the search to these ranks of the job; null: all.
  const job::Coverage* only = nullptr;
  // The fields that make up `only`, usually claims: nothing is cut then. Null: they are to be found.
  const std::vector<engine::Field>* fields = nullptr;
  // The range that is cut, of which the job's may be a shard: all shards are then cut in the same places, and their
  // regimes are those of the whole. Empty: the job's.
  job::RankInterval cut_range = {};
  result::SearchRecorder* recorder = nullptr; // may be null
  std::vector<OtherSearch*> others = {};      // later searches that results are passed to
  // Whether the work for one claim may serve others of the search, too: all workers deliver what they find of these.
  bool joins_claims = false;
};

// The range that is cut, as SearchHooks::cut_range says.
[[nodiscard]] job::Coverage range_to_cut(const job::Job& job, const SearchHooks& hooks);

// The claims of the engines that may serve the choices' algorithm, in the registry's order.
[[nodiscard]] Claims claims_of(const job::Job& job, const Choices& choices,
                               std::span<const engine::EngineKind* const> kinds);

// The regimes of a job in which f has the cases of its leading term, known by a search of one binade: for
// SearchHooks::proven, if there are enough of them in `whole`, the range that is cut. Nothing if interrupted. Throws
// what run_search() throws.
[[nodiscard]] std::vector<job::RegimeRange> ranges_beside_leading_term(const job::Job& job, const job::Coverage& whole,
                                                                       std::span<const std::unique_ptr<Worker>> workers,
                                                                       const engine::Interrupt& interrupted);

// Runs a job on workers, each in a thread of its own, the first in the caller's.
//
// A worker that throws DeviceError is lost: the others do what it had not delivered, and the error of the last worker
// is thrown. One that throws FaultError is lost with all that it has delivered, which the others do again.
//
// `so_far` is what an interrupted search of the same job has left. Only the rest is searched, also within claims that
// are the very same, and the result is that of both: its cases and ranges are as if there had been no interruption.
//
// Throws SoundnessError when the arguments that were covered, or left out where that is allowed, are not those of the
// range, and UsageError where values change their binade more than some million times.
[[nodiscard]] result::SearchResult run_search(const job::Job& job, std::span<const std::unique_ptr<Worker>> workers,
                                              const SearchHooks& hooks = {}, const Claims& claims = {},
                                              result::SearchResult so_far = {});

} // namespace tmd::searches
