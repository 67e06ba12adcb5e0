// The sweep over instants: ended launches are kept until no running launch can have begun before some instant. Up to
// there the ends of all intervals, in order, are steps between which the same launches are active.
#include "engine/device_time.hpp"

#include <algorithm>
#include <utility>

namespace tmd::engine {

std::uint64_t SharedTime::begin() {
  on_their_way_.emplace(launches_, last_end_);
  return launches_++;
}

void SharedTime::end(std::uint64_t launch, std::string_view stage, std::uint64_t first, std::uint64_t last) {
  constexpr std::size_t most_waiting = 4096;
  on_their_way_.erase(launch);
  if (last > std::max(first, shared_until_)) {
    ended_.push_back({std::max(first, shared_until_), last, std::string(stage)});
    last_end_ = std::max(last_end_, last);
  }
  share_known();
  if (ended_.size() < most_waiting)
    return;
  // One launch may hold up thousands: they do not wait for it, and only the rest of its time counts.
  std::vector<std::uint64_t> ends;
  for (const Active& one : ended_)
    ends.push_back(one.last);
  std::nth_element(ends.begin(), ends.begin() + most_waiting / 2, ends.end());
  share_until(ends[most_waiting / 2]);
}

void SharedTime::drop(std::uint64_t launch) {
  on_their_way_.erase(launch);
  share_known();
}

// Running launches are sorted by the launches that had ended before them.
void SharedTime::share_known() {
  const std::uint64_t known = on_their_way_.empty() ? last_end_ : on_their_way_.begin()->second;
  if (known > shared_until_)
    share_until(known);
}

void SharedTime::share_until(std::uint64_t until) {
  struct Step {
    std::uint64_t at;
    int change;
    const std::string* stage;
  };
  std::vector<Step> steps;
  for (const Active& one : ended_)
    if (one.first < until) {
      steps.push_back({one.first, 1, &one.stage});
      steps.push_back({std::min(one.last, until), -1, &one.stage});
    }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
  std::map<std::string_view, int> active;
  int all = 0;
  std::uint64_t at = 0;
  for (const Step& step : steps) {
    if (step.at > at && all > 0)
      for (const auto& [stage, count] : active)
        if (count > 0)
          seconds_[std::string(stage)] += 1e-9 * static_cast<double>(step.at - at) * count / all;
    at = step.at;
    active[*step.stage] += step.change;
    all += step.change;
  }
  shared_until_ = until;
  std::erase_if(ended_, [&](const Active& one) { return one.last <= until; });
  for (Active& one : ended_)
    one.first = std::max(one.first, until);
}

StageSeconds SharedTime::take() { return std::exchange(seconds_, {}); }

void IdleTime::pass(Instant now) {
  const double seconds = std::chrono::duration<double>(now - std::exchange(since_, now)).count();
  constexpr auto other = static_cast<std::size_t>(IdleReason::other);
  int all = 0;
  for (std::size_t i = 0; i < other; ++i)
    all += threads_.at(i);
  if (launches_ > 0 || all <= 0)
    return;
  for (std::size_t i = 0; i < other; ++i) {
    const auto reason = static_cast<IdleReason>(i);
    const bool for_parts = reason == IdleReason::polynomials && planning_ <= 0;
    idle_[for_parts ? IdleReason::parts : reason] += seconds * threads_.at(i) / all;
  }
}

void IdleTime::launched(Instant now) {
  pass(now);
  ++launches_;
}

void IdleTime::ended(Instant now) {
  pass(now);
  --launches_;
}

void IdleTime::move(IdleReason from, IdleReason to, Instant now) {
  pass(now);
  --threads_.at(static_cast<std::size_t>(from));
  ++threads_.at(static_cast<std::size_t>(to));
}

void IdleTime::plan(int threads, Instant now) {
  pass(now);
  planning_ += threads;
}

Idle IdleTime::take(Instant now) {
  pass(now);
  return std::exchange(idle_, {});
}

std::uint64_t DeviceTime::begin() {
  const std::lock_guard lock(mutex_);
  idle_.launched(IdleTime::Instant::clock::now());
  return shared_.begin();
}

DeviceTime::Running::~Running() {
  if (ended_)
    return;
  const std::lock_guard lock(time_.mutex_);
  time_.shared_.drop(launch_);
  time_.idle_.ended(IdleTime::Instant::clock::now());
}

void DeviceTime::Running::end(std::string_view stage, std::uint64_t first, std::uint64_t last) {
  ended_ = true;
  const std::lock_guard lock(time_.mutex_);
  time_.shared_.end(launch_, stage, first, last);
  time_.idle_.ended(IdleTime::Instant::clock::now());
}

void DeviceTime::move(IdleReason from, IdleReason to) {
  const std::lock_guard lock(mutex_);
  idle_.move(from, to, IdleTime::Instant::clock::now());
}

void DeviceTime::plan(int threads) {
  const std::lock_guard lock(mutex_);
  idle_.plan(threads, IdleTime::Instant::clock::now());
}

DeviceTime::Taken DeviceTime::take() {
  const std::lock_guard lock(mutex_);
  Taken taken{shared_.take(), idle_.take(IdleTime::Instant::clock::now())};
  if (const auto tests = taken.stages.find(""); tests != taken.stages.end()) {
    taken.idle[IdleReason::self_tests] += tests->second;
    taken.stages.erase(tests);
  }
  return taken;
}

} // namespace tmd::engine
