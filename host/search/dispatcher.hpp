// Hands the work of a search out to workers: each takes as much at a time as fits its speed, and what a lost worker
// leaves goes to the others.
#pragma once

#include "engine/engine.hpp"
#include "job/coverage.hpp"
#include "result/part_result.hpp"
#include "search/worker_shares.hpp"
#include "tmd/integer.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
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

  // The worker keeps only the first `count` arguments of a part that it has taken. It may have finished some of these.
  void shorten(std::size_t worker, const result::Part& part, uint128 count);

  // The worker has searched the part in so many seconds; 0 says nothing of its speed. fixed_seconds: the share of them
  // that a shorter part would have taken as well (PartResult). Throws SoundnessError if the worker does not hold the
  // part.
  void finish(std::size_t worker, const result::Part& part, double seconds, double fixed_seconds = 0);

  // The worker takes no more parts.
  void close(std::size_t worker);

  // These parts, all finished by this worker, are to be searched again by any worker.
  void reopen(const std::vector<result::Part>& parts);

  // The worker is lost: others search what it holds.
  void drop(std::size_t worker);

  // From now on no parts are handed out.
  void stop();

  // Whether the worker holds an unfinished part.
  [[nodiscard]] bool holds(std::size_t worker) const;

  // The worker's recent rate in arguments a second; 0 if not known.
  [[nodiscard]] double rate(std::size_t worker) const;

  // Number of workers that take parts.
  [[nodiscard]] std::size_t working() const;

private:
  // Requires the locked mutex.
  [[nodiscard]] std::optional<result::Part> next(std::size_t worker);
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] uint128 size_for(const WorkerShare& share) const;
  [[nodiscard]] double arguments_of(const result::Part& part) const;
  void put_back(const result::Part& part);
  // Wakes the worker that gains most by a change, which wakes the next.
  void wake();

  mutable std::mutex mutex_;
  std::condition_variable room_; // notified when there is room for more fields
  std::deque<engine::Field> fields_;
  std::deque<result::Part> waiting_;
  double waiting_arguments_; // arguments that wait, including those of fields still to come
  std::size_t held_parts_ = 0;
  WorkerShares workers_;
  bool complete_ = false;
  bool stopped_ = false;
};

} // namespace tmd::searches
