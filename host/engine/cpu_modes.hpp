// How the kernels of a search use a CPU's SIMD units: what was asked for, and what each stage got.
#pragma once

#include "engine/launcher.hpp"
#include "opencl/cpu_mode.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd::engine {

struct CpuModes {
  struct Row {
    std::string stage;     // its name
    std::string in_effect; // as opencl::mode_in_effect says it; of several kernels, all that they got
  };
  CpuMode asked = CpuMode::automatic;
  std::vector<Row> rows; // of the stages that have used a kernel, in the order of their kernels' names

  // Of a stage; empty where no kernel was used.
  [[nodiscard]] std::string in_effect(std::string_view stage) const;
};

// Of the kernels that searches have used so far, those of self-tests left out; nothing for a GPU.
[[nodiscard]] std::optional<CpuModes> cpu_modes(CpuMode asked, const Launcher& launcher);

} // namespace tmd::engine
