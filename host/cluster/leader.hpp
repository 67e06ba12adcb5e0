// Rank 0 of a search on many machines: the devices of the other ranks as its workers.
#pragma once

#include "cluster/messages.hpp"
#include "cluster/messenger.hpp"
#include "cluster/transport.hpp"
#include "engine/engine.hpp"
#include "job/job.hpp"
#include "result/run_description.hpp"
#include "search/worker.hpp"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tmd::cluster {

// What ranks must have in common.
struct Program {
  std::string version;
  std::string kernels; // their digest
};

// Devices of other ranks, in the order of the ranks.
struct RemoteDevices {
  std::vector<std::unique_ptr<searches::Worker>> workers; // none outlives the Leader
  std::vector<result::DeviceUse> uses;
  std::vector<std::string> without; // of each rank that has no device: a sentence
};

class Leader {
public:
  // interrupted: asked now and then where something is waited for.
  Leader(Transport& transport, engine::Interrupt interrupted);
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;
  // Tells the others to end, and waits until they have.
  ~Leader();

  // The other ranks open their devices for a search, which the request tells them (member.hpp). Does not wait.
  void open(const Program& program, const job::Job& job, const result::Json& request);
  // Waits until they have. Throws DeviceError where a rank has another program or understands another job, what a rank
  // has refused the request with, and Interrupted.
  [[nodiscard]] RemoteDevices opened();
  // The search has ended and its workers with it: what the kernels got of each CPU, in the workers' order. Throws
  // DeviceError where a rank has used other kernels, and Interrupted.
  [[nodiscard]] std::vector<std::optional<engine::CpuModes>> close();

private:
  struct Link;
  class RemoteWorker;

  // What another rank has answered.
  struct Rank {
    bool answered = false;
    std::vector<result::DeviceUse> uses;
    std::string without;
    std::exception_ptr failure;
    std::vector<std::optional<engine::CpuModes>> modes;
    std::vector<std::shared_ptr<Link>> links; // by device
  };

  // In the messenger's thread.
  void received(const Message& message);
  void handle(int from, const Received& message);
  void look_for_interrupts();

  // Waits until all ranks have answered, and throws what one of them has failed with.
  void wait_for_answers(std::unique_lock<std::mutex>& lock);
  void send(int to, const result::Json& record);
  void send_to_all(const result::Json& record);

  const engine::Interrupt interrupted_;
  const int rank_count_;
  std::mutex mutex_; // of what follows
  std::condition_variable changed_;
  std::size_t search_ = 0;
  std::string kernels_;
  std::string job_; // its identity
  bool stopped_ = false;
  int gone_ = 0;             // other ranks that send nothing any more
  std::vector<Rank> others_; // by rank; the first is unused
  std::exception_ptr failure_;
  Names names_;
  std::optional<Messenger> messenger_; // the last member: its thread uses the others
};

} // namespace tmd::cluster
