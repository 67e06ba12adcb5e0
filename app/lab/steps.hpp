// Reports the times of a group's or a window's steps, compared with the device's peak.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace tmd::app {

// A table, and an object of the seconds by step and of `all`. what: "group" or "window"; as_far_as: seconds up to the
// end of each step; rest: name of the last step, which takes the rest of `whole`; peak: operations in float that the
// device does in a second.
[[nodiscard]] std::pair<std::string, nlohmann::ordered_json>
step_table(std::string_view what, std::span<const std::string_view> names, std::span<const double> as_far_as,
           std::string_view rest, double whole, double peak);

} // namespace tmd::app
