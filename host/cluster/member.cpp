// How a rank serves rank 0: a RankExchange stands between a device and the messenger. It asks for parts, keeps what the
// device does not plan yet, and joins results into fewer messages.
#include "cluster/member.hpp"

#include "cluster/messenger.hpp"
#include "number/arb.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd::cluster {

namespace {

using Clock = std::chrono::steady_clock;
using SendText = std::function<void(std::string)>; // sends a text to rank 0

// A result with so many cases is sent at once.
constexpr std::size_t most_cases = std::size_t(1) << 20;

// Whether one result can be joined with the next, which begins where it ends.
bool go_together(const result::PartResult& one, const result::PartResult& next) {
  return one.part.field == next.part.field && one.part.first + one.part.count == next.part.first &&
         (one.seconds > 0) == (next.seconds > 0) && (!one.plan || !next.plan || one.plan->method == next.plan->method);
}

void join(result::PartResult& one, const result::PartResult& next) {
  one.part.count += next.part.count;
  one.found.insert(one.found.end(), next.found.begin(), next.found.end());
  one.exact_unlisted += next.exact_unlisted;
  one.candidates += next.candidates;
  one.direct += next.direct;
  engine::add(one.stages, next.stages);
  one.idle += next.idle;
  one.seconds += next.seconds;
  one.planning_seconds += next.planning_seconds;
  one.fixed_seconds = std::max(one.fixed_seconds, next.fixed_seconds);
  if (!next.plan)
    return;
  if (!one.plan) {
    one.plan = next.plan;
    one.intervals = next.intervals;
    one.prices = next.prices;
    return;
  }
  one.plan->merge(*next.plan);
  one.intervals += next.intervals;
}

// A device's view of the search. Parts from rank 0 are larger than what the device plans at a time: the rest stays
// here. Results wait to be joined with those behind them.
class RankExchange : public searches::PartExchange {
public:
  RankExchange(std::size_t search, std::size_t device, const std::atomic<bool>& stopped,
               const engine::Interrupt& interrupted, const SendText& send_text)
      : search_(search), device_(device), stopped_(stopped), interrupted_(interrupted), send_text_(send_text) {}

  std::optional<Assignment> take() override {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (closed_ || interrupted())
        return std::nullopt;
      if (!waiting_.empty()) {
        const Assignment next = waiting_.front();
        waiting_.pop_front();
        return next;
      }
      if (done_)
        return std::nullopt;
      if (!std::exchange(asked_, true))
        send_text_(to_text(record("take")));
      changed_.wait(lock);
    }
  }

  // Several threads may have taken parts, of different fields: the rest belongs to this one's.
  void shorten(const Assignment& taken, uint128 count) override {
    const std::lock_guard lock(mutex_);
    const result::Part& part = taken.part;
    if (count >= part.count)
      return;
    waiting_.push_front({{part.field, part.first + count, part.count - count}, taken.field});
    changed_.notify_all();
  }

  // Results of a part may come in any order: after the last of them all are sent.
  void deliver(const result::PartResult& result) override {
    const std::lock_guard lock(mutex_);
    const auto given =
        std::find_if(given_.begin(), given_.end(), [&](const Given& one) { return one.has(result.part); });
    if (given == given_.end())
      throw SoundnessError("a device searched arguments that were not its own");
    if (untold_ && (!given->has(untold_->part) || !go_together(*untold_, result)))
      tell_untold();
    if (untold_) {
      join(*untold_, result);
    } else {
      untold_ = result;
      untold_since_ = Clock::now();
    }
    given->left -= result.part.count;
    if (given->left == 0)
      given_.erase(given);
    else if (support::seconds_since(untold_since_) < result_seconds && untold_->found.size() < most_cases)
      return;
    tell_untold();
  }

  void close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] bool interrupted() const override { return stopped_ || (interrupted_ && interrupted_()); }

  // Takes parts from rank 0, in the messenger's thread.
  void give(const std::vector<Assignment>& parts) {
    const std::lock_guard lock(mutex_);
    asked_ = false;
    for (const Assignment& one : parts) {
      given_.push_back({one.part, one.part.count});
      waiting_.push_back(one);
    }
    changed_.notify_all();
  }
  void done() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  void wake() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  // Reports to rank 0 how the worker has ended: nothing follows. Nothing of a faulty device counts.
  void tell_end(const std::exception* failure) {
    const std::lock_guard lock(mutex_);
    if (untold_ && dynamic_cast<const FaultError*>(failure) == nullptr)
      tell_untold();
    result::Json end = record(failure == nullptr ? "closed" : "lost");
    if (failure != nullptr)
      write_failure(end, *failure);
    else
      end["interrupted"] = interrupted();
    send_text_(to_text(end));
  }

private:
  struct Given {
    result::Part part;
    uint128 left; // arguments to be delivered

    [[nodiscard]] bool has(const result::Part& piece) const {
      return piece.field == part.field && part.first <= piece.first &&
             piece.first + piece.count <= part.first + part.count;
    }
  };

  [[nodiscard]] result::Json record(std::string_view type) const {
    result::Json result = message(type, search_);
    result["device"] = device_;
    return result;
  }

  void tell_untold() {
    send_text_(to_text(record("result"), *untold_));
    untold_.reset();
  }

  const std::size_t search_;
  const std::size_t device_;
  const std::atomic<bool>& stopped_;
  const engine::Interrupt& interrupted_;
  const SendText& send_text_;
  std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::deque<Assignment> waiting_;
  std::vector<Given> given_; // parts given by rank 0 and not delivered completely
  std::optional<result::PartResult> untold_;
  Clock::time_point untold_since_;
  bool asked_ = false;
  bool done_ = false;
  bool closed_ = false;
};

// One search, from the message `open` to `ended`.
struct Session {
  Session(result::Json asked, SendText send)
      : order(std::move(asked)), search(order.at("search")), mailbox(search, std::move(send)) {}

  const result::Json order;
  const std::size_t search;
  Mailbox mailbox; // of a search of another kind
  std::atomic<bool> stopped = false;
  Names names;
  std::mutex mutex; // guards the members below
  std::vector<std::unique_ptr<RankExchange>> exchanges;

  void stop() {
    stopped = true;
    const std::lock_guard lock(mutex);
    for (const auto& exchange : exchanges)
      exchange->wake();
    mailbox.stop();
  }
  [[nodiscard]] bool is_of_other_kind() const { return order.contains("kind"); }
};

class Member {
public:
  Member(Transport& transport, const std::string& version, const OpenSearch& open, const engine::Interrupt& interrupted,
         const ServeOther& serve_other)
      : rank_(transport.rank()), host_(transport.host()), version_(version), open_(open), interrupted_(interrupted),
        serve_other_(serve_other), send_text_([this](std::string text) { messenger_->send(0, std::move(text)); }) {
    messenger_.emplace(
        transport, [this](const Message& message) { received(message); },
        [this] {
          if (interrupted_ && interrupted_())
            stop();
        });
  }

  void serve() {
    while (const auto session = next()) {
      search(*session);
      const std::lock_guard lock(mutex_);
      if (session_ == session) // otherwise rank 0 has begun another search
        session_.reset();
    }
    send_text_(to_text(message("gone", 0)));
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  // Waits for the next search; null at the end.
  std::shared_ptr<Session> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_ || session_ != nullptr; });
    return ended_ ? nullptr : session_;
  }

  void search(Session& session) {
    OpenedSearch opened;
    try {
      require_version(session.order);
      if (session.is_of_other_kind()) {
        serve_other_(session.order.at("request"), session.mailbox);
        wait_for_close(session);
        return;
      }
      opened = open_(result::read_job(session.order), session.order.at("request"));
    } catch (const std::exception& error) {
      result::Json answer = message("refused", session.search);
      write_failure(answer, error);
      send_text_(to_text(answer));
      wait_for_close(session);
      return;
    }
    {
      const std::lock_guard lock(session.mutex);
      for (std::size_t device = 0; device < opened.workers.size(); ++device)
        session.exchanges.push_back(
            std::make_unique<RankExchange>(session.search, device, session.stopped, interrupted_, send_text_));
    }
    tell_opened(session, opened);
    run(session, opened);
    if (!wait_for_close(session))
      return;
    result::Json answer = message("ended", session.search);
    answer["devices"] = result::Json::array();
    try {
      for (const auto& modes : opened.finish())
        answer["devices"].push_back(cpu_modes_record(modes));
    } catch (const std::exception& error) {
      write_failure(answer, error);
    }
    send_text_(to_text(answer));
    const std::lock_guard lock(session.mutex);
    session.exchanges.clear();
  }

  void require_version(const result::Json& order) const {
    if (const std::string version = order.at("version"); version != version_)
      throw DeviceError(fmt::format("rank {} ({}) is tmd {}, and rank 0 is {}: their results cannot be combined", rank_,
                                    host_, version_, version));
  }

  void tell_opened(const Session& session, const OpenedSearch& opened) const {
    result::Json answer = message("opened", session.search);
    answer["host"] = host_;
    answer["kernels"] = opened.kernels;
    answer["job"] = opened.owned.job.identity();
    answer["without"] =
        opened.workers.empty() ? fmt::format("rank {} ({}) has no device: {}", rank_, host_, opened.without) : "";
    answer["devices"] = result::Json::array();
    for (const result::DeviceUse& use : opened.uses)
      answer["devices"].push_back(device_use_record(use));
    send_text_(to_text(answer));
  }

  // Runs the workers, the first of them in this thread.
  static void run(Session& session, OpenedSearch& opened) {
    const auto work = [&](std::size_t device) {
      RankExchange& exchange = *session.exchanges[device];
      try {
        opened.workers[device]->work(opened.owned.job, exchange);
        exchange.tell_end(nullptr);
      } catch (const Interrupted&) {
        exchange.tell_end(nullptr);
      } catch (const std::exception& error) {
        exchange.tell_end(&error);
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t device = 1; device < opened.workers.size(); ++device)
      threads.emplace_back([&work, device] {
        const number::ThreadCaches caches;
        work(device);
      });
    if (!opened.workers.empty())
      work(0);
    for (std::thread& thread : threads)
      thread.join();
  }

  // Returns whether rank 0 wants a report on how the search has ended.
  bool wait_for_close(const Session& session) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || closed_ == session.search || session_.get() != &session; });
    return closed_ == session.search;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    if (session_)
      session_->stop();
  }

  // Called by the messenger's thread.
  void received(const Message& message) {
    try {
      handle(result::Json::parse(message.text));
    } catch (...) {
      end(std::make_exception_ptr(DeviceError("rank 0 has sent an unknown message")));
    }
  }

  void end(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    ended_ = true;
    if (session_)
      session_->stop();
    changed_.notify_all();
  }

  void handle(const result::Json& record) {
    const std::string type = record.at("type");
    if (type == "end")
      return end(nullptr);
    std::unique_lock lock(mutex_);
    if (type == "open") {
      if (session_) // that search is no longer wanted
        session_->stop();
      session_ = std::make_shared<Session>(record, send_text_);
      changed_.notify_all();
      return;
    }
    const std::shared_ptr<Session> session = session_;
    if (!session || record.at("search") != session->search)
      return;
    if (type == "close") {
      closed_ = session->search;
      session->stop(); // rank 0 has all results
      changed_.notify_all();
      return;
    }
    lock.unlock();
    if (type == "stop")
      return session->stop();
    if (session->is_of_other_kind())
      return session->mailbox.receive(record);
    const std::lock_guard of_session(session->mutex);
    RankExchange& exchange = *session->exchanges.at(record.at("device").get<std::size_t>());
    if (type == "done")
      return exchange.done();
    std::vector<searches::PartExchange::Assignment> parts;
    for (const result::Json& one : record.at("parts"))
      parts.push_back(read_assignment(one, session->names));
    exchange.give(parts);
  }

  const int rank_;
  const std::string host_;
  const std::string& version_;
  const OpenSearch& open_;
  const engine::Interrupt& interrupted_;
  const ServeOther& serve_other_;
  const SendText send_text_;
  std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::shared_ptr<Session> session_;
  std::size_t closed_ = 0; // number of the last search that rank 0 has closed; 0: none
  bool ended_ = false;
  std::exception_ptr failure_;
  std::optional<Messenger> messenger_; // the last member: its thread uses the others
};

} // namespace

void Mailbox::send(std::string_view type, result::Json record) {
  record["type"] = type;
  record["search"] = search_;
  send_(to_text(record));
}

std::optional<result::Json> Mailbox::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
  if (stopped_)
    return std::nullopt;
  result::Json record = std::move(waiting_.front());
  waiting_.pop_front();
  return record;
}

void Mailbox::receive(const result::Json& record) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(record);
  changed_.notify_all();
}

void Mailbox::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

void serve(Transport& transport, const std::string& version, const OpenSearch& open,
           const engine::Interrupt& interrupted, const ServeOther& serve_other) {
  Member(transport, version, open, interrupted, serve_other).serve();
}

} // namespace tmd::cluster
