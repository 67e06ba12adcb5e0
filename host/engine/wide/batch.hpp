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

// Words of a coefficient in source_words_of(): as many as the interval that needs most has, and no fewer than most
// intervals of binary64 have, so that mostly one build of wide/shift.cl serves.
[[nodiscard]] int coefficient_words_of(const WideBatch& batch);

// What the kernels that make its polynomials read (cl_kernels/wide/sources.clh).
[[nodiscard]] std::vector<std::uint64_t> source_words_of(const WideBatch& batch);

// The sub-intervals of a plan from `first` on: `count` of them, or fewer where they have too many groups for one batch.
[[nodiscard]] WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count);

} // namespace tmd
