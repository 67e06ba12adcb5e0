// Rank 0 of a search on many machines: the devices of the other ranks become its workers.
#pragma once

#include "cluster/messages.hpp"
#include "cluster/messenger.hpp"
#include "cluster/transport.hpp"
#include "engine/engine.hpp"
#include "job/job.hpp"
#include "result/run_description.hpp"
#include "search/worker.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::cluster {

// Identification of the program, the same on all ranks.
struct Program {
  std::string version;
  std::string kernels; // digest of the kernels
};

// Devices of other ranks, in the order of the ranks.
struct RemoteDevices {
  std::vector<std::unique_ptr<searches::Worker>> workers; // must not outlive the Leader
  std::vector<result::DeviceUse> uses;
  std::vector<std::string> without; // for each rank without a device, a sentence that says why
};

class Leader {
public:
  // interrupted: called now and then while waiting.
  Leader(Transport& transport, engine::Interrupt interrupted);
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;
  // Tells the other ranks to end, and waits until they have.
  ~Leader();

  // Asks the other ranks to open their devices for a search; the request describes it (member.hpp). Does not wait.
  void open(const Program& program, const job::Job& job, const result::Json& request);
  // Waits until they have opened them. Throws DeviceError if a rank has another program, understands another job or
  // refuses the request, and Interrupted.
  [[nodiscard]] RemoteDevices opened();
  // The search and its workers have ended: returns how the kernels used each CPU, in the workers' order. Throws
  // DeviceError if a rank has used other kernels, and Interrupted.
  [[nodiscard]] std::vector<std::optional<engine::CpuModes>> close();

  // Asks the other ranks to open a search of another kind. From then on `receive` gets all messages of theirs that
  // belong to it, in the messenger's thread, until forget(). What it throws ends up as failure().
  using Receive = std::function<void(int from, const result::Json& message)>;
  void open_other(std::string_view kind, const std::string& version, const result::Json& request, Receive receive);
  // After this, `receive` is not called any more.
  void forget();
  // Sends a record of this type, of the search, to another rank; or `stop` to all others.
  void send(int to, std::string_view type, result::Json record);
  void send_stop();
  [[nodiscard]] int ranks() const { return rank_count_; }
  [[nodiscard]] const engine::Interrupt& interrupted() const { return interrupted_; }
  // The first failure of the messages themselves.
  [[nodiscard]] std::exception_ptr failure();

private:
  struct Link;
  class RemoteWorker;

  // The answers of another rank.
  struct Rank {
    bool answered = false;
    std::vector<result::DeviceUse> uses;
    std::string without;
    std::exception_ptr failure;
    std::vector<std::optional<engine::CpuModes>> modes;
    std::vector<std::shared_ptr<Link>> links; // indexed by device
  };

  // Called by the messenger's thread.
  void received(const Message& message);
  void handle(int from, const Received& message);
  void look_for_interrupts();

  // Waits until all ranks have answered, and throws the first failure among their answers.
  void wait_for_answers(std::unique_lock<std::mutex>& lock);
  void send(int to, const result::Json& record);
  void send_to_all(const result::Json& record);

  const engine::Interrupt interrupted_;
  const int rank_count_;
  std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::atomic<std::size_t> search_ = 0;
  std::string kernels_;
  std::string job_; // the job's identity
  bool stopped_ = false;
  int gone_ = 0;             // number of other ranks that send nothing any more
  std::vector<Rank> others_; // indexed by rank; the first is unused
  std::exception_ptr failure_;
  Names names_;
  std::mutex receiving_; // held while receive_ is called
  Receive receive_;
  std::optional<Messenger> messenger_; // the last member: its thread uses the others
};

} // namespace tmd::cluster
