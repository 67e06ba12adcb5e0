#include "opencl/cpu_mode.hpp"

#include <cstdlib>

namespace tmd::opencl {

void apply_cpu_mode(CpuMode mode) {
  constexpr int keep = 0; // what the user has set wins
  if (mode == CpuMode::automatic)
    return;
  // Intel's CPU runtime.
  ::setenv("CL_CONFIG_USE_VECTORIZER", mode == CpuMode::scalar ? "False" : "True", keep);
}

} // namespace tmd::opencl
