// A pipeline: planning threads take units in order and queue those that have something to search; a thread for each
// device takes them from there; judging threads decide the candidates with MPFR and Arb and deliver the results. Queues
// are short, because plans take memory. If a device fails, another one searches its unit. After an interrupt no unit is
// planned or searched any more, but searched ones are still delivered; after a fault nothing is delivered.
#include "pairs/power_search.hpp"

#include "number/arb.hpp"
#include "pairs/pair_planner.hpp"
#include "search/bounded_queue.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace tmd::pairs {

void PowerWork::add(PowerWork other) {
  found.add(std::move(other.found));
  for (std::size_t kind = 0; kind < pairs.size(); ++kind)
    pairs.at(kind) += other.pairs.at(kind);
  planted += other.planted;
  tmd::engine::add(stages, other.stages);
  seconds += other.seconds;
}

namespace {

constexpr unsigned planted_in_unit = 4;

// A unit on its way through the pipeline.
struct MovingUnit {
  PowerUnit unit;
  std::vector<engine::boxes::PowerRectangle> rectangles;
  engine::boxes::PlannedPairs planned;
  std::vector<engine::boxes::PairCandidate> candidates;
  std::size_t device = 0;
  engine::Stages stages = {};
};

// The planned units, and those that failed devices have given back.
class PlannedUnits {
public:
  PlannedUnits(std::size_t room, std::size_t devices) : queue_(room), active_(devices), working_(devices) {}

  [[nodiscard]] searches::BoundedQueue<MovingUnit>& queue() { return queue_; }

  // Waits for a unit as long as one may come, or another device may give one back.
  std::optional<MovingUnit> next() {
    if (std::optional<MovingUnit> unit = queue_.pop())
      return unit;
    std::unique_lock lock(mutex_);
    --active_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return ended_ || active_ == 0 || !given_back_.empty(); });
    if (ended_ || given_back_.empty())
      return std::nullopt;
    ++active_;
    std::optional<MovingUnit> unit = std::move(given_back_.back());
    given_back_.pop_back();
    return unit;
  }
  // Called for a device that failed. Returns whether another one is left.
  bool return_unit(MovingUnit& unit) {
    const std::lock_guard lock(mutex_);
    if (--working_ == 0)
      return false;
    --active_;
    given_back_.push_back(std::move(unit));
    changed_.notify_all();
    return true;
  }
  // From now on there are none: closes the queue and wakes all that wait.
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    queue_.close();
    changed_.notify_all();
  }
  [[nodiscard]] bool has_ended() const { return ended_; }

private:
  searches::BoundedQueue<MovingUnit> queue_;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;                   // guards the following
  std::vector<MovingUnit> given_back_; // taken when the queue is empty
  std::condition_variable changed_;
  std::size_t active_;  // devices that search, or wait for planned units
  std::size_t working_; // devices that have not failed
};

class Pipeline {
public:
  Pipeline(const PairJob& job, const PowerLines& lines, const NextUnit& next,
           std::span<engine::boxes::BoxSearch* const> devices, unsigned threads, const PowerHooks& hooks,
           const engine::boxes::BoxOptions& options)
      : job_(job), lines_(lines), next_(next), devices_(devices), threads_(std::max(threads, 1U)), hooks_(hooks),
        planner_(job, options), planned_(threads_ + 2 * devices.size(), devices.size()),
        searched_(4 * std::size_t(threads_)) {}

  // Returns whether all units were searched.
  bool run(const std::function<void(std::size_t)>& lost) {
    {
      std::vector<std::jthread> searching;
      const auto begin = [](std::vector<std::jthread>& threads, auto work) {
        threads.emplace_back([work] {
          const number::ThreadCaches caches;
          work();
        });
      };
      std::vector<std::jthread> judging;
      for (unsigned i = 0; i < threads_; ++i)
        begin(judging, [this] { guard([this] { judge_all(); }); });
      std::vector<std::jthread> planning;
      planners_ = threads_;
      for (unsigned i = 0; i < threads_; ++i)
        begin(planning, [this] {
          guard([this] { plan_all(); });
          if (--planners_ == 0)
            planned_.queue().close();
        });
      for (std::size_t i = 1; i < devices_.size(); ++i)
        begin(searching, [this, i] { guard([this, i] { search_all(i); }); });
      guard([this] { search_all(0); });
      searching.clear(); // waits for its threads
      planning.clear();
      searched_.close();
    }
    if (failed_ && faulty_)
      lost(*faulty_);
    if (failed_)
      std::rethrow_exception(failed_);
    return !interrupted_;
  }

private:
  // Runs the work of a thread; an exception ends the work of all threads.
  template <typename Work> void guard(const Work& work) {
    try {
      work();
    } catch (const Interrupted&) {
      interrupted_ = true;
      planned_.end(); // searched units are still judged
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        if (!failed_)
          failed_ = std::current_exception();
      }
      is_over_ = true;
      planned_.end();
      searched_.close();
    }
  }
  [[nodiscard]] bool has_ended() const { return planned_.has_ended() || (hooks_.interrupted && hooks_.interrupted()); }

  void plan_all() {
    while (planned_.queue().reserve()) {
      const std::optional<PowerUnit> next = next_();
      if (!next) {
        planned_.queue().give_back();
        return;
      }
      if (has_ended())
        throw Interrupted();
      MovingUnit unit{*next, lines_.rectangles(next->first, next->last), {}, {}};
      unit.planned = planner_.plan(unit.rectangles);
      engine::boxes::plant(unit.planned, devices_.front()->tables(), planted_in_unit, unit.unit.first);
      if (!unit.planned.strips.empty()) {
        planned_.queue().push(std::move(unit));
      } else {
        planned_.queue().give_back();
        if (searched_.reserve())
          searched_.push(std::move(unit));
      }
    }
  }

  void search_all(std::size_t device) {
    engine::boxes::BoxSearch& search = *devices_[device];
    while (std::optional<MovingUnit> unit = planned_.next()) {
      if (has_ended())
        throw Interrupted();
      search.reset_stages();
      try {
        unit->candidates = engine::boxes::search_planned(
            unit->planned, search, [this] { return has_ended(); }, hooks_.counted);
      } catch (const FaultError&) {
        const std::lock_guard lock(mutex_);
        faulty_ = faulty_.value_or(device);
        throw;
      } catch (const DeviceError& error) {
        if (!planned_.return_unit(*unit))
          throw;
        const std::lock_guard lock(delivering_);
        hooks_.failed(device, error.what());
        return;
      }
      unit->device = device;
      unit->stages = search.stages();
      unit->planned.strips = {}; // these take most of its memory
      unit->planned.polynomials = {};
      if (searched_.reserve())
        searched_.push(std::move(*unit));
    }
  }

  void judge_all() {
    while (const std::optional<MovingUnit> unit = searched_.pop()) {
      if (is_over_)
        return;
      PowerPart part{unit->unit.first, unit->unit.last, unit->device, unit->unit.cost, PowerWork{PairFindings(job_)}};
      part.work.found = judge_powers(job_, unit->rectangles, unit->planned, unit->candidates);
      part.work.pairs = unit->planned.pairs;
      part.work.planted = unit->planned.planted.size();
      part.work.stages = unit->stages;
      part.work.seconds = engine::seconds_of(unit->stages);
      const std::lock_guard lock(delivering_);
      hooks_.searched(std::move(part));
    }
  }

  const PairJob& job_;
  const PowerLines& lines_;
  const NextUnit& next_;
  std::span<engine::boxes::BoxSearch* const> devices_;
  unsigned threads_;
  const PowerHooks& hooks_;
  PairPlanner planner_;
  PlannedUnits planned_;
  searches::BoundedQueue<MovingUnit> searched_;
  std::atomic<unsigned> planners_ = 0;
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> interrupted_ = false;
  std::mutex delivering_;
  std::mutex mutex_; // guards the following
  std::exception_ptr failed_;
  std::optional<std::size_t> faulty_;
};

} // namespace

bool search_power_units(const PairJob& job, const PowerLines& lines, const NextUnit& next,
                        std::span<engine::boxes::BoxSearch* const> devices, unsigned threads, const PowerHooks& hooks,
                        const std::function<void(std::size_t)>& lost, const engine::boxes::BoxOptions& options) {
  return Pipeline(job, lines, next, devices, threads, hooks, options).run(lost);
}

bool search_power_units(const PairJob& job, const PowerLines& lines, std::span<const PowerUnit> units,
                        std::span<engine::boxes::BoxSearch* const> devices, unsigned threads, const PowerHooks& hooks,
                        const std::function<void(std::size_t)>& lost, const engine::boxes::BoxOptions& options) {
  std::atomic<std::size_t> begun = 0;
  const NextUnit next = [&]() -> std::optional<PowerUnit> {
    const std::size_t number = begun++;
    return number < units.size() ? std::optional(units[number]) : std::nullopt;
  };
  return search_power_units(job, lines, next, devices, threads, hooks, lost, options);
}

} // namespace tmd::pairs
