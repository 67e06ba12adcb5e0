// Searches by several ranks, each in a thread with devices that are only simulated, over a network with random delays.
// They find what one process finds, also if a rank is slow, fails, runs another program or is interrupted.
#include "host/cluster/leader.hpp"
#include "host/cluster/member.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/job/scaling.hpp"
#include "host/search/confirming.hpp"

#include "end_to_end/subjects.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tmd::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Workers = std::vector<std::unique_ptr<searches::Worker>>;

const cluster::Program program{"1.0", "0123456789abcdef"};

// Messages take up to a few milliseconds; those of one rank to another keep their order.
class Network {
public:
  // waits_for_receivers: a message counts as sent only when it has been received, as MPI does with large ones.
  Network(int ranks, unsigned seed, bool waits_for_receivers = true)
      : waits_for_receivers_(waits_for_receivers), random_(seed),
        lanes_(static_cast<std::size_t>(ranks), std::vector<Lane>(static_cast<std::size_t>(ranks))) {}

  [[nodiscard]] int ranks() const { return static_cast<int>(lanes_.size()); }

  void send(int from, int to, std::string text) {
    const std::lock_guard lock(mutex_);
    const bool soon = std::uniform_int_distribution<>(0, 3)(random_) > 0;
    const auto delay = std::chrono::microseconds(soon ? 0 : std::uniform_int_distribution<>(0, 3000)(random_));
    lane(from, to).push_back({std::move(text), Clock::now() + delay});
  }

  std::optional<cluster::Message> receive(int to) {
    const std::lock_guard lock(mutex_);
    for (int from = 0; from < ranks(); ++from) {
      Lane& mail = lane(from, to);
      if (mail.empty() || mail.front().second > Clock::now())
        continue;
      cluster::Message message{from, std::move(mail.front().first)};
      mail.pop_front();
      return message;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_sent(int from) {
    const std::lock_guard lock(mutex_);
    const auto& lanes = lanes_.at(static_cast<std::size_t>(from));
    return !waits_for_receivers_ ||
           std::all_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.empty(); });
  }

private:
  using Lane = std::deque<std::pair<std::string, Clock::time_point>>;

  Lane& lane(int from, int to) { return lanes_.at(static_cast<std::size_t>(from)).at(static_cast<std::size_t>(to)); }

  const bool waits_for_receivers_;
  std::mutex mutex_; // bytes that follow
  std::mt19937 random_;
  std::vector<std::vector<Lane>> lanes_;
};

class NetworkEnd : public cluster::Transport {
public:
  NetworkEnd(Network& network, int rank) : network_(network), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return network_.ranks(); }
  [[nodiscard]] std::string host() const override { return "host-" + std::to_string(rank_); }
  [[nodiscard]] int local_rank() const override { return 0; }
  [[nodiscard]] int local_ranks() const override { return 1; }
  void send(int to, std::string text) override { network_.send(rank_, to, std::move(text)); }
  [[nodiscard]] std::optional<cluster::Message> receive() override { return network_.receive(rank_); }
  [[nodiscard]] bool has_sent() override { return network_.has_sent(rank_); }
  void abort(int status) override { FAIL("a rank ends all with status ", status); }

private:
  Network& network_;
  int rank_;
};

result::DeviceUse use_of(int rank, std::size_t index) {
  result::DeviceUse use;
  use.device.name = "device of rank " + std::to_string(rank);
  use.device.index = index;
  use.device.host = "host-" + std::to_string(rank);
  use.device.is_cpu = true;
  use.tunables.set(engine::domains::domain_tunable("phase1.logms"), rank);
  use.profile = "none";
  use.polynomials = "host";
  return use;
}

// The workers of each rank; the first is rank 0.
using RankWorkers = std::function<Workers(int rank, const job::Job& job, const result::Json& request)>;

// Runs the other ranks until their leader ends the search.
class Ranks {
public:
  Ranks(int count, unsigned seed, const RankWorkers& workers, const std::string& version = program.version,
        const engine::Interrupt& interrupted = {})
      : network_(count, seed), end_(network_, 0) {
    for (int rank = 1; rank < count; ++rank)
      threads_.emplace_back([this, rank, workers, version, interrupted] {
        const number::ThreadCaches caches;
        NetworkEnd end(network_, rank);
        cluster::serve(
            end, version,
            [&](const result::OwnedJob& job, const result::Json& request) {
              return opened(rank, workers, job, request);
            },
            interrupted);
        ++ended_;
      });
    leader_.emplace(end_, engine::Interrupt());
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks() { end(); }

  [[nodiscard]] cluster::Leader& leader() { return *leader_; }
  // Returns how many ranks have ended.
  int end() {
    leader_.reset();
    for (std::thread& thread : threads_)
      thread.join();
    threads_.clear();
    return ended_;
  }

private:
  static cluster::OpenedSearch opened(int rank, const RankWorkers& workers, const result::OwnedJob& job,
                                      const result::Json& request) {
    cluster::OpenedSearch result;
    result.owned = job;
    if (request == "another job")
      ++result.owned.job.K;
    result.kernels = request == "other kernels" && rank == 2 ? "fedcba9876543210" : program.kernels;
    result.workers = workers(rank, job.job, request);
    for (std::size_t device = 0; device < result.workers.size(); ++device)
      result.uses.push_back(use_of(rank, device));
    result.without = "nothing";
    const std::size_t devices = result.workers.size();
    result.finish = [rank, devices] {
      std::vector<std::optional<engine::CpuModes>> modes(devices);
      if (devices > 0)
        modes[0] = engine::CpuModes{CpuMode::vector, {{"phase1", "by rank " + std::to_string(rank)}}};
      return modes;
    };
    return result;
  }

  Network network_;
  NetworkEnd end_;
  std::atomic<int> ended_ = 0;
  std::vector<std::thread> threads_;
  std::optional<cluster::Leader> leader_;
};

Task small_task() {
  Task task = make_task(known_exp2, {"p13", 13, -1022, 13, 0.75, 6}, Rounding::all, 5);
  task.costs = test_eagerly();
  task.choices.domain_bits = 5;
  task.choices.split_bits = 2;
  return task;
}

Task with_job(Task task, const job::Job& job) {
  static_cast<job::Job&>(task) = job;
  return task;
}

engine::domains::DomainEngine::Search slowed(std::chrono::microseconds by) {
  return [by](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
    std::this_thread::sleep_for(by);
    return search_domains_on_host(batch, interrupt);
  };
}

// Rank 1 has two devices, the others have one; rank 2 is slow.
RankWorkers usual_workers(const Task& task) {
  return [task](int rank, const job::Job& job, const result::Json&) {
    const Task here = with_job(task, job);
    Workers workers;
    workers.push_back(host_worker(here, 4, slowed(rank == 2 ? 2ms : 100us)));
    if (rank == 1)
      workers.push_back(host_worker(here, 2));
    return workers;
  };
}

struct Outcome {
  result::SearchResult result;
  std::vector<std::optional<engine::CpuModes>> modes; // those of the other ranks
  std::vector<std::string> lost;
};

// The verdicts of MPFR on a piece of a part.
result::PartResult asked(const verify::Confirmation& confirmation, const searches::PartExchange::Assignment& taken,
                         uint128 first, std::uint64_t count) {
  result::PartResult result;
  result.part = {taken.part.field, first, count};
  result.found =
      searches::confirm_all(confirmation, count,
                            [&](std::uint64_t i) { return taken.field.arguments.argument(first + i); }, INFINITY, 1, {})
          .found.listed();
  result.direct = count;
  return result;
}

std::uint64_t at_most(uint128 count, std::uint64_t most) {
  return static_cast<std::uint64_t>(std::min<uint128>(count, most));
}

// Asks MPFR alone, on several threads. Each has taken a part before any reports how little of it it has done.
class ThreadedWorker : public searches::Worker {
public:
  void work(const job::Job& job, searches::PartExchange& exchange) override {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        const number::ThreadCaches caches;
        const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
        while (const auto taken = exchange.take()) {
          std::this_thread::sleep_for(1ms);
          const std::uint64_t count = at_most(taken->part.count, 100);
          exchange.shorten(*taken, count);
          exchange.deliver(asked(confirmation, *taken, taken->part.first, count));
        }
      });
    for (std::thread& thread : threads)
      thread.join();
  }
};

// Asks MPFR alone, and delivers the last pieces first, as devices with several queues may.
class BackwardWorker : public searches::Worker {
public:
  void work(const job::Job& job, searches::PartExchange& exchange) override {
    constexpr std::uint64_t piece = 100;
    const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
    while (const auto taken = exchange.take()) {
      std::uint64_t left = at_most(taken->part.count, 3 * piece);
      exchange.shorten(*taken, left);
      while (left > 0) {
        const std::uint64_t count = std::min(left, piece);
        left -= count;
        exchange.deliver(asked(confirmation, *taken, taken->part.first + left, count));
      }
    }
  }
};

// Searches with rank 0's workers and those of the other ranks.
Outcome search_on(Ranks& ranks, const Task& task, Workers own, searches::SearchHooks hooks = {},
                  result::SearchResult so_far = {}, const result::Json& request = nullptr) {
  ranks.leader().open(program, task, request);
  cluster::RemoteDevices remote = ranks.leader().opened();
  Outcome outcome;
  hooks.lost = [&](std::size_t, const std::string& why) { outcome.lost.push_back(why); };
  for (auto& worker : remote.workers)
    own.push_back(std::move(worker));
  outcome.result = searches::run_search(task, own, hooks, {}, std::move(so_far));
  if (!outcome.result.interrupted)
    outcome.modes = ranks.leader().close();
  return outcome;
}

Workers one_slow_worker(const Task& task) {
  Workers workers;
  workers.push_back(host_worker(task, 8, slowed(200us)));
  return workers;
}

// Leaves the first part to the others.
class LateWorker : public searches::Worker {
public:
  LateWorker(std::unique_ptr<searches::Worker> worker, const std::atomic<bool>& others_have_begun)
      : worker_(std::move(worker)), others_have_begun_(others_have_begun) {}

  void work(const job::Job& job, searches::PartExchange& exchange) override {
    while (!others_have_begun_)
      std::this_thread::sleep_for(1ms);
    worker_->work(job, exchange);
  }

private:
  const std::unique_ptr<searches::Worker> worker_;
  const std::atomic<bool>& others_have_begun_;
};

result::SearchResult alone(const Task& task) {
  result::SearchResult result = searches::run_search(task, one_slow_worker(task));
  REQUIRE(result.covered == task.range());
  REQUIRE(result.cases.size() > 100);
  return result;
}

void check_same(const result::SearchResult& result, const result::SearchResult& expected) {
  CHECK(result.covered == expected.covered);
  CHECK(same(result.cases, expected.cases));
  CHECK(same(result.exact, expected.exact));
  CHECK(same(result.undecided, expected.undecided));
}

} // namespace

TEST_CASE("cluster: several ranks find what one process finds, and tell how") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  for (const int count : {1, 2, 4})
    for (const unsigned seed : {1U, 2U, 3U}) {
      Ranks ranks(count, seed, usual_workers(task));
      std::atomic<bool> has_begun = count == 1;
      searches::SearchHooks hooks;
      hooks.progress = [&](const Progress&) { has_begun = true; };
      Workers own;
      own.push_back(std::make_unique<LateWorker>(host_worker(task, 8, slowed(200us)), has_begun));
      const Outcome outcome = search_on(ranks, task, std::move(own), hooks);
      check_same(outcome.result, expected);
      CHECK(outcome.lost.empty());
      const std::size_t devices = count == 1 ? 1 : static_cast<std::size_t>(count) + 1;
      REQUIRE(outcome.result.workers.size() == devices);
      uint128 sum = 0;
      for (const result::WorkerReport& worker : outcome.result.workers)
        sum += worker.arguments;
      CHECK(sum == task.size());
      if (count > 1)
        CHECK(outcome.result.workers[0].arguments < sum);
      REQUIRE(outcome.modes.size() == devices - 1);
      if (count > 1) {
        REQUIRE(outcome.modes[0]);
        CHECK(outcome.modes[0]->in_effect("phase1") == "by rank 1");
        CHECK_FALSE(outcome.modes[1]);
      }
      // The plans are those of one process, but for their number.
      REQUIRE(outcome.result.fields.size() == expected.fields.size());
      for (std::size_t i = 0; i < expected.fields.size(); ++i) {
        const result::FieldReport& one = outcome.result.fields[i];
        const result::FieldReport& other = expected.fields[i];
        CHECK(one.has_plan() == other.has_plan());
        CHECK(one.intervals >= other.intervals);
        CHECK(one.direct_arguments == other.direct_arguments);
        std::uint64_t intervals = 0;
        for (const auto& [method, times] : one.methods)
          intervals += times;
        CHECK((intervals == 0 || intervals == one.intervals));
        CHECK(one.plan.ledger.size() == other.plan.ledger.size());
      }
      CHECK(ranks.end() == count - 1);
    }
}

TEST_CASE("cluster: a device's planning threads are at parts of different fields") {
  Task task = small_task();
  const job::Job whole = make_task(known_exp2, {"p13", 13, -1022, 13, 0x1p-9, 6}, Rounding::all, 5); // 13 binades
  static_cast<job::Job&>(task) = whole;
  const result::SearchResult expected = alone(task);
  for (const unsigned seed : {1U, 2U, 3U}) {
    Ranks ranks(3, seed, [&](int, const job::Job&, const result::Json&) {
      Workers workers;
      workers.push_back(std::make_unique<ThreadedWorker>());
      return workers;
    });
    const Outcome outcome = search_on(ranks, task, {});
    CHECK(outcome.lost.empty());
    check_same(outcome.result, expected);
  }
}

TEST_CASE("cluster: what a device delivers in another order than it has taken it is told, too") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  Ranks ranks(3, 1, [&](int, const job::Job&, const result::Json&) {
    Workers workers;
    workers.push_back(std::make_unique<BackwardWorker>());
    return workers;
  });
  const Outcome outcome = search_on(ranks, task, {});
  CHECK(outcome.lost.empty());
  check_same(outcome.result, expected);
}

// A rank makes the same job from what it receives: for functions with a scaling, all ranges that decide the rest.
TEST_CASE("cluster: every function of the catalogue is searched by two ranks, whole where it scales") {
  std::size_t scaled = 0;
  for (const Subject& subject : subjects()) {
    INFO(std::string(subject.function.name));
    const auto& [from, to] = subject.ranges.back();
    Task task = make_task(subject.function, {"binary16", 11, -14, 11, from, to}, Rounding::all, 6);
    task.values = Values::format;
    if (const job::Coverage decisive = job::decisive_ranks(task); !decisive.empty()) {
      job::search_only(task, decisive);
      ++scaled;
    }
    const auto workers = [](int, const job::Job&, const result::Json&) {
      Workers one;
      one.push_back(std::make_unique<BackwardWorker>());
      return one;
    };
    Ranks ranks(2, 1, workers);
    const Outcome outcome = search_on(ranks, task, {});
    CHECK(outcome.lost.empty());
    CHECK(outcome.result.covered == task.range());
    check_same(outcome.result, searches::run_search(task, workers(0, task, nullptr)));
  }
  CHECK(scaled > 8);
}

TEST_CASE("cluster: rank 0 may have no device, and so may others") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  Ranks ranks(4, 1, [&](int rank, const job::Job& job, const result::Json&) {
    return rank == 2 ? Workers() : one_slow_worker(with_job(task, job));
  });
  ranks.leader().open(program, task, nullptr);
  const cluster::RemoteDevices remote = ranks.leader().opened();
  REQUIRE(remote.workers.size() == 2);
  CHECK(remote.uses[0].rank == 1);
  CHECK(remote.uses[1].rank == 3);
  CHECK(remote.uses[1].place() == "device 0 of host-3 (rank 3)");
  CHECK(remote.uses[1].device.name == "device of rank 3");
  CHECK(remote.uses[1].device.is_cpu);
  CHECK(remote.uses[1].tunables == use_of(3, 0).tunables);
  CHECK(remote.without == std::vector<std::string>{"rank 2 (host-2) has no device: nothing"});
  check_same(searches::run_search(task, remote.workers), expected);
  CHECK(ranks.leader().close().size() == 2);
}

TEST_CASE("cluster: ranks of another program, or that understand another job, do nothing") {
  const Task task = small_task();
  const auto refused = [&](const char* version, const char* request) {
    Ranks ranks(3, 1, usual_workers(task), version);
    ranks.leader().open(program, task, request);
    std::string why;
    try {
      (void)ranks.leader().opened();
    } catch (const DeviceError& error) {
      why = error.what();
    }
    CHECK(ranks.end() == 2);
    return why;
  };
  CHECK(refused("1.0", "") == "");
  CHECK(refused("1.1", "") == "rank 1 (host-1) is tmd 1.1, and rank 0 is 1.0: their results cannot be combined");
  CHECK(
      refused("1.0", "other kernels").starts_with("rank 2 (host-2) has the kernels fedcba9876543210, and rank 0 has"));
  CHECK(refused("1.0", "another job").starts_with("rank 1 (host-1) understands the search as "));
}

TEST_CASE("cluster: a device that fails is lost, and a faulty one with all that it did") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  int lost = 0;
  for (const bool is_faulty : {false, true})
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
      Ranks ranks(3, seed, [&](int rank, const job::Job& job, const result::Json&) {
        const Task here = with_job(task, job);
        Workers workers = one_slow_worker(here);
        if (rank == 1)
          workers.push_back(
              host_worker(here, 2,
                          [&, left = std::make_shared<std::atomic<unsigned>>(2 * seed)](
                              const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
                            if (--*left > 0)
                              return search_domains_on_host(batch, interrupt);
                            if (is_faulty)
                              throw FaultError("it was wrong", Status::unsound);
                            throw DeviceError("it is broken");
                          }));
        return workers;
      });
      const Outcome outcome = search_on(ranks, task, one_slow_worker(task));
      check_same(outcome.result, expected);
      if (outcome.lost.empty()) // the others had finished
        continue;
      ++lost;
      CHECK(outcome.lost == std::vector<std::string>{is_faulty ? "it was wrong" : "it is broken"});
      CHECK((outcome.result.workers[2].arguments == 0) == is_faulty);
    }
  CHECK(lost > 0);
}

TEST_CASE("cluster: where the last device fails, or a check does, the search ends with that") {
  const Task task = small_task();
  const auto end_of = [&](const std::function<void()>& failing) {
    Ranks ranks(2, 1, [&](int, const job::Job& job, const result::Json&) {
      Workers workers;
      workers.push_back(
          host_worker(with_job(task, job), 2,
                      [&](const engine::domains::DomainBatch&, const engine::Interrupt&) -> engine::BatchResult {
                        failing();
                        return {};
                      }));
      return workers;
    });
    (void)search_on(ranks, task, {});
  };
  CHECK_THROWS_WITH_AS(end_of([] { throw DeviceError("gone"); }), "gone", DeviceError);
  CHECK_THROWS_WITH_AS(end_of([] { throw FaultError("wrong"); }), "wrong", FaultError);
  CHECK_THROWS_WITH_AS(end_of([] { throw SoundnessError("no"); }), "no", SoundnessError);
  CHECK_THROWS_AS(end_of([] { throw std::bad_alloc(); }), Error);
}

TEST_CASE("cluster: interrupted again and again, and gone on with, by fewer ranks or more") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  for (const unsigned seed : {1U, 2U}) {
    result::SearchResult result;
    int turns = 0;
    do {
      Ranks ranks(1 + (turns + 2) % 4, seed, usual_workers(task));
      std::atomic<int> done = 0;
      searches::SearchHooks hooks;
      hooks.progress = [&](const Progress&) { ++done; };
      hooks.interrupted = [&] { return done >= 3 + turns; };
      Workers own;
      if (turns % 3 != 0 || (turns + 2) % 4 == 0)
        own = one_slow_worker(task);
      result = search_on(ranks, task, std::move(own), hooks, std::move(result)).result;
      ++turns;
      REQUIRE(turns < 1000);
    } while (result.interrupted);
    CHECK(turns > 1);
    check_same(result, expected);
  }
}

TEST_CASE("cluster: an interrupt that comes when all is just done interrupts nothing") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  for (const unsigned seed : {1U, 2U, 3U, 4U})
    for (const bool has_own : {false, true}) {
      Ranks ranks(3, seed, usual_workers(task));
      std::atomic<bool> is_done = false;
      searches::SearchHooks hooks;
      hooks.progress = [&](const Progress& now) { is_done = now.done == now.total; };
      hooks.interrupted = [&] { return is_done.load(); };
      const Outcome outcome = search_on(ranks, task, has_own ? one_slow_worker(task) : Workers(), hooks);
      CHECK_FALSE(outcome.result.interrupted);
      CHECK(outcome.modes.size() == 3);
      check_same(outcome.result, expected);
      CHECK(ranks.end() == 2);
    }
}

TEST_CASE("cluster: whichever rank is interrupted, the search is, and goes on") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  std::atomic<bool> interrupted = false;
  result::SearchResult result;
  {
    Ranks ranks(3, 1, usual_workers(task), program.version, [&] { return interrupted.load(); });
    std::atomic<int> done = 0;
    searches::SearchHooks hooks;
    hooks.progress = [&](const Progress&) { interrupted = ++done >= 5; };
    result = search_on(ranks, task, one_slow_worker(task), hooks).result;
    CHECK(result.interrupted);
    CHECK(result.arguments() > 0);
    CHECK(ranks.end() == 2);
  }
  Ranks ranks(3, 1, usual_workers(task));
  check_same(search_on(ranks, task, one_slow_worker(task), {}, std::move(result)).result, expected);
}

TEST_CASE("cluster: a fault that shows while the search stops is not passed over") {
  const Task task = small_task();
  std::atomic<bool> interrupted = false;
  Ranks ranks(2, 1, [&](int, const job::Job& job, const result::Json&) {
    Workers workers;
    workers.push_back(host_worker(with_job(task, job), 2,
                                  [&, left = std::make_shared<std::atomic<int>>(3)](
                                      const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
                                    if (--*left > 0)
                                      return search_domains_on_host(batch, interrupt);
                                    interrupted = true;
                                    while (!interrupt())
                                      std::this_thread::sleep_for(1ms);
                                    throw FaultError("it was wrong", Status::unsound);
                                  }));
    return workers;
  });
  searches::SearchHooks hooks;
  hooks.interrupted = [&] { return interrupted.load(); };
  const Outcome outcome = search_on(ranks, task, {}, hooks);
  CHECK(outcome.result.interrupted);
  CHECK(outcome.result.arguments() == 0);
  CHECK(outcome.lost == std::vector<std::string>{"it was wrong"});
  CHECK(ranks.end() == 1);
}

TEST_CASE("cluster: several searches one after the other, one of them abandoned") {
  const Task task = small_task();
  const result::SearchResult expected = alone(task);
  Ranks ranks(3, 5, [&](int, const job::Job& job, const result::Json& request) {
    Task here = with_job(task, job);
    if (request == "again")
      here.choices.algorithm = "exhaustive";
    return one_slow_worker(here);
  });
  check_same(search_on(ranks, task, one_slow_worker(task)).result, expected);
  check_same(search_on(ranks, task, one_slow_worker(task), {}, {}, "again").result, expected);
  searches::SearchHooks hooks;
  std::atomic<int> done = 0;
  hooks.progress = [&](const Progress&) { ++done; };
  hooks.interrupted = [&] { return done >= 2; };
  CHECK(search_on(ranks, task, {}, hooks).result.interrupted);
  check_same(search_on(ranks, task, one_slow_worker(task)).result, expected);
  CHECK(ranks.end() == 2);
}

TEST_CASE("cluster: a message that no rank sends ends a search with a sentence") {
  const Task task = small_task();
  Network network(2, 1, false);
  NetworkEnd end(network, 0);
  for (const char* text :
       {"nonsense", "{}", R"({"type":"take","search":1,"device":7})", R"({"type":"what","search":1})"}) {
    cluster::Leader leader(end, {});
    leader.open(program, task, nullptr);
    network.send(1, 0, text);
    CHECK_THROWS_WITH_AS((void)leader.opened(), "rank 1 has sent an unknown message", DeviceError);
    network.send(1, 0, R"({"type":"gone","search":0})");
  }
  Network other(2, 1, false);
  NetworkEnd member(other, 1);
  other.send(0, 1, "nonsense");
  CHECK_THROWS_WITH_AS(cluster::serve(member, "1.0", {}, {}), "rank 0 has sent an unknown message", DeviceError);
}

} // namespace tmd::test
