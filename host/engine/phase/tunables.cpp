#include "engine/phase/tunables.hpp"

namespace tmd::engine::phase {

namespace {

void set_defaults(device::Tunables& tunables, const opencl::DeviceDescription& device, CpuMode mode) {
  if (device.is_gpu) {
    // More work-items than run at a time, so that the next plan's begin soon.
    tunables.set(phase_tunable("phase.chunk-bits"), 8);
    return;
  }
  tunables.set(phase_tunable("phase.width-percent"), 300); // a window costs more than the points in it
  if (mode != CpuMode::vector)                             // otherwise neighbours would wait for each other
    tunables.set(phase_tunable("phase.vectorizer"), static_cast<std::int64_t>(Vectorizer::off));
}

std::vector<device::TuningStep> steps() {
  static constexpr auto widths = std::to_array<std::int64_t>({100, 140, 170, 200, 230, 260, 300});
  static constexpr auto registers = std::to_array<std::int64_t>({0, 64, 80, 96, 128, 168});
  static constexpr auto chunks = std::to_array<std::int64_t>({5, 6, 7, 8, 9, 10});
  static constexpr auto segments = std::to_array<std::int64_t>({3, 4, 5, 6});
  return {device::step_of("walk", phase_tunable("phase.width-percent"), widths),
          device::step_of("walk", phase_tunable("phase.registers"), registers),
          device::step_of("walk", phase_tunable("phase.work-group-size"), device::tried_group_sizes),
          device::step_of("walk", phase_tunable("phase.chunk-bits"), chunks),
          device::step_of("walk", phase_tunable("phase.segment-bits"), segments)};
}

} // namespace

const device::TuningTable& phase_tuning() {
  static const device::TuningTable table{.tunables = phase_tunables, .set_defaults = set_defaults, .steps = steps};
  return table;
}

} // namespace tmd::engine::phase
