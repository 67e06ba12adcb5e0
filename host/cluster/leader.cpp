// How rank 0 works with remote devices: a worker for each passes its parts to the rank and delivers what comes back, as
// if the device were here.
#include "cluster/leader.hpp"

#include "tmd/error.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace tmd::cluster {

// A device of another rank, between the worker that stands for it and the messenger.
struct Leader::Link {
  Link(int its_rank, std::size_t its_number) : rank(its_rank), device(its_number) {}

  const int rank;
  const std::size_t device;
  std::mutex mutex; // guards the members below
  std::condition_variable changed;
  const job::Job* job = nullptr;
  searches::PartExchange* exchange = nullptr; // set while the worker works
  bool wants = false;                         // the device wants more work
  bool closed = false;                        // the device has ended
  bool stopped = false;                       // results are no longer wanted
  bool interrupted = false;                   // the other rank was interrupted
  std::exception_ptr failure;

  // Ends the worker, wherever it waits. Requires the locked mutex.
  void end() {
    if (exchange != nullptr)
      exchange->close();
    changed.notify_all();
  }

  void fail(std::exception_ptr why) {
    const std::lock_guard lock(mutex);
    failure = std::move(why);
    end();
  }
};

// Passes parts to a remote device; results come through the messenger's thread. It never ends before the device does,
// so that neither results nor a fault are lost.
class Leader::RemoteWorker : public searches::Worker {
public:
  RemoteWorker(Leader& leader, std::shared_ptr<Link> link, std::size_t search)
      : leader_(leader), link_(std::move(link)), search_(search) {}

  void work(const job::Job& job, searches::PartExchange& exchange) override {
    const Attachment attachment(*link_, job, exchange);
    while (is_wanted()) {
      const auto assignment = exchange.take();
      result::Json answer = message(assignment ? "parts" : "done", search_);
      answer["device"] = link_->device;
      if (assignment)
        answer["parts"].push_back(assignment_record(*assignment));
      leader_.send(link_->rank, answer);
    }
    if (was_interrupted())
      throw Interrupted();
  }

private:
  // Sets the exchange while the worker works.
  class Attachment {
  public:
    Attachment(Link& link, const job::Job& job, searches::PartExchange& exchange) : link_(link) {
      const std::lock_guard lock(link_.mutex);
      link_.job = &job;
      link_.exchange = &exchange;
    }
    Attachment(const Attachment&) = delete;
    Attachment& operator=(const Attachment&) = delete;
    ~Attachment() {
      const std::lock_guard lock(link_.mutex);
      link_.exchange = nullptr;
    }

  private:
    Link& link_;
  };

  // Waits until the device wants work; false when it has ended.
  [[nodiscard]] bool is_wanted() const {
    std::unique_lock lock(link_->mutex);
    link_->changed.wait(lock, [&] { return link_->wants || link_->closed || link_->failure != nullptr; });
    if (link_->failure)
      std::rethrow_exception(link_->failure);
    return std::exchange(link_->wants, false) && !link_->closed;
  }

  [[nodiscard]] bool was_interrupted() const {
    const std::lock_guard lock(link_->mutex);
    return link_->stopped || link_->interrupted;
  }

  Leader& leader_;
  const std::shared_ptr<Link> link_;
  const std::size_t search_;
};

Leader::Leader(Transport& transport, engine::Interrupt interrupted)
    : interrupted_(std::move(interrupted)), rank_count_(transport.ranks()) {
  messenger_.emplace(
      transport, [this](const Message& message) { received(message); }, [this] { look_for_interrupts(); });
}

// Whatever a rank has sent must be received, or MPI keeps it waiting.
Leader::~Leader() {
  constexpr std::chrono::seconds patience(2); // for ranks that do not follow the protocol
  send_to_all(message("end", search_));
  std::unique_lock lock(mutex_);
  const auto are_gone = [&] { return gone_ + 1 >= rank_count_; };
  changed_.wait(lock, [&] { return failure_ != nullptr || are_gone(); });
  changed_.wait_for(lock, patience, are_gone);
}

void Leader::send(int to, const result::Json& record) { messenger_->send(to, to_text(record)); }

void Leader::send_to_all(const result::Json& record) {
  for (int rank = 1; rank < rank_count_; ++rank)
    send(rank, record);
}

void Leader::open(const Program& program, const job::Job& job, const result::Json& request) {
  const std::lock_guard lock(mutex_);
  ++search_;
  kernels_ = program.kernels;
  job_ = job.identity();
  stopped_ = false;
  others_.clear();
  others_.resize(static_cast<std::size_t>(rank_count_));
  result::Json order = message("open", search_);
  order["version"] = program.version;
  result::write_job(order, job);
  order["request"] = request;
  send_to_all(order);
}

void Leader::open_other(std::string_view kind, const std::string& version, const result::Json& request,
                        Receive receive) {
  {
    const std::lock_guard lock(mutex_);
    ++search_;
    others_.clear();
  }
  {
    const std::lock_guard receiving(receiving_);
    receive_ = std::move(receive);
  }
  result::Json order = message("open", search_);
  order["kind"] = kind;
  order["version"] = version;
  order["request"] = request;
  send_to_all(order);
}

void Leader::forget() {
  const std::lock_guard receiving(receiving_);
  receive_ = {};
}

void Leader::send(int to, std::string_view type, result::Json record) {
  record["type"] = type;
  record["search"] = search_.load();
  send(to, record);
}

void Leader::send_stop() { send_to_all(message("stop", search_)); }

std::exception_ptr Leader::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Leader::wait_for_answers(std::unique_lock<std::mutex>& lock) {
  constexpr std::chrono::milliseconds patience(50);
  const auto have_answered = [&] {
    for (std::size_t rank = 1; rank < others_.size(); ++rank)
      if (!others_[rank].answered)
        return false;
    return true;
  };
  const auto is_over = [&] { return failure_ != nullptr || have_answered(); };
  while (!changed_.wait_for(lock, patience, is_over))
    if (interrupted_ && interrupted_())
      throw Interrupted();
  if (failure_)
    std::rethrow_exception(failure_);
  for (const Rank& rank : others_)
    if (rank.failure)
      std::rethrow_exception(rank.failure);
}

RemoteDevices Leader::opened() {
  std::unique_lock lock(mutex_);
  wait_for_answers(lock);
  RemoteDevices result;
  for (std::size_t rank = 1; rank < others_.size(); ++rank) {
    const Rank& one = others_[rank];
    for (std::size_t device = 0; device < one.uses.size(); ++device) {
      result.uses.push_back(one.uses[device]);
      result.workers.push_back(std::make_unique<RemoteWorker>(*this, one.links[device], search_));
    }
    if (one.uses.empty())
      result.without.push_back(one.without);
  }
  return result;
}

std::vector<std::optional<engine::CpuModes>> Leader::close() {
  std::unique_lock lock(mutex_);
  for (Rank& rank : others_)
    rank.answered = false;
  send_to_all(message("close", search_));
  wait_for_answers(lock);
  std::vector<std::optional<engine::CpuModes>> result;
  for (const Rank& rank : others_)
    result.insert(result.end(), rank.modes.begin(), rank.modes.end());
  return result;
}

void Leader::received(const Message& message) {
  try {
    handle(message.from, read_message(message.text));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::make_exception_ptr(DeviceError(fmt::format("rank {} has sent an unknown message", message.from)));
    for (const Rank& rank : others_)
      for (const auto& link : rank.links)
        link->fail(failure_);
    changed_.notify_all();
  }
}

void Leader::handle(int from, const Received& message) {
  const result::Json& record = message.record;
  std::unique_lock lock(mutex_);
  const std::string type = record.at("type");
  if (type == "gone") {
    ++gone_;
    changed_.notify_all();
    return;
  }
  if (record.at("search") != search_.load())
    return;
  if (others_.empty()) { // a search of another kind
    lock.unlock();
    const std::lock_guard receiving(receiving_);
    if (receive_)
      receive_(from, record);
    return;
  }
  Rank& rank = others_.at(static_cast<std::size_t>(from));
  if (type == "opened" || type == "refused" || type == "ended") {
    if (type == "refused" || record.contains("sentence"))
      rank.failure = read_failure(record);
    if (type == "opened") {
      const std::string host = record.at("host");
      if (const std::string job = record.at("job"), kernels = record.at("kernels"); job != job_ || kernels != kernels_)
        rank.failure = std::make_exception_ptr(DeviceError(
            job != job_ ? fmt::format("rank {} ({}) understands the search as {}, not as {}", from, host, job, job_)
                        : fmt::format("rank {} ({}) has the kernels {}, and rank 0 has {}: their results cannot be "
                                      "combined",
                                      from, host, kernels, kernels_)));
      rank.without = record.at("without");
      for (const result::Json& one : record.at("devices")) {
        rank.uses.push_back(read_device_use(one));
        rank.uses.back().rank = from;
        rank.links.push_back(std::make_shared<Link>(from, rank.links.size()));
      }
    } else if (type == "ended" && !rank.failure) {
      for (const result::Json& one : record.at("devices"))
        rank.modes.push_back(read_cpu_modes(one));
    }
    rank.answered = true;
    changed_.notify_all();
    return;
  }
  const std::shared_ptr<Link> link = rank.links.at(record.at("device").get<std::size_t>());
  lock.unlock();
  const std::lock_guard of_link(link->mutex);
  if (type == "take") {
    link->wants = true;
  } else if (type == "closed") {
    link->closed = true;
    link->interrupted = record.at("interrupted");
    link->end();
  } else if (type == "lost") {
    link->failure = read_failure(record);
    link->end();
  } else if (link->exchange != nullptr) { // otherwise the search has ended
    const result::PartResult result = read_result(*link->job, message, names_);
    try {
      link->exchange->deliver(result);
    } catch (...) { // an error of the search itself, which ends here
      link->failure = std::current_exception();
      link->end();
    }
  }
  link->changed.notify_all();
}

void Leader::look_for_interrupts() {
  const std::lock_guard lock(mutex_);
  bool stops = false;
  for (const Rank& rank : others_)
    for (const auto& link : rank.links) {
      const std::lock_guard of_link(link->mutex);
      if (link->exchange == nullptr || link->stopped || !link->exchange->interrupted())
        continue;
      link->stopped = true;
      link->end();
      stops = true;
    }
  if (stops && !std::exchange(stopped_, true))
    send_to_all(message("stop", search_));
}

} // namespace tmd::cluster
