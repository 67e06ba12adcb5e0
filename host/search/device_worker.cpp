#include "search/device_worker.hpp"

#include "engine/planning.hpp"
#include "error.hpp"
#include "number/arb.hpp"
#include "search/bounded_queue.hpp"
#include "search/confirming.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

using Clock = std::chrono::steady_clock;

// Batches waiting for a device: with the one in work and the one being made, four live at a time.
constexpr std::size_t waiting_batches = 2;
constexpr std::uint64_t direct_batch = 4096; // arguments for MPFR alone

std::vector<std::unique_ptr<Engine>> open_engines(const std::shared_ptr<Launcher>& launcher,
                                                  const EngineSettings& settings,
                                                  std::span<const EngineKind* const> kinds) {
  std::vector<std::unique_ptr<Engine>> result;
  for (const EngineKind* kind : engines_for(settings.choices.algorithm, kinds))
    if (auto engine = kind->open(launcher, settings))
      result.push_back(std::move(engine));
  return result;
}

} // namespace

// Some of an interval on its way through a device: a batch, or arguments for MPFR alone.
struct DeviceWorker::Work {
  Field field;
  PartResult result; // as far as it is known before the search
  Engine* engine = nullptr;
  std::unique_ptr<Batch> batch; // null: direct
};

// One job, from first to last part.
class DeviceWorker::Run {
public:
  Run(DeviceWorker& worker, const Job& job, PartExchange& exchange)
      : worker_(worker), job_(job), exchange_(exchange), confirmation_(*job.function, job.grid(), job.bits),
        feeder_([this] {
          const ThreadCaches caches;
          try {
            feed();
          } catch (...) {
            failure_ = std::current_exception();
          }
          queue_.close();
        }) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    exchange_.close(); // the feeder may be waiting there
    queue_.close();
    if (feeder_.joinable())
      feeder_.join();
  }

  void search() {
    while (auto work = queue_.pop()) {
      if (exchange_.interrupted())
        throw Interrupted();
      search(*work);
    }
    feeder_.join();
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  void feed() {
    std::optional<FieldPlanner> planner;
    std::size_t planned_field = 0;
    while (const auto assignment = exchange_.take()) {
      const auto start = Clock::now();
      const auto& [part, field] = *assignment;
      if (!planner || planned_field != part.field) {
        planner.emplace(worker_.engines_, job_, field, worker_.choices_.algorithm != "auto", worker_.costs_);
        planned_field = part.field;
      }
      const Interval interval = planner->at(part.first, part.count);
      exchange_.shorten(part, interval.count);
      if (!push(part.field, field, interval, start))
        return;
    }
  }

  // Cuts an interval into work for the device. Returns false when the device wants no more.
  bool push(std::size_t number, const Field& field, const Interval& interval, Clock::time_point start) {
    std::uint64_t count = 0;
    for (std::uint64_t done = 0; done < interval.count; done += count) {
      Work work{field, {}, interval.engine, interval.plan ? interval.plan->batch(done) : nullptr};
      count = work.batch ? work.batch->count() : std::min(direct_batch, interval.count - done);
      work.result.part = {number, interval.first + done, count};
      if (done == 0) {
        work.result.plan = interval.plan ? interval.plan->report() : PlanReport();
        work.result.prices = interval.prices;
      }
      work.result.planning_seconds = seconds_since(start);
      if (!queue_.push(std::move(work)))
        return false;
      start = Clock::now();
    }
    return true;
  }

  void search(Work& work) {
    const auto start = Clock::now();
    const Interrupt interrupt = [this] { return exchange_.interrupted(); };
    PartResult& result = work.result;
    if (work.batch) {
      BatchResult batch = work.engine->search(*work.batch, interrupt);
      result.candidates = batch.candidates.size();
      result.stages = std::move(batch.stages);
      Confirmed confirmed = confirm_all(
          confirmation_, batch.candidates.size(),
          [&](std::uint64_t i) { return work.field.arguments.argument(batch.candidates[i]); }, batch.reach,
          worker_.host_threads_, interrupt);
      if (confirmed.stray)
        throw FaultError(stray_sentence(*confirmed.stray, batch.reach, work));
      result.found = std::move(confirmed.found);
      result.seconds = std::max(result.planning_seconds, seconds_since(start));
    } else {
      result.direct = result.part.count;
      result.found = confirm_all(
                         confirmation_, static_cast<std::uint64_t>(result.part.count),
                         [&](std::uint64_t i) { return work.field.arguments.argument(result.part.first + i); },
                         std::numeric_limits<double>::infinity(), worker_.host_threads_, interrupt)
                         .found;
    }
    exchange_.deliver(result);
  }

  [[nodiscard]] std::string stray_sentence(const Stray& stray, double reach, const Work& work) const {
    const std::string device = worker_.launcher_ ? fmt::format("device {} ({})", worker_.launcher_->device().index,
                                                               worker_.launcher_->device().name)
                                                 : "a device";
    const Part& part = work.result.part;
    return fmt::format(
        "{} has kept {} as closer than 2^{:.2f} spacings to a breakpoint, but it is 2^{:.2f} away: its "
        "{} test has searched another function than {} in the part of {} arguments from {} on, and "
        "nothing that it did can be trusted",
        device, to_hex(stray.x), std::log2(reach), std::log2(stray.distance), work.engine->name(), job_.function->name,
        to_string(part.count),
        to_hex(work.field.is_claimed() ? work.field.arguments.argument(0) : work.field.arguments.argument(part.first)));
  }

  DeviceWorker& worker_;
  const Job& job_;
  PartExchange& exchange_;
  const Confirmation confirmation_;
  BoundedQueue<Work> queue_{waiting_batches};
  std::exception_ptr failure_; // of the feeder, when it has ended
  std::thread feeder_;         // the last member: it uses the others
};

Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device, uint128 arguments) {
  constexpr uint128 much = uint128(1) << 42; // what pays for building the kernels with a CPU's compiler
  if (asked != Polynomials::automatic)
    return asked;
  return device.is_gpu || device.is_accelerator || arguments >= much ? Polynomials::hybrid : Polynomials::host;
}

DeviceWorker::DeviceWorker(std::vector<std::unique_ptr<Engine>> engines, Choices choices, const Costs& costs,
                           unsigned host_threads)
    : engines_(std::move(engines)), choices_(std::move(choices)), costs_(costs), host_threads_(host_threads) {}

DeviceWorker::DeviceWorker(const opencl::DeviceDescription& device, const EngineSettings& settings,
                           std::span<const EngineKind* const> kinds)
    : launcher_(std::make_shared<Launcher>(device, static_cast<std::uint32_t>(settings.tunables.survivor_capacity))),
      engines_(open_engines(launcher_, settings, kinds)), choices_(settings.choices), costs_(settings.costs),
      host_threads_(settings.host_threads) {}

void DeviceWorker::work(const Job& job, PartExchange& exchange) { Run(*this, job, exchange).search(); }

} // namespace tmd
