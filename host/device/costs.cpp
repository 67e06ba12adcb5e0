#include "device/costs.hpp"

#include "device/tunables.hpp"
#include "tmd/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tmd {

Costs default_costs(const opencl::DeviceDescription& device, const Tunables& tunables) {
  if (device.is_gpu) // the host is slow beside it, divergence dear; as on an NVIDIA H200
    return {.polynomial = 0.4,
            .polynomial_by_host = 8,
            .lefevre = 1.2,
            .argument = 0.05,
            .confirmation = 1e5,
            .interval = 5e7,
            .wide_group = 1.8,
            .wide_line = 0.105,
            .wide_filtered_line = 0.06,
            .wide_candidate = 5,
            .wide_part = 4};
  if (tunables.phase1_vector_bits > 0) // which both tests have; as on CPUs with AVX-512
    return {.polynomial = 0.8,
            .polynomial_by_host = 2,
            .lefevre = 1,
            .argument = 0.035,
            .confirmation = 1000,
            .interval = 1.7e5,
            .wide_group = 1.5,
            .wide_line = 0.11,
            .wide_filtered_line = 0.05,
            .wide_candidate = 12,
            .wide_part = 20};
  return {};
}

void set_cost(Costs& costs, std::string_view name, double value) {
  for (const Cost& cost : cost_table) {
    if (cost.name != name)
      continue;
    if (!std::isfinite(value) || value <= 0)
      throw UsageError(fmt::format("cost {} must be a positive number, not {}", name, value));
    costs.*cost.value = value;
    return;
  }
  throw UsageError(fmt::format("unknown cost '{}'", name));
}

} // namespace tmd
