// Times the steps of the wide test.
#pragma once

#include "app/lab/production.hpp"
#include "device/tunables.hpp"
#include "opencl/device.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace tmd {

// The numbers are TMD_WIDE_STEP's in cl_kernels/bench/wide_steps.cl, in this order.
inline constexpr std::array<std::string_view, 4> wide_step_names{"coefficients", "fraction", "set-up", "lines"};

// Number of instructions with which the filter examines a line: doc/theory/wide-test.md, "The filter".
inline constexpr double instructions_of_line = 10;

// Device seconds of a group up to the end of each step, those before it included: the median of `repeats` launches over
// the groups of the first `sub_intervals` sub-intervals. Throws DeviceError if the device fails.
[[nodiscard]] std::array<double, wide_step_names.size()>
seconds_of_wide_steps(const opencl::DeviceDescription& device, const device::Tunables& tunables,
                      const engine::wide::WidePlan& plan, std::uint64_t sub_intervals, int repeats);

} // namespace tmd
