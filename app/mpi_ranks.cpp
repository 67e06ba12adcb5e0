#include "mpi_ranks.hpp"

#include "interrupt.hpp"

#include "cluster/member.hpp"
#include "cluster/mpi.hpp"
#include "request/spec_json.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// MPI warns of handlers that it finds.
std::unique_ptr<cluster::Transport> begin_mpi() {
  leave_crashes();
  auto transport = cluster::begin_mpi();
  end_at_interrupts();
  return transport;
}

// `job` is what rank 0 searches: of a request for a part, the part.
SearchRequest read_request(const Json& record, const Job& job) {
  SearchRequest request = resolve(spec_of_json(record));
  set_part(request, job.first, job.last);
  return request;
}

// A rank's devices for what rank 0 searches.
cluster::OpenedSearch open_search(const OwnedJob& job, const Json& record, const Place& place) {
  const SearchRequest request = read_request(record, job.job);
  auto devices = std::make_shared<RankDevices>(open_rank_devices(request, place));
  cluster::OpenedSearch opened{{request.function, request.job},
                               devices->kernels.digest,
                               std::move(devices->open.workers),
                               devices->open.uses,
                               devices->without,
                               {}};
  opened.finish = [devices, mode = cpu_mode_of(request.spec)] {
    std::vector<std::optional<CpuModes>> modes;
    for (const DeviceWorker* device : devices->open.devices)
      modes.push_back(modes_of(*device, mode, devices->kernels));
    return modes;
  };
  return opened;
}

std::vector<DeviceChoice> share_of(SearchSpec spec, const Place& place) {
  if (spec.devices.empty()) {
    opencl::apply_cpu_mode(cpu_mode_of(spec));
    std::vector<std::string> left_out;
    std::vector<std::string> found;
    for (const opencl::DeviceDescription& device : opencl::all_devices(opencl::list_devices(), left_out))
      if (!device.is_cpu)
        found.push_back(std::to_string(device.index));
    spec.devices = found;
  }
  const std::vector<DeviceChoice> all = choose_devices(spec);
  const auto rank = static_cast<std::size_t>(place.local_rank);
  const auto ranks = static_cast<std::size_t>(place.local_ranks);
  std::vector<DeviceChoice> share;
  for (std::size_t i = rank % std::min(ranks, all.size()); i < all.size(); i += ranks)
    share.push_back(all[i]);
  return share;
}

} // namespace

int with_ranks(const Arguments& arguments, const std::function<int(Ranks*)>& command) {
  if (std::find(arguments.begin(), arguments.end(), "--mpi") == arguments.end())
    return command(nullptr);
  const std::unique_ptr<cluster::Transport> transport = begin_mpi();
  const Place place{transport->rank(), transport->host(), transport->local_rank(), transport->local_ranks()};
  if (place.rank == 0) {
    cluster::Leader leader(*transport, interrupted);
    Ranks ranks{place, leader};
    return command(&ranks);
  }
  catch_interrupts(); // rank 0 says what there is to be said
  interrupt_is_told();
  try {
    cluster::serve(
        *transport, version_text(),
        [&](const OwnedJob& job, const Json& request) { return open_search(job, request, place); }, interrupted);
  } catch (const std::exception& error) { // the others would wait for this one
    const Failure failure = failure_of(error);
    fmt::print(stderr, "tmd: rank {} ({}): {}\n", place.rank, place.host, failure.sentence);
    transport->abort(static_cast<int>(failure.status));
  }
  return static_cast<int>(Status::done);
}

Json request_record(SearchSpec spec) {
  spec.cpu_mode = cpu_mode_of(spec); // of rank 0
  return to_json(spec);
}

RankDevices open_rank_devices(const SearchRequest& request, const Place& place) {
  RankDevices devices;
  devices.kernels = opencl::use_kernels(request.spec.foreign_kernels);
  try {
    devices.choices = share_of(request.spec, place);
    devices.open = open_devices(request, devices.choices, place.local_ranks);
  } catch (const DeviceError& error) {
    devices.without = error.what();
  }
  for (DeviceUse& use : devices.open.uses) {
    use.rank = place.rank;
    use.device.host = place.host;
  }
  return devices;
}

} // namespace tmd::app
