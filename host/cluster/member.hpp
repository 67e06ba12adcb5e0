// The other ranks of a search on many machines: their devices take parts from rank 0 and send it their results.
#pragma once

#include "cluster/messages.hpp"
#include "cluster/transport.hpp"
#include "engine/engine.hpp"
#include "job/job.hpp"
#include "result/run_description.hpp"
#include "search/worker.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::cluster {

// Results go to rank 0 at this interval, or when a part ends. More messages would keep it busy; results that are not
// yet sent are lost with the rank.
inline constexpr double result_seconds = 0.25;

// The devices that a rank has opened for a search, or why it has none.
struct OpenedSearch {
  result::OwnedJob owned;                                 // the job as the rank understands it
  std::string kernels;                                    // digest of the kernels
  std::vector<std::unique_ptr<searches::Worker>> workers; // empty if the rank has no usable device
  std::vector<result::DeviceUse> uses;                    // the workers' devices
  std::string without;                                    // why there are no workers
  // Called when the search has ended: returns how the kernels used each CPU. Throws DeviceError if the kernel files
  // have changed.
  std::function<std::vector<std::optional<engine::CpuModes>>()> finish;
};

// Opens the devices that rank 0 asks for, with the job as rank 0 understands it. Exceptions are thrown again on rank 0.
using OpenSearch = std::function<OpenedSearch(const result::OwnedJob& job, const result::Json& request)>;

// A rank's messages of a search of another kind, whose units rank 0 gives it one by one (run/power_ranks.hpp).
class Mailbox {
public:
  Mailbox(std::size_t search, std::function<void(std::string)> send) : search_(search), send_(std::move(send)) {}

  // Sends a record of this type to rank 0.
  void send(std::string_view type, result::Json record);
  // Waits for the next message; nothing once results are no longer wanted.
  [[nodiscard]] std::optional<result::Json> next();
  [[nodiscard]] bool has_stopped() const { return stopped_; }

  // For the messenger's thread.
  void receive(const result::Json& record);
  void stop();

private:
  const std::size_t search_;
  const std::function<void(std::string)> send_;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::deque<result::Json> waiting_;
};

// Opens the devices for a search of another kind and searches what rank 0 gives, until it gives no more. Exceptions are
// thrown again on rank 0.
using ServeOther = std::function<void(const result::Json& request, Mailbox& mailbox)>;

// Serves rank 0 until it ends the program. A search also stops when `interrupted` returns true. Throws DeviceError if
// rank 0 sends a message that this program does not know.
void serve(Transport& transport, const std::string& version, const OpenSearch& open,
           const engine::Interrupt& interrupted, const ServeOther& serve_other = {});

} // namespace tmd::cluster
