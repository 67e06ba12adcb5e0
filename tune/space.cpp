#include "tune/space.hpp"

#include "engine/registry.hpp"
#include "opencl/private_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

Part part_of(std::string_view name) {
  const auto* const found = std::find(part_names.begin(), part_names.end(), name);
  return static_cast<Part>(found - part_names.begin());
}

bool possible(const device::Setting& setting, const opencl::DeviceDescription& device, CpuMode mode) {
  return std::all_of(setting.begin(), setting.end(), [&](const auto& one) {
    if (one.first.ends_with(".vector-width"))
      return one.second == "1" || (!device.is_gpu && mode != CpuMode::scalar);
    if (one.first.ends_with(".work-group-size"))
      return std::stoull(one.second) <=
             std::min<std::uint64_t>(device.work_group_size,
                                     opencl::work_items_on_stack(device, opencl::thread_stack()));
    if (one.first.ends_with(".registers")) // other compilers accept no such limit
      return device.has_extension("cl_nv_compiler_options");
    if (one.first == "batch-domains") // a domain has three coefficients of 8 bytes; they may take half of the memory
      return std::stoull(one.second) <= std::min(device.largest_buffer / 8, device.global_memory / 48);
    return true;
  });
}

} // namespace

std::vector<Coordinate> search_space(const opencl::DeviceDescription& device, CpuMode mode, bool makes_polynomials) {
  std::vector<Coordinate> space;
  for (device::TuningStep& step : engine::engine_tuning().steps()) {
    Coordinate coordinate{part_of(step.part), std::move(step.tunables), std::move(step.settings)};
    if (coordinate.part == Part::polynomials && !makes_polynomials)
      continue;
    std::erase_if(coordinate.settings,
                  [&](const device::Setting& setting) { return !possible(setting, device, mode); });
    if (!coordinate.settings.empty())
      space.push_back(std::move(coordinate));
  }
  return space;
}

Settings with(const Settings& settings, const Coordinate& coordinate, const device::Setting& setting,
              const Settings& default_values) {
  Settings result = settings;
  for (const std::string& name : coordinate.tunables)
    result.erase(name);
  for (const auto& [name, value] : setting)
    if (default_values.at(name) != value)
      result[name] = value;
  return result;
}

} // namespace tmd::tune
