// A simulated device with known times, to be tuned.
#pragma once

#include "host/engine/registry.hpp"
#include "host/opencl/device.hpp"
#include "tmd/error.hpp"
#include "tune/tuner.hpp"

#include <cmath>
#include <cstdint>
#include <set>
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

inline Settings built_in() {
  Settings values;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    values[std::string(tunable.name)] = device::to_string(tunable, device::Tunables()[tunable]);
  return values;
}

// One best configuration: `native` is good, LOGMS 5 is better; 32 work-items and 4 tests in phase 1; 64 work-items in
// phase 2; N twice as large gains nothing; the wide test with 128 work-items and groups of half the size; the walk in
// chunks of 2^7.
inline const std::string best_of_all =
    "phase.chunk-bits=7 phase1.items=4 phase1.logms=5 phase1.work-group-size=32 phase2.work-group-size=64 "
    "wide.group-bits-offset=-1 wide.work-group-size=128";

class MadeUpDevice {
public:
  SearchRun operator()(Work work, const Settings& settings, double /*patience*/) {
    if (interrupt_at >= 0 && interrupt_at-- == 0)
      throw Interrupted();
    values_ = built_in();
    for (const auto& [name, value] : settings) {
      CHECK_MESSAGE(work == (name.starts_with("wide.")    ? Work::wide
                             : name.starts_with("phase.") ? Work::walk
                                                          : Work::phases),
                    name);
      CHECK_MESSAGE(values_.at(name) != value, "the default's value is set");
      values_[name] = value;
    }
    ++searches;
    if (!settings.empty())
      tried.insert(to_string(settings));
    SearchRun run{State::ok, times(work), {"a case"}, {}};
    if (values_.at("phase1.division") == "subtract")
      run = {State::timeout, {}, {}, "it took too long"};
    if (values_.at("phase2.division") == "subtract")
      run = {State::runtime, {}, {}, "it was ended by signal 11"};
    if (values_.at("phase1.division") == "reciprocal" || values_.at("wide.order") == "by-lines") {
      run.found = {}; // it is too fast, because it does not find the case
      for (auto& [part, seconds] : run.seconds)
        seconds *= 0.001;
    }
    if (fail_default && settings.empty())
      run = {*fail_default, {}, {}, "x"};
    return run;
  }

  std::size_t searches = 0;
  std::set<std::string> tried;
  int interrupt_at = -1;             // after that many searches
  std::optional<State> fail_default; // the state of searches with the default
  double whole_loses = 1;            // additional time of all phases with any setting, only in `whole`

private:
  [[nodiscard]] double distance(const char* name, double best) const {
    return std::abs(std::log2(std::stod(values_.at(name)) / best));
  }

  [[nodiscard]] Seconds times(Work work) const {
    if (work == Work::wide)
      return {{Part::wide, 0.4 + 0.05 * distance("wide.work-group-size", 128) +
                               0.1 * std::abs(std::stod(values_.at("wide.group-bits-offset")) + 1)}};
    if (work == Work::walk)
      return {{Part::walk, 0.7 + 0.05 * std::abs(std::stod(values_.at("phase.chunk-bits")) - 7)}};
    double phase1 = 1 + 0.1 * distance("phase1.work-group-size", 32) + 0.1 * distance("phase1.items", 4);
    const std::string& division = values_.at("phase1.division");
    if (division == "hybrid")
      phase1 *= 0.5 + 0.1 * std::abs(std::stod(values_.at("phase1.logms")) - 5);
    else if (division == "native")
      phase1 *= 0.6;
    Seconds seconds{{Part::phase1, phase1},
                    {Part::phase2, 0.3 + 0.02 * distance("phase2.work-group-size", 64)},
                    {Part::phase3, 0.01},
                    {Part::polynomials, 0.1}};
    seconds[Part::whole] = seconds[Part::phase1] + seconds[Part::phase2] + 0.11;
    if (values_ != built_in())
      seconds[Part::whole] *= whole_loses;
    return seconds;
  }

  Settings values_;
};

} // namespace tmd::tune
