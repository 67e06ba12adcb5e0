// Whether every argument of a range is a case, or none, by a proof.
#pragma once

#include "format/grid.hpp"
#include "function/function.hpp"
#include "job/range_values.hpp"
#include "job/regime.hpp"

namespace tmd::job {

// Beyond the bits of F's own and those of the bound, so many are tried first.
inline constexpr long first_margin = 96;

struct Finding {
  enum class Next { done, split, leave }; // leave: more bits may decide
  Next next;
  Regime regime = {}; // valid if decided
  long precision = 0; // the bits that were needed, if known
};

// The values must be enclosed (RangeValues::enclose_all). With `may_leave_side_open` the side of the breakpoint stays
// undecided where it is not known, unless the function's own enclosure tells it at one of the ends.
[[nodiscard]] Finding prove(const function::Function& function, const format::BreakpointGrid& grid, int K,
                            const RangeValues& values, bool may_leave_side_open);

} // namespace tmd::job
