// The worker's measurements of what the planner weighs plans with.
#pragma once

#include "tune/worker.hpp"

#include "device/costs.hpp"
#include "device/tunables.hpp"
#include "opencl/device.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::tune {

// Groups of one size, as the wide test's kernel did them: all of it for a group, on average.
struct GroupSample {
  double lines = 0;          // walked over one by one,
  double filtered_lines = 0; // and looked at by the filter before
  double candidates = 0;
  double seconds = 0;
};

// What such a group is made of, in seconds: its beginning, each of its lines of either kind, each of its candidates.
struct GroupSeconds {
  double group = 0;
  double line = 0;
  double filtered_line = 0;
  double candidate = 0;
};

// The seconds, none of them negative, with the least sum of squared relative errors over the samples.
[[nodiscard]] GroupSeconds fit_groups(std::span<const GroupSample> samples);

// The costs of a device with these tunables: times of the device and of the host's threads that work for it, over that
// of one regular test. Throws DeviceError when the device fails, or a time makes no sense.
[[nodiscard]] Costs measure_costs(const opencl::DeviceDescription& device, const Tunables& tunables,
                                  const Announce& announce);

// How searches are made whose costs are compared.
inline constexpr std::array<std::string_view, 2> cost_algorithms{"wide", "auto"};
using CostSeconds = std::array<double, cost_algorithms.size()>;

// Runs of searches with two tables of costs, in turn: seconds of the device and of planning for exp from 1 on. Empty,
// with a message, when one of them fails.
struct CostPairs {
  std::vector<CostSeconds> first;
  std::vector<CostSeconds> second;
  std::string message;
};

// `shortest`: device seconds that the wide test must take for the search.
[[nodiscard]] CostPairs compare_costs(const opencl::DeviceDescription& device, const Tunables& tunables,
                                      const Costs& first, const Costs& second, double shortest, int pairs,
                                      const Announce& announce);

// As JSON, by name. What is read may come from a failing process: false means that it is none of ours.
[[nodiscard]] Message to_json(const Costs& costs);
[[nodiscard]] bool from_json(const Message& json, Costs& costs);

} // namespace tmd::tune
