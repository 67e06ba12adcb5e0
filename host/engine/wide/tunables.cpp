#include "engine/wide/tunables.hpp"

#include <algorithm>
#include <bit>

namespace tmd::engine::wide {

namespace {

void set_defaults(device::Tunables& tunables, const opencl::DeviceDescription& device, CpuMode mode) {
  if (device.is_gpu) {
    // Otherwise neighbours wait for the longest of them.
    tunables.set(wide_tunable("wide.order"), static_cast<std::int64_t>(Order::by_lines));
    tunables.set(wide_tunable("wide.work-group-size"), 256);
  } else if (mode != CpuMode::scalar && device.has_fp64()) {
    // Two registers for each value hide the latency of the divisions.
    const int register_bits = std::bit_width(std::clamp(device.native_long_width, 1U, 8U)) - 1;
    tunables.set(wide_tunable("wide.vector-width"), std::min(register_bits + 1, 4));
    tunables.set(wide_tunable("wide.items"), 16); // runs of lines wait until there is one for each lane
  }
}

// A work-group that sorts its groups keeps two for each work-item.
void limit_groups(device::Tunables& tunables, const opencl::DeviceDescription& device) {
  if (tunables[wide_tunable("wide.order")] != static_cast<std::int64_t>(Order::by_lines) || device.local_memory == 0)
    return;
  const std::uint64_t room = device.local_memory - std::min(device.local_memory, sorted_bytes);
  device::limit(tunables, wide_tunable("wide.work-group-size"),
                std::bit_floor(std::max<std::uint64_t>(room / sorted_bytes_per_work_item, 1)));
}

void set_default_costs(device::Costs& costs, const opencl::DeviceDescription& device,
                       const device::Tunables& tunables) {
  const auto set = [&](double group, double line, double filtered_line, double candidate, double part) {
    costs.set(wide_cost("wide.group"), group);
    costs.set(wide_cost("wide.line"), line);
    costs.set(wide_cost("wide.filtered-line"), filtered_line);
    costs.set(wide_cost("wide.candidate"), candidate);
    costs.set(wide_cost("wide.part"), part);
  };
  if (device.is_gpu) // measured on an NVIDIA H200
    set(1.8, 0.105, 0.06, 5, 4);
  else if (tunables[wide_tunable("wide.vector-width")] > 0) // measured on CPUs with AVX-512
    set(1.5, 0.11, 0.05, 12, 20);
}

// Tries vectors, or an order for scalars.
device::TuningStep lanes() {
  device::TuningStep step{"wide", {"wide.vector-width", "wide.order"}, {}};
  for (const std::string_view order : order_names)
    step.settings.push_back({{"wide.vector-width", "1"}, {"wide.order", std::string(order)}});
  for (const std::string_view width : device::vector_width_names)
    if (width != "1")
      step.settings.push_back({{"wide.vector-width", std::string(width)}});
  return step;
}

std::vector<device::TuningStep> steps() {
  static constexpr auto offsets = std::to_array<std::int64_t>({-2, -1, 0, 1, 2});
  static constexpr auto percents = std::to_array<std::int64_t>({70, 100, 120, 140, 160, 200, 300});
  static constexpr auto registers = std::to_array<std::int64_t>({0, 40, 48, 56, 64});
  return {lanes(),
          device::step_of("wide", wide_tunable("wide.group-bits-offset"), offsets),
          device::step_of("wide", wide_tunable("wide.denominator-percent"), percents),
          device::step_of("wide", wide_tunable("wide.work-group-size"), device::tried_group_sizes),
          device::step_of("wide", wide_tunable("wide.items"), device::tried_items),
          device::step_of("wide", wide_tunable("wide.registers"), registers)};
}

constexpr auto retired = std::to_array<std::string_view>({"wide.root", "wide.reciprocal"});

} // namespace

const device::TuningTable& wide_tuning() {
  static const device::TuningTable table{.tunables = wide_tunables,
                                         .costs = wide_costs,
                                         .retired = retired,
                                         .set_defaults = set_defaults,
                                         .limit = limit_groups,
                                         .set_default_costs = set_default_costs,
                                         .steps = steps};
  return table;
}

} // namespace tmd::engine::wide
