// How a CPU's OpenCL runtime uses SIMD units: a mode is requested through the runtimes' own environment variables; the
// effect is read from build logs.
#pragma once

#include "opencl/device.hpp"
#include "tmd/choices.hpp"

#include <string>
#include <string_view>

namespace tmd::opencl {

// Sets the variables that CPU runtimes read. If the user has set one of a runtime's variables, all of that runtime's
// stay as they are. Works only before the first OpenCL call of the process: a mode belongs to a process.
void apply_cpu_mode(CpuMode mode);

// How a kernel uses a CPU's SIMD units, in words: "explicit vectors of 8", "vectorized by the runtime (16)", "not
// vectorized", or "unknown" if the runtime does not say. `vector_width` is that of the kernel's own types, 1 for
// scalars; the rest comes from the log of its build.
[[nodiscard]] std::string mode_in_effect(const DeviceDescription& device, std::string_view kernel,
                                         unsigned vector_width, std::string_view build_log);
// A sentence that says why it is "unknown".
[[nodiscard]] std::string why_mode_is_unknown(const DeviceDescription& device);
// For people: the answers of mode_in_effect(), separated by " / ", that say something; else nothing.
[[nodiscard]] std::string known_mode(std::string_view in_effect);

} // namespace tmd::opencl
