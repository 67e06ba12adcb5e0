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
// What is handed out at a time: no plan serves more.
constexpr std::uint64_t most_count = std::uint64_t(1) << 52;          // arguments of a part
constexpr std::uint64_t most_count_of_claim = std::uint64_t(1) << 62; // of a coordinate of an engine's own
// Among several workers: what a worker is given before its speed is known, and for how long it is given work at least
// after that. Where each part costs a fixed time, no less than a multiple of that.
constexpr std::uint64_t first_part = std::uint64_t(1) << 20;
constexpr double fewest_seconds = 0.02;
constexpr double least_per_fixed = 4;
// A worker that is slower than another by so much plans ahead for no longer than that: its speed may be another in what
// comes next, and at the end everybody would wait for it.
constexpr double much_slower = 4;
constexpr double seconds_ahead = 1;
// Parts a second that whoever hands them out and writes down what comes back is to have, and in the last seconds.
constexpr double most_parts = 5000;
constexpr double most_last_parts = 50000;
// A rate is that of about so many seconds.
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

// How much of what waits first the worker is to have; 0 when it had better wait.
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
  // Half of its share of what is left, or more where the others hardly help: all come to the end together, the last
  // parts are small.
  const double own_share = rate / (rate + others_rate);
  const double portion = std::max(0.5, own_share * own_share);
  const auto workers = static_cast<double>(rates_.size());
  const double least = std::max({fewest_seconds, least_per_fixed * share.fixed_seconds, workers / most_last_parts});
  // Little is lost where a slow one makes many plans, and much where all wait for its last part.
  const double worth = share.fixed_seconds * rate / *rates_.rbegin();
  const double greatest = std::max({least, longest_part(worth), workers / most_parts});
  const double seconds = std::clamp(portion * waiting_arguments_ / (rate + others_rate), least, greatest);
  const uint128 size = units(rate * seconds);
  const double own_seconds =
      share.fixed_seconds + (share.held_arguments + static_cast<double>(size) * arguments_per_unit) / rate;
  const double others_seconds = (waiting_arguments_ + others_held) / others_rate;
  // The fastest worker never waits, so that somebody goes on.
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
  share.held.push_back(part); // first what may find no memory
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
  const double rate = shares_[worker].rate(); // who is not known yet comes first
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
    // Where that one had better wait, those behind it, which are slower, are not woken either: they ask again at the
    // next change, and the fastest never waits.
    if (first != line_.end() && !has_enough(shares_[first->second]) && size_for(shares_[first->second]) > 0)
      shares_[first->second].changed.notify_one();
  }
}

template <typename Change> void Dispatcher::update(std::size_t worker, const Change& change) {
  Share& share = shares_[worker];
  const auto counted_rate = [&] { return share.was_refused ? 0 : share.rate(); };
  decltype(rates_)::node_type rate; // the same nodes again: nothing here may find no memory
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
  share.held.reserve(share.held.size() + 1); // two parts may be left of one
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
  double said_before = 1; // what shorter parts say counts less where each took a fixed time
  if (fixed_seconds > 0) {
    share.fixed_seconds = share.fixed_seconds > 0 ? (share.fixed_seconds + fixed_seconds) / 2 : fixed_seconds;
    said_before = std::min(1.0, std::exchange(share.last_arguments, arguments_of(part)) / arguments_of(part));
  }
  if (seconds > 0 && share.finished_parts++ > 0) // the first time kernels are built
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
