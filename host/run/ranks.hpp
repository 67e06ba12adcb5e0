// The devices of the ranks of an MPI job: each opens its share of its machine's devices.
#pragma once

#include "run/open_devices.hpp"

#include "cluster/leader.hpp"
#include "cluster/member.hpp"
#include "request/resolve.hpp"
#include "result/records.hpp"

#include <string>
#include <vector>

namespace tmd::run {

// This process's number among several that share machines.
struct Place {
  int rank = 0;
  std::string host;
  int local_rank = 0; // number among those on this machine
  int local_ranks = 1;
};

// The other ranks, as rank 0 sees them.
struct Ranks {
  Place here;
  cluster::Leader& leader;
};

// The record of a request that other ranks get, beside the job.
[[nodiscard]] result::Json request_record(SearchSpec spec);

// A rank's devices, opened for a search.
struct RankDevices {
  opencl::KernelUse kernels;
  std::vector<DeviceChoice> choices;
  OpenDevices open;
  std::string without; // why there are none
};

// The ranks on a machine share the devices that --device names there, by their numbers: every device has a rank, if
// there are as many, and every rank a device. Without --device they are all GPUs and accelerators, or else the first
// device. Throws DeviceError for foreign kernels that are not allowed.
[[nodiscard]] RankDevices open_rank_devices(const request::SearchRequest& request, const Place& place,
                                            const RemarkHandler& on_remark);

// The devices among them that are this place's, chosen alike. Throws what choose_devices() throws.
[[nodiscard]] std::vector<DeviceChoice> share_of(SearchSpec spec, const Place& place, const RemarkHandler& on_remark);

// Opens another rank's devices for a search of rank 0, from the job and its request_record().
[[nodiscard]] cluster::OpenedSearch open_for_leader(const result::OwnedJob& job, const result::Json& record,
                                                    const Place& place, const RemarkHandler& on_remark);

} // namespace tmd::run
