// Which searches a comparison is of: every combination of devices, algorithms, CPU modes and deployments.
#pragma once

#include "opencl/device.hpp"
#include "report/comparison.hpp"
#include "tmd/search_spec.hpp"

#include <string>
#include <vector>

namespace tmd::report {

// What is combined with the devices, by the names that options take.
struct ComparedWays {
  std::vector<std::string> algorithms;
  std::vector<std::string> cpu_modes; // of CPUs; GPUs have none
  std::vector<std::string> deployments;
};

// The job of the seeds, exp on [1, 1 + 2^-13), 2^40 arguments, for whoever names none.
[[nodiscard]] SearchSpec standard_comparison();

// The devices that selectors name, each once; without one all that can be used. Throws DeviceError where there is none.
[[nodiscard]] std::vector<opencl::DeviceDescription> devices_to_compare(const std::vector<std::string>& selectors);

// Every combination, none of which has been run.
[[nodiscard]] Comparison make_comparison(const std::vector<opencl::DeviceDescription>& devices,
                                         const ComparedWays& ways);

// The search of a combination; `common` has what all searches have in common.
[[nodiscard]] SearchSpec spec_of_cell(const Comparison& comparison, const ComparisonCell& cell, SearchSpec common);

} // namespace tmd::report
