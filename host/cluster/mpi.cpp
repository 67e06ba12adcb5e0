// Sends without waiting, and looks for messages before it receives them. Without MPI in the build, begin_mpi() says so.
#include "cluster/mpi.hpp"

#include "support/text.hpp"
#include "tmd/error.hpp"

#ifdef TMD_MPI
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <mpi.h>
#endif

namespace tmd::cluster {

#ifdef TMD_MPI

namespace {

constexpr int tag = 0;

#if defined(OPEN_MPI)
constexpr const char* library = "Open MPI";
#elif defined(MPICH)
constexpr const char* library = "MPICH";
#else
constexpr const char* library = "the MPI";
#endif

// Where launchers tell a process how many ranks they have started: Open MPI's mpirun, MPICH's, and a step of Slurm.
// (Not SLURM_NTASKS: that of a job is in the environment of its script, too, which may start fewer ranks.)
constexpr std::array launched_ranks{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

// A launcher of another MPI starts ranks that do not find each other: each would search everything, and all of them
// write the same files. Throws UsageError where launchers say that there are several ranks, and none that there is only
// this one, as does a launcher that runs in another one's rank.
void require_launched_alone() {
  const char* several = nullptr;
  for (const char* name : launched_ranks)
    if (const char* value = std::getenv(name)) {
      if (std::string_view(value) == "1")
        return;
      several = several == nullptr ? name : several;
    }
  if (several != nullptr)
    throw UsageError(
        fmt::format("{1} ranks were started ({0}={1}), but {2}, which this tmd is built with, finds only one: "
                    "start tmd with that MPI's mpirun, or an `srun --mpi=KIND` that it knows (`srun "
                    "--mpi=list`), or build tmd with the launcher's MPI",
                    several, on_one_line(std::getenv(several)), library));
}

// MPI ends the program itself where a call fails.
class MpiTransport : public Transport {
public:
  MpiTransport() {
    int provided = 0;
    (void)MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) {
      (void)MPI_Finalize();
      throw DeviceError("this MPI takes calls from a program's first thread only: use one that offers "
                        "MPI_THREAD_SERIALIZED, as Open MPI and MPICH do");
    }
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &all_);
    (void)MPI_Comm_rank(all_, &rank_);
    (void)MPI_Comm_size(all_, &ranks_);
    MPI_Comm local = MPI_COMM_NULL;
    (void)MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local);
    (void)MPI_Comm_rank(local, &local_rank_);
    (void)MPI_Comm_size(local, &local_ranks_);
    (void)MPI_Comm_free(&local);
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    (void)MPI_Get_processor_name(name.data(), &length);
    host_.assign(name.data(), static_cast<std::size_t>(length));
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;
  ~MpiTransport() override {
    (void)MPI_Comm_free(&all_);
    (void)MPI_Finalize();
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return ranks_; }
  [[nodiscard]] std::string host() const override { return host_; }
  [[nodiscard]] int local_rank() const override { return local_rank_; }
  [[nodiscard]] int local_ranks() const override { return local_ranks_; }

  void send(int to, std::string text) override {
    Sending& one = sending_.emplace_back();
    one.text = std::move(text);
    (void)MPI_Isend(one.text.data(), length_of(one.text), MPI_CHAR, to, tag, all_, &one.request);
  }

  [[nodiscard]] std::optional<Message> receive() override {
    int there = 0;
    MPI_Status status{};
    (void)MPI_Iprobe(MPI_ANY_SOURCE, tag, all_, &there, &status);
    if (there == 0)
      return std::nullopt;
    int length = 0;
    (void)MPI_Get_count(&status, MPI_CHAR, &length);
    Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(length), '\0')};
    (void)MPI_Recv(message.text.data(), length, MPI_CHAR, status.MPI_SOURCE, tag, all_, MPI_STATUS_IGNORE);
    return message;
  }

  [[nodiscard]] bool has_sent() override {
    while (!sending_.empty()) {
      int done = 0;
      (void)MPI_Test(&sending_.front().request, &done, MPI_STATUS_IGNORE);
      if (done == 0)
        return false;
      sending_.pop_front();
    }
    return true;
  }

  void abort(int status) override { (void)MPI_Abort(all_, status); }

private:
  // The text stays where it is until MPI has sent it.
  struct Sending {
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  static int length_of(const std::string& text) {
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw DeviceError(
          fmt::format("a message of {} bytes is more than MPI takes: search with more --bits", text.size()));
    return static_cast<int>(text.size());
  }

  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  int local_rank_ = 0;
  int local_ranks_ = 1;
  std::string host_;
  std::deque<Sending> sending_;
};

} // namespace

std::unique_ptr<Transport> begin_mpi() {
  auto transport = std::make_unique<MpiTransport>();
  if (transport->ranks() == 1)
    require_launched_alone();
  return transport;
}

#else

std::unique_ptr<Transport> begin_mpi() {
  throw UsageError("this tmd was built without MPI; build it where Open MPI or MPICH is installed, or leave out --mpi");
}

#endif

} // namespace tmd::cluster
