// Devices become workers, and share the host's threads.
#include "run/open_devices.hpp"

#include "opencl/builders.hpp"
#include "opencl/compute.hpp"
#include "support/installed_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <string_view>
#include <thread>

#include <fmt/format.h>

namespace tmd::run {

namespace {

// A device's share of the host's threads: of the number asked for, or of the cores. With a CPU as device all cores are
// busy.
unsigned threads_for(const opencl::DeviceDescription& device, const std::vector<DeviceChoice>& choices,
                     std::optional<int> asked, int processes) {
  if (device.is_cpu && !asked)
    return 1;
  const auto sharing = std::count_if(choices.begin(), choices.end(),
                                     [&](const DeviceChoice& choice) { return asked || !choice.device.is_cpu; });
  const unsigned threads =
      asked ? static_cast<unsigned>(*asked) : std::thread::hardware_concurrency() / static_cast<unsigned>(processes);
  return std::max(1U, threads / static_cast<unsigned>(sharing));
}

// A device's share of the cores for planning, enough to keep a fast device busy. Planning threads sleep while the
// device is behind, so a CPU, whose cores do both, has them, too.
unsigned planning_threads(const std::vector<DeviceChoice>& choices, std::optional<int> asked, int processes) {
  constexpr unsigned most = 16;
  const unsigned threads = asked ? static_cast<unsigned>(*asked) : std::thread::hardware_concurrency();
  return std::clamp(threads / static_cast<unsigned>(choices.size() * static_cast<std::size_t>(processes)), 1U, most);
}

// The number of processes that build programs beside this one. Few are best, for a driver makes contexts one after the
// other. Short searches end before they would help, and a CPU is busy otherwise. TMD_BUILDERS overrides it.
unsigned builders_for(const opencl::DeviceDescription& device, const Choices& choices, int processes) {
  constexpr unsigned most = 4;
  if (const char* const named = std::getenv("TMD_BUILDERS"); named != nullptr && *named != '\0') {
    const std::string_view text = named;
    unsigned asked = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), asked);
    if (error != std::errc() || end != text.data() + text.size() || asked > 64)
      throw UsageError(fmt::format("TMD_BUILDERS is '{}', but must be a number of processes up to 64", text));
    return asked;
  }
  const unsigned cores = std::thread::hardware_concurrency() / static_cast<unsigned>(processes);
  return device.is_gpu && !choices.is_short ? std::clamp(cores / 4, 1U, most) : 0;
}

// Devices of one model share the processes and the programs that these have built.
class SharedBuilders {
public:
  std::shared_ptr<opencl::Builders> of(const opencl::DeviceDescription& device, const Choices& choices, int processes) {
    const unsigned count = builders_for(device, choices, processes);
    const auto program = support::own_program();
    if (count == 0 || !program)
      return nullptr;
    auto& known = known_[fmt::format("{}\n{}\n{}", device.platform, device.driver_version, device.name)];
    if (!known)
      known = std::make_shared<opencl::Builders>(
          program->string(), std::vector<std::string>{"build-programs", std::to_string(device.index)}, count);
    return known;
  }

private:
  std::map<std::string, std::shared_ptr<opencl::Builders>> known_;
};

} // namespace

std::optional<engine::CpuModes> modes_of(const searches::DeviceWorker& device, CpuMode asked,
                                         const opencl::KernelUse& kernels) {
  const engine::Launcher& launcher = *device.launcher();
  if (const std::string built = launcher.compute().kernel_digest().value_or(kernels.digest); built != kernels.digest)
    throw DeviceError(fmt::format("the kernel files changed while the search began: it should use {}, but has used {}",
                                  kernels.digest, built));
  return engine::cpu_modes(asked, launcher);
}

void tell_lost(const RemarkHandler& on_remark, const std::string& place, const std::string& why) {
  on_remark(Remark::warning, fmt::format("{} is lost, the others do its work: {}", place, why));
}

OpenDevices open_devices(const request::SearchRequest& request, const std::vector<DeviceChoice>& choices,
                         const RemarkHandler& on_remark, int processes) {
  const std::optional<int> threads = request.spec.host_threads;
  OpenDevices open;
  std::string failure;
  SharedBuilders builders;
  for (const DeviceChoice& choice : choices) {
    try {
      engine::EngineSettings settings =
          engine_settings(request, choice, on_remark, threads_for(choice.device, choices, threads, processes));
      settings.planning_threads = planning_threads(choices, threads, processes);
      opencl::DeviceDescription device = choice.device;
      device.builders = builders.of(device, settings.choices, processes);
      auto worker = std::make_unique<searches::DeviceWorker>(device, settings);
      open.devices.push_back(worker.get());
      open.workers.push_back(std::move(worker));
      open.uses.push_back(
          {choice.device, choice.tunables, choice.profile, std::string(to_string(settings.choices.polynomials)), {}});
    } catch (const DeviceError& error) {
      failure = error.what();
      if (choices.size() > 1)
        tell_lost(on_remark, result::DeviceUse{choice.device, {}, {}, {}, {}, {}}.place(), failure);
    }
  }
  if (open.workers.empty())
    throw DeviceError(failure);
  return open;
}

} // namespace tmd::run
