// Sub-intervals on their way to the wide test on a device.
#pragma once

#include "engine/kernel_layout.hpp"
#include "engine/wide/plan.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tmd::engine::wide::layout {
using namespace kernel_layout;
#include "cl_kernels/wide/parameters.clh" // NOLINT: OpenCL C
static_assert(sizeof(layout::wide_parameters) == 88);
} // namespace tmd::engine::wide::layout

namespace tmd::engine::wide {

// Consecutive sub-intervals; the device makes their polynomials from those of their intervals. Behind them may be those
// of other batches, each from the beginning of a sub-interval on.
struct WideBatch : Batch {
  WideParameters parameters;
  uint128 first_argument = 0;           // index in the piece
  std::vector<WideSource> sources;      // of all sub-intervals, in their order
  std::uint32_t sub_intervals = 0;      // of all sources
  std::uint64_t argument_limit = 0;     // arguments; the last sub-interval may reach beyond
  std::uint64_t most_sub_intervals = 0; // with those of others that are taken in

  // Where the arguments of one batch lie among those of all, and where in its piece.
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
    uint128 first_argument = 0;
  };
  std::vector<Run> runs; // this one's, then those of each that was taken in; empty where none was

  // So many records that are not its own stand before its own one of the number `gap_at`; argument_limit counts theirs.
  std::uint32_t gap_at = 0;
  std::uint32_t gap = 0;
  [[nodiscard]] std::uint64_t gap_begin() const { return std::uint64_t(gap_at) << parameters.sub_bits; }
  [[nodiscard]] std::uint64_t gap_end() const { return std::uint64_t(gap_at + gap) << parameters.sub_bits; }
  // What stands at a place among the arguments of all records; nothing where that is none of its own, or behind the
  // end of a run.
  [[nodiscard]] std::optional<std::uint64_t> own_argument(std::uint64_t place) const;
  // Of `count` groups from `first` on, how many have arguments of its own.
  [[nodiscard]] std::uint64_t own_groups(std::uint64_t first, std::uint64_t count) const;

  [[nodiscard]] std::uint64_t count() const override { return argument_limit; }
  [[nodiscard]] std::uint64_t groups() const { return ((argument_limit - 1) >> parameters.group_bits) + 1; }
  [[nodiscard]] bool is_compact() const override { return true; }
  [[nodiscard]] bool join(const Batch& other) override;
};

// Of sorted arguments, counted from a batch's first, the indices in their pieces, run by run. What lies behind a run's
// last sub-interval's arguments is left out.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> indices_by_run(const WideBatch& batch,
                                                                     const std::vector<std::uint64_t>& arguments);

// The batch's own arguments among places.
[[nodiscard]] std::vector<std::uint64_t> own_arguments(const WideBatch& batch,
                                                       const std::vector<std::uint64_t>& places);

// Words of a coefficient in source_words_of(): as many as the interval that needs most has, and no fewer than most
// intervals of binary64 have, so that mostly wide/scalar.cl serves.
[[nodiscard]] int coefficient_words_of(const WideBatch& batch);

// What the kernels that make its polynomials read (cl_kernels/wide/sources.clh).
[[nodiscard]] std::vector<std::uint64_t> source_words_of(const WideBatch& batch);

// What its kernels are told, but for lines that are walked without the filter.
[[nodiscard]] layout::wide_parameters kernel_parameters(const WideBatch& batch);

// The sub-intervals of a plan from `first` on: `count` of them, or fewer where they have too many groups for one batch.
[[nodiscard]] WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count);

} // namespace tmd::engine::wide
