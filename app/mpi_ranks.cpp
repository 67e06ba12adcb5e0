#include "mpi_ranks.hpp"

#include "interrupt.hpp"
#include "search_request.hpp"

#include "cluster/member.hpp"
#include "cluster/mpi.hpp"

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

RankRequest read_rank_request(const Json& record, const Job& job) {
  const Arguments words = record.at("arguments");
  cxxopts::Options known = make_search_options();
  RankRequest request{words, parse_search_request(parse(known, "search", words), words, &job).options, std::nullopt};
  SearchOptions& options = request.options;
  options.devices = record.at("devices").get<std::vector<std::string>>();
  options.cpu_mode = static_cast<opencl::CpuMode>(record.at("cpu_mode").get<int>());
  options.tunables = record.at("tunables").get<std::vector<std::pair<std::string, std::string>>>();
  options.foreign_kernels = record.at("foreign_kernels");
  options.choices.algorithm = record.at("algorithm");
  const auto number = [&](const char* key) {
    return record.at(key).is_null() ? std::nullopt : std::optional(record.at(key).get<int>());
  };
  options.choices.domain_bits = number("domain_bits");
  options.choices.split_bits = number("split_bits");
  request.threads = number("threads");
  return request;
}

// A rank's devices for what rank 0 searches.
cluster::OpenedSearch open_search(const OwnedJob& job, const Json& record, const Place& place) {
  const RankRequest request = read_rank_request(record, job.job);
  auto devices = std::make_shared<RankDevices>(open_rank_devices(request, place));
  cluster::OpenedSearch opened{{request.options.function, request.options.job},
                               devices->kernels.digest,
                               std::move(devices->open.workers),
                               devices->open.uses,
                               devices->without,
                               {}};
  opened.finish = [devices, mode = request.options.cpu_mode] {
    std::vector<std::optional<CpuModes>> modes;
    for (const DeviceWorker* device : devices->open.devices)
      modes.push_back(modes_of(*device, mode, devices->kernels));
    return modes;
  };
  return opened;
}

// Whether nothing was said of devices.
bool is_default(const SearchOptions& options) { return options.devices.size() == 1 && options.devices.front().empty(); }

std::vector<DeviceChoice> share_of(SearchOptions options, const Place& place) {
  if (is_default(options)) {
    opencl::apply_cpu_mode(options.cpu_mode);
    std::vector<std::string> left_out;
    std::vector<std::string> found;
    for (const opencl::DeviceDescription& device : opencl::all_devices(opencl::list_devices(), left_out))
      if (!device.is_cpu)
        found.push_back(std::to_string(device.index));
    if (!found.empty())
      options.devices = found;
  }
  const std::vector<DeviceChoice> all = choose_devices(options);
  const auto rank = static_cast<std::size_t>(place.local_rank);
  const auto ranks = static_cast<std::size_t>(place.local_ranks);
  std::vector<DeviceChoice> share;
  for (std::size_t i = rank % std::min(ranks, all.size()); i < all.size(); i += ranks)
    share.push_back(all[i]);
  return share;
}

} // namespace

void add_mpi_option(cxxopts::Options& options) {
  options.add_options()("mpi", "share the work with the other ranks that mpirun or srun has started");
}

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

Json to_record(const RankRequest& request) {
  const SearchOptions& options = request.options;
  const auto number = [](const std::optional<int>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"arguments", request.arguments},
          {"devices", options.devices},
          {"cpu_mode", static_cast<int>(options.cpu_mode)},
          {"tunables", options.tunables},
          {"foreign_kernels", options.foreign_kernels},
          {"algorithm", options.choices.algorithm},
          {"domain_bits", number(options.choices.domain_bits)},
          {"split_bits", number(options.choices.split_bits)},
          {"threads", number(request.threads)}};
}

RankDevices open_rank_devices(const RankRequest& request, const Place& place) {
  RankDevices devices;
  devices.kernels = opencl::use_kernels(request.options.foreign_kernels);
  try {
    devices.choices = share_of(request.options, place);
    devices.open = open_devices(request.options, devices.choices, request.threads, place.local_ranks);
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
