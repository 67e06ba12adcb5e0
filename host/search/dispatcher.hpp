// Hands the work of a search out to workers: each takes as much at a time as fits its speed, and what a lost worker
// leaves goes to the others.
#pragma once

#include "engine/engine.hpp"
#include "job/coverage.hpp"
#include "result/part_result.hpp"
#include "tmd/integer.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tmd::searches {

// At any time everything that was added is waiting, held by one worker, or finished: nothing is lost or finished twice.
// All members may be called by several threads at once, but take() of one worker by one. What a call costs hardly grows
// with the number of workers, of which there may be thousands.
class Dispatcher {
public:
  // arguments: that all fields together will have.
  Dispatcher(uint128 arguments, std::size_t workers);

  // A field to be searched, the next in number, but for what is done of its coordinate. Waits while very many wait
  // already. Returns false, adding nothing, after stop().
  bool add(const engine::Field& field, const job::Coverage& done = {});
  // So many of the arguments come in no field.
  void skip(uint128 arguments);
  // No more fields come.
  void complete();

  // What the worker is to do next; it holds it until it is finished. Waits while try_take() has nothing: fields may
  // come, or another worker may be lost. Nothing when all is finished, or after close(), drop() or stop().
  [[nodiscard]] std::optional<result::Part> take(std::size_t worker);

  // The same without waiting. Nothing also while nothing waits, when the others will be through with all that is left
  // sooner than the worker with its part, and while a worker that is slow beside another has enough for a while.
  [[nodiscard]] std::optional<result::Part> try_take(std::size_t worker);

  [[nodiscard]] engine::Field field(std::size_t number) const;

  // The worker keeps only the first `count` of a part that it has just taken.
  void shorten(std::size_t worker, const result::Part& part, uint128 count);

  // The worker has searched what it holds, in so many seconds; 0 says nothing of its speed. fixed_seconds: of these,
  // what a shorter part would have taken as well (PartResult). Throws SoundnessError when the worker does not hold it.
  void finish(std::size_t worker, const result::Part& part, double seconds, double fixed_seconds = 0);

  // The worker wants no more.
  void close(std::size_t worker);

  // What the worker has finished is to be done again, by whoever takes it: these parts, all of them its own.
  void reopen(const std::vector<result::Part>& parts);

  // The worker is lost: others search what it holds. Returns how many workers are left that take work.
  std::size_t drop(std::size_t worker);

  // From now on nobody is given anything.
  void stop();

  // Whether the worker has something that it has not finished.
  [[nodiscard]] bool holds(std::size_t worker) const;

  // The worker's, of late, in arguments a second; 0 where it is not known.
  [[nodiscard]] double rate(std::size_t worker) const;

  // Workers that take work: neither lost nor closed.
  [[nodiscard]] std::size_t working() const;

private:
  struct Share {
    std::vector<result::Part> held;
    double held_arguments = 0;
    bool closed = false;
    bool lost = false;
    std::uint64_t finished_parts = 0;
    double arguments = 0; // of late, in
    double seconds = 0;
    double fixed_seconds = 0;        // of a part, of late
    double last_arguments = 0;       // of what was finished last that took such a time
    std::condition_variable changed; // for its take(); of many that wait only those are woken that get something
    std::size_t waiting = 0;         // threads in take()
    bool was_refused = false;        // has nothing since it asked last: the others cannot count on it

    [[nodiscard]] double rate() const { return seconds > 0 ? arguments / seconds : 0; } // 0: not known
    [[nodiscard]] bool works() const { return !lost && !closed; }
  };

  // With the mutex locked.
  [[nodiscard]] std::optional<result::Part> next(std::size_t worker);
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] uint128 size_for(const Share& share) const;
  [[nodiscard]] bool has_enough(const Share& share) const;
  [[nodiscard]] double arguments_of(const result::Part& part) const;
  void put_back(const result::Part& part);
  void hold(Share& share, double arguments);
  // Something has changed: wakes the one who waits for it, who wakes the next.
  void wake();
  // Changes what the sums below and the order of those that wait depend on; who does not work, will not.
  template <typename Change> void update(std::size_t worker, const Change& change);
  [[nodiscard]] std::pair<double, std::size_t> place_in_line(std::size_t worker) const;

  mutable std::mutex mutex_;
  std::condition_variable room_; // for more fields
  std::deque<engine::Field> fields_;
  std::deque<result::Part> waiting_;
  double waiting_arguments_; // those of fields that are yet to come, too
  double held_arguments_ = 0;
  std::size_t held_parts_ = 0;
  std::vector<Share> shares_;
  std::multiset<double> rates_;                   // of those that work
  double sum_of_rates_ = 0;                       // of those that have not been refused
  std::set<std::pair<double, std::size_t>> line_; // of those that wait, the fastest first
  bool complete_ = false;
  bool stopped_ = false;
};

} // namespace tmd::searches
