// How the kernels of a search use a CPU's SIMD units: the requested mode, and its effect in each stage.
#pragma once

#include "engine/launcher.hpp"
#include "opencl/cpu_mode.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd::engine {

struct CpuModes {
  struct Row {
    std::string stage;     // the stage's name
    std::string in_effect; // in the words of opencl::mode_in_effect; for several kernels, all their modes
  };
  CpuMode asked = CpuMode::automatic;
  std::vector<Row> rows; // stages that have used a kernel, in the order of their kernels' names

  // The mode of a stage; empty if no kernel was used.
  [[nodiscard]] std::string in_effect(std::string_view stage) const;
};

// The modes of kernels that searches have used so far, without those of self-tests; nothing for a GPU.
[[nodiscard]] std::optional<CpuModes> cpu_modes(CpuMode asked, const Launcher& launcher);

} // namespace tmd::engine
