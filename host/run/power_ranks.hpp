// A search of pairs by boxes over MPI: rank 0 gives units of lines to the other ranks, one for each request, and keeps
// what they find as if a device here had found it.
//
//   rank 0                              another rank
//   open    request                -->
//                                  <--  opened  host, kernels, job, devices, without   or  refused
//                                  <--  take                      one of its threads wants a unit
//   unit    first, last, boxes     -->
//   done                           -->                            there is none
//                                  <--  result  part, hard        a part's record (pairs/power_journal.hpp); bits of
//                                  cases
//   stop                           -->                            no more units, and no more results
//                                  <--  closed  interrupted   or  lost  device, kind, sentence
#pragma once

#include "pairs/power_journal.hpp"
#include "run/power_run.hpp"
#include "run/ranks.hpp"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tmd::run {

// The units that are left, for threads and ranks that take them.
class PowerUnits {
public:
  explicit PowerUnits(std::vector<pairs::PowerUnit> units) : left_(units.rbegin(), units.rend()) {}

  [[nodiscard]] std::optional<pairs::PowerUnit> next();
  void give_back(const pairs::PowerUnit& unit);
  [[nodiscard]] bool empty() const;

private:
  mutable std::mutex mutex_;
  std::vector<pairs::PowerUnit> left_; // the next one last
};

// The other ranks, for rank 0.
class PowerRanks {
public:
  // Asks them to open their devices. The ranks must outlive it.
  PowerRanks(Ranks& ranks, const PowerRequest& request, std::string kernels);
  PowerRanks(const PowerRanks&) = delete;
  PowerRanks& operator=(const PowerRanks&) = delete;
  ~PowerRanks();

  // Waits until they have opened them; returns a sentence for each rank without a device. Throws DeviceError if a rank
  // refuses, or has another program or kernels, and Interrupted.
  [[nodiscard]] std::vector<std::string> wait_until_opened(const engine::Interrupt& interrupted);
  [[nodiscard]] const std::vector<result::DeviceUse>& devices() const { return devices_; }

  struct Hooks {
    std::function<void(pairs::PowerPart)> searched; // its device is a number of devices()
    std::function<void(int rank, std::size_t devices, const std::string& why)> failed;
    std::function<void(std::size_t device)> faulty; // nothing counts that this device has found
  };
  // Answers their requests from now on. Units and hooks must outlive the ranks' work, or this object.
  void begin(PowerUnits& units, Hooks hooks);
  // Whether a rank has failed in a way that ends the search.
  [[nodiscard]] bool have_failed() const;
  // Waits until no rank works any more; units of a rank that failed are given back. Returns false after an interrupt
  // here or there. Throws the failure that ended the search.
  [[nodiscard]] bool finish(const engine::Interrupt& interrupted);
  // The failure of the last rank whose devices failed, if there is one.
  [[nodiscard]] std::exception_ptr lost() const;

private:
  struct Rank {
    bool has_opened = false;
    bool has_closed = false;
    std::size_t first_device = 0;
    std::size_t devices = 0;
    std::size_t waiting = 0; // requests for units that came before begin()
    std::string without;
    std::vector<result::DeviceUse> uses;
    std::vector<pairs::PowerUnit> units; // that it has
  };

  void receive(int from, const result::Json& message);
  void open(int from, Rank& rank, const result::Json& message);
  void answer(int to, Rank& rank);
  void take_result(Rank& rank, const result::Json& message);
  void lose(int from, Rank& rank, const result::Json& message);
  template <typename Done> void wait_for(const Done& done, const engine::Interrupt& interrupted, bool ends);

  Ranks& ranks_;
  const pairs::PairJob job_;
  const pairs::PowerLines lines_;
  const std::string kernels_;
  std::vector<result::DeviceUse> devices_;
  mutable std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::vector<Rank> others_; // by rank; the first is unused
  PowerUnits* units_ = nullptr;
  Hooks hooks_;
  bool stops_ = false; // no more units are given
  bool was_interrupted_ = false;
  std::exception_ptr failure_;
  std::exception_ptr lost_;
};

// Serves rank 0 in a search of pairs by boxes: opens this rank's share of the devices and searches what rank 0 gives.
void serve_powers(const result::Json& order, cluster::Mailbox& mailbox, const Place& place,
                  const RemarkHandler& on_remark, const engine::Interrupt& interrupted);

} // namespace tmd::run
