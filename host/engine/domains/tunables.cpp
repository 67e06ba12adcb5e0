// The existence tests' settings for a device: requirements, defaults by device class, and the steps of tuning in their
// order.
#include "engine/domains/tunables.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace tmd::engine::domains {

namespace {

// The tunables of a phase that computes quotients.
struct Quotients {
  const device::Tunable& division;
  const device::Tunable& logms;
  const device::Tunable& vector_width;
  std::string_view part;
};

constexpr std::array phases{Quotients{domain_tunable("phase1.division"), domain_tunable("phase1.logms"),
                                      domain_tunable("phase1.vector-width"), "phase1"},
                            Quotients{domain_tunable("phase2.division"), domain_tunable("phase2.logms"),
                                      domain_tunable("phase2.vector-width"), "phase2"}};

bool needs_fp64(const device::Tunables& tunables, const Quotients& phase) {
  return length_bits(static_cast<Division>(tunables[phase.division])) == 52;
}

void set_defaults(device::Tunables& tunables, const opencl::DeviceDescription& device, CpuMode mode) {
  if (device.is_gpu) {
    // Emulated 64-bit divisions and divergent subtractions are both slow on every GPU.
    for (const Quotients& phase : phases)
      tunables.set(phase.division, static_cast<std::int64_t>(Division::reciprocal));
  } else if (mode != CpuMode::scalar && device.has_fp64()) {
    // Two registers for each value hide the latency of the divisions.
    const int register_bits = std::bit_width(std::clamp(device.native_long_width, 1U, 8U)) - 1;
    for (const Quotients& phase : phases) {
      tunables.set(phase.division, static_cast<std::int64_t>(Division::double_lengths));
      tunables.set(phase.vector_width, register_bits + 1);
    }
    tunables.set(domain_tunable("polynomials.vector-width"), std::max(register_bits, 1));
  }
}

void limit_to_fp64(device::Tunables& tunables, const opencl::DeviceDescription& device) {
  if (!device.has_fp64())
    tunables = without_fp64(tunables);
}

void require_possible(const device::Tunables& tunables, const opencl::DeviceDescription& device) {
  for (const Quotients& phase : phases)
    if (!device.has_fp64() && needs_fp64(tunables, phase))
      throw UsageError(fmt::format("{}={} needs FP64, which device {} ({}) does not have: take native, hybrid or "
                                   "reciprocal",
                                   phase.division.name, device::to_string(phase.division, tunables[phase.division]),
                                   device.index, device.name));
}

// All costs are in units of a regular test: those that all engines share depend on how this engine makes it.
void set_default_costs(device::Costs& costs, const opencl::DeviceDescription& device,
                       const device::Tunables& tunables) {
  const auto set = [&](double polynomial, double by_host, double lefevre, double argument, double confirmation,
                       double interval) {
    costs.set(domain_cost("polynomial"), polynomial);
    costs.set(domain_cost("polynomial-by-host"), by_host);
    costs.set(domain_cost("lefevre"), lefevre);
    costs.set(domain_cost("argument"), argument);
    costs.set(device::shared_cost("confirmation"), confirmation);
    costs.set(device::shared_cost("interval"), interval);
  };
  if (device.is_gpu) // the host is slow in comparison, divergence costs much; measured on an NVIDIA H200
    set(0.4, 8, 1.2, 0.05, 1e5, 5e7);
  else if (tunables[domain_tunable("phase1.vector-width")] > 0) // both tests have vectors; measured on CPUs with
                                                                // AVX-512
    set(0.8, 2, 1, 0.035, 1000, 1.7e5);
}

// How a phase computes quotients: LOGMS belongs to one strategy, vectors to those with lengths in double.
device::TuningStep quotients(const Quotients& phase) {
  const std::string division(phase.division.name);
  const std::string logms(phase.logms.name);
  const std::string width(phase.vector_width.name);
  device::TuningStep step{phase.part, {division, logms, width}, {}};
  for (const std::string_view name : division_names)
    if (name != to_string(Division::hybrid))
      step.settings.push_back({{division, std::string(name)}, {width, "1"}});
  for (const int value : {1, 2, 3, 4, 5, 6, 8, 12})
    step.settings.push_back(
        {{division, std::string(to_string(Division::hybrid))}, {logms, std::to_string(value)}, {width, "1"}});
  for (const Division in_vectors : {Division::double_lengths, Division::double_reciprocal})
    for (const std::string_view lanes : device::vector_width_names)
      if (lanes != "1")
        step.settings.push_back({{division, std::string(to_string(in_vectors))}, {width, std::string(lanes)}});
  return step;
}

// The share from which survivors are compacted by scan belongs to `auto`.
device::TuningStep compactions() {
  device::TuningStep step{"whole", {"compaction", "scan-percent"}, {}};
  for (const Compaction fixed : {Compaction::atomic, Compaction::scan})
    step.settings.push_back({{"compaction", std::string(to_string(fixed))}});
  for (const int percent : {1, 5, 10, 20, 40})
    step.settings.push_back(
        {{"compaction", std::string(to_string(Compaction::automatic))}, {"scan-percent", std::to_string(percent)}});
  return step;
}

std::vector<device::TuningStep> steps() {
  static constexpr auto offsets = std::to_array<std::int64_t>({-2, -1, 0, 1, 2});
  static constexpr auto packets = std::to_array<std::int64_t>({5, 6, 7, 8, 9, 10, 11, 12});
  return {quotients(phases[0]),
          quotients(phases[1]),
          device::step_of("phase1", domain_tunable("phase1.work-group-size"), device::tried_group_sizes),
          device::step_of("whole", domain_tunable("plan.domain-bits-offset"), offsets),
          device::step_of("whole", domain_tunable("plan.split-bits-offset"), offsets),
          device::step_of("polynomials", domain_tunable("polynomials.vector-width")),
          device::step_of("polynomials", domain_tunable("polynomials.packet-bits"), packets),
          device::step_of("polynomials", domain_tunable("polynomials.work-group-size"), device::tried_group_sizes),
          device::step_of("phase2", domain_tunable("phase2.work-group-size"), device::tried_group_sizes),
          device::step_of("phase1", domain_tunable("phase1.items"), device::tried_items),
          device::step_of("phase2", domain_tunable("phase2.items"), device::tried_items),
          device::step_of("phase3", domain_tunable("phase3.work-group-size"), device::tried_group_sizes),
          compactions()};
}

constexpr auto retired = std::to_array<std::string_view>({"polynomials.shift"});

} // namespace

const device::TuningTable& domain_tuning() {
  static const device::TuningTable table{.tunables = domain_tunables,
                                         .costs = domain_costs,
                                         .retired = retired,
                                         .set_defaults = set_defaults,
                                         .limit = limit_to_fp64,
                                         .require_possible = require_possible,
                                         .set_default_costs = set_default_costs,
                                         .steps = steps};
  return table;
}

device::Tunables without_fp64(device::Tunables tunables) {
  for (const Quotients& phase : phases)
    if (needs_fp64(tunables, phase))
      tunables.set(phase.division, static_cast<std::int64_t>(Division::reciprocal));
  return tunables;
}

device::Tunables without_vectors(device::Tunables tunables) {
  for (const Quotients& phase : phases) {
    if (tunables[phase.vector_width] > 0)
      tunables.set(phase.division, static_cast<std::int64_t>(Division::hybrid));
    tunables.set(phase.vector_width, 0);
  }
  return tunables;
}

} // namespace tmd::engine::domains
