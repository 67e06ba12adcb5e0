// How the kernels of a search use a CPU's SIMD units: what was asked for, and what each kernel got.
#pragma once

#include "opencl/cpu_mode.hpp"
#include "engine/domains/search.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tmd {

struct CpuModes {
  struct Row {
    std::string_view part; // of the search; wide_rest: what takes up the wide test's candidates and refused groups
    std::string in_effect; // as opencl::mode_in_effect says it; empty where no kernel was used
  };
  opencl::CpuMode asked = opencl::CpuMode::automatic;
  std::array<Row, 6> rows{
      {{"phase1", {}}, {"phase2", {}}, {"phase3", {}}, {"polynomials", {}}, {"wide", {}}, {"wide_rest", {}}}};
};

// Of the kernels that a search has used so far, those of the self-test left out; nothing for a GPU.
[[nodiscard]] std::optional<CpuModes> cpu_modes(opencl::CpuMode asked, const DeviceSearch& search);

} // namespace tmd
