// A device gets its profile's tunables and costs, then the values of --set.
#include "run/device_choice.hpp"

#include "engine/domains/tunables.hpp"
#include "engine/registry.hpp"
#include "opencl/cpu_mode.hpp"
#include "search/device_worker.hpp"
#include "support/installed_files.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/format.h>

namespace tmd::run {

namespace {

constexpr std::string_view every_device = "all";

DeviceChoice choice_of(const opencl::DeviceDescription& device, const SearchSpec& spec,
                       const device::ProfileStore& profiles, const opencl::KernelUse& kernels) {
  DeviceChoice choice;
  choice.cpu_mode = request::cpu_mode_of(spec);
  choice.device = device;
  choice.kernels = kernels;
  const device::ProfileChoice profile = spec.profile ? profiles.choose_file(*spec.profile, device, choice.cpu_mode)
                                                     : profiles.choose(device, choice.cpu_mode);
  choice.tunables = profile.tunables;
  if (!engine::domains::comes_in_vectors(spec.choices.algorithm))
    choice.tunables = engine::domains::without_vectors(choice.tunables);
  for (const auto& [name, value] : spec.tunables)
    engine::engine_tuning().set(choice.tunables, name, value);
  engine::engine_tuning().require_possible(device, choice.tunables);
  const bool as_measured = choice.tunables[engine::domains::domain_tunable("phase1.vector-width")] ==
                           profile.tunables[engine::domains::domain_tunable("phase1.vector-width")];
  choice.costs = as_measured ? profile.costs : engine::engine_tuning().default_costs(device, choice.tunables);
  choice.profile = profile.why;
  return choice;
}

} // namespace

device::ProfileStore installed_profiles(const RemarkHandler& on_remark) {
  return {{support::user_profile_folder().value_or(std::filesystem::path()), support::shipped_profile_folder()},
          engine::engine_tuning(),
          [&](const std::string& sentence) { on_remark(Remark::warning, sentence); }};
}

std::vector<DeviceChoice> choose_devices(const SearchSpec& spec, const RemarkHandler& on_remark) {
  const opencl::KernelUse kernels = opencl::use_kernels(spec.foreign_kernels);
  opencl::apply_cpu_mode(request::cpu_mode_of(spec));
  const auto present = opencl::list_devices();
  const device::ProfileStore profiles = installed_profiles(on_remark);
  std::vector<DeviceChoice> choices;
  if (spec.devices == std::vector<std::string>{std::string(every_device)}) {
    std::vector<std::string> left_out;
    for (const opencl::DeviceDescription& device : opencl::all_devices(present, left_out))
      choices.push_back(choice_of(device, spec, profiles, kernels));
    for (const std::string& sentence : left_out)
      on_remark(Remark::note, sentence);
    return choices;
  }
  for (const std::string& selector : spec.devices.empty() ? std::vector<std::string>{""} : spec.devices) {
    const opencl::DeviceDescription& device = opencl::select_device(present, selector);
    for (const DeviceChoice& other : choices)
      if (other.device.index == device.index)
        throw UsageError(fmt::format("--device names device {} ({}) twice", device.index, device.name));
    choices.push_back(choice_of(device, spec, profiles, kernels));
  }
  return choices;
}

DeviceChoice choose_device(const SearchSpec& spec, const RemarkHandler& on_remark) {
  if (spec.devices.size() > 1 || (!spec.devices.empty() && spec.devices.front() == every_device))
    throw UsageError("this command uses one device: give --device once, and not as 'all'");
  return choose_devices(spec, on_remark).front();
}

SearchSpec again_by(const searches::AuditWay& way, SearchSpec spec) {
  spec.choices.algorithm = way.algorithm;
  spec.tunables.insert(spec.tunables.end(), way.tunables.begin(), way.tunables.end());
  return spec;
}

engine::EngineSettings engine_settings(const request::SearchRequest& request, const DeviceChoice& choice,
                                       RemarkHandler on_remark, unsigned host_threads) {
  engine::EngineSettings settings{request.spec.choices, choice.tunables, choice.costs, host_threads};
  settings.choices.polynomials =
      searches::choose_polynomials(request.spec.choices.polynomials, choice.device, request.job.size());
  settings.choices.on_gpu = choice.device.is_gpu;
  settings.choices.is_short = searches::is_short(request.job.size());
  settings.warn = [on_remark = std::move(on_remark),
                   is_told = std::make_shared<std::once_flag>()](const std::string& sentence) {
    std::call_once(*is_told, [&] { on_remark(Remark::warning, sentence); });
  };
  return settings;
}

} // namespace tmd::run
