// Fields wait in order; how much of the first a worker gets is decided in worker_shares.cpp. One mutex guards all
// members; a waiting worker has a condition variable of its own, so that a change wakes only the one it helps.
#include "search/dispatcher.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

namespace tmd::searches {

namespace {

constexpr std::size_t most_waiting_fields = 4096;
constexpr std::uint64_t most_count = std::uint64_t(1) << 52; // arguments of a part: no plan serves more

} // namespace

Dispatcher::Dispatcher(uint128 arguments, std::size_t workers)
    : waiting_arguments_(static_cast<double>(arguments)), workers_(workers) {}

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

uint128 Dispatcher::size_for(const WorkerShare& share) const {
  const result::Part& front = waiting_.front();
  const engine::Claim* const claim = fields_[front.field].claim();
  const std::uint64_t limit = claim != nullptr ? claim->longest_part : most_count;
  return workers_.size_for(share, {front.count, limit, arguments_of({front.field, 0, 1}), waiting_arguments_});
}

bool Dispatcher::is_over() const { return stopped_ || (complete_ && waiting_.empty() && held_parts_ == 0); }

std::optional<result::Part> Dispatcher::next(std::size_t worker) {
  WorkerShare& share = workers_.at(worker);
  if (share.works() && workers_.has_enough(share))
    return std::nullopt;
  const uint128 size = waiting_.empty() || is_over() || !share.works() ? 0 : size_for(share);
  if (share.was_refused != (size == 0))
    workers_.update(worker, [&](WorkerShare& one) { one.was_refused = size == 0; });
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
  workers_.hold(share, arguments_of(part));
  ++held_parts_;
  wake();
  return part;
}

void Dispatcher::wake() {
  if (is_over()) {
    workers_.wake_all();
    room_.notify_all();
  } else if (WorkerShare* first = waiting_.empty() ? nullptr : workers_.first_in_line()) {
    // If that worker had better wait, slower ones behind it are not woken either: they ask again at the next change,
    // and the fastest never waits.
    if (!workers_.has_enough(*first) && size_for(*first) > 0)
      first->changed.notify_one();
  }
}

std::optional<result::Part> Dispatcher::take(std::size_t worker) {
  std::unique_lock lock(mutex_);
  WorkerShare& share = workers_.at(worker);
  std::optional<result::Part> part;
  while (!(part = next(worker)) && !is_over() && share.works()) {
    workers_.enter_line(worker);
    share.changed.wait(lock);
    workers_.leave_line(worker);
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
  if (count >= part.count)
    return;
  const result::Part rest{part.field, part.first + count, part.count - count};
  WorkerShare& share = workers_.at(worker);
  // The piece that ends with the rest: what lies before may have been finished by now.
  const auto held = std::find_if(share.held.begin(), share.held.end(), [&](const result::Part& one) {
    return one.field == rest.field && one.first <= rest.first && one.first + one.count == rest.first + rest.count;
  });
  if (held == share.held.end()) // a lost worker holds nothing
    return;
  held->count -= rest.count;
  if (held->count == 0) {
    share.held.erase(held);
    --held_parts_;
  }
  workers_.hold(share, -arguments_of(rest));
  put_back(rest);
  wake();
}

void Dispatcher::finish(std::size_t worker, const result::Part& part, double seconds, double fixed_seconds) {
  const std::lock_guard lock(mutex_);
  WorkerShare& share = workers_.at(worker);
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
  workers_.hold(share, -arguments_of(part));
  workers_.observe(worker, arguments_of(part), seconds, fixed_seconds);
  wake();
}

void Dispatcher::close(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  workers_.update(worker, [](WorkerShare& share) { share.closed = true; });
  workers_.at(worker).changed.notify_all();
  wake();
}

void Dispatcher::drop(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  workers_.update(worker, [](WorkerShare& share) { share.lost = true; });
  WorkerShare& share = workers_.at(worker);
  held_parts_ -= share.held.size();
  for (const result::Part& part : share.held)
    put_back(part);
  share.held.clear();
  workers_.hold(share, -share.held_arguments);
  share.changed.notify_all();
  wake();
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
  return !workers_.at(worker).held.empty();
}

double Dispatcher::rate(std::size_t worker) const {
  const std::lock_guard lock(mutex_);
  return workers_.at(worker).rate();
}

std::size_t Dispatcher::working() const {
  const std::lock_guard lock(mutex_);
  return workers_.working();
}

} // namespace tmd::searches
