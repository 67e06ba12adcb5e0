// The devices of the ranks of an MPI job: each opens its share of those of its machine.
#pragma once

#include "run/open_devices.hpp"

#include "cluster/leader.hpp"
#include "cluster/member.hpp"
#include "request/resolve.hpp"
#include "result/records.hpp"

#include <string>
#include <vector>

namespace tmd::run {

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

// What the ranks are sent of a request, beside the job.
[[nodiscard]] result::Json request_record(SearchSpec spec);

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
[[nodiscard]] RankDevices open_rank_devices(const request::SearchRequest& request, const Place& place,
                                            const Tell& tell);

// Another rank's devices for what rank 0 searches: the job, and its request_record().
[[nodiscard]] cluster::OpenedSearch open_for_leader(const result::OwnedJob& job, const result::Json& record,
                                                    const Place& place, const Tell& tell);

} // namespace tmd::run
