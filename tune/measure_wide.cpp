#include "tune/measure_wide.hpp"

#include "engine/wide/self_test.hpp"
#include "error.hpp"
#include "function/catalogue.hpp"
#include "support/statistics.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int fewest_bits = 36; // log2 of the job's arguments
constexpr int most_bits = 52;
constexpr double forever = std::numeric_limits<double>::infinity();

} // namespace

unsigned confirming_threads(const opencl::DeviceDescription& device) {
  return device.is_cpu ? 1 : std::max(std::thread::hardware_concurrency(), 1U);
}

Job wide_job(int bits) {
  constexpr int precision_bits = 52; // log2 of the arguments in [1, 2)
  constexpr int binades_cases = 44;  // K of a whole binade
  constexpr int spare_bits = 5;      // 2·2^bits·2^−K = 2^(1 + spare_bits) cases expected
  Job job;
  job.function = &find_function("exp");
  job.format = find_format("binary64");
  job.argument_precision = precision_bits + 1;
  job.bits = std::min(bits - spare_bits, binades_cases);
  job.first = job.arguments().parse("1", "");
  job.last = job.first + (ArgumentSet::Rank(1) << bits);
  return job;
}

// The wide test alone, without its self-test, which is asked for by itself.
WideConfiguration::WideConfiguration(const opencl::DeviceDescription& device, const Tunables& tunables)
    : search_(device, tunables) {
  EngineSettings settings;
  settings.choices.algorithm = WideEngine::engine_name;
  settings.tunables = tunables;
  settings.costs = default_costs(device, tunables);
  std::vector<std::unique_ptr<Engine>> engines;
  engines.push_back(std::make_unique<WideEngine>(wide_options(settings), search_.batch_sub_intervals(),
                                                 [this](const WideBatch& batch, const Interrupt& interrupt) {
                                                   search_.reset_stages();
                                                   auto candidates = search_.search(batch, interrupt);
                                                   return BatchResult{std::move(candidates), search_.stages()};
                                                 }));
  alone_.push_back(
      std::make_unique<DeviceWorker>(std::move(engines), settings.choices, settings.costs, confirming_threads(device)));
}

std::string WideConfiguration::self_test() { return wide_self_test_failure(search_); }

WideConfiguration::Run WideConfiguration::run(const Job& job, double patience) {
  search_.reset_stages();
  SearchHooks hooks;
  // Counts are those of a batch.
  hooks.interrupted = [&] { return seconds_of(search_.stages()) > patience; };
  SearchResult result = run_search(job, alone_, hooks);
  if (result.direct != 0)
    throw DeviceError("the wide test does not serve all of its job");
  return {seconds_of(result.stages), result.interrupted, result.cases.to_vector()};
}

WideBench::WideBench(opencl::DeviceDescription device, const Tunables& base, double shortest)
    : device_(std::move(device)), base_tunables_(base), shortest_(shortest) {}

std::string WideBench::wrong(const std::vector<Case>& cases) const {
  const auto same = [](const Case& a, const Case& b) { return compare(a.x, b.x) == 0; };
  if (std::equal(cases.begin(), cases.end(), expected_.begin(), expected_.end(), same))
    return {};
  return fmt::format("the wide test finds {} cases, not the {} of the regular test", cases.size(), expected_.size());
}

void WideBench::announce_run(const Announce& announce) const {
  constexpr double patience = 32; // times the base
  constexpr double least = 20;    // seconds
  announce("running the wide test", least + patience * base_seconds_);
}

// Makes the job as long as the device needs it, and learns its cases from the regular test.
void WideBench::warm_up(const Announce& announce) {
  constexpr double least = 0.5; // seconds; clocks rise within
  constexpr int most_growth = 6;
  if (base_)
    return;
  auto base = std::make_unique<WideConfiguration>(device_, base_tunables_);
  WideConfiguration::Run run;
  int bits = fewest_bits;
  announce("building the kernels of the wide test", building);
  for (bool first = true;; first = false) {
    job_ = wide_job(bits);
    run = base->run(job_, forever);
    announce("warming up the wide test", unknown);
    if (first) // builds kernels, and its launches are small
      run = base->run(job_, forever);
    if (run.seconds >= shortest_ || bits == most_bits)
      break;
    const double growth = std::ceil(std::log2(shortest_ / std::max(run.seconds, 1e-9)));
    bits = std::min(bits + std::clamp(static_cast<int>(growth), 1, most_growth), most_bits);
  }
  {
    EngineSettings regular;
    regular.choices.algorithm = "regular";
    regular.tunables = base_tunables_;
    regular.costs = default_costs(device_, base_tunables_);
    regular.host_threads = confirming_threads(device_);
    regular.choices.polynomials = Polynomials::hybrid;
    std::vector<std::unique_ptr<tmd::Worker>> alone;
    alone.push_back(std::make_unique<DeviceWorker>(device_, regular));
    expected_ = run_search(job_, alone).cases.to_vector();
  }
  if (const std::string sentence = wrong(run.cases); !sentence.empty())
    throw DeviceError(fmt::format("the default cannot be measured on {}: {}", device_.name, sentence));
  const auto start = Clock::now();
  do
    base_seconds_ = base->run(job_, forever).seconds;
  while (seconds_since(start) < least);
  base_ = std::move(base);
}

double WideBench::base_seconds(const Announce& announce) {
  warm_up(announce);
  return base_seconds_;
}

double WideBench::time(WideConfiguration& configuration, const Announce& announce) {
  warm_up(announce);
  announce_run(announce);
  const WideConfiguration::Run run = configuration.run(job_, forever);
  if (const std::string sentence = wrong(run.cases); !sentence.empty())
    throw DeviceError(sentence);
  return run.seconds;
}

Trial WideBench::measure(const Tunables& tunables, double best, const Announce& announce) {
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
  WideConfiguration configuration(device_, tunables);
  std::vector<double> times;
  std::vector<double> ratios;
  announce("building the kernels of the wide test", building + give_up * patience);
  if (const std::string sentence = configuration.self_test(); !sentence.empty())
    return ended(State::incorrect, fmt::format("wrong {} in the self-test", sentence));
  auto start = Clock::now();
  for (bool first = true;; first = false) {
    const WideConfiguration::Run run = configuration.run(job_, patience);
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
  trial.seconds[Part::wide] = median(times);
  trial.ratios[Part::wide] = median(ratios);
  return trial;
}

} // namespace tmd::tune
