// A device whose times are known, to be tuned.
#pragma once

#include "host/device/tunables.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/phase/tunables.hpp"
#include "host/engine/wide/tunables.hpp"
#include "host/opencl/device.hpp"
#include "tune/trial.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace tmd::tune {

inline opencl::DeviceDescription some_gpu() {
  opencl::DeviceDescription device;
  device.is_gpu = true;
  device.name = "Some GPU";
  device.vendor = "nvidia";
  device.platform = "Some platform";
  device.driver_version = "1.0";
  device.work_group_size = 256;
  device.global_memory = std::uint64_t(1) << 34;
  device.largest_buffer = std::uint64_t(1) << 32;
  return device;
}

inline double distance(std::int64_t value, std::int64_t best) {
  return std::abs(std::log2(static_cast<double>(value) / static_cast<double>(best)));
}

// A device whose times are known, with one best configuration: `native` is good, LOGMS 5 is better; 32 work-items and 4
// tests in phase 1; 64 work-items in phase 2, where `subtract` crashes; N twice as large; the wide test with rsqrt, 128
// work-items and groups of half the size, and wrong with `reciprocal`; the walk in chunks of 2^7.
inline Seconds times_of(const Tunables& t) {
  const double domains = std::exp2(-static_cast<double>(t[domain_tunable("plan.domain-bits-offset")]));
  Seconds seconds;
  double phase1 = 1 + 0.1 * distance(t[domain_tunable("phase1.work-group-size")], 32) +
                  0.1 * distance(t[domain_tunable("phase1.items")], 4);
  switch (static_cast<Division>(t[domain_tunable("phase1.division")])) {
  case Division::hybrid:
    phase1 *= 0.5 + 0.1 * std::abs(static_cast<double>(t[domain_tunable("phase1.logms")]) - 5);
    break;
  case Division::native:
    phase1 *= 0.6;
    break;
  default:
    break;
  }
  seconds[Part::phase1] = phase1 * domains;
  seconds[Part::phase2] = 0.3 + 0.02 * distance(t[domain_tunable("phase2.work-group-size")], 64);
  seconds[Part::phase3] = 0.01;
  seconds[Part::polynomials] = 0.1 * domains;
  seconds[Part::wide] = (t[wide_tunable("wide.items")] == 4 ? 0.4 : 0.5) +
                        0.05 * distance(t[wide_tunable("wide.work-group-size")], 128) +
                        0.1 * std::abs(static_cast<double>(t[wide_tunable("wide.group-bits-offset")]) + 1);
  seconds[Part::walk] = 0.7 + 0.05 * std::abs(static_cast<double>(t[phase_tunable("phase.chunk-bits")]) - 7);
  seconds[Part::whole] = seconds[Part::phase1] + seconds[Part::phase2] + seconds[Part::polynomials] +
                         0.9 * std::exp2(static_cast<double>(t[domain_tunable("plan.domain-bits-offset")]) - 1);
  return seconds;
}

inline const std::string best_of_all =
    "phase.chunk-bits=7 wide.work-group-size=128 wide.items=4 wide.group-bits-offset=-1 "
    "phase1.work-group-size=32 phase1.items=4 phase1.logms=5 phase2.work-group-size=64";

inline Seconds ratios_of(const Tunables& tunables, const Tunables& base) {
  Seconds result = times_of(tunables);
  const Seconds beside = times_of(base);
  for (const Part part : all_parts)
    result[part] /= beside[part];
  return result;
}

} // namespace tmd::tune
