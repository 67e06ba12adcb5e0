// The planner's costs: how long steps take on a device and its host, relative to one regular existence test on that
// device. Results do not depend on them, only speed. A cost is a row of a table: those of one engine are in its folder,
// those that all share are here.
#pragma once

#include "device/row_values.hpp"

#include <array>
#include <string_view>

namespace tmd::device {

struct Cost {
  std::string_view name;
  double usual = 0;
};

using Costs = RowValues<Cost>;

inline constexpr auto shared_costs = std::to_array<Cost>({
    {"confirmation", 200}, // confirming one candidate in MPFR
    {"interval", 1e5},     // planning an interval, with its launches
});

[[nodiscard]] consteval const Cost& shared_cost(std::string_view name) { return row_named(shared_costs, name); }

} // namespace tmd::device
