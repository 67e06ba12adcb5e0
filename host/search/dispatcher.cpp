// How work is shared: fields wait in order; a worker gets its share of what is left by its rate, an average of late.
// Parts become smaller towards the end, so that all workers finish together. One mutex guards all members; a waiting
// worker has a condition variable of its own, so that a change wakes only the one it helps.

#include "search/dispatcher.hpp"

#include "search/worker.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace tmd::searches {

namespace {

constexpr std::size_t most_waiting_fields = 4096;
// Sizes of the largest parts: no plan serves more.
constexpr std::uint64_t most_count = std::uint64_t(1) << 52;          // arguments of a part
constexpr std::uint64_t most_count_of_claim = std::uint64_t(1) << 62; // steps of an engine's own coordinate
// Sizes among several workers: what a worker is given before its rate is known, and the least seconds of work after
// that. If each part costs a fixed time, a part lasts at least a multiple of it.
constexpr std::uint64_t first_part = std::uint64_t(1) << 20;
constexpr double fewest_seconds = 0.02;
constexpr double least_per_fixed = 4;
// A worker that is slower than another by this factor keeps no more than this many seconds of work: its rate may drop
// in the next field, and at the end all would wait for it.
constexpr double much_slower = 4;
constexpr double seconds_ahead = 1;
// Parts a second that the dispatcher and the journal can handle; also in the last seconds.
constexpr double most_parts = 5000;
constexpr double most_last_parts = 50000;
// A rate is an average over about so many seconds.
constexpr double memory_seconds = 2;

} // namespace

Dispatcher::Dispatcher(uint128 arguments, std::size_t workers)
    : waiting_arguments_(static_cast<double>(arguments)), shares_(workers) {
  for (std::size_t worker = 0; worker < workers; ++worker)
    rates_.insert(0);
}

bool Dispatcher::add(const engine::Field& field, const job::Coverage& done) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return stopped_ || waiting_.size() < most_waiting_fields; });
  if (stopped_)
    return false;
  const std::size_t number = fields_.size();
  const job::Coverage rest = done.complement_in(job::Coverage(0, static_cast<int128>(field.extent())));
  fields_.push_back(field);
  for (const auto& [first, last] : rest.intervals())
    waiting_.push_back({number, static_cast<uint128>(first), static_cast<uint128>(last - first)});
  if (!done.empty())
    waiting_arguments_ -= arguments_of({number, 0, done.size()});
  wake();
  return true;
}

void Dispatcher::skip(uint128 arguments) {
  const std::lock_guard lock(mutex_);
  waiting_arguments_ -= static_cast<double>(arguments);
  wake();
}

void Dispatcher::complete() {
  const std::lock_guard lock(mutex_);
  complete_ = true;
  wake();
}

double Dispatcher::arguments_of(const result::Part& part) const {
  const engine::Field& field = fields_[part.field];
  return static_cast<double>(part.count) *
         (static_cast<double>(field.arguments.count) / static_cast<double>(field.extent()));
}

// How many arguments of the first waiting field the worker gets; 0 if it had better wait.
uint128 Dispatcher::size_for(const Share& share) const {
  const result::Part& front = waiting_.front();
  const std::uint64_t limit = fields_[front.field].is_claimed() ? most_count_of_claim : most_count;
  const uint128 most = std::min<uint128>(front.count, limit);
  if (rates_.size() == 1)
    return most;
  const double arguments_per_unit = arguments_of({front.field, 0, 1});
  const auto units = [&](double arguments) {
    const double wanted = std::min(arguments / arguments_per_unit, static_cast<double>(limit));
    return std::min<uint128>(most, std::bit_floor(std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1)));
  };
  const double rate = share.rate();
  if (rate == 0)
    return units(static_cast<double>(first_part));
  const double others_rate = std::max(sum_of_rates_ - (share.was_refused ? 0 : rate), 0.0);
  const double others_held = std::max(held_arguments_ - share.held_arguments, 0.0);
  // Half of its share of what is left, or more if the others hardly help: all finish at about the same time, and the
  // last parts are small.
  const double own_share = rate / (rate + others_rate);
  const double portion = std::max(0.5, own_share * own_share);
  const auto workers = static_cast<double>(rates_.size());
  const double least = std::max({fewest_seconds, least_per_fixed * share.fixed_seconds, workers / most_last_parts});
  // Many plans of a slow worker cost little; waiting for its last part costs much.
  const double worth = share.fixed_seconds * rate / *rates_.rbegin();
  const double greatest = std::max({least, longest_part(worth), workers / most_parts});
  const double seconds = std::clamp(portion * waiting_arguments_ / (rate + others_rate), least, greatest);
  const uint128 size = units(rate * seconds);
  const double own_seconds =
      share.fixed_seconds + (share.held_arguments + static_cast<double>(size) * arguments_per_unit) / rate;
  const double others_seconds = (waiting_arguments_ + others_held) / others_rate;
  // The fastest worker never waits, so that the search goes on.
  return rate < *rates_.rbegin() && own_seconds > others_seconds ? 0 : size;
}

bool Dispatcher::has_enough(const Share& share) const {
  const double rate = share.rate();
  return rate > 0 && much_slower * rate < *rates_.rbegin() && share.held_arguments > seconds_ahead * rate;
}

bool Dispatcher::is_over() const { return stopped_ || (complete_ && waiting_.empty() && held_parts_ == 0); }

void Dispatcher::hold(Share& share, double arguments) {
  share.held_arguments += arguments;
  held_arguments_ += arguments;
}

std::optional<result::Part> Dispatcher::next(std::size_t worker) {
  Share& share = shares_.at(worker);
  if (share.works() && has_enough(share))
    return std::nullopt;
  const uint128 size = waiting_.empty() || is_over() || !share.works() ? 0 : size_for(share);
  if (share.was_refused != (size == 0))
    update(worker, [&](Share& one) { one.was_refused = size == 0; });
  if (size == 0)
    return std::nullopt;
  result::Part& front = waiting_.front();
  const result::Part part{front.field, front.first, size};
  share.held.push_back(part); // before anything else changes: it may find no memory
  front.first += size;
  front.count -= size;
  if (front.count == 0) {
    waiting_.pop_front();
    room_.notify_one();
  }
  waiting_arguments_ -= arguments_of(part);
  hold(share, arguments_of(part));
  ++held_parts_;
  wake();
  return part;
}

std::pair<double, std::size_t> Dispatcher::place_in_line(std::size_t worker) const {
  const double rate = shares_[worker].rate(); // unknown workers come first
  return {rate == 0 ? -std::numeric_limits<double>::infinity() : -rate, worker};
}

void Dispatcher::wake() {
  if (is_over()) {
    for (const auto& [rate, worker] : line_)
      shares_[worker].changed.notify_all();
    room_.notify_all();
  } else if (!waiting_.empty()) {
    const auto first =
        std::find_if(line_.begin(), line_.end(), [this](const auto& place) { return shares_[place.second].works(); });
    // If that worker had better wait, slower ones behind it are not woken either: they ask again at the next change,
    // and the fastest never waits.
    if (first != line_.end() && !has_enough(shares_[first->second]) && size_for(shares_[first->second]) > 0)
      shares_[first->second].changed.notify_one();
  }
}

template <typename Change> void Dispatcher::update(std::size_t worker, const Change& change) {
  Share& share = shares_[worker];
  const auto counted_rate = [&] { return share.was_refused ? 0 : share.rate(); };
  decltype(rates_)::node_type rate; // reuses the nodes: nothing here may find no memory
  decltype(line_)::node_type place;
  if (share.works()) {
    rate = rates_.extract(rates_.find(share.rate()));
    sum_of_rates_ -= counted_rate();
  }
  if (share.waiting > 0)
    place = line_.extract(place_in_line(worker));
  change(share);
  if (share.works()) {
    rate.value() = share.rate();
    rates_.insert(std::move(rate));
    sum_of_rates_ += counted_rate();
  }
  if (share.waiting > 0) {
    place.value() = place_in_line(worker);
    line_.insert(std::move(place));
  }
}

std::optional<result::Part> Dispatcher::take(std::size_t worker) {
  std::unique_lock lock(mutex_);
  Share& share = shares_.at(worker);
  std::optional<result::Part> part;
  while (!(part = next(worker)) && !is_over() && share.works()) {
    if (share.waiting == 0)
      line_.insert(place_in_line(worker));
    ++share.waiting;
    share.changed.wait(lock);
    if (--share.waiting == 0)
      line_.erase(place_in_line(worker));
  }
  return part;
}

std::optional<result::Part> Dispatcher::try_take(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  return next(worker);
}

engine::Field Dispatcher::field(std::size_t number) const {
  const std::lock_guard lock(mutex_);
  return fields_.at(number);
}

void Dispatcher::put_back(const result::Part& part) {
  waiting_.push_front(part);
  waiting_arguments_ += arguments_of(part);
}

void Dispatcher::shorten(std::size_t worker, const result::Part& part, uint128 count) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(worker);
  const auto held = std::find(share.held.begin(), share.held.end(), part);
  if (held == share.held.end() || count >= part.count) // a lost worker holds nothing
    return;
  const result::Part rest{part.field, part.first + count, part.count - count};
  held->count = count;
  hold(share, -arguments_of(rest));
  put_back(rest);
  wake();
}

void Dispatcher::finish(std::size_t worker, const result::Part& part, double seconds, double fixed_seconds) {
  const std::lock_guard lock(mutex_);
  Share& share = shares_.at(worker);
  share.held.reserve(share.held.size() + 1); // one part may leave two
  const auto held = std::find_if(share.held.begin(), share.held.end(), [&](const result::Part& one) {
    return one.field == part.field && one.first <= part.first && part.first + part.count <= one.first + one.count;
  });
  if (held == share.held.end() || part.count == 0)
    throw SoundnessError("a device searched arguments that were not its own");
  const result::Part whole = *held;
  share.held.erase(held);
  --held_parts_;
  const result::Part before{whole.field, whole.first, part.first - whole.first};
  const result::Part behind{whole.field, part.first + part.count, whole.first + whole.count - part.first - part.count};
  for (const result::Part& rest : {before, behind})
    if (rest.count > 0) {
      share.held.push_back(rest);
      ++held_parts_;
    }
  hold(share, -arguments_of(part));
  double said_before = 1; // earlier, shorter parts count less where each took a fixed time
  if (fixed_seconds > 0) {
    share.fixed_seconds = share.fixed_seconds > 0 ? (share.fixed_seconds + fixed_seconds) / 2 : fixed_seconds;
    said_before = std::min(1.0, std::exchange(share.last_arguments, arguments_of(part)) / arguments_of(part));
  }
  if (seconds > 0 && share.finished_parts++ > 0) // not the first time, when kernels are built
    update(worker, [&](Share& one) {
      const double kept = said_before * std::exp2(-seconds / memory_seconds);
      one.arguments = kept * one.arguments + arguments_of(part);
      one.seconds = kept * one.seconds + seconds;
    });
  wake();
}

void Dispatcher::close(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  update(worker, [](Share& share) { share.closed = true; });
  shares_[worker].changed.notify_all();
  wake();
}

std::size_t Dispatcher::drop(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  update(worker, [](Share& share) { share.lost = true; });
  Share& share = shares_[worker];
  held_parts_ -= share.held.size();
  for (const result::Part& part : share.held)
    put_back(part);
  share.held.clear();
  hold(share, -share.held_arguments);
  share.changed.notify_all();
  wake();
  return rates_.size();
}

void Dispatcher::reopen(const std::vector<result::Part>& parts) {
  const std::lock_guard lock(mutex_);
  for (const result::Part& part : parts)
    put_back(part);
  wake();
}

void Dispatcher::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  wake();
}

bool Dispatcher::holds(std::size_t worker) const {
  const std::lock_guard lock(mutex_);
  return !shares_.at(worker).held.empty();
}

double Dispatcher::rate(std::size_t worker) const {
  const std::lock_guard lock(mutex_);
  return shares_.at(worker).rate();
}

std::size_t Dispatcher::working() const {
  const std::lock_guard lock(mutex_);
  return rates_.size();
}

} // namespace tmd::searches
