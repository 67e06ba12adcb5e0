// The searches of a comparison: every combination of devices, algorithms, CPU modes and deployments.
#pragma once

#include "opencl/device.hpp"
#include "report/comparison.hpp"
#include "tmd/search_spec.hpp"

#include <string>
#include <vector>

namespace tmd::report {

// The values of the options whose combinations run on each device.
struct ComparedWays {
  std::vector<std::string> algorithms;
  std::vector<std::string> cpu_modes; // for CPUs; GPUs have no modes
  std::vector<std::string> deployments;
};

// The job used if none is given, that of the seeds: exp on [1, 1 + 2^-13), 2^40 arguments.
[[nodiscard]] SearchSpec standard_comparison();

// The devices that selectors name, each once; all usable ones without a selector. Throws DeviceError if there is none.
[[nodiscard]] std::vector<opencl::DeviceDescription> devices_to_compare(const std::vector<std::string>& selectors);

// A comparison with a cell for every combination, none of them run yet.
[[nodiscard]] Comparison make_comparison(const std::vector<opencl::DeviceDescription>& devices,
                                         const ComparedWays& ways);

// The search of a combination; `common` is what all searches share.
[[nodiscard]] SearchSpec spec_of_cell(const Comparison& comparison, const ComparisonCell& cell, SearchSpec common);

} // namespace tmd::report
