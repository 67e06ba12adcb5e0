// The other ranks of a search on many machines: their devices take parts from rank 0, and what they find goes there.
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

// Results go to rank 0 so often, or where a part ends: what it is told often keeps it busy, what it is not told is lost
// with the rank.
inline constexpr double result_seconds = 0.25;

// What a rank has opened for a search.
struct OpenedSearch {
  result::OwnedJob owned;                                 // as the rank understands it
  std::string kernels;                                    // their digest
  std::vector<std::unique_ptr<searches::Worker>> workers; // none where the rank has no device that can be used
  std::vector<result::DeviceUse> uses;                    // of the workers
  std::string without;                                    // why there are none
  // When the search has ended: what the kernels got of each CPU. Throws DeviceError where they were others.
  std::function<std::vector<std::optional<engine::CpuModes>>()> finish;
};

// Opens what rank 0 asks for, with the job as rank 0 understands it. What it throws is thrown on rank 0.
using OpenSearch = std::function<OpenedSearch(const result::OwnedJob& job, const result::Json& request)>;

// Serves rank 0 until that says that it is the end. A search stops when `interrupted` says so, too. Throws DeviceError
// where rank 0 sends what no rank of this program sends.
void serve(Transport& transport, const std::string& version, const OpenSearch& open,
           const engine::Interrupt& interrupted);

} // namespace tmd::cluster
