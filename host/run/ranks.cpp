// A rank's share of devices depends only on its number on its machine, so that ranks need not exchange anything.
#include "run/ranks.hpp"

#include "request/spec_json.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace tmd::run {

namespace {

// `job` is the job that rank 0 searches: a shard, if the request is for one.
request::SearchRequest read_request(const result::Json& record, const job::Job& job) {
  request::SearchRequest request = request::resolve(request::spec_of_json(record));
  request::set_part(request, job.first, job.last);
  return request;
}

} // namespace

std::vector<DeviceChoice> share_of(SearchSpec spec, const Place& place, const RemarkHandler& on_remark) {
  if (spec.devices.empty()) {
    opencl::apply_cpu_mode(request::cpu_mode_of(spec));
    std::vector<std::string> left_out;
    std::vector<std::string> found;
    for (const opencl::DeviceDescription& device : opencl::all_devices(opencl::list_devices(), left_out))
      if (!device.is_cpu)
        found.push_back(std::to_string(device.index));
    spec.devices = found;
  }
  const std::vector<DeviceChoice> all = choose_devices(spec, on_remark);
  const auto rank = static_cast<std::size_t>(place.local_rank);
  const auto ranks = static_cast<std::size_t>(place.local_ranks);
  std::vector<DeviceChoice> share;
  for (std::size_t i = rank % std::min(ranks, all.size()); i < all.size(); i += ranks)
    share.push_back(all[i]);
  return share;
}

result::Json request_record(SearchSpec spec) {
  spec.cpu_mode = request::cpu_mode_of(spec); // as rank 0 has it
  return request::to_json(spec);
}

RankDevices open_rank_devices(const request::SearchRequest& request, const Place& place,
                              const RemarkHandler& on_remark) {
  RankDevices devices;
  devices.kernels = opencl::use_kernels(request.spec.foreign_kernels);
  try {
    devices.choices = share_of(request.spec, place, on_remark);
    devices.open = open_devices(request, devices.choices, on_remark, place.local_ranks);
  } catch (const DeviceError& error) {
    devices.without = error.what();
  }
  for (result::DeviceUse& use : devices.open.uses) {
    use.rank = place.rank;
    use.device.host = place.host;
  }
  return devices;
}

cluster::OpenedSearch open_for_leader(const result::OwnedJob& job, const result::Json& record, const Place& place,
                                      const RemarkHandler& on_remark) {
  const request::SearchRequest request = read_request(record, job.job);
  auto devices = std::make_shared<RankDevices>(open_rank_devices(request, place, on_remark));
  cluster::OpenedSearch opened{{request.function, request.job},
                               devices->kernels.digest,
                               std::move(devices->open.workers),
                               devices->open.uses,
                               devices->without,
                               {}};
  opened.finish = [devices, mode = request::cpu_mode_of(request.spec)] {
    std::vector<std::optional<engine::CpuModes>> modes;
    for (const searches::DeviceWorker* device : devices->open.devices)
      modes.push_back(modes_of(*device, mode, devices->kernels));
    return modes;
  };
  return opened;
}

} // namespace tmd::run
