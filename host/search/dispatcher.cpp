#include "search/dispatcher.hpp"

#include "error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tmd {

namespace {

constexpr std::size_t most_waiting_fields = 4096;
// What is handed out at a time: no plan serves more.
constexpr std::uint64_t most_count = std::uint64_t(1) << 52;
// Among several workers: what a worker is given before its speed is known, and for how long it is given work after
// that.
constexpr std::uint64_t first_arguments = std::uint64_t(1) << 20;
constexpr double most_seconds = 0.5;
constexpr double fewest_seconds = 0.02;
// A rate is that of about so many seconds.
constexpr double memory_seconds = 2;

} // namespace

Dispatcher::Dispatcher(uint128 arguments, std::size_t workers)
    : waiting_arguments_(static_cast<double>(arguments)), shares_(workers) {}

bool Dispatcher::add(const Field& field) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_ || waiting_.size() < most_waiting_fields; });
  if (stopped_)
    return false;
  fields_.push_back(field);
  if (field.extent > 0)
    waiting_.push_back({fields_.size() - 1, 0, field.extent});
  changed_.notify_all();
  return true;
}

void Dispatcher::skip(uint128 arguments) {
  const std::lock_guard lock(mutex_);
  waiting_arguments_ -= static_cast<double>(arguments);
}

void Dispatcher::complete() {
  const std::lock_guard lock(mutex_);
  complete_ = true;
  changed_.notify_all();
}

double Dispatcher::arguments_of(const Part& part) const {
  const Field& field = fields_[part.field];
  return static_cast<double>(part.count) *
         (static_cast<double>(field.arguments.count) / static_cast<double>(field.extent));
}

// How much of what waits first the worker is to have; 0 when it had better wait.
uint128 Dispatcher::size_for(const Share& share) const {
  const Part& front = waiting_.front();
  const uint128 most = std::min<uint128>(front.count, most_count);
  if (count_working() == 1)
    return most;
  const double arguments_per_unit = arguments_of({front.field, 0, 1});
  const auto units = [&](double arguments) {
    const double wanted = std::min(arguments / arguments_per_unit, static_cast<double>(most_count));
    return std::min<uint128>(most, std::bit_floor(std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1)));
  };
  const double rate = share.rate();
  if (rate == 0)
    return units(static_cast<double>(first_arguments));
  double others_rate = 0;
  double best_rate = rate;
  double others_held = 0;
  for (const Share& other : shares_)
    if (&other != &share && !other.lost && !other.closed) {
      others_rate += other.rate();
      best_rate = std::max(best_rate, other.rate());
      others_held += other.held_arguments;
    }
  // Half of its share of what is left: all come to the end together, the last parts are small.
  const double seconds = std::clamp(waiting_arguments_ / (rate + others_rate) / 2, fewest_seconds, most_seconds);
  const uint128 size = units(rate * seconds);
  const double own_seconds = (share.held_arguments + static_cast<double>(size) * arguments_per_unit) / rate;
  const double others_seconds = (waiting_arguments_ + others_held) / others_rate;
  // The fastest worker never waits, so that somebody goes on.
  return rate < best_rate && own_seconds > others_seconds ? 0 : size;
}

bool Dispatcher::is_over(const Share& share) const {
  return stopped_ || share.lost || share.closed || (complete_ && waiting_.empty() && held_parts_ == 0);
}

std::optional<Part> Dispatcher::next(Share& share) {
  const uint128 size = waiting_.empty() || is_over(share) ? 0 : size_for(share);
  if (size == 0)
    return std::nullopt;
  Part& front = waiting_.front();
  const Part part{front.field, front.first, size};
  front.first += size;
  front.count -= size;
  if (front.count == 0)
    waiting_.pop_front();
  waiting_arguments_ -= arguments_of(part);
  share.held.push_back(part);
  share.held_arguments += arguments_of(part);
  ++held_parts_;
  changed_.notify_all(); // there may be room for more fields
  return part;
}

std::optional<Part> Dispatcher::take(std::size_t worker) {
  std::unique_lock lock(mutex_);
  Share& share = shares_.at(worker);
  std::optional<Part> part;
  changed_.wait(lock, [&] { return (part = next(share)) || is_over(share); });
  return part;
}

std::optional<Part> Dispatcher::try_take(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  return next(shares_.at(worker));
}

Field Dispatcher::field(std::size_t number) const {
  const std::lock_guard lock(mutex_);
  return fields_.at(number);
}

void Dispatcher::put_back(const Part& part) {
  waiting_.push_front(part);
  waiting_arguments_ += arguments_of(part);
  changed_.notify_all();
}

void Dispatcher::shorten(std::size_t worker, const Part& part, uint128 count) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(worker);
  const auto held = std::find(share.held.begin(), share.held.end(), part);
  if (held == share.held.end() || count >= part.count) // a lost worker holds nothing
    return;
  const Part rest{part.field, part.first + count, part.count - count};
  held->count = count;
  share.held_arguments -= arguments_of(rest);
  put_back(rest);
}

void Dispatcher::finish(std::size_t worker, const Part& part, double seconds) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(worker);
  const auto held = std::find_if(share.held.begin(), share.held.end(), [&](const Part& one) {
    return one.field == part.field && one.first <= part.first && part.first + part.count <= one.first + one.count;
  });
  if (held == share.held.end() || part.count == 0)
    throw SoundnessError("a device searched arguments that were not its own");
  const Part whole = *held;
  share.held.erase(held);
  --held_parts_;
  const Part before{whole.field, whole.first, part.first - whole.first};
  const Part behind{whole.field, part.first + part.count, whole.first + whole.count - part.first - part.count};
  for (const Part& rest : {before, behind})
    if (rest.count > 0) {
      share.held.push_back(rest);
      ++held_parts_;
    }
  share.held_arguments -= arguments_of(part);
  if (seconds > 0 && share.finished_parts++ > 0) { // the first time kernels are built
    const double kept = std::exp2(-seconds / memory_seconds);
    share.arguments = kept * share.arguments + arguments_of(part);
    share.seconds = kept * share.seconds + seconds;
  }
  changed_.notify_all();
}

void Dispatcher::close(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  shares_.at(worker).closed = true;
  changed_.notify_all();
}

std::size_t Dispatcher::drop(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(worker);
  share.lost = true;
  held_parts_ -= share.held.size();
  for (const Part& part : share.held)
    put_back(part);
  share.held.clear();
  share.held_arguments = 0;
  changed_.notify_all();
  return count_working();
}

void Dispatcher::reopen(const std::vector<Part>& parts) {
  const std::lock_guard lock(mutex_);
  for (const Part& part : parts)
    put_back(part);
}

void Dispatcher::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::size_t Dispatcher::count_working() const {
  return static_cast<std::size_t>(
      std::count_if(shares_.begin(), shares_.end(), [](const Share& share) { return !share.lost && !share.closed; }));
}

bool Dispatcher::holds(std::size_t worker) const {
  const std::lock_guard lock(mutex_);
  return !shares_.at(worker).held.empty();
}

std::size_t Dispatcher::working() const {
  const std::lock_guard lock(mutex_);
  return count_working();
}

} // namespace tmd
