// Reports the times of a group's or a window's steps, compared with the device's peak.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace tmd::app {

// A table, and an object of the seconds by step and of `all`. what: "group" or "window"; as_far_as: seconds as far as
// each step; rest: the last step, which takes what `whole` is longer; peak: operations in float that the device does in
// a second.
[[nodiscard]] std::pair<std::string, nlohmann::ordered_json>
step_table(std::string_view what, std::span<const std::string_view> names, std::span<const double> as_far_as,
           std::string_view rest, double whole, double peak);

} // namespace tmd::app
