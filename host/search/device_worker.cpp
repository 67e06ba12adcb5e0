#include "search/device_worker.hpp"

#include "engine/planning.hpp"
#include "number/arb.hpp"
#include "search/bounded_queue.hpp"
#include "search/confirming.hpp"
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

// Batches that are made or wait beside those that each planning thread is at: with the one in work, four live at a time
// where one thread plans.
constexpr std::size_t waiting_batches = 2;
constexpr std::size_t behind_all_fields = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t direct_batch = 4096; // arguments for MPFR alone
// Work that waits is searched together, so many at once and until it costs so many times as much as an interval.
constexpr std::size_t most_joined = 128;
constexpr double most_joined_work = 40;
// Very much may wait that is compact, so that what the host takes long to plan behind it is there in time; where others
// want work, too, only what costs so little of what an interval does.
constexpr double most_held_work = 0.25;

std::vector<std::unique_ptr<engine::Engine>> open_engines(const std::shared_ptr<engine::Launcher>& launcher,
                                                          const engine::EngineSettings& settings,
                                                          std::span<const engine::EngineKind* const> kinds) {
  std::vector<std::unique_ptr<engine::Engine>> result;
  for (const engine::EngineKind* kind : engine::engines_for(settings.choices.algorithm, kinds))
    if (auto engine = kind->open(launcher, settings))
      result.push_back(std::move(engine));
  return result;
}

// What a device makes of predicted costs, of late. May be used by several threads at once.
class Pace {
public:
  // An engine's first batch says nothing: kernels are built and tested for it.
  void observe(const engine::Engine& engine, double cost, double seconds) {
    constexpr double memory_seconds = 2;
    const double kept = std::exp2(-seconds / memory_seconds);
    const std::lock_guard lock(mutex_);
    if (begun_.insert(&engine).second)
      return;
    cost_ = kept * cost_ + cost;
    seconds_ = kept * seconds_ + seconds;
  }
  // 0: not known.
  [[nodiscard]] double seconds(double cost) const {
    const std::lock_guard lock(mutex_);
    return cost_ > 0 ? cost * seconds_ / cost_ : 0;
  }

private:
  mutable std::mutex mutex_; // of what follows
  std::set<const engine::Engine*> begun_;
  double cost_ = 0;
  double seconds_ = 0;
};

engine::Stages stages_of(std::span<const engine::EngineKind* const> kinds) {
  engine::Stages result;
  for (const engine::EngineKind* kind : kinds)
    result.insert(result.end(), kind->stages.begin(), kind->stages.end());
  return result;
}

} // namespace

// Some of an interval on its way through a device: a batch, or arguments for MPFR alone.
struct DeviceWorker::Work {
  engine::Field field;
  result::PartResult result; // as far as it is known
  engine::Engine* engine = nullptr;
  std::unique_ptr<engine::Batch> batch; // null: direct, or searched
  engine::BatchResult found;            // by the device
  double cost = 0;                      // predicted
  double seconds = 0;                   // of the device's thread
  std::vector<Work> joined = {};        // whose batches this one's has taken in

  [[nodiscard]] double cost_of_all() const {
    return std::accumulate(joined.begin(), joined.end(), cost,
                           [](double sum, const Work& one) { return sum + one.cost; });
  }
};

// One job, from first to last part. Its threads stand in a row: those that plan, the caller's and those of further
// queues, which search, and those that confirm and deliver.
class DeviceWorker::Run {
public:
  Run(DeviceWorker& worker, const job::Job& job, PartExchange& exchange)
      : worker_(worker), job_(job), exchange_(exchange), confirmation_(*job.function, job.grid(), job.bits),
        planned_(worker.planning_threads_ + worker.more_engines_.size() + waiting_batches),
        searched_(worker.planning_threads_ + worker.more_engines_.size() + waiting_batches) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    exchange_.close(); // planning threads may be waiting there, where not all threads could be started
    join();
  }

  void search() {
    if (engine::DeviceTime* const time = device_time())
      (void)time->take(); // of what was before
    if (worker_.launcher_ && worker_.launcher_->device().builders)
      for (const auto& engine : worker_.engines_)
        engine->prepare();
    planning_ = worker_.planning_threads_;
    for (unsigned index = 0; index < worker_.planning_threads_; ++index) {
      threads_.emplace_back([this] {
        const number::ThreadCaches caches;
        const auto planning = plans(1);
        guarded([this] { plan_parts(); });
        if (--planning_ == 0)
          planned_.close();
      });
      threads_.emplace_back([this] {
        const number::ThreadCaches caches;
        guarded([this] { confirm_searched(); });
      });
    }
    guarded([this] { search_first_queue(); });
    join(); // what was searched before an error counts
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  // What a thread does; whatever it throws ends all.
  template <typename Body> void guarded(const Body& body) {
    try {
      body();
    } catch (const FaultError&) { // outweighs what others throw: what has been delivered does not count
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

  // A thread is at no part, nor takes one, unless the device may soon want what it makes. The field that was begun
  // first comes first: where all went side by side, they would come to what takes the device little and the host much
  // at the same time, and the device would wait.
  void plan_parts() {
    std::optional<engine::FieldPlanner> planner;
    std::size_t planned_field = 0;
    while (planned_.reserve(behind_all_fields)) {
      const auto assignment = take();
      if (!assignment) {
        planned_.give_back();
        return;
      }
      const std::size_t number = assignment->part.field;
      // What is planned for a device alone depends on the parts, and neither on who plans them nor on when.
      const bool shared = exchange_.is_shared();
      if (!shared || !planner || planned_field != number)
        planner.emplace(worker_.engines_, job_, assignment->field, worker_.choices_.algorithm != "auto",
                        worker_.costs_);
      planned_field = number;
      if (!plan(*planner, *assignment, shared))
        return;
    }
  }

  std::optional<PartExchange::Assignment> take() {
    const auto waiting = plans(-1);
    return exchange_.take();
  }

  // Plans a part, or of a shared one what goes together, and makes its batches, the first of them for a place that is
  // reserved. Returns false when the device wants no more.
  bool plan(engine::FieldPlanner& planner, const PartExchange::Assignment& taken, bool shared) {
    const auto& [part, field] = taken;
    uint128 count = part.count;
    for (uint128 done = 0; done < count;) {
      if (done > 0 && !planned_.reserve(part.field))
        return false;
      const auto start = Clock::now();
      engine::Interval interval = planner.at(part.first + done, count - done);
      const double planning_seconds = support::seconds_since(start);
      if (shared) {
        if (const std::uint64_t fitting = fitting_count(interval, planning_seconds); fitting < interval.count)
          interval = planner.first_of(interval, fitting);
        count = interval.count;
        exchange_.shorten(taken, count);
      }
      if (!push(part.field, field, interval, planning_seconds, start))
        return false;
      done += interval.count;
    }
    return true;
  }

  // How much of an interval a device that shares a search should do at a time. Its speed in arguments a second, by
  // which it was given the part, says little where other arguments are dearer.
  [[nodiscard]] std::uint64_t fitting_count(const engine::Interval& interval, double planning_seconds) const {
    const double seconds = pace_.seconds(interval.cost * static_cast<double>(interval.count));
    const double longest = longest_part(planning_seconds);
    if (!(seconds > longest))
      return interval.count;
    const double fitting = static_cast<double>(interval.count) * longest / seconds;
    return std::bit_floor(std::max<std::uint64_t>(static_cast<std::uint64_t>(fitting), 1));
  }

  // Cuts an interval into work for the device, the first of it for a place that is reserved. Returns false when the
  // device wants no more. Its plan, begun at `start`, has taken so long.
  bool push(std::size_t number, const engine::Field& field, const engine::Interval& interval, double planning_seconds,
            Clock::time_point start) {
    std::uint64_t count = 0;
    for (std::uint64_t done = 0; done < interval.count; done += count) {
      if (done > 0) {
        if (!planned_.reserve(number))
          return false;
        start = Clock::now();
      }
      Work work{field, {}, interval.engine, interval.plan ? interval.plan->batch(done) : nullptr, {}, 0, 0};
      count = work.batch ? work.batch->count() : std::min(direct_batch, interval.count - done);
      work.cost = interval.cost * static_cast<double>(count);
      work.result.part = {number, interval.first + done, count};
      if (done == 0) {
        work.result.plan = interval.plan ? interval.plan->report() : engine::PlanReport();
        work.result.intervals = interval.plan ? interval.plan->intervals : 1;
        work.result.prices = interval.prices;
        work.result.fixed_seconds = planning_seconds;
      }
      work.result.planning_seconds = support::seconds_since(start);
      if (work.batch)
        interval.engine->expect(*work.batch);
      const bool light = is_light(work);
      if (!planned_.push(std::move(work), light))
        return false;
    }
    return true;
  }

  // The other queues begin when this one has searched a batch: short searches need none of them, and the kernels have
  // been built and tested.
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

  // Whether work that waits goes together, where it can. One queue needs that not: it waits for the host in any case.
  [[nodiscard]] bool joins() const { return !worker_.more_engines_.empty(); }

  [[nodiscard]] bool is_light(const Work& work) const {
    if (!joins() || (work.batch && !work.batch->is_compact()))
      return false;
    return !exchange_.is_shared() ||
           (work.batch && work.cost <= most_held_work * worker_.costs_[device::shared_cost("interval")]);
  }

  [[nodiscard]] bool take_in(Work& work, Work& other) const {
    if (!joins() || !work.batch || !other.batch || work.engine != other.engine || work.joined.size() >= most_joined ||
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

  // Null where there is no OpenCL device.
  [[nodiscard]] engine::DeviceTime* device_time() const {
    return worker_.launcher_ ? &worker_.launcher_->device_time() : nullptr;
  }
  // Tells the device's time what a queue's thread is at.
  [[nodiscard]] std::unique_ptr<engine::DeviceTime::At> at(engine::IdleReason from, engine::IdleReason to) const {
    engine::DeviceTime* const time = device_time();
    return time != nullptr ? std::make_unique<engine::DeviceTime::At>(*time, from, to) : nullptr;
  }
  // Tells it that so many threads more plan, or fewer.
  [[nodiscard]] std::unique_ptr<engine::DeviceTime::Planning> plans(int threads) const {
    engine::DeviceTime* const time = device_time();
    return time != nullptr ? std::make_unique<engine::DeviceTime::Planning>(*time, threads) : nullptr;
  }

  // The device's time until now, as far as it is known how launches have shared it: for what is searched first by then,
  // whichever queue that was in.
  void take_time(result::PartResult& result) const {
    engine::DeviceTime* const time = device_time();
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

  // What was found goes to the work that it is of, the time by what each was predicted to cost. The stages are the
  // first one's. Returns false when no more is wanted.
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
      one.found.reach = found.reach;
      return searched_.reserve() && searched_.push(std::move(one));
    };
    work.result.stages = std::move(found.stages);
    take_time(work.result);
    work.found.of_others = std::move(found.of_others);
    bool wanted = push(std::move(work), std::move(found.candidates));
    for (std::size_t i = 0; wanted && i < joined.size(); ++i)
      wanted = push(std::move(joined[i]), std::move(found.of_joined.at(i)));
    return wanted;
  }

  // The engine of a queue that does what that one has planned.
  [[nodiscard]] engine::Engine& at_place_of(const engine::Engine* planner,
                                            const std::vector<std::unique_ptr<engine::Engine>>& engines) const {
    const auto& planners = worker_.engines_;
    const auto place =
        std::find_if(planners.begin(), planners.end(), [&](const auto& engine) { return engine.get() == planner; });
    return *engines.at(static_cast<std::size_t>(place - planners.begin()));
  }

  void confirm_searched() {
    while (auto work = searched_.pop()) {
      const auto start = Clock::now();
      const unsigned busy = ++confirming_;
      result::PartResult& result = work->result;
      const bool direct = result.direct > 0;
      const auto all_of = [&](const function::Function& function, const verify::Confirmation& confirmation,
                              std::uint64_t count, const auto& index, double reach) {
        Confirmed confirmed = confirm_all(
            confirmation, count, [&](std::uint64_t i) { return work->field.arguments.argument(index(i)); }, reach,
            worker_.host_threads_ / busy, [this] { return exchange_.interrupted(); });
        if (confirmed.stray)
          throw FaultError(stray_sentence(*confirmed.stray, function, reach, *work));
        confirmed.found.sort();
        return std::move(confirmed.found);
      };
      if (direct) {
        found_in_part(result, all_of(
                                  *job_.function, confirmation_, static_cast<std::uint64_t>(result.part.count),
                                  [&](std::uint64_t i) { return result.part.first + i; },
                                  std::numeric_limits<double>::infinity()));
      } else {
        const engine::BatchResult& found = work->found;
        found_in_part(result, all_of(
                                  *job_.function, confirmation_, found.candidates.size(),
                                  [&](std::uint64_t i) { return found.candidates[i]; }, found.reach));
        for (std::size_t i = 0; i < found.of_others.size(); ++i) {
          const function::Function& other = *work->field.claim()->others.at(i);
          const std::vector<std::uint64_t>& candidates = found.of_others[i];
          const result::Findings cases = all_of(
              other, verify::Confirmation(other, job_.grid(), job_.bits), candidates.size(),
              [&](std::uint64_t place) { return candidates[place]; }, found.reach);
          result.of_others.push_back({&other, cases.listed(), candidates.size()});
        }
      }
      --confirming_;
      if (!direct) {
        const double on_host = (result.planning_seconds + support::seconds_since(start)) / worker_.planning_threads_;
        result.seconds = std::max(on_host, work->seconds);
      }
      exchange_.deliver(result);
    }
  }

  static void found_in_part(result::PartResult& result, const result::Findings& found) {
    result.found = found.listed();
    result.exact_unlisted = found.exact.unlisted();
  }

  [[nodiscard]] std::string stray_sentence(const Stray& stray, const function::Function& function, double reach,
                                           const Work& work) const {
    const std::string device = worker_.launcher_ ? fmt::format("device {} ({})", worker_.launcher_->device().index,
                                                               worker_.launcher_->device().name)
                                                 : "a device";
    const result::Part& part = work.result.part;
    return fmt::format(
        "{} has kept {} as closer than 2^{:.2f} spacings to a breakpoint, but it is 2^{:.2f} away: its "
        "{} test has searched another function than {} in the part of {} arguments from {} on, and "
        "nothing that it did can be trusted",
        device, to_hex(stray.x), std::log2(reach), std::log2(stray.distance), work.engine->name(), function.name,
        to_string(part.count),
        to_hex(work.field.is_claimed() ? work.field.arguments.argument(0) : work.field.arguments.argument(part.first)));
  }

  DeviceWorker& worker_;
  const job::Job& job_;
  PartExchange& exchange_;
  const verify::Confirmation confirmation_;
  Pace pace_;
  BoundedQueue<Work> planned_;
  BoundedQueue<Work> searched_;
  std::atomic<unsigned> planning_ = 0;   // threads that have not ended
  std::atomic<unsigned> confirming_ = 0; // threads at work
  std::mutex failure_mutex_;
  std::exception_ptr failure_; // of the thread that failed first, or of one that found a fault
  std::vector<std::thread> threads_;
};

Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device, uint128 arguments) {
  if (asked != Polynomials::automatic)
    return asked;
  return device.is_gpu || device.is_accelerator || !is_short(arguments) ? Polynomials::hybrid : Polynomials::host;
}

bool is_short(uint128 arguments) {
  constexpr uint128 much = uint128(1) << 42; // what pays for building the kernels with a CPU's compiler
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

void DeviceWorker::work(const job::Job& job, PartExchange& exchange) { Run(*this, job, exchange).search(); }

} // namespace tmd::searches
