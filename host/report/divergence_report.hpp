// Divergence statistics for people, programs and eyes.
#pragma once

#include "engine/domains/divergence.hpp"
#include "opencl/kernel_files.hpp"

#include <string>
#include <string_view>

namespace tmd {

[[nodiscard]] std::string divergence_table(const DivergenceStatistics& statistics);
// One JSON record and a newline.
[[nodiscard]] std::string divergence_record(std::string_view title, std::string_view test,
                                            const opencl::KernelUse& kernels, const DivergenceStatistics& statistics);
// Histograms of the NMDM, one a SIMD width, as SVG. Throws UsageError when gnuplot is missing or fails.
[[nodiscard]] std::string divergence_plot(std::string_view title, const DivergenceStatistics& statistics);

} // namespace tmd
