// The module mpi.so, the only part that is linked with MPI: cluster/mpi.cpp loads it for `--mpi`. Sends without
// waiting, and looks for messages before it receives them. It calls nothing of libtmd, only inline functions of its
// headers.
#include "cluster/mpi_module.hpp"

#include "tmd/error.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <mpi.h>

namespace tmd::cluster {

namespace {

constexpr int tag = 0;

// If a call fails, MPI ends the program itself.
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
  // The text must stay in place until MPI has sent it.
  struct Sending {
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  static int length_of(const std::string& text) {
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw DeviceError("a message of " + std::to_string(text.size()) +
                        " bytes is more than MPI takes: search with more --bits");
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

} // namespace tmd::cluster

void tmd_mpi_module(tmd::cluster::MpiModule& module) {
#if defined(OPEN_MPI)
  module.library = "Open MPI";
#elif defined(MPICH)
  module.library = "MPICH";
#else
  module.library = "the MPI";
#endif
  module.transport = std::make_unique<tmd::cluster::MpiTransport>();
}
