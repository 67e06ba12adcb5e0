// Sub-intervals on their way to the wide test on a device.
#pragma once

#include "engine/wide/plan.hpp"

#include <cstdint>
#include <vector>

namespace tmd {

// Consecutive sub-intervals; the device makes their polynomials from those of their intervals.
struct WideBatch : Batch {
  WideParameters parameters;
  uint128 first_argument = 0;       // index in the piece
  std::vector<WideSource> sources;  // of all sub-intervals, in their order
  std::uint32_t sub_intervals = 0;  // of all sources
  std::uint64_t argument_limit = 0; // arguments; the last sub-interval may reach beyond

  [[nodiscard]] std::uint64_t count() const override { return argument_limit; }
};

// What the kernels that make its polynomials read (cl_kernels/wide/sub_intervals.clh).
[[nodiscard]] std::vector<std::uint64_t> source_words_of(const WideBatch& batch);

// The sub-intervals of a plan from `first` on: `count` of them, or fewer where they have too many groups for one batch.
[[nodiscard]] WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count);

} // namespace tmd
