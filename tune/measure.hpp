// The worker's measurements: a job with known cases, searched with one configuration after the other.
#pragma once

#include "tune/measure_method.hpp"
#include "tune/trial.hpp"
#include "tune/worker.hpp"

#include "engine/domains/search.hpp"
#include "job/job.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tmd::tune {

// What tuning runs on.
struct TuningJob {
  Job search;
  std::string text;
  std::uint64_t cases = 0;   // it has, known from independent computations
  double method_seconds = 0; // that the jobs of the wide test and of the phase walk take at least
  double warm_up = 5;        // seconds at most, until runs take equally long
};

// exp on [1, 1 + 2^−13), 2^40 arguments, as the seeds use it; `quick`: its first 16th.
[[nodiscard]] TuningJob tuning_job(bool quick);

// Measures configurations on a device. What they must give is the host's own answer for the whole job: survivors of
// each phase, and the candidates, among which MPFR must find the job's cases.
class Bench {
public:
  // `base`: the default. Every configuration is run in turn with it, so that what else the machine does, or its clocks,
  // count less.
  Bench(opencl::DeviceDescription device, TuningJob job, const Tunables& base);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench();

  // Tries tunables for the sake of a part, whose best ratio to the base's time so far is `best`. First ever larger
  // slices of the job: what would take four times as long as the best is given up. What is not nearly as good as the
  // best is measured once only, on a slice where the job is long. For the parts `wide` and `walk` that method alone
  // is run, on its own job; for other parts it is not, but for the base's sake. Throws DeviceError when the base itself
  // does not run or gives a wrong answer.
  [[nodiscard]] Trial measure(const Tunables& tunables, Part part, double best, const Announce& announce);

  // Runs of two configurations in turn; times of the `first` and the `second` in pairs. Empty, with a message, when one
  // of them fails.
  struct Pairs {
    std::vector<Seconds> first;
    std::vector<Seconds> second;
    std::string message;
  };
  [[nodiscard]] Pairs compare(const Tunables& first, const Tunables& second, int pairs, const Announce& announce);

  [[nodiscard]] const opencl::DeviceDescription& device() const { return device_; }
  [[nodiscard]] const TuningJob& job() const { return job_; }

private:
  struct Configured;
  // What the phases of a run kept, as numbers to be compared.
  struct Kept {
    std::uint64_t survivors1 = 0;
    std::uint64_t survivors2 = 0;
    std::uint64_t candidates = 0;
    std::uint64_t checksum = 0; // of the candidates, in any order

    void add_candidates(const std::vector<std::uint64_t>& found, std::uint64_t first);
    bool operator==(const Kept&) const = default;
  };
  using Parameters = std::vector<std::uint64_t>;

  void warm_up(const Announce& announce); // clocks and caches, with the base
  [[nodiscard]] Trial measure_phases(const Tunables& tunables, Part part, double best, const Announce& announce);
  // Runs the first 2^−shift of the job. Adds up what was kept if asked to. Coefficients made by the host count in
  // `whole` only.
  [[nodiscard]] Seconds run(Configured& configured, int shift, Kept* kept = nullptr);
  // Makes an interval's batches and gives them to `run`, with the index of their first argument. Returns the host's
  // time for making them.
  using RunBatch = std::function<void(const DomainBatch& batch, std::uint64_t first_argument)>;
  [[nodiscard]] double run_interval(const Configured& configured, const DomainPlan& plan, int shift,
                                    const RunBatch& run);
  // What the host keeps of the first 2^−shift of the job.
  [[nodiscard]] const Kept& expected(const Configured& configured, int shift, const Announce& announce);
  // What is wrong with a configuration, which is made to build its kernels.
  [[nodiscard]] std::string self_test(Configured& configured, const Announce& announce) const;
  void announce_run(const Announce& announce, const std::string& step, int runs = 1) const;

  opencl::DeviceDescription device_;
  TuningJob job_;
  Tunables base_tunables_;
  std::array<MethodBench, 2> methods_; // with jobs of their own
  std::unique_ptr<Configured> base_;   // after the warm-up
  double base_seconds_ = 0;
  std::map<Parameters, Kept> expected_;
  std::map<int, double> making_seconds_; // of the host, for a domain, by log2 N
};

// Answers a request of the tuner: {"try":…}, {"first":…,"second":…}, {"costs":…} or {"cost-pairs":…}.
[[nodiscard]] Message respond(Bench& bench, const Message& request, const Announce& announce);

} // namespace tmd::tune
