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
// All members may be called by several threads at once, except take() for the same worker. A call's cost hardly grows
// with the number of workers, of which there may be thousands.
class Dispatcher {
public:
  // arguments: the total of all fields to come.
  Dispatcher(uint128 arguments, std::size_t workers);

  // Adds the next field, without what is `done` of its coordinate. Waits while very many fields are queued. Returns
  // false, adding nothing, after stop().
  bool add(const engine::Field& field, const job::Coverage& done = {});
  // These arguments come in no field.
  void skip(uint128 arguments);
  // No more fields come.
  void complete();

  // The worker's next part, which it holds until finish(). Waits while try_take() has nothing, for fields may come, or
  // another worker may be lost. Nothing when all is finished, or after close(), drop() or stop().
  [[nodiscard]] std::optional<result::Part> take(std::size_t worker);

  // Does so without waiting. Returns nothing if the queue is empty, if the other workers would finish the rest before
  // this one finished its share, or if a slow worker holds enough already.
  [[nodiscard]] std::optional<result::Part> try_take(std::size_t worker);

  [[nodiscard]] engine::Field field(std::size_t number) const;

  // The worker keeps only the first `count` arguments of a part that it has just taken.
  void shorten(std::size_t worker, const result::Part& part, uint128 count);

  // The worker has searched the part in so many seconds; 0 says nothing of its speed. fixed_seconds: the share of them
  // that a shorter part would have taken as well (PartResult). Throws SoundnessError if the worker does not hold the
  // part.
  void finish(std::size_t worker, const result::Part& part, double seconds, double fixed_seconds = 0);

  // The worker takes no more parts.
  void close(std::size_t worker);

  // These parts, all finished by this worker, are to be searched again by any worker.
  void reopen(const std::vector<result::Part>& parts);

  // The worker is lost: others search what it holds. Returns the number of workers that still take parts.
  std::size_t drop(std::size_t worker);

  // From now on no parts are handed out.
  void stop();

  // Whether the worker holds an unfinished part.
  [[nodiscard]] bool holds(std::size_t worker) const;

  // The worker's recent rate in arguments a second; 0 if not known.
  [[nodiscard]] double rate(std::size_t worker) const;

  // Number of workers that take parts: neither lost nor closed.
  [[nodiscard]] std::size_t working() const;

private:
  struct Share {
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

  // Requires the locked mutex.
  [[nodiscard]] std::optional<result::Part> next(std::size_t worker);
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] uint128 size_for(const Share& share) const;
  [[nodiscard]] bool has_enough(const Share& share) const;
  [[nodiscard]] double arguments_of(const result::Part& part) const;
  void put_back(const result::Part& part);
  void hold(Share& share, double arguments);
  // Wakes the worker that gains most by a change, which wakes the next.
  void wake();
  // Changes members of a worker's share, and keeps the sums and orders below up to date. Workers that take no parts are
  // not in them.
  template <typename Change> void update(std::size_t worker, const Change& change);
  [[nodiscard]] std::pair<double, std::size_t> place_in_line(std::size_t worker) const;

  mutable std::mutex mutex_;
  std::condition_variable room_; // notified when there is room for more fields
  std::deque<engine::Field> fields_;
  std::deque<result::Part> waiting_;
  double waiting_arguments_; // arguments that wait, including those of fields still to come
  double held_arguments_ = 0;
  std::size_t held_parts_ = 0;
  std::vector<Share> shares_;
  std::multiset<double> rates_;                   // of workers that take parts
  double sum_of_rates_ = 0;                       // of workers that were not refused
  std::set<std::pair<double, std::size_t>> line_; // waiting workers by rate, the fastest first
  bool complete_ = false;
  bool stopped_ = false;
};

} // namespace tmd::searches
