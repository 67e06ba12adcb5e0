#include "app/lab/steps.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

std::pair<std::string, nlohmann::ordered_json> step_table(std::string_view what,
                                                          std::span<const std::string_view> names,
                                                          std::span<const double> as_far_as, std::string_view rest,
                                                          double whole, double peak) {
  nlohmann::ordered_json seconds;
  std::string table =
      fmt::format("  a {} by steps, with the device's own tunables; its peak: {:.3e} operations in float a "
                  "second\n  {:<14}{:>12}{:>9}{:>14}\n",
                  what, peak, "step", fmt::format("ns a {}", what), "share", "operations");
  const auto add = [&](std::string_view step, double time) {
    table += fmt::format("  {:<14}{:>12.4f}{:>7.1f} %{:>14.0f}\n", step, 1e9 * time, 100 * time / whole, time * peak);
    seconds[step] = time;
  };
  double before = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    add(names[i], as_far_as[i] - std::exchange(before, as_far_as[i]));
  add(rest, whole - before);
  add("all", whole);
  return {std::move(table), std::move(seconds)};
}

} // namespace tmd::app
