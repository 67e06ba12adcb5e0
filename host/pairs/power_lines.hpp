// All pairs of a search by boxes as lines: a number x with all y of a cell, which for x^y and (1 + x)^n is a binade of
// each operand and a sign of y, and else a rectangle of the ranges. Lines are numbered cell by cell, so that a part of
// a search is an interval of numbers, and the searched lines are a set of integers.
#pragma once

#include "engine/boxes/rectangles.hpp"
#include "job/coverage.hpp"
#include "pairs/pair_job.hpp"
#include "tmd/job.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tmd::pairs {

// Throws UsageError for a function or format that boxes do not serve, or a K that is too small.
void check_boxes_serve(const PairJob& job);

class PowerLines {
public:
  // Throws UsageError for ranges that are empty, or are none.
  explicit PowerLines(const PairJob& job);

  [[nodiscard]] std::uint64_t size() const { return begins_.back(); }
  // The pairs of lines first … last − 1, as one rectangle for each cell.
  [[nodiscard]] std::vector<engine::boxes::PowerRectangle> rectangles(std::uint64_t first, std::uint64_t last) const;
  // Whether the search has a pair, with x > 0 for x^y.
  [[nodiscard]] bool has(const Operands& operands) const;
  // The line of a pair that it has; throws UsageError for another.
  [[nodiscard]] std::uint64_t line_of(const Operands& operands) const;
  [[nodiscard]] uint128 pairs(std::uint64_t first, std::uint64_t last) const;
  [[nodiscard]] uint128 pairs(const job::Coverage& lines) const;
  // The pairs of the longest line.
  [[nodiscard]] std::uint32_t longest() const;

private:
  [[nodiscard]] std::optional<std::size_t> cell_of(const Operands& operands) const;
  [[nodiscard]] std::size_t cell_of_format(const Operands& operands) const;

  bool are_of_ranges_;
  std::vector<engine::boxes::PowerRectangle> cells_;
  std::vector<std::uint64_t> begins_; // the first line of each cell, and the end of the last
};

// All lines, or those of a part of equal predicted cost.
[[nodiscard]] job::Coverage lines_wanted(const PowerLines& lines, const PairJob& job,
                                         const std::optional<PartOfJob>& part = {});

// An interval of lines that is searched at once, and its estimated cost, in that of a box.
struct PowerUnit {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  double cost = 0;
};

// Cuts these lines into units of about this cost; a unit is a part of a cell, or up to a few hundred cells.
[[nodiscard]] std::vector<PowerUnit> power_units(const PowerLines& lines, const job::Coverage& wanted,
                                                 const PairJob& job, double cost);
[[nodiscard]] engine::boxes::PairEstimate estimate_of(const PowerLines& lines, const job::Coverage& wanted,
                                                      const PairJob& job);

// Whether a pair is in the rectangle. Each operand must have as many bits as numbers of its binade.
[[nodiscard]] bool has_pair(const engine::boxes::PowerRectangle& rectangle, const Operands& operands);
[[nodiscard]] Operands operands_of(const engine::boxes::PowerRectangle& rectangle,
                                   const engine::boxes::PowerPair& pair);

} // namespace tmd::pairs
