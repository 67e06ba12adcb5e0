// Each thread has one planner for each field; the intervals that a planner makes are cut into batches.
#include "search/device_planning.hpp"

#include "support/stopwatch.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace tmd::searches {

namespace {

constexpr std::size_t behind_all_fields = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t direct_batch = 4096; // arguments that MPFR decides at a time
// Light batches may be queued far ahead, so that the host can plan the slow ones behind them in time. If other workers
// want work, too, only batches cheaper than this fraction of planning an interval are light.
constexpr double most_held_work = 0.25;

// What a thread has planned of a part that other workers want to share. It goes on through neighbouring intervals, for
// a planner learns from each how long the next can be: next to a pole lengths change by powers of two in a few dozen.
struct Share {
  double seconds = 0; // that the device will need; 0 if its pace is not known
  double planning_seconds = 0;

  [[nodiscard]] bool is_enough() const {
    constexpr double most_planning = 0.25;
    return seconds == 0 || seconds >= longest_part(0) || planning_seconds >= most_planning;
  }
};

} // namespace

void DeviceWorker::Planning::plan_parts() {
  std::optional<engine::FieldPlanner> planner;
  std::size_t planned_field = 0;
  while (planned_.reserve(behind_all_fields)) {
    const auto assignment = take();
    if (!assignment) {
      planned_.give_back();
      return;
    }
    const std::size_t number = assignment->part.field;
    // A device that searches alone has a new planner for each part: plans then depend on the part, and not on what the
    // thread has planned before.
    const bool shared = exchange_.is_shared();
    if (!shared || !planner || planned_field != number)
      planner.emplace(worker_.engines_, job_, assignment->field, worker_.choices_.algorithm != "auto", worker_.costs_);
    planned_field = number;
    if (!plan(*planner, *assignment, shared))
      return;
  }
}

std::optional<PartExchange::Assignment> DeviceWorker::Planning::take() {
  const auto waiting = worker_.plans(-1);
  return exchange_.take();
}

bool DeviceWorker::Planning::plan(engine::FieldPlanner& planner, const PartExchange::Assignment& taken, bool shared) {
  const auto& [part, field] = taken;
  uint128 count = part.count;
  Share share;
  for (uint128 done = 0; done < count;) {
    if (done > 0 && !planned_.reserve(part.field))
      return false;
    const auto start = Clock::now();
    engine::Interval interval = planner.at(part.first + done, count - done);
    const double planning_seconds = support::seconds_since(start);
    if (shared) {
      if (const std::uint64_t fitting = fitting_count(interval, planning_seconds); fitting < interval.count)
        interval = planner.first_of(interval, fitting);
      share.seconds += pace_.seconds(interval.cost * static_cast<double>(interval.count));
      share.planning_seconds += planning_seconds;
      if (share.is_enough()) {
        count = done + interval.count;
        exchange_.shorten(taken, count);
      }
    }
    if (!push(part.field, field, interval, planning_seconds, start))
      return false;
    done += interval.count;
  }
  return true;
}

std::uint64_t DeviceWorker::Planning::fitting_count(const engine::Interval& interval, double planning_seconds) const {
  const double seconds = pace_.seconds(interval.cost * static_cast<double>(interval.count));
  const double longest = longest_part(planning_seconds);
  if (!(seconds > longest))
    return interval.count;
  const double fitting = static_cast<double>(interval.count) * longest / seconds;
  return std::bit_floor(std::max<std::uint64_t>(static_cast<std::uint64_t>(fitting), 1));
}

bool DeviceWorker::Planning::push(std::size_t number, const engine::Field& field, const engine::Interval& interval,
                                  double planning_seconds, Clock::time_point start) {
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

bool DeviceWorker::Planning::is_light(const Work& work) const {
  if (!worker_.joins() || (work.batch && !work.batch->is_compact()))
    return false;
  return !exchange_.is_shared() ||
         (work.batch && work.cost <= most_held_work * worker_.costs_[device::shared_cost("interval")]);
}

} // namespace tmd::searches
