// Divergence statistics for people and programs.
#pragma once

#include "app/lab/divergence_statistics.hpp"
#include "opencl/kernel_files.hpp"

#include <string>
#include <string_view>

namespace tmd {

[[nodiscard]] std::string divergence_table(const DivergenceStatistics& statistics);
// One JSON record and a newline.
[[nodiscard]] std::string divergence_record(std::string_view title, std::string_view test,
                                            const opencl::KernelUse& kernels, const DivergenceStatistics& statistics);

} // namespace tmd
