// Combinations are ordered by device first, so that a table has a block for each device.
#include "report/comparison_plan.hpp"

#include "request/option_table.hpp"

#include <algorithm>
#include <utility>

namespace tmd::report {

SearchSpec standard_comparison() {
  SearchSpec spec;
  spec.functions = {"exp"};
  spec.from = "1";
  spec.to = "0x1.0008p+0";
  spec.argument_precision = 54;
  spec.rounding = Rounding::directed;
  spec.bits = 33;
  return spec;
}

std::vector<opencl::DeviceDescription> devices_to_compare(const std::vector<std::string>& selectors) {
  const std::vector<opencl::DeviceDescription> present = opencl::list_devices();
  std::vector<opencl::DeviceDescription> chosen;
  const auto choose = [&](const opencl::DeviceDescription& device) {
    if (std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) { return other.index == device.index; }))
      chosen.push_back(device);
  };
  for (const std::string& selector : selectors)
    choose(opencl::select_device(present, selector));
  if (selectors.empty())
    for (const opencl::DeviceDescription& device : present)
      if (device.why_unusable().empty())
        choose(device);
  if (chosen.empty()) // its sentence says why
    choose(opencl::select_device(present, ""));
  return chosen;
}

Comparison make_comparison(const std::vector<opencl::DeviceDescription>& devices, const ComparedWays& ways) {
  Comparison comparison;
  for (const opencl::DeviceDescription& device : devices) {
    comparison.devices.push_back({device.index, device.name, device.platform,
                                  std::string(to_string(device.device_class())), device.driver_version,
                                  device.simd_width()});
    for (const std::string& mode : device.is_gpu ? std::vector<std::string>{"auto"} : ways.cpu_modes)
      for (const std::string& deployment : ways.deployments)
        for (const std::string& algorithm : ways.algorithms)
          comparison.cells.push_back({comparison.devices.size() - 1, algorithm, mode, deployment, {}, {}, {}});
  }
  return comparison;
}

SearchSpec spec_of_cell(const Comparison& comparison, const ComparisonCell& cell, SearchSpec common) {
  common.devices = {std::to_string(comparison.devices[cell.device].index)};
  for (const auto& [option, value] :
       {std::pair("cpu-mode", cell.cpu_mode), {"algorithm", cell.algorithm}, {"deployment", cell.deployment}})
    request::set_option(common, request::find_option(option), value);
  return common;
}

} // namespace tmd::report
