// --mpi: one search on many machines.
#pragma once

#include "commands.hpp"
#include "open_devices.hpp"

#include "cluster/leader.hpp"
#include "request/resolve.hpp"
#include "result/records.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tmd::app {

// Which of several processes this is that share machines.
struct Place {
  int rank = 0;
  std::string host;
  int local_rank = 0; // among those on this machine
  int local_ranks = 1;
};

// As rank 0 sees them.
struct Ranks {
  Place here;
  cluster::Leader& leader;
};

// Runs a command: with the ranks of an MPI job where it is given --mpi, else with null. All ranks but the first run
// nothing of it: they serve that one, and say nothing. Throws UsageError where this program is built without MPI.
int with_ranks(const Arguments& arguments, const std::function<int(Ranks*)>& command);

// What the ranks are sent of a request, beside the job.
[[nodiscard]] Json request_record(SearchSpec spec);

// A rank's devices, opened for a search.
struct RankDevices {
  opencl::KernelUse kernels;
  std::vector<DeviceChoice> choices;
  OpenDevices open;
  std::string without; // why there are none
};

// Of the devices that --device names on this machine each rank has its share, by its number among the ranks there:
// every device has a rank, where there are as many, and every rank a device. Without --device they are all GPUs and
// accelerators, or else the first device. Throws DeviceError for foreign kernels that are not wanted.
[[nodiscard]] RankDevices open_rank_devices(const SearchRequest& request, const Place& place);

} // namespace tmd::app
