// Stretches that an engine has claimed, in the midst of their search: they count as a whole, and go on part by part.
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

// What parts have come to, together.
struct PartSums {
  uint128 arguments = 0;
  uint128 direct = 0;
  std::uint64_t candidates = 0;
  double planning_seconds = 0;
  engine::Stages stages;
  engine::Idle idle;
  Findings found;

  // A part that stands for so many arguments.
  void add(const PartResult& part, uint128 of);
  void add(PartSums&& others);
};

// Which claim of a job it is. Where these are equal, a place of the coordinate has the same arguments.
struct ClaimIdentity {
  std::string engine;
  job::RankInterval ranks; // of the job's arguments: all of one stretch
  uint128 extent = 0;      // of the coordinate
  std::string coordinate;

  [[nodiscard]] static ClaimIdentity of(const job::Job& job, const engine::Field& field);
  [[nodiscard]] uint128 size() const { return static_cast<uint128>(ranks.last - ranks.first); }
  friend bool operator==(const ClaimIdentity&, const ClaimIdentity&) = default;
};

// How many arguments a part of a field stands for; of a claim, only where the search is.
[[nodiscard]] uint128 arguments_of(const engine::Field& field, const Part& part);
// Where a part is in its field's coordinate.
[[nodiscard]] job::Coverage place_of(const Part& part);

// What has been done of a claim.
struct BegunClaim {
  ClaimIdentity claim;
  job::Coverage done; // of its coordinate
  PartSums sums;      // of the parts there; a case on the border of two may have been found in both

  // A part of so many arguments. Throws SoundnessError where some of it was done before.
  void add(const PartResult& part, uint128 arguments);
  void add(const job::Coverage& more, PartSums&& of_them);
  [[nodiscard]] bool is_complete() const { return done.size() == claim.extent; }
};

} // namespace tmd::result
