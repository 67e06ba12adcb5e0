// A worker gets its share of what is left by its rate, an average of late. Parts become smaller towards the end, so
// that all workers finish together.
#include "search/worker_shares.hpp"

#include "search/worker.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tmd::searches {

namespace {

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

WorkerShares::WorkerShares(std::size_t workers) : shares_(workers) {
  for (std::size_t worker = 0; worker < workers; ++worker)
    rates_.insert(0);
}

uint128 WorkerShares::size_for(const WorkerShare& share, const Waiting& waiting) const {
  const uint128 most = std::min<uint128>(waiting.count, waiting.limit);
  if (rates_.size() == 1)
    return most;
  const auto units = [&](double arguments) {
    const double wanted = std::min(arguments / waiting.arguments_per_unit, static_cast<double>(waiting.limit));
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
  const double seconds = std::clamp(portion * waiting.arguments / (rate + others_rate), least, greatest);
  const uint128 size = units(rate * seconds);
  const double own_seconds =
      share.fixed_seconds + (share.held_arguments + static_cast<double>(size) * waiting.arguments_per_unit) / rate;
  const double others_seconds = (waiting.arguments + others_held) / others_rate;
  // The fastest worker never waits, so that the search goes on.
  return rate < *rates_.rbegin() && own_seconds > others_seconds ? 0 : size;
}

bool WorkerShares::has_enough(const WorkerShare& share) const {
  const double rate = share.rate();
  return rate > 0 && much_slower * rate < *rates_.rbegin() && share.held_arguments > seconds_ahead * rate;
}

void WorkerShares::hold(WorkerShare& share, double arguments) {
  share.held_arguments += arguments;
  held_arguments_ += arguments;
}

void WorkerShares::observe(std::size_t worker, double searched, double seconds, double fixed_seconds) {
  WorkerShare& share = shares_.at(worker);
  double said_before = 1; // earlier, shorter parts count less where each took a fixed time
  if (fixed_seconds > 0) {
    share.fixed_seconds = share.fixed_seconds > 0 ? (share.fixed_seconds + fixed_seconds) / 2 : fixed_seconds;
    said_before = std::min(1.0, std::exchange(share.last_arguments, searched) / searched);
  }
  if (seconds > 0 && share.finished_parts++ > 0) // not the first time, when kernels are built
    update(worker, [&](WorkerShare& one) {
      const double kept = said_before * std::exp2(-seconds / memory_seconds);
      one.arguments = kept * one.arguments + searched;
      one.seconds = kept * one.seconds + seconds;
    });
}

std::pair<double, std::size_t> WorkerShares::place_in_line(std::size_t worker) const {
  const double rate = shares_[worker].rate(); // unknown workers come first
  return {rate == 0 ? -std::numeric_limits<double>::infinity() : -rate, worker};
}

void WorkerShares::enter_line(std::size_t worker) {
  if (shares_[worker].waiting == 0)
    line_.insert(place_in_line(worker));
  ++shares_[worker].waiting;
}

void WorkerShares::leave_line(std::size_t worker) {
  if (--shares_[worker].waiting == 0)
    line_.erase(place_in_line(worker));
}

WorkerShare* WorkerShares::first_in_line() {
  const auto first =
      std::find_if(line_.begin(), line_.end(), [this](const auto& place) { return shares_[place.second].works(); });
  return first != line_.end() ? &shares_[first->second] : nullptr;
}

void WorkerShares::wake_all() {
  for (const auto& [rate, worker] : line_)
    shares_[worker].changed.notify_all();
}

} // namespace tmd::searches
