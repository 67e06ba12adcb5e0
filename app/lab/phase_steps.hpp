// Times the steps of the phase walk.
#pragma once

#include "app/lab/production.hpp"
#include "device/tunables.hpp"
#include "opencl/device.hpp"

#include <array>
#include <string_view>

namespace tmd {

// The numbers are TMD_PHASE_STEP's in cl_kernels/bench/phase_steps.cl, in this order.
inline constexpr std::array<std::string_view, 4> phase_step_names{"segments", "short vectors", "basis", "ranges"};

// Device seconds of a window up to the end of each step, those before it included: the median of `repeats` launches
// over the whole chunks of a batch, at least one. Throws DeviceError if the device fails.
[[nodiscard]] std::array<double, phase_step_names.size()>
seconds_of_phase_steps(const opencl::DeviceDescription& device, const device::Tunables& tunables,
                       const engine::phase::PhaseBatch& batch, int repeats);

} // namespace tmd
