#include "search/dispatcher.hpp"

#include "error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tmd {

namespace {

// No planner makes a longer interval (plan.hpp).
constexpr std::uint64_t most_arguments = std::uint64_t(1) << 48; // what one plan may serve
// Among several devices: what a device is given before its speed is known, and for how long it is given work after
// that.
constexpr std::uint64_t first_arguments = std::uint64_t(1) << 20;
constexpr double most_seconds = 0.5;
constexpr double fewest_seconds = 0.02;
// A rate is that of about so many seconds.
constexpr double memory_seconds = 2;

} // namespace

Dispatcher::Dispatcher(const std::vector<uint128>& pieces, std::size_t devices) : shares_(devices) {
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    if (pieces[piece] == 0)
      continue;
    waiting_.push_back({piece, 0, pieces[piece]});
    waiting_count_ += pieces[piece];
  }
  unfinished_ = waiting_count_;
}

// How many of the first waiting arguments the device is to have; 0 when it had better wait.
uint128 Dispatcher::size_for(const Share& share) const {
  const uint128 most = std::min<uint128>(waiting_.front().count, most_arguments);
  if (count_working() == 1)
    return most;
  const double rate = share.rate();
  if (rate == 0)
    return std::min<uint128>(most, first_arguments);
  double others_rate = 0;
  double best_rate = rate;
  uint128 others_held = 0;
  for (const Share& other : shares_)
    if (&other != &share && !other.lost) {
      others_rate += other.rate();
      best_rate = std::max(best_rate, other.rate());
      others_held += other.held_count;
    }
  const auto waiting = static_cast<double>(waiting_count_);
  // Half of its share of what is left: all come to the end together, the last parts are small.
  const double seconds = std::clamp(waiting / (rate + others_rate) / 2, fewest_seconds, most_seconds);
  const double wanted = std::min(rate * seconds, static_cast<double>(most_arguments));
  const uint128 size =
      std::min<uint128>(most, std::bit_floor(std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1)));
  // The fastest device never waits, so that somebody goes on.
  const bool too_slow = rate<best_rate&& static_cast<double>(share.held_count + size) / rate>(
                            waiting + static_cast<double>(others_held)) /
                        others_rate;
  return too_slow ? 0 : size;
}

std::optional<Part> Dispatcher::next(Share& share) {
  const uint128 size = waiting_.empty() || is_over(share) ? 0 : size_for(share);
  if (size == 0)
    return std::nullopt;
  Part& front = waiting_.front();
  const Part part{front.piece, front.first, size};
  front.first += size;
  front.count -= size;
  if (front.count == 0)
    waiting_.pop_front();
  waiting_count_ -= size;
  share.held.push_back(part);
  share.held_count += size;
  return part;
}

std::optional<Part> Dispatcher::take(std::size_t device) {
  std::unique_lock lock(mutex_);
  Share& share = shares_.at(device);
  std::optional<Part> part;
  changed_.wait(lock, [&] { return (part = next(share)) || is_over(share); });
  return part;
}

std::optional<Part> Dispatcher::try_take(std::size_t device) {
  const std::lock_guard lock(mutex_);
  return next(shares_.at(device));
}

void Dispatcher::put_back(const Part& part) {
  waiting_.push_front(part);
  waiting_count_ += part.count;
  changed_.notify_all();
}

void Dispatcher::shorten(std::size_t device, const Part& part, uint128 count) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(device);
  const auto held = std::find(share.held.begin(), share.held.end(), part);
  if (held == share.held.end() || count >= part.count) // a lost device holds nothing
    return;
  held->count = count;
  share.held_count -= part.count - count;
  put_back({part.piece, part.first + count, part.count - count});
}

void Dispatcher::finish(std::size_t device, const Part& part, double seconds) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(device);
  const auto held = std::find_if(share.held.begin(), share.held.end(), [&](const Part& one) {
    return one.piece == part.piece && one.first <= part.first && part.first + part.count <= one.first + one.count;
  });
  if (held == share.held.end() || part.count == 0)
    throw SoundnessError("a device searched arguments that were not its own");
  const Part whole = *held;
  share.held.erase(held);
  const Part before{whole.piece, whole.first, part.first - whole.first};
  const Part behind{whole.piece, part.first + part.count, whole.first + whole.count - part.first - part.count};
  for (const Part& rest : {before, behind})
    if (rest.count > 0)
      share.held.push_back(rest);
  share.held_count -= part.count;
  unfinished_ -= part.count;
  if (share.finished_parts++ > 0) { // the first time kernels are built
    const double kept = std::exp2(-seconds / memory_seconds);
    share.arguments = kept * share.arguments + static_cast<double>(part.count);
    share.seconds = kept * share.seconds + seconds;
  }
  changed_.notify_all();
}

std::size_t Dispatcher::drop(std::size_t device) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(device);
  share.lost = true;
  for (const Part& part : share.held)
    put_back(part);
  share.held.clear();
  share.held_count = 0;
  changed_.notify_all();
  return count_working();
}

void Dispatcher::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::size_t Dispatcher::count_working() const {
  return static_cast<std::size_t>(
      std::count_if(shares_.begin(), shares_.end(), [](const Share& share) { return !share.lost; }));
}

std::size_t Dispatcher::working() const {
  const std::lock_guard lock(mutex_);
  return count_working();
}

} // namespace tmd
