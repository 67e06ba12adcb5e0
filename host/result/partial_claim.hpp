// A partly searched claim: a claim counts as a whole, but is searched, and resumed, part by part.
#pragma once

#include "engine/engine.hpp"
#include "engine/stage.hpp"
#include "job/coverage.hpp"
#include "job/job.hpp"
#include "job/stretch.hpp"
#include "result/cases.hpp"
#include "result/part_result.hpp"

#include <cstdint>
#include <string>

namespace tmd::result {

// The sums of several parts.
struct PartSums {
  uint128 arguments = 0;
  uint128 direct = 0;
  std::uint64_t candidates = 0;
  double planning_seconds = 0;
  engine::Stages stages;
  engine::Idle idle;
  Findings found;

  // Adds a part that stands for so many arguments.
  void add(const PartResult& part, uint128 of);
  void add(PartSums&& others);
};

// Identifies a claim of a job. For equal identities, a place of the coordinate has the same arguments.
struct ClaimIdentity {
  std::string engine;
  job::RankInterval ranks; // ranks of the job's arguments: all those of one stretch
  uint128 extent = 0;      // length of the coordinate
  std::string coordinate;

  [[nodiscard]] static ClaimIdentity of(const job::Job& job, const engine::Field& field);
  [[nodiscard]] uint128 size() const { return static_cast<uint128>(ranks.last - ranks.first); }
  friend bool operator==(const ClaimIdentity&, const ClaimIdentity&) = default;
};

// The number of arguments that a part of a field stands for. For claims it is known only in the process that searches.
[[nodiscard]] uint128 arguments_of(const engine::Field& field, const Part& part);
// The place of a part in its field's coordinate.
[[nodiscard]] job::Coverage place_of(const Part& part);

// The finished parts of a claim.
struct PartialClaim {
  ClaimIdentity claim;
  job::Coverage done; // places of its coordinate
  PartSums sums;      // sums of the parts there; a case on the border of two parts may be in both

  // Adds a part. Throws SoundnessError if some of it was done before.
  void add(const PartResult& part, uint128 arguments);
  void add(const job::Coverage& more, PartSums&& of_them);
  [[nodiscard]] bool is_complete() const { return done.size() == claim.extent; }
};

} // namespace tmd::result
