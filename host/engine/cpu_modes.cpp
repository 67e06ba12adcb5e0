#include "engine/cpu_modes.hpp"

#include <algorithm>
#include <charconv>

namespace tmd::engine {

namespace {

// The width of the kernel's own vector types.
unsigned vector_width(std::string_view options) {
  constexpr std::string_view macro = "-DTMD_VECTOR_WIDTH=";
  unsigned width = 1;
  if (const auto found = options.find(macro); found != std::string_view::npos)
    std::from_chars(options.data() + found + macro.size(), options.data() + options.size(), width);
  return width;
}

} // namespace

std::string CpuModes::in_effect(std::string_view stage) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.stage == stage; });
  return found != rows.end() ? found->in_effect : std::string();
}

std::optional<CpuModes> cpu_modes(CpuMode asked, const Launcher& launcher) {
  if (launcher.device().is_gpu)
    return std::nullopt;
  CpuModes modes;
  modes.asked = asked;
  for (const auto& entry : launcher.kernels_used()) {
    const Launcher::UsedKernel& used = entry.second;
    const std::string mode =
        opencl::mode_in_effect(launcher.device(), used.name, vector_width(used.options), used.kernel.build_log());
    auto row = std::find_if(modes.rows.begin(), modes.rows.end(),
                            [&](const CpuModes::Row& known) { return known.stage == used.stage; });
    if (row == modes.rows.end())
      row = modes.rows.insert(modes.rows.end(), {used.stage, {}});
    if (row->in_effect.find(mode) == std::string::npos)
      row->in_effect += (row->in_effect.empty() ? "" : " / ") + mode;
  }
  return modes;
}

} // namespace tmd::engine
