// Measurements of the methods that have jobs of their own, long enough for the device: the wide test and the phase
// walk.
#pragma once

#include "tune/trial.hpp"
#include "tune/worker.hpp"

#include "job/job.hpp"
#include "verify/confirm.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::tune {

// exp on [1, 1 + 2^(bits−52)), 36 ≤ bits ≤ 52, by the wide test; K so that about 64 cases or more are in it.
[[nodiscard]] Job wide_job(int bits);
// sin on 2^bits arguments from a power of two on, 64 from the first to the last, 12 ≤ bits ≤ 52, by the phase walk;
// likewise.
[[nodiscard]] Job walk_job(int bits);

// Threads of the host that make coefficients and confirm candidates for a device; a CPU has its cores for its kernels.
[[nodiscard]] unsigned confirming_threads(const opencl::DeviceDescription& device);

// What a run gave. Seconds of the device, with those of the host for what the device leaves.
struct MethodRun {
  double seconds = 0;
  bool given_up = false;
  std::vector<Case> cases;
};

// A configuration of a method, ready to run. The device's kernels are built when they are first used.
class MethodConfiguration {
public:
  MethodConfiguration() = default;
  MethodConfiguration(const MethodConfiguration&) = delete;
  MethodConfiguration& operator=(const MethodConfiguration&) = delete;
  virtual ~MethodConfiguration() = default;

  // What is wrong with it, on the job or by itself; empty where nothing is.
  [[nodiscard]] virtual std::string self_test(const Job& job) = 0;
  // Runs the job; given up when it takes longer than `patience` seconds. Throws what run_search() throws.
  [[nodiscard]] virtual MethodRun run(const Job& job, double patience) = 0;
};

struct TunedMethod {
  Part part;
  std::string_view name;     // "the wide test"
  std::string_view job_text; // what it is tuned on
  int fewest_bits;           // log2 of the job's arguments
  int most_bits;
  Job (*job)(int bits);
  std::unique_ptr<MethodConfiguration> (*configure)(const opencl::DeviceDescription& device, const Tunables& tunables);
  std::string_view told_by; // what tells the job's cases: another algorithm; empty: the default, after its self-test
};
extern const TunedMethod tuned_wide;
extern const TunedMethod tuned_walk;

class MethodBench {
public:
  // `base`: the default, with which every configuration is run in turn. `shortest`: seconds that the job must take with
  // it.
  MethodBench(const TunedMethod& method, opencl::DeviceDescription device, const Tunables& base, double shortest);

  // Tries tunables, whose best ratio to the base's time so far is `best`: as Bench::measure. Fills in what belongs to
  // the method's part.
  [[nodiscard]] Trial measure(const Tunables& tunables, double best, const Announce& announce);

  // Seconds of the default.
  [[nodiscard]] double base_seconds(const Announce& announce);

  // Of tunables.
  [[nodiscard]] std::unique_ptr<MethodConfiguration> configure(const Tunables& tunables) const;
  // Seconds of one run, whose cases are compared. Throws DeviceError where they are others.
  [[nodiscard]] double time(MethodConfiguration& configuration, const Announce& announce);

  [[nodiscard]] const TunedMethod& method() const { return method_; }

private:
  void warm_up(const Announce& announce);
  [[nodiscard]] std::vector<Case> told_cases() const;
  void announce_run(const Announce& announce) const;
  // The sentence that says how cases differ; empty where they do not.
  [[nodiscard]] std::string wrong(const std::vector<Case>& cases) const;

  const TunedMethod& method_;
  opencl::DeviceDescription device_;
  Tunables base_tunables_;
  double shortest_;
  Job job_;
  std::vector<Case> expected_;
  std::unique_ptr<MethodConfiguration> base_; // after the warm-up
  double base_seconds_ = 0;
};

} // namespace tmd::tune
