// Measurements of the wide test: a job of its own, long enough for the device, whose cases the regular test tells.
#pragma once

#include "tune/trial.hpp"
#include "tune/worker.hpp"

#include "engine/wide/engine.hpp"
#include "search/device_worker.hpp"
#include "search/search.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tmd::tune {

// exp on [1, 1 + 2^(bits−52)), 36 ≤ bits ≤ 52, by the wide test; K so that about 64 cases or more are in it.
[[nodiscard]] Job wide_job(int bits);
inline constexpr std::string_view wide_job_text = "the wide test: exp from 1 on";

// Threads of the host that make coefficients and confirm candidates for a device; a CPU has its cores for its kernels.
[[nodiscard]] unsigned confirming_threads(const opencl::DeviceDescription& device);

// A configuration of the wide test, ready to run. The device's kernels are built by the first run.
class WideConfiguration {
public:
  WideConfiguration(const opencl::DeviceDescription& device, const Tunables& tunables);

  // What is wrong with it; empty where nothing is. Builds kernels.
  [[nodiscard]] std::string self_test();

  // What a run gave. Seconds of the device, for polynomials, test and check.
  struct Run {
    double seconds = 0;
    bool given_up = false;
    std::vector<Case> cases;
  };
  // Runs the job; given up when the device takes longer than `patience` seconds. Throws what run_search() throws.
  [[nodiscard]] Run run(const Job& job, double patience);

private:
  WideSearch search_;
  std::vector<std::unique_ptr<tmd::Worker>> alone_;
};

class WideBench {
public:
  // `base`: the default, with which every configuration is run in turn. `shortest`: device seconds that the job must
  // take with it.
  WideBench(opencl::DeviceDescription device, const Tunables& base, double shortest);

  // Tries tunables, whose best ratio to the base's time so far is `best`: as Bench::measure. Fills in what belongs to
  // the part `wide`.
  [[nodiscard]] Trial measure(const Tunables& tunables, double best, const Announce& announce);

  // Seconds of the default.
  [[nodiscard]] double base_seconds(const Announce& announce);

  // Device seconds of one run, whose cases are compared. Throws DeviceError where they are others.
  [[nodiscard]] double time(WideConfiguration& configuration, const Announce& announce);

  [[nodiscard]] const opencl::DeviceDescription& device() const { return device_; }

private:
  void warm_up(const Announce& announce);
  void announce_run(const Announce& announce) const;
  // The sentence that says how cases differ; empty where they do not.
  [[nodiscard]] std::string wrong(const std::vector<Case>& cases) const;

  opencl::DeviceDescription device_;
  Tunables base_tunables_;
  double shortest_;
  Job job_;
  std::vector<Case> expected_;
  std::unique_ptr<WideConfiguration> base_; // after the warm-up
  double base_seconds_ = 0;
};

} // namespace tmd::tune
