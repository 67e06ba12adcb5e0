// A whole search: range → fields → parts for workers → what they have found.
#pragma once

#include "engine/engine.hpp"
#include "job/job.hpp"
#include "job/regimes.hpp"
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

namespace tmd {

// Who searches a stretch before its output binades are looked at: a field that is claimed, or nothing.
using Claims = std::function<std::optional<Field>(const Stretch&)>;

// All that is claimed of a stretch, and what is left of it.
struct ClaimedParts {
  std::vector<Field> fields;
  std::vector<Stretch> left;
};
[[nodiscard]] ClaimedParts claimed_parts(const Claims& claims, const Stretch& stretch);

// The search of another function, all else being the same. Where both claim the same arguments, the work for one may do
// for both, as it does for sin and cos.
struct OtherSearch {
  Job job;
  Claims claims;
  Coverage covered;                   // ranks of its arguments that count already
  std::vector<BegunClaim> begun;      // what is done of its claims: before, and with what a search has found on its way
  SearchRecorder* recorder = nullptr; // may be null
};

struct SearchHooks {
  std::function<void(const Progress&)> progress = {}; // after every part; by one thread at a time
  Interrupt interrupted = {};
  // A worker has failed, and others take its work: its index, and why. By one thread at a time.
  std::function<void(std::size_t, const std::string&)> lost = {};
  // What an earlier run has done of a claim does not count: these arguments are searched otherwise now. By one thread.
  std::function<void(const BegunClaim&)> passed_over = {};

  // Leave out stretches of very many pieces, as sin has at large arguments; else they are searched, however long it
  // takes.
  bool leaves_out = false;

  // Ranges that are known before, as ranges_beside_companion() finds them, and are not searched.
  std::vector<RegimeRange> proven = {};
  // These ranks of the job alone; null: all.
  const Coverage* only = nullptr;
  // The fields that make up `only`, claims as a rule: nothing is cut then. Null: they are to be found.
  const std::vector<Field>* fields = nullptr;
  // The range that is cut, of which the job's may be a shard: so all shards are cut in the same places, and their
  // ranges are those of the whole. Empty: the job's.
  RankInterval cut_range = {};
  SearchRecorder* recorder = nullptr;    // may be null
  std::vector<OtherSearch*> others = {}; // that come next: what is found of them on the way is kept there
};

// All that is cut: so shards are cut in the same places.
[[nodiscard]] Coverage range_to_cut(const Job& job, const SearchHooks& hooks);

// The claims of the engines that may serve the choices' algorithm, in the registry's order.
[[nodiscard]] Claims claims_of(const Job& job, const Choices& choices, std::span<const EngineKind* const> kinds);

// The ranges of a job in which its cases are those of a companion, known by a search of one binade: for
// SearchHooks::proven, where these are enough of `whole`, the range that is cut. Nothing where it was interrupted.
// Throws what run_search() throws.
[[nodiscard]] std::vector<RegimeRange> ranges_beside_companion(const Job& job, const Coverage& whole,
                                                               std::span<const std::unique_ptr<Worker>> workers,
                                                               const Interrupt& interrupted);

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
[[nodiscard]] SearchResult run_search(const Job& job, std::span<const std::unique_ptr<Worker>> workers,
                                      const SearchHooks& hooks = {}, const Claims& claims = {},
                                      SearchResult so_far = {});

} // namespace tmd
