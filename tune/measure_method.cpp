#include "tune/measure_method.hpp"

#include "engine/phase/engine.hpp"
#include "engine/registry.hpp"
#include "engine/wide/engine.hpp"
#include "engine/wide/self_test.hpp"
#include "function/catalogue.hpp"
#include "search/device_worker.hpp"
#include "search/search.hpp"
#include "support/statistics.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int fewest_wide_bits = 36; // log2 of a job's arguments
constexpr int fewest_walk_bits = 12;
constexpr int most_bits = 52;
constexpr int binades_cases = 44; // K of a whole binade
constexpr int spare_bits = 5;     // 2·2^bits·2^−K = 2^(1 + spare_bits) cases expected
constexpr double forever = std::numeric_limits<double>::infinity();

} // namespace

unsigned confirming_threads(const opencl::DeviceDescription& device) {
  return device.is_cpu ? 1 : std::max(std::thread::hardware_concurrency(), 1U);
}

namespace {

Job binary64_job(const char* function, int bits) {
  Job job;
  job.function = &find_function(function);
  job.format = find_format("binary64");
  job.argument_precision = job.format.precision;
  job.bits = std::min(bits - spare_bits, binades_cases);
  return job;
}

EngineSettings settings_of(std::string_view algorithm, const opencl::DeviceDescription& device,
                           const Tunables& tunables) {
  EngineSettings settings;
  settings.choices.algorithm = algorithm;
  settings.tunables = tunables;
  settings.costs = engine_tuning().default_costs(device, tunables);
  settings.host_threads = confirming_threads(device);
  return settings;
}

// A worker of one engine.
std::vector<std::unique_ptr<tmd::Worker>> alone(std::unique_ptr<Engine> engine, const EngineSettings& settings) {
  std::vector<std::unique_ptr<Engine>> engines;
  engines.push_back(std::move(engine));
  std::vector<std::unique_ptr<tmd::Worker>> result;
  result.push_back(
      std::make_unique<DeviceWorker>(std::move(engines), settings.choices, settings.costs, settings.host_threads));
  return result;
}

// The wide test alone, without its self-test, which is asked for by itself.
class WideConfiguration : public MethodConfiguration {
public:
  WideConfiguration(const opencl::DeviceDescription& device, const Tunables& tunables) : search_(device, tunables) {
    const EngineSettings settings = settings_of(WideEngine::engine_name, device, tunables);
    alone_ = alone(std::make_unique<WideEngine>(wide_options(settings), search_.batch_sub_intervals(),
                                                [this](const WideBatch& batch, const Interrupt& interrupt) {
                                                  search_.reset_stages();
                                                  auto candidates = search_.search(batch, interrupt);
                                                  return BatchResult{std::move(candidates), search_.stages()};
                                                }),
                   settings);
  }

  [[nodiscard]] std::string self_test(const Job&) override { return wide_self_test_failure(search_); }

  [[nodiscard]] MethodRun run(const Job& job, double patience) override {
    search_.reset_stages();
    SearchHooks hooks;
    // Counts are those of a batch.
    hooks.interrupted = [&] { return seconds_of(search_.stages()) > patience; };
    SearchResult result = run_search(job, alone_, hooks);
    if (result.direct != 0)
      throw DeviceError("the wide test does not serve all of its job");
    return {seconds_of(result.stages), result.interrupted, result.cases.to_vector()};
  }

private:
  WideSearch search_;
  std::vector<std::unique_ptr<tmd::Worker>> alone_;
};

// The phase walk alone, likewise: its self-test takes windows of the job.
class WalkConfiguration : public MethodConfiguration {
public:
  WalkConfiguration(const opencl::DeviceDescription& device, const Tunables& tunables)
      : search_(std::make_shared<Launcher>(device,
                                           static_cast<std::uint32_t>(tunables[shared_tunable("survivor-capacity")])),
                tunables),
        test_(search_), settings_(settings_of(PhaseEngine::engine_name, device, tunables)) {
    alone_ = alone(std::make_unique<PhaseEngine>(phase_options(settings_, device),
                                                 [this](const PhaseBatch& batch, const Interrupt& interrupt) {
                                                   return result_of(batch, interrupt);
                                                 }),
                   settings_);
  }

  [[nodiscard]] std::string self_test(const Job& job) override {
    tests_ = true;
    (void)run(job, forever);
    tests_ = false;
    return failure_;
  }

  [[nodiscard]] MethodRun run(const Job& job, double patience) override {
    seconds_ = 0;
    SearchHooks hooks;
    hooks.interrupted = [&] { return seconds_ > patience; };
    SearchResult result = run_search(job, alone_, hooks, claims_of(job, settings_.choices, engines()));
    return {seconds_of(result.stages), result.interrupted, result.cases.to_vector()};
  }

private:
  BatchResult result_of(const PhaseBatch& batch, const Interrupt& interrupt) {
    if (tests_) {
      if (failure_.empty())
        failure_ = test_.failure(batch);
      return {};
    }
    BatchResult result = search_.result(batch, interrupt);
    seconds_ = seconds_ + seconds_of(result.stages);
    return result;
  }

  PhaseSearch search_;
  WalkTest test_;
  EngineSettings settings_;
  std::vector<std::unique_ptr<tmd::Worker>> alone_;
  bool tests_ = false; // rather than searches
  std::string failure_;
  std::atomic<double> seconds_ = 0; // of the run
};

template <typename Configuration>
std::unique_ptr<MethodConfiguration> make(const opencl::DeviceDescription& device, const Tunables& tunables) {
  return std::make_unique<Configuration>(device, tunables);
}

} // namespace

Job wide_job(int bits) {
  Job job = binary64_job("exp", bits);
  job.first = job.arguments().parse("1", "");
  job.last = job.first + (ArgumentSet::Rank(1) << bits);
  return job;
}

Job walk_job(int bits) {
  constexpr int span_bits = 6; // log2 of how far the last argument is from the first: some periods
  Job job = binary64_job("sin", bits);
  job.first = job.arguments().parse(fmt::format("0x1p{}", span_bits + most_bits - bits), "");
  job.last = job.first + (ArgumentSet::Rank(1) << bits);
  return job;
}

const TunedMethod tuned_wide{Part::wide, "the wide test", "the wide test: exp from 1 on", fewest_wide_bits,
                             most_bits,  wide_job,        make<WideConfiguration>,        "regular"};
const TunedMethod tuned_walk{Part::walk,
                             "the phase walk",
                             "the phase walk: sin on some periods",
                             fewest_walk_bits,
                             most_bits,
                             walk_job,
                             make<WalkConfiguration>,
                             ""};

MethodBench::MethodBench(const TunedMethod& method, opencl::DeviceDescription device, const Tunables& base,
                         double shortest)
    : method_(method), device_(std::move(device)), base_tunables_(base), shortest_(shortest) {}

std::string MethodBench::wrong(const std::vector<Case>& cases) const {
  const auto same = [](const Case& a, const Case& b) { return compare(a.x, b.x) == 0; };
  if (std::equal(cases.begin(), cases.end(), expected_.begin(), expected_.end(), same))
    return {};
  return fmt::format("{} finds {} cases, not the {} of the {}", method_.name, cases.size(), expected_.size(),
                     method_.told_by.empty() ? "default" : fmt::format("{} test", method_.told_by));
}

void MethodBench::announce_run(const Announce& announce) const {
  constexpr double patience = 32; // times the base
  constexpr double least = 20;    // seconds
  announce(fmt::format("running {}", method_.name), least + patience * base_seconds_);
}

// The job's, by another algorithm.
std::vector<Case> MethodBench::told_cases() const {
  EngineSettings other = settings_of(method_.told_by, device_, base_tunables_);
  other.choices.polynomials = Polynomials::hybrid;
  std::vector<std::unique_ptr<tmd::Worker>> workers;
  workers.push_back(std::make_unique<DeviceWorker>(device_, other));
  return run_search(job_, workers).cases.to_vector();
}

// Makes the job as long as the device needs it, and learns its cases.
void MethodBench::warm_up(const Announce& announce) {
  constexpr double least = 0.5; // seconds; clocks rise within
  constexpr int most_growth = 6;
  if (base_)
    return;
  auto base = configure(base_tunables_);
  MethodRun run;
  int bits = method_.fewest_bits;
  announce(fmt::format("building the kernels of {}", method_.name), building);
  const auto unfit = [&](const std::string& sentence) {
    return DeviceError(fmt::format("the default cannot be measured on {}: {}", device_.name, sentence));
  };
  for (bool first = true;; first = false) {
    job_ = method_.job(bits);
    if (const std::string sentence = first ? base->self_test(job_) : std::string(); !sentence.empty())
      throw unfit(fmt::format("wrong {} in the self-test", sentence));
    run = base->run(job_, forever);
    announce(fmt::format("warming up {}", method_.name), unknown);
    if (first) // builds kernels, and its launches are small
      run = base->run(job_, forever);
    if (run.seconds >= shortest_ || bits == method_.most_bits)
      break;
    const double growth = std::ceil(std::log2(shortest_ / std::max(run.seconds, 1e-9)));
    bits = std::min(bits + std::clamp(static_cast<int>(growth), 1, most_growth), method_.most_bits);
  }
  expected_ = method_.told_by.empty() ? run.cases : told_cases();
  if (const std::string sentence = wrong(run.cases); !sentence.empty())
    throw unfit(sentence);
  const auto start = Clock::now();
  do
    base_seconds_ = base->run(job_, forever).seconds;
  while (seconds_since(start) < least);
  base_ = std::move(base);
}

double MethodBench::base_seconds(const Announce& announce) {
  warm_up(announce);
  return base_seconds_;
}

std::unique_ptr<MethodConfiguration> MethodBench::configure(const Tunables& tunables) const {
  return method_.configure(device_, tunables);
}

double MethodBench::time(MethodConfiguration& configuration, const Announce& announce) {
  warm_up(announce);
  announce_run(announce);
  const MethodRun run = configuration.run(job_, forever);
  if (const std::string sentence = wrong(run.cases); !sentence.empty())
    throw DeviceError(sentence);
  return run.seconds;
}

Trial MethodBench::measure(const Tunables& tunables, double best, const Announce& announce) {
  constexpr double enough = 0.3; // seconds of both together
  constexpr std::size_t fewest = 3;
  constexpr std::size_t most = 15;
  warm_up(announce);
  Trial trial;
  for (const Part part : all_parts)
    trial.ratios[part] = 1;
  const auto ended = [&](State state, const std::string& message) {
    trial.state = state;
    trial.message = message;
    return trial;
  };
  const double patience = give_up * std::min(best, give_up) * base_seconds_;
  const auto configuration = configure(tunables);
  std::vector<double> times;
  std::vector<double> ratios;
  announce(fmt::format("building the kernels of {}", method_.name), building + give_up * patience);
  if (const std::string sentence = configuration->self_test(job_); !sentence.empty())
    return ended(State::incorrect, fmt::format("wrong {} in the self-test", sentence));
  auto start = Clock::now();
  for (bool first = true;; first = false) {
    const MethodRun run = configuration->run(job_, patience);
    if (run.given_up)
      return ended(State::timeout, fmt::format("takes more than {} times as long as with the best", give_up));
    if (const std::string sentence = wrong(run.cases); !sentence.empty())
      return ended(State::incorrect, sentence);
    announce_run(announce);
    const double ratio = run.seconds / std::max(base_->run(job_, forever).seconds, 1e-9);
    if (first && ratio <= promising * best) { // its launches were small, and it is worth more
      start = Clock::now();
      continue;
    }
    times.push_back(run.seconds);
    ratios.push_back(ratio);
    if (first || times.size() >= most || (times.size() >= fewest && seconds_since(start) > enough))
      break;
  }
  trial.runs = static_cast<int>(times.size());
  trial.seconds[method_.part] = median(times);
  trial.ratios[method_.part] = median(ratios);
  return trial;
}

} // namespace tmd::tune
