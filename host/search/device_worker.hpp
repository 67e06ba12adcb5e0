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

// Whether the device makes the coefficients, if the user leaves that open: GPUs do, and CPUs in searches that are not
// short.
[[nodiscard]] Polynomials choose_polynomials(Polynomials asked, const opencl::DeviceDescription& device,
                                             uint128 arguments);

// Whether a search of so many arguments may end before optimized kernels would have been compiled.
[[nodiscard]] bool is_short(uint128 arguments);

class DeviceWorker : public Worker {
public:
  // engines: those that may serve the algorithm, in the registry's order. host_threads confirm the candidates of one
  // large batch together; planning threads confirm several batches at once.
  DeviceWorker(std::vector<std::unique_ptr<engine::Engine>> engines, Choices choices, device::Costs costs,
               unsigned host_threads, unsigned planning_threads = 1);

  // Opens the same engines on another queue of the device.
  using OpenEngines = std::function<std::vector<std::unique_ptr<engine::Engine>>()>;
  // From now on batches are searched in so many queues at the same time, each with engines and a thread of its own:
  // while one waits for the host, the device runs what the others have launched.
  void search_in_queues(unsigned queues, OpenEngines open);
  // A worker on an OpenCL device with these kinds of engines. Throws DeviceError if the device cannot be opened, and
  // UsageError for an unknown algorithm.
  DeviceWorker(const opencl::DeviceDescription& device, const engine::EngineSettings& settings,
               std::span<const engine::EngineKind* const> kinds = engine::engines());

  // Some threads plan, each a part of its own, as far ahead as the queue has places; as many confirm. With one queue,
  // only the calling thread makes OpenCL calls, because Oclgrind does not support a second.
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
  // Reports to the device's time that this number of threads more plan, or fewer.
  [[nodiscard]] std::unique_ptr<engine::DeviceTime::Planning> plans(int threads) const;
  // Whether queued batches are joined. With one queue it is of no use, for the device waits for the host in any case.
  [[nodiscard]] bool joins() const { return !more_engines_.empty(); }

  std::shared_ptr<engine::Launcher> launcher_;
  std::vector<std::unique_ptr<engine::Engine>> engines_; // those of the planning threads and of the first queue
  OpenEngines open_engines_;
  std::vector<std::vector<std::unique_ptr<engine::Engine>>> more_engines_; // of other queues, once at work
  engine::Stages stages_; // the engines' stages, with nothing counted; empty without an OpenCL device
  Choices choices_;
  device::Costs costs_;
  unsigned host_threads_;
  unsigned planning_threads_;
};

} // namespace tmd::searches
