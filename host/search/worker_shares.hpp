// The workers of a dispatcher: what each holds, how fast it is, and which of them is to be woken first.
#pragma once

#include "result/part_result.hpp"
#include "tmd/integer.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tmd::searches {

// What a worker holds, and how fast it is.
struct WorkerShare {
  std::vector<result::Part> held;
  double held_arguments = 0;
  bool closed = false;
  bool lost = false;
  std::uint64_t finished_parts = 0;
  double arguments = 0; // recently searched, in `seconds`
  double seconds = 0;
  double fixed_seconds = 0;        // recent fixed time of a part
  double last_arguments = 0;       // of the last finished part with a fixed time
  std::condition_variable changed; // wakes take() of this worker alone
  std::size_t waiting = 0;         // threads in take()
  bool was_refused = false;        // its last call got nothing: the others cannot count on it

  [[nodiscard]] double rate() const { return seconds > 0 ? arguments / seconds : 0; } // 0 if not known
  [[nodiscard]] bool works() const { return !lost && !closed; }
};

// All shares, with the sums and orders that decide what a worker gets. Not for several threads at once: the
// dispatcher's mutex guards it.
class WorkerShares {
public:
  explicit WorkerShares(std::size_t workers);

  [[nodiscard]] WorkerShare& at(std::size_t worker) { return shares_.at(worker); }
  [[nodiscard]] const WorkerShare& at(std::size_t worker) const { return shares_.at(worker); }
  // Number of workers that take parts: neither lost nor closed.
  [[nodiscard]] std::size_t working() const { return rates_.size(); }

  // The first part that waits, and how much waits in all.
  struct Waiting {
    uint128 count;
    std::uint64_t limit; // most units of a part
    double arguments_per_unit;
    double arguments; // of all that wait
  };
  // How many units of that part the worker gets; 0 if it had better wait.
  [[nodiscard]] uint128 size_for(const WorkerShare& share, const Waiting& waiting) const;
  // Whether it is slow, and holds enough already.
  [[nodiscard]] bool has_enough(const WorkerShare& share) const;

  // The worker holds so many arguments more.
  void hold(WorkerShare& share, double arguments);
  // The worker has searched so many arguments (Dispatcher::finish).
  void observe(std::size_t worker, double searched, double seconds, double fixed_seconds);
  // Changes members of a worker's share, and keeps the sums and orders up to date. Workers that take no parts are not
  // in them.
  template <typename Change> void update(std::size_t worker, const Change& change);

  // A thread of the worker begins to wait, or has waited.
  void enter_line(std::size_t worker);
  void leave_line(std::size_t worker);
  // The fastest worker that waits and takes parts; null if there is none.
  [[nodiscard]] WorkerShare* first_in_line();
  void wake_all();

private:
  [[nodiscard]] std::pair<double, std::size_t> place_in_line(std::size_t worker) const;

  std::vector<WorkerShare> shares_;
  double held_arguments_ = 0;
  std::multiset<double> rates_;                   // of workers that take parts
  double sum_of_rates_ = 0;                       // of workers that were not refused
  std::set<std::pair<double, std::size_t>> line_; // waiting workers by rate, the fastest first
};

template <typename Change> void WorkerShares::update(std::size_t worker, const Change& change) {
  WorkerShare& share = shares_[worker];
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

} // namespace tmd::searches
