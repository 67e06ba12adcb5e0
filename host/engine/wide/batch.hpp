// Sub-intervals on their way to the wide test on a device.
#pragma once

#include "engine/wide/plan.hpp"

#include <cstdint>

namespace tmd {

// Consecutive sub-intervals of one interval; the device makes their polynomials from the interval's.
struct WideBatch : Batch {
  WideParameters parameters;
  uint128 first_argument = 0; // index in the piece
  std::uint64_t first_sub_interval = 0;
  std::uint32_t sub_intervals = 0;
  std::uint64_t argument_limit = 0; // arguments; the last sub-interval may reach beyond

  [[nodiscard]] std::uint64_t count() const override { return argument_limit; }
};

// The sub-intervals of a plan from `first` on: `count` of them, or fewer where they have too many groups for one batch.
[[nodiscard]] WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count);

} // namespace tmd
