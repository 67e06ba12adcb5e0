#include "open_devices.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// A device's share of the host's threads: of those asked for, or of the cores. A CPU's own are busy.
unsigned threads_for(const opencl::DeviceDescription& device, const std::vector<DeviceChoice>& choices,
                     std::optional<int> asked) {
  if (device.is_cpu && !asked)
    return 1;
  const auto sharing = std::count_if(choices.begin(), choices.end(),
                                     [&](const DeviceChoice& choice) { return asked || !choice.device.is_cpu; });
  const unsigned threads = asked ? static_cast<unsigned>(*asked) : std::thread::hardware_concurrency();
  return std::max(1U, threads / static_cast<unsigned>(sharing));
}

} // namespace

void print_lost(const opencl::DeviceDescription& device, const std::string& sentence) {
  fmt::print(stderr, "tmd: warning: device {} is lost, the others do its work: {}\n", device.index, sentence);
}

OpenDevices open_devices(const SearchOptions& options, const std::vector<DeviceChoice>& choices,
                         std::optional<int> threads) {
  OpenDevices open;
  std::string failure;
  for (const DeviceChoice& choice : choices) {
    try {
      const EngineSettings settings = engine_settings(options, choice, threads_for(choice.device, choices, threads));
      auto worker = std::make_unique<DeviceWorker>(choice.device, settings);
      open.devices.push_back(worker.get());
      open.workers.push_back(std::move(worker));
      open.uses.push_back(
          {choice.device, choice.tunables, choice.profile, std::string(to_string(settings.choices.polynomials)), {}});
    } catch (const DeviceError& error) {
      failure = error.what();
      if (choices.size() > 1)
        print_lost(choice.device, failure);
    }
  }
  if (open.workers.empty())
    throw DeviceError(failure);
  return open;
}

} // namespace tmd::app
