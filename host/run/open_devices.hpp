// Opens the devices of a search as its workers.
#pragma once

#include "run/device_choice.hpp"

#include "result/run_description.hpp"
#include "search/device_worker.hpp"
#include "search/worker.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::run {

// The devices of a search that could be opened.
struct OpenDevices {
  std::vector<std::unique_ptr<searches::Worker>> workers;
  std::vector<const searches::DeviceWorker*> devices; // the workers again, as device workers
  std::vector<result::DeviceUse> uses;
};

// A warning names each device that cannot be opened, if others can. --host-threads is the total for all devices; by
// default the devices share the cores with other processes like this one, but a single thread makes the polynomials of
// a CPU. Throws DeviceError if none can be opened.
[[nodiscard]] OpenDevices open_devices(const request::SearchRequest& request, const std::vector<DeviceChoice>& choices,
                                       const RemarkHandler& on_remark, int processes = 1);

// When a search has ended: how the kernels used a CPU. Throws DeviceError if the kernels are not these: the files were
// read once to identify them, and once by each device.
[[nodiscard]] std::optional<engine::CpuModes> modes_of(const searches::DeviceWorker& device, CpuMode asked,
                                                       const opencl::KernelUse& kernels);

// The warning that one device among several is lost, and why.
void tell_lost(const RemarkHandler& on_remark, const std::string& place, const std::string& why);

} // namespace tmd::run
