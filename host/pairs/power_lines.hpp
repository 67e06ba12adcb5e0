// All pairs of a format for x^y as lines: a number x with all y of one binade and sign. They are numbered cell by cell,
// so that a part of a search is an interval, and what has been searched a set of integers.
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

// What boxes serve of a job. Throws UsageError for another function or format, or a K that is too small.
void check_boxes_serve(const PairJob& job);

class PowerLines {
public:
  explicit PowerLines(const Format& format);

  [[nodiscard]] std::uint64_t size() const { return begins_.back(); }
  // The pairs of lines first … last − 1, a rectangle a cell.
  [[nodiscard]] std::vector<engine::boxes::PowerRectangle> rectangles(std::uint64_t first, std::uint64_t last) const;
  // Of a pair, of which x is positive.
  [[nodiscard]] std::uint64_t line_of(const Operands& operands) const;
  [[nodiscard]] uint128 pairs(std::uint64_t first, std::uint64_t last) const;
  [[nodiscard]] uint128 pairs(const job::Coverage& lines) const;

private:
  std::vector<engine::boxes::PowerRectangle> cells_;
  std::vector<std::uint64_t> begins_; // the first line of each cell, and the end of all
};

// All lines, or those of a part of equal predicted cost.
[[nodiscard]] job::Coverage lines_wanted(const PowerLines& lines, const PairJob& job,
                                         const std::optional<PartOfJob>& part = {});

// An interval of lines that is searched at once, and what it will come to.
struct PowerUnit {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  double boxes = 0;
};

// These lines as units of some `boxes`, of one cell or of a few hundred.
[[nodiscard]] std::vector<PowerUnit> power_units(const PowerLines& lines, const job::Coverage& wanted,
                                                 const PairJob& job, double boxes);
[[nodiscard]] engine::boxes::PowerEstimate estimate_of(const PowerLines& lines, const job::Coverage& wanted,
                                                       const PairJob& job);

// Whether a pair, its operands with as many bits as their binades have, is in the rectangle.
[[nodiscard]] bool has_pair(const engine::boxes::PowerRectangle& rectangle, const Operands& operands);
[[nodiscard]] Operands operands_of(const engine::boxes::PowerRectangle& rectangle,
                                   const engine::boxes::PowerPair& pair);

} // namespace tmd::pairs
