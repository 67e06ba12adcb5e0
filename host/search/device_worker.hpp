// A device as a worker: its engines, with threads that plan ahead of it and threads that confirm what it finds.
#pragma once

#include "engine/engine.hpp"
#include "engine/launcher.hpp"
#include "engine/registry.hpp"
#include "search/worker.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tmd::searches {

// Whether the device makes the coefficients, when that is left to us: GPUs do, and CPUs in searches that are not short.
[[nodiscard]] Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device,
                                             uint128 arguments);

// Whether a search of so many arguments may be through before kernels would have been compiled well.
[[nodiscard]] bool is_short(uint128 arguments);

class DeviceWorker : public Worker {
public:
  // engines: those that may serve the algorithm, in the registry's order. Host threads confirm the candidates of a
  // batch that has very many, planning threads confirm batches beside each other.
  DeviceWorker(std::vector<std::unique_ptr<engine::Engine>> engines, Choices choices, device::Costs costs,
               unsigned host_threads, unsigned planning_threads = 1);

  // The same engines once more, on another queue of the device.
  using OpenEngines = std::function<std::vector<std::unique_ptr<engine::Engine>>()>;
  // From now on batches are searched in so many queues beside each other, each with engines and a thread of its own:
  // while one waits for the host, the device is at what the others have launched.
  void search_in_queues(unsigned queues, OpenEngines open);
  // On an OpenCL device, with these kinds of engines. Throws DeviceError when the device cannot be opened, UsageError
  // for an unknown algorithm.
  DeviceWorker(const opencl::DeviceDescription& device, const engine::EngineSettings& settings,
               std::span<const engine::EngineKind* const> kinds = engine::engines());

  // Threads plan and make batches, each of a part of its own, as far as the device may soon want them; as many confirm
  // what is found. Where there is one queue, the caller's alone has to do with the device: Oclgrind stands no OpenCL in
  // a second thread.
  void work(const job::Job& job, PartExchange& exchange) override;

  // Null where there is no OpenCL device behind it.
  [[nodiscard]] const engine::Launcher* launcher() const { return launcher_.get(); }

private:
  struct Work;
  class Planning;
  class Confirming;
  class Run;

  // Null where there is no OpenCL device.
  [[nodiscard]] engine::DeviceTime* device_time() const;
  // Tells the device's time that so many threads more plan, or fewer.
  [[nodiscard]] std::unique_ptr<engine::DeviceTime::Planning> plans(int threads) const;
  // Whether work that waits goes together, where it can. One queue needs that not: it waits for the host in any case.
  [[nodiscard]] bool joins() const { return !more_engines_.empty(); }

  std::shared_ptr<engine::Launcher> launcher_;
  std::vector<std::unique_ptr<engine::Engine>> engines_; // those that plan, and search in the first queue
  OpenEngines open_engines_;
  std::vector<std::vector<std::unique_ptr<engine::Engine>>> more_engines_; // of the other queues, once they have work
  engine::Stages stages_; // of the kinds of engines, with nothing counted; none where there is no OpenCL device
  Choices choices_;
  device::Costs costs_;
  unsigned host_threads_;
  unsigned planning_threads_;
};

} // namespace tmd::searches
