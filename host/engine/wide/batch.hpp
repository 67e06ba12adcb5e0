// Batches of sub-intervals for the wide test on a device.
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

// Consecutive sub-intervals; the device makes their polynomials from those of their intervals. They may be followed by
// those of other batches, each from the beginning of a sub-interval on.
struct WideBatch : Batch {
  WideParameters parameters;
  uint128 first_argument = 0;           // index in the piece
  std::vector<WideSource> sources;      // of all sub-intervals, in their order
  std::uint32_t sub_intervals = 0;      // number in all sources
  std::uint64_t argument_limit = 0;     // number of arguments; the last sub-interval may reach beyond
  std::uint64_t most_sub_intervals = 0; // including those of merged batches

  // The place of one batch's arguments among those of all, and in its piece.
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
    uint128 first_argument = 0;
  };
  std::vector<Run> runs; // this batch's, then those of each merged one; empty without any

  // The number of planted records before this batch's own record number `gap_at`; argument_limit counts their
  // arguments.
  std::uint32_t gap_at = 0;
  std::uint32_t gap = 0;
  [[nodiscard]] std::uint64_t gap_begin() const { return std::uint64_t(gap_at) << parameters.sub_bits; }
  [[nodiscard]] std::uint64_t gap_end() const { return std::uint64_t(gap_at + gap) << parameters.sub_bits; }
  // The batch's own argument at a place among those of all records; nothing if the place is in a planted record, or
  // behind the end of a run.
  [[nodiscard]] std::optional<std::uint64_t> own_argument(std::uint64_t place) const;
  // The number of those groups, among `count` from `first` on, that have arguments of the batch.
  [[nodiscard]] std::uint64_t own_groups(std::uint64_t first, std::uint64_t count) const;

  [[nodiscard]] std::uint64_t count() const override { return argument_limit; }
  [[nodiscard]] std::uint64_t groups() const { return ((argument_limit - 1) >> parameters.group_bits) + 1; }
  [[nodiscard]] bool is_compact() const override { return true; }
  [[nodiscard]] bool join(const Batch& other) override;
};

// Converts sorted arguments, counted from a batch's first, to indices in their pieces, run by run. Arguments behind the
// end of a run are left out.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> indices_by_run(const WideBatch& batch,
                                                                     const std::vector<std::uint64_t>& arguments);

// The batch's own arguments among places.
[[nodiscard]] std::vector<std::uint64_t> own_arguments(const WideBatch& batch,
                                                       const std::vector<std::uint64_t>& places);

// Words of a coefficient in source_words_of(): those of the interval that needs most, but no fewer than most intervals
// of binary64 have, so that wide/scalar.cl usually serves.
[[nodiscard]] int coefficient_words_of(const WideBatch& batch);

// The input of the kernels that make its polynomials (cl_kernels/wide/sources.clh).
[[nodiscard]] std::vector<std::uint64_t> source_words_of(const WideBatch& batch);

// The kernels' parameters, except lines that are walked without the filter.
[[nodiscard]] layout::wide_parameters kernel_parameters(const WideBatch& batch);

// `count` sub-intervals of a plan from `first` on, or fewer if they have too many groups for one batch.
[[nodiscard]] WideBatch make_wide_batch(const WidePlan& plan, std::uint64_t first, std::uint64_t count);

} // namespace tmd::engine::wide
