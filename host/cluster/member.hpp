// The other ranks of a search on many machines: their devices take parts from rank 0 and send it their results.
#pragma once

#include "cluster/messages.hpp"
#include "cluster/transport.hpp"
#include "engine/engine.hpp"
#include "job/job.hpp"
#include "result/run_description.hpp"
#include "search/worker.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
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

// Serves rank 0 until it ends the program. A search also stops when `interrupted` returns true. Throws DeviceError if
// rank 0 sends a message that this program does not know.
void serve(Transport& transport, const std::string& version, const OpenSearch& open,
           const engine::Interrupt& interrupted);

} // namespace tmd::cluster
