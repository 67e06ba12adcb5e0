// Hands the arguments of a search out to devices: each takes as much at a time as fits its speed, and what a lost
// device leaves goes to the others.
#pragma once

#include "number/integer.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace tmd {

// The arguments first … first + count − 1 of a piece.
struct Part {
  std::size_t piece = 0;
  uint128 first = 0;
  uint128 count = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

// At any time every argument is waiting, held by one device, or finished: none is lost or finished twice. All members
// may be called by several threads at once.
class Dispatcher {
public:
  // pieces: how many arguments each has.
  Dispatcher(const std::vector<uint128>& pieces, std::size_t devices);

  // Arguments for the device to search next; it holds them until they are finished. Waits while try_take() has nothing:
  // another device may yet be lost. Nothing when all is finished, the device is lost, or stop() was called.
  [[nodiscard]] std::optional<Part> take(std::size_t device);

  // The same without waiting. Nothing also while no arguments wait, and when the others will be through with all that
  // is left sooner than the device with its part.
  [[nodiscard]] std::optional<Part> try_take(std::size_t device);

  // The device keeps only the first `count` arguments of a part that it has just taken.
  void shorten(std::size_t device, const Part& part, uint128 count);

  // The device has searched arguments that it holds, at a rate of so many in so many seconds. Throws SoundnessError
  // when it does not hold them.
  void finish(std::size_t device, const Part& part, double seconds);

  // The device is lost: others search what it holds. Returns how many devices are left.
  std::size_t drop(std::size_t device);

  // From now on nobody is given anything.
  void stop();

  // Devices that are not lost.
  [[nodiscard]] std::size_t working() const;

private:
  struct Share {
    std::vector<Part> held;
    uint128 held_count = 0; // arguments
    bool lost = false;
    std::uint64_t finished_parts = 0;
    double arguments = 0; // of late, in
    double seconds = 0;

    [[nodiscard]] double rate() const { return seconds > 0 ? arguments / seconds : 0; } // 0: not known
  };

  // With the mutex locked.
  [[nodiscard]] std::optional<Part> next(Share& share);
  [[nodiscard]] bool is_over(const Share& share) const { return stopped_ || share.lost || unfinished_ == 0; }
  [[nodiscard]] std::size_t count_working() const;
  [[nodiscard]] uint128 size_for(const Share& share) const;
  void put_back(const Part& part);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Part> waiting_;
  uint128 waiting_count_ = 0; // arguments
  uint128 unfinished_ = 0;    // waiting or held
  std::vector<Share> shares_;
  bool stopped_ = false;
};

} // namespace tmd
