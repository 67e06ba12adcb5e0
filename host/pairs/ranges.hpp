// Jobs over a range of x and a range of y, and the rectangles of pairs in them.
#pragma once

#include "engine/boxes/tiles.hpp"
#include "pairs/pair_job.hpp"
#include "result/record.hpp"

#include <array>
#include <string>
#include <vector>

namespace tmd::pairs {

// The job of an expression of x and y, pow, powr or hypot over ranges "FROM:TO", without K. An expression that is one
// of these functions is that function: theorems say where its values are exact. Throws UsageError for anything else.
[[nodiscard]] PairJob job_over_ranges(const std::string& expression, const std::array<std::string, 2>& ranges,
                                      const Format& format, Rounding rounding);

// The job of a record with the keys `function` and, if it is one over ranges, `ranges`, without K. Throws UsageError
// for an unknown function.
[[nodiscard]] PairJob job_of_record(const result::Json& record, const Format& format, Rounding rounding);

// The numbers of a range "FROM:TO", without TO and without 0, as one operand for each sign and binade. Throws
// UsageError, naming the option, for a text that is no range, or an empty one.
[[nodiscard]] std::vector<engine::boxes::TileOperand> operands_of_range(const std::string& range, const Format& format,
                                                                        const std::string& option);

// Rectangles that have each pair of the job's ranges once, some hundreds of about the same size if there are many
// pairs. Throws UsageError as operands_of_range() does.
[[nodiscard]] std::vector<engine::boxes::PowerRectangle> cells_of_ranges(const PairJob& job);

} // namespace tmd::pairs
