#include "device/cpu_modes.hpp"

#include <charconv>
#include <set>
#include <utility>

namespace tmd {

namespace {

bool belongs_to(std::string_view kernel, std::string_view part) {
  if (kernel == "one_kernel")
    return part.starts_with("phase");
  if (kernel == "walk" || kernel == "shift_and_walk" || kernel == "wide_shift")
    return part == "polynomials";
  if (kernel == "wide_groups")
    return part == "wide";
  if (kernel == "wide_check" || kernel == "wide_parts" || kernel == "wide_sweep")
    return part == "wide_rest";
  return kernel == part;
}

// The width of the kernel's own vector types.
unsigned vector_width(std::string_view options) {
  constexpr std::string_view macro = "-DTMD_VECTOR_WIDTH=";
  unsigned width = 1;
  if (const auto found = options.find(macro); found != std::string_view::npos)
    std::from_chars(options.data() + found + macro.size(), options.data() + options.size(), width);
  return width;
}

} // namespace

std::optional<CpuModes> cpu_modes(opencl::CpuMode asked, const DeviceSearch& search) {
  if (search.device().is_gpu)
    return std::nullopt;
  CpuModes modes;
  modes.asked = asked;
  std::set<std::pair<std::string_view, std::string>> told; // kernels of one part may differ
  for (const auto& [key, kernel] : search.kernels_used()) {
    const auto& [name, options] = key;
    const std::string mode = opencl::mode_in_effect(search.device(), name, vector_width(options), kernel.build_log());
    for (CpuModes::Row& row : modes.rows)
      if (belongs_to(name, row.part) && told.emplace(row.part, mode).second)
        row.in_effect += (row.in_effect.empty() ? "" : " / ") + mode;
  }
  return modes;
}

} // namespace tmd
