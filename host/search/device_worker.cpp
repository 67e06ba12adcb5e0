// The threads of a device worker, in a row: some plan (device_planning.hpp), the caller's and those of further queues
// search, and some confirm and deliver (device_confirming.hpp). Bounded queues connect them. An exception in one ends
// all.
#include "search/device_worker.hpp"

#include "number/arb.hpp"
#include "search/bounded_queue.hpp"
#include "search/device_confirming.hpp"
#include "search/device_planning.hpp"
#include "search/device_work.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd::searches {

namespace {

using Clock = std::chrono::steady_clock;

// Batches that are queued beside those that planning threads are making: with the one in work, four exist at a time if
// one thread plans.
constexpr std::size_t waiting_batches = 2;
// Queued batches are joined and searched together: at most so many, and until they cost this many times an interval's
// fixed cost.
constexpr std::size_t most_joined = 128;
constexpr double most_joined_work = 40;

std::vector<std::unique_ptr<engine::Engine>> open_engines(const std::shared_ptr<engine::Launcher>& launcher,
                                                          const engine::EngineSettings& settings,
                                                          std::span<const engine::EngineKind* const> kinds) {
  std::vector<std::unique_ptr<engine::Engine>> result;
  for (const engine::EngineKind* kind : engine::engines_for(settings.choices.algorithm, kinds))
    if (auto engine = kind->open(launcher, settings))
      result.push_back(std::move(engine));
  return result;
}

engine::Stages stages_of(std::span<const engine::EngineKind* const> kinds) {
  engine::Stages result;
  for (const engine::EngineKind* kind : kinds)
    result.insert(result.end(), kind->stages.begin(), kind->stages.end());
  return result;
}

} // namespace

// One job, from its first to its last part.
class DeviceWorker::Run {
public:
  Run(DeviceWorker& worker, const job::Job& job, PartExchange& exchange)
      : worker_(worker), exchange_(exchange),
        planned_(worker.planning_threads_ + worker.more_engines_.size() + waiting_batches),
        searched_(worker.planning_threads_ + worker.more_engines_.size() + waiting_batches),
        planning_(worker, job, exchange, pace_, planned_), confirming_(worker, job, exchange, searched_) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    exchange_.close(); // planning threads may be waiting there if not all threads could be started
    join();
  }

  void search() {
    if (engine::DeviceTime* const time = worker_.device_time())
      (void)time->take(); // discards the time before this job
    if (worker_.launcher_ && worker_.launcher_->device().builders)
      for (const auto& engine : worker_.engines_)
        engine->prepare();
    planning_threads_ = worker_.planning_threads_;
    for (unsigned index = 0; index < worker_.planning_threads_; ++index) {
      threads_.emplace_back([this] {
        const number::ThreadCaches caches;
        const auto planning = worker_.plans(1);
        guarded([this] { planning_.plan_parts(); });
        if (--planning_threads_ == 0)
          planned_.close();
      });
      threads_.emplace_back([this] {
        const number::ThreadCaches caches;
        guarded([this] { confirming_.confirm_searched(); });
      });
    }
    guarded([this] { search_first_queue(); });
    join(); // batches searched before an error count
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  // Runs a thread's body; an exception ends all threads.
  template <typename Body> void guarded(const Body& body) {
    try {
      body();
    } catch (const FaultError&) { // overrides other exceptions: what has been delivered does not count
      stop(std::current_exception(), true);
    } catch (...) {
      stop(std::current_exception(), false);
    }
  }

  void stop(const std::exception_ptr& failure, bool outweighs) {
    {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_ || outweighs)
        failure_ = failure;
    }
    exchange_.close(); // planning threads may be waiting there
    planned_.close();
    searched_.close();
  }

  void join() {
    planned_.close();
    searched_.close();
    for (std::thread& thread : threads_)
      if (thread.joinable())
        thread.join();
  }

  // The other queues begin when this one has searched a batch: short searches need none of them, and the kernels have
  // been built and tested by then.
  void search_first_queue() {
    const auto at_work = at(engine::IdleReason::other, engine::IdleReason::host);
    if (!search_next(worker_.engines_))
      return;
    for (auto& engines : worker_.more_engines_)
      threads_.emplace_back([this, &engines] {
        const number::ThreadCaches caches;
        const auto at_work = at(engine::IdleReason::other, engine::IdleReason::host);
        guarded([&] {
          while (search_next(engines)) {
          }
        });
      });
    while (search_next(worker_.engines_)) {
    }
  }

  [[nodiscard]] bool take_in(Work& work, Work& other) const {
    if (!worker_.joins() || !work.batch || !other.batch || work.engine != other.engine ||
        work.joined.size() >= most_joined ||
        work.cost_of_all() + other.cost > most_joined_work * worker_.costs_[device::shared_cost("interval")] ||
        !work.batch->join(*other.batch))
      return false;
    work.joined.push_back(std::move(other));
    return true;
  }

  std::optional<Work> next_work() {
    const auto waiting = at(engine::IdleReason::host, engine::IdleReason::polynomials);
    return planned_.pop([this](Work& first, Work& other) { return take_in(first, other); });
  }

  // Reports the activity of a queue's thread to the device's time.
  [[nodiscard]] std::unique_ptr<engine::DeviceTime::At> at(engine::IdleReason from, engine::IdleReason to) const {
    engine::DeviceTime* const time = worker_.device_time();
    return time != nullptr ? std::make_unique<engine::DeviceTime::At>(*time, from, to) : nullptr;
  }
  // Takes the device's time until now, as far as the sharing among launches is known. It is charged to the batch that
  // ends first, whichever queue it was in.
  void take_time(result::PartResult& result) const {
    engine::DeviceTime* const time = worker_.device_time();
    if (time == nullptr)
      return;
    engine::DeviceTime::Taken taken = time->take();
    for (engine::Stage& one : result.stages)
      if (!one.of_host)
        one.seconds = 0;
    for (const engine::Stage& one : worker_.stages_)
      if (const auto seconds = taken.stages.find(one.name); seconds != taken.stages.end()) {
        engine::Stage of_it = one;
        of_it.seconds = seconds->second;
        engine::add(result.stages, {of_it});
      }
    result.idle += taken.idle;
  }

  // Returns false when there is no more.
  bool search_next(std::vector<std::unique_ptr<engine::Engine>>& engines) {
    auto work = next_work();
    if (!work)
      return false;
    if (exchange_.interrupted())
      throw Interrupted();
    if (work->batch) {
      const auto start = Clock::now();
      if (engines.empty())
        engines = worker_.open_engines_();
      engine::Engine& engine = at_place_of(work->engine, engines);
      engine::BatchResult found = engine.search(*work->batch, [this] { return exchange_.interrupted(); });
      return share_out(std::move(*work), std::move(found), engine,
                       support::seconds_since(start) / static_cast<double>(1 + worker_.more_engines_.size()));
    }
    work->result.direct = work->result.part.count;
    return searched_.reserve() && searched_.push(std::move(*work));
  }

  // Splits the findings among the joined batches, and the time in proportion to their predicted costs. The stages go to
  // the first one. Returns false when no more is wanted.
  bool share_out(Work work, engine::BatchResult found, const engine::Engine& engine, double seconds) {
    const double cost = work.cost_of_all();
    std::vector<Work> joined = std::exchange(work.joined, {});
    double planning_seconds = work.result.planning_seconds;
    for (const Work& other : joined)
      planning_seconds += other.result.planning_seconds;
    pace_.observe(engine, cost, std::max(seconds, planning_seconds / worker_.planning_threads_));
    const auto push = [&](Work one, std::vector<std::uint64_t> candidates) {
      one.batch.reset();
      one.seconds = cost > 0 ? seconds * one.cost / cost : seconds;
      one.result.candidates = candidates.size();
      one.found.candidates = std::move(candidates);
      one.found.max_distance = found.max_distance;
      return searched_.reserve() && searched_.push(std::move(one));
    };
    work.result.stages = std::move(found.stages);
    take_time(work.result);
    work.found.of_companions = std::move(found.of_companions);
    bool wanted = push(std::move(work), std::move(found.candidates));
    for (std::size_t i = 0; wanted && i < joined.size(); ++i)
      wanted = push(std::move(joined[i]), std::move(found.of_joined.at(i)));
    return wanted;
  }

  // The engine of this queue at the same place as the one that has planned.
  [[nodiscard]] engine::Engine& at_place_of(const engine::Engine* planner,
                                            const std::vector<std::unique_ptr<engine::Engine>>& engines) const {
    const auto& planners = worker_.engines_;
    const auto place =
        std::find_if(planners.begin(), planners.end(), [&](const auto& engine) { return engine.get() == planner; });
    return *engines.at(static_cast<std::size_t>(place - planners.begin()));
  }

  DeviceWorker& worker_;
  PartExchange& exchange_;
  Pace pace_;
  BoundedQueue<Work> planned_;
  BoundedQueue<Work> searched_;
  Planning planning_;
  Confirming confirming_;
  std::atomic<unsigned> planning_threads_ = 0; // planning threads that have not ended
  std::mutex failure_mutex_;
  std::exception_ptr failure_; // what the first failing thread threw, or one that found a fault
  std::vector<std::thread> threads_;
};

Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device, uint128 arguments) {
  if (asked != Polynomials::automatic)
    return asked;
  return device.is_gpu || device.is_accelerator || !is_short(arguments) ? Polynomials::hybrid : Polynomials::host;
}

bool is_short(uint128 arguments) {
  constexpr uint128 much = uint128(1) << 42; // enough to make up for building kernels on a CPU
  return arguments < much;
}

DeviceWorker::DeviceWorker(std::vector<std::unique_ptr<engine::Engine>> engines, Choices choices, device::Costs costs,
                           unsigned host_threads, unsigned planning_threads)
    : engines_(std::move(engines)), choices_(std::move(choices)), costs_(std::move(costs)), host_threads_(host_threads),
      planning_threads_(planning_threads) {}

DeviceWorker::DeviceWorker(const opencl::DeviceDescription& device, const engine::EngineSettings& settings,
                           std::span<const engine::EngineKind* const> kinds)
    : launcher_(std::make_shared<engine::Launcher>(
          device, static_cast<std::uint32_t>(settings.tunables[device::shared_tunable("survivor-capacity")]))),
      engines_(open_engines(launcher_, settings, kinds)), stages_(stages_of(kinds)), choices_(settings.choices),
      costs_(settings.costs), host_threads_(settings.host_threads), planning_threads_(settings.planning_threads) {
  search_in_queues(static_cast<unsigned>(settings.tunables[device::shared_tunable("queues")]),
                   [launcher = launcher_, settings, kinds = std::vector(kinds.begin(), kinds.end())] {
                     return open_engines(launcher->another(), settings, kinds);
                   });
}

void DeviceWorker::search_in_queues(unsigned queues, OpenEngines open) {
  open_engines_ = std::move(open);
  more_engines_.resize(queues - 1);
}

engine::DeviceTime* DeviceWorker::device_time() const { return launcher_ ? &launcher_->device_time() : nullptr; }

std::unique_ptr<engine::DeviceTime::Planning> DeviceWorker::plans(int threads) const {
  engine::DeviceTime* const time = device_time();
  return time != nullptr ? std::make_unique<engine::DeviceTime::Planning>(*time, threads) : nullptr;
}

void DeviceWorker::work(const job::Job& job, PartExchange& exchange) { Run(*this, job, exchange).search(); }

} // namespace tmd::searches
