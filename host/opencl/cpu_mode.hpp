// How a CPU's OpenCL runtime is to use SIMD units: forced through the runtimes' own environment variables.
#pragma once

#include <array>
#include <string_view>

namespace tmd::opencl {

enum class CpuMode { automatic, scalar, vector };
inline constexpr std::array<std::string_view, 3> cpu_mode_names{"auto", "scalar", "vector"};

[[nodiscard]] constexpr std::string_view to_string(CpuMode mode) { return cpu_mode_names[static_cast<unsigned>(mode)]; }

// Sets the variables that CPU runtimes read, except those that the user has set. Works before the first OpenCL call of
// the process only: a mode belongs to a process.
void apply_cpu_mode(CpuMode mode);

} // namespace tmd::opencl
