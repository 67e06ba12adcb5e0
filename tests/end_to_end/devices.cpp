// Several devices in one search find what one finds, also when some of them fail: nothing is lost, nothing counts
// twice. All without OpenCL.
#include "end_to_end/enumeration.hpp"

#include "host/report/report.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace tmd::test {
namespace {

using Search = engine::domains::DomainEngine::Search;

// Searches the phases on the host, and counts their arguments.
engine::BatchResult search_and_count(const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
  engine::BatchResult result = search_domains_on_host(batch, interrupt);
  result.stages.push_back({"arguments", "arguments", "arguments", "arguments"});
  result.stages.back().tested = batch.count();
  return result;
}

const Search on_host = search_and_count;

// Delays a search by up to so many microseconds for each batch.
Search delayed(const Search& search, unsigned seed, int most) {
  return [search, random = std::mt19937(seed), most](const engine::domains::DomainBatch& batch,
                                                     const engine::Interrupt& interrupt) mutable {
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(0, most)(random)));
    return search(batch, interrupt);
  };
}

// Lets a device wait at its first batch until another one has begun, too, at most ten seconds: on a busy machine it
// might be through before. begun: a bit for each device.
Search with_another(const Search& search, unsigned device, const std::shared_ptr<std::atomic<unsigned>>& begun) {
  return [=](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
    *begun |= 1U << device;
    for (int i = 0; i < 10'000 && std::has_single_bit(begun->load()); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return search(batch, interrupt);
  };
}

// Some dozen pieces with exact cases, about a hundred batches of 16 domains.
Task many_pieces() {
  return small_domains(make_task(known_exp2, {"p13", 13, -1022, 13, 0.75, 6}, Rounding::all, 5), 5);
}

// One piece in parts: 2^22 arguments and a few.
Task one_piece() {
  return small_domains(
      make_task(known_exp, {"binary64", 53, -1022, 53, 1, 1 + std::ldexp(4194304.0 + 77, -52)}, Rounding::all, 12), 9);
}

// The result is that of one device, and its parts are its devices'.
void check_as_by_one(const result::SearchResult& result, const result::SearchResult& one) {
  CHECK_FALSE(result.interrupted);
  CHECK(result.covered == one.covered);
  CHECK(same(result.cases, one.cases));
  CHECK(same(result.exact, one.exact));
  // No part is done twice, and none is left out. (Not by domains: parts may end anywhere, and few arguments go to MPFR
  // alone.)
  for (const result::SearchResult& each : {result, one})
    CHECK(engine::stage(each.stages, "arguments").tested + each.direct == each.arguments());
  uint128 arguments = 0;
  uint128 of_fields = 0;
  engine::Stages stages;
  for (const result::WorkerReport& worker : result.workers) {
    arguments += worker.arguments;
    engine::add(stages, worker.stages);
  }
  for (const result::FieldReport& report : result.fields)
    of_fields += report.field.arguments.count;
  CHECK(arguments == of_fields);
  CHECK(arguments == one.arguments());
  CHECK(engine::stage(stages, "arguments").tested == engine::stage(result.stages, "arguments").tested);
  CHECK(engine::stage(stages, "phase1").tested == engine::stage(result.stages, "phase1").tested);
  CHECK(engine::stage(stages, "phase2").kept == engine::stage(result.stages, "phase2").kept);
  CHECK(engine::stage(stages, "phase3").kept == engine::stage(result.stages, "phase3").kept);
}

result::SearchResult run_one(const Task& task, std::uint64_t batch_domains) {
  result::SearchResult result = run_search_on(task, host_worker(task, batch_domains, on_host));
  REQUIRE(result.covered == task.range());
  REQUIRE(result.cases.size() > 100);
  const engine::Stage phase1 = engine::stage(result.stages, "phase1");
  REQUIRE(phase1.kept < phase1.tested);
  REQUIRE(phase1.kept > 0);
  return result;
}

// The losses that run_search() reported, by worker.
struct Losses {
  std::vector<std::pair<std::size_t, std::string>> told;
  searches::SearchHooks hooks() {
    searches::SearchHooks hooks;
    hooks.lost = [this](std::size_t index, const std::string& why) { told.emplace_back(index, why); };
    return hooks;
  }
};

// Gives one device three short parts of a field and, when those are done, all the rest, and observes how much of it it
// keeps.
class LongLastPart : public searches::PartExchange {
public:
  static constexpr std::uint64_t short_part = 1024;
  static constexpr std::size_t short_parts = 3;

  explicit LongLastPart(const job::Job& job, const job::Stretch& arguments)
      : field_(engine::Field::of(*job::PieceCutter(job, arguments).next())) {}

  std::optional<Assignment> take() override {
    std::unique_lock lock(mutex_);
    if (taken_ < short_parts)
      return Assignment{{0, short_part * taken_++, short_part}, field_};
    if (taken_++ > short_parts)
      return std::nullopt;
    changed_.wait(lock, [this] { return delivered_ >= short_parts || closed_; });
    return Assignment{{0, short_part * short_parts, field_.extent() - short_part * short_parts}, field_};
  }
  void shorten(const Assignment& taken, uint128 count) override {
    const std::lock_guard lock(mutex_);
    if (taken.part.first == short_part * short_parts)
      kept_ = count;
  }
  void deliver(const result::PartResult& result) override {
    const std::lock_guard lock(mutex_);
    ++delivered_;
    intervals_ += result.intervals;
    changed_.notify_all();
  }
  void close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] bool interrupted() const override { return false; }
  [[nodiscard]] uint128 kept() const { return kept_; } // 0 if nothing was given back
  [[nodiscard]] std::uint64_t intervals() const { return intervals_; }

private:
  engine::Field field_;
  uint128 kept_ = 0;
  std::uint64_t intervals_ = 0;
  std::size_t taken_ = 0;
  std::size_t delivered_ = 0;
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace

TEST_CASE("devices: of a part that would take one far too long beside others it keeps half a second's") {
  const Task task = one_piece();
  static constexpr std::chrono::microseconds an_argument(50);
  const Search slow = [](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
    std::this_thread::sleep_for(an_argument * batch.count());
    return on_host(batch, interrupt);
  };
  LongLastPart exchange(task, {false, -52, uint128(1) << 52, uint128(1) << 22}); // arguments from 1 on
  host_worker(task, 16, slow)->work(task, exchange);
  CHECK(exchange.kept() >= 1 << 11);
  CHECK(exchange.kept() <= 1 << 15); // of four million arguments; ten thousand take half a second
}

TEST_CASE("devices: a part of several intervals that takes one little time beside others it keeps whole") {
  const Task task = one_piece();
  LongLastPart exchange(task, {false, -52, uint128(1) << 52, uint128(1) << 16}); // arguments from 1 on
  host_worker(task, 16, on_host)->work(task, exchange);
  CHECK(exchange.intervals() > LongLastPart::short_parts + 1);
  CHECK(exchange.kept() == 0); // all of it: it gave nothing back
}

TEST_CASE("devices: two, three and four find what one finds, however batches are cut and delayed") {
  for (const Task& task : {many_pieces(), one_piece()}) {
    const result::SearchResult one = run_one(task, 16);
    CHECK(one.workers.size() == 1);
    CHECK(one.exact.size() == (task.format.precision == 13 ? 5U : 0U));
    for (const std::size_t count : {2, 3, 4})
      for (const int delay : {0, 300}) {
        std::vector<std::unique_ptr<searches::Worker>> workers;
        const auto begun = std::make_shared<std::atomic<unsigned>>(0);
        for (unsigned i = 0; i < count; ++i) {
          const Search search = delayed(on_host, i, delay);
          workers.push_back(host_worker(task, std::array{16U, 5U, 1024U, 100U}.at(i),
                                        delay == 0 ? search : with_another(search, i, begun)));
        }
        uint128 done = 0;
        searches::SearchHooks hooks;
        hooks.progress = [&](const Progress& progress) {
          CHECK(progress.done >= done);
          CHECK(progress.devices >= 1);
          CHECK(progress.devices <= count); // whoever has no more to do has ended
          done = progress.done;
        };
        const result::SearchResult result = searches::run_search(task, workers, hooks);
        check_as_by_one(result, one);
        CHECK(done == task.size());
        REQUIRE(result.workers.size() == count);
        std::size_t busy = 0;
        for (const result::WorkerReport& worker : result.workers) {
          busy += worker.arguments > 0 ? 1 : 0;
          CHECK(worker.failure.empty());
        }
        CHECK((busy > 1 || delay == 0)); // without delays the first may have finished before the second begins
      }
  }
}

TEST_CASE("devices: one of two fails at its first, second … batch, before or after it has the answer") {
  using namespace std::chrono_literals;
  for (const Task& task : {many_pieces(), one_piece()}) {
    const std::uint64_t batch_domains = task.format.precision == 13 ? 2 : 32;
    const result::SearchResult one = run_one(task, batch_domains);
    for (const std::uint64_t at : {0, 1, 2, 3, 7, 20, 60})
      for (const Moment moment : {Moment::before, Moment::after})
        for (const std::size_t bad : {0, 1}) {
          // The good one waits until the other has failed, which will therefore have been given that many parts.
          std::atomic<bool> failed = false;
          const Search good = [&](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
            for (int waited = 0; waited < 20000 && !failed; ++waited)
              std::this_thread::sleep_for(1ms);
            return on_host(batch, interrupt);
          };
          std::vector<std::unique_ptr<searches::Worker>> workers(2);
          workers[bad] = host_worker(task, batch_domains, failing(on_host, at, moment, "no more power"));
          workers[1 - bad] = host_worker(task, batch_domains, good);
          Losses losses;
          searches::SearchHooks hooks = losses.hooks();
          hooks.lost = [&, told = hooks.lost](std::size_t index, const std::string& why) {
            told(index, why);
            failed = true;
          };
          const result::SearchResult result = searches::run_search(task, workers, hooks);
          check_as_by_one(result, one);
          CHECK(losses.told == std::vector{std::pair(bad, std::string("no more power"))});
          CHECK(result.workers[bad].failure == "no more power");
          // The phases do it; single arguments may be done before the first batch.
          CHECK((engine::stage(result.workers[bad].stages, "phase1").tested > 0) == (at > 0));
          CHECK(result.workers[1 - bad].failure.empty());
        }
  }
}

TEST_CASE("devices: one fails when the other has done all the rest") {
  using namespace std::chrono_literals;
  for (const Task& task : {many_pieces(), one_piece()}) {
    const result::SearchResult one = run_one(task, 16);
    std::atomic<int> batches = 0;
    std::atomic<bool> begun = false; // searched by the bad one
    const Search good = [&](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
      for (int waited = 0; waited < 20000 && !begun; ++waited)
        std::this_thread::sleep_for(1ms);
      ++batches;
      return on_host(batch, interrupt);
    };
    int before = 0;
    const Search bad = [&](const engine::domains::DomainBatch&, const engine::Interrupt&) -> engine::BatchResult {
      begun = true;
      do {
        before = batches;
        std::this_thread::sleep_for(100ms);
      } while (batches == 0 || batches != before);
      throw DeviceError("too late");
    };
    Losses losses;
    std::vector<std::unique_ptr<searches::Worker>> workers;
    workers.push_back(host_worker(task, 16, good));
    workers.push_back(host_worker(task, 16, bad));
    const result::SearchResult result = searches::run_search(task, workers, losses.hooks());
    check_as_by_one(result, one);
    CHECK(losses.told.size() == 1);
    CHECK(before > 3);
    CHECK(batches > before); // the parts that the other had
  }
}

TEST_CASE("devices: when the last one fails, its error ends the search; the others' are told") {
  const Task task = many_pieces();
  for (const std::uint64_t first : {0, 1, 5})
    for (const std::uint64_t second : {0, 3}) {
      std::vector<std::unique_ptr<searches::Worker>> workers;
      for (const std::uint64_t at : {first, second})
        workers.push_back(
            host_worker(task, 16,
                        failing(delayed(on_host, 7, 100), at, Moment::before,
                                "failed at " + std::to_string(at) + " as " + std::to_string(workers.size()))));
      Losses losses;
      std::string last;
      try {
        (void)searches::run_search(task, workers, losses.hooks());
      } catch (const DeviceError& error) {
        last = error.what();
      }
      REQUIRE(losses.told.size() == 1);
      std::set<std::string> all{last, losses.told[0].second};
      CHECK(all == std::set<std::string>{"failed at " + std::to_string(first) + " as 0",
                                         "failed at " + std::to_string(second) + " as 1"});
    }
  // Alone, a failing device ends the search.
  Losses losses;
  CHECK_THROWS_WITH_AS(
      (void)run_search_on(task, host_worker(task, 16, failing(on_host, 2, Moment::after, "alone")), losses.hooks()),
      "alone", DeviceError);
  CHECK(losses.told.empty());
}

TEST_CASE("devices: random delays and losses, one device left at least") {
  const Task task = many_pieces();
  const result::SearchResult one = run_one(task, 16);
  std::mt19937 random(2026);
  const auto below = [&](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
  std::size_t losses_in_all = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t count = 2 + static_cast<std::size_t>(below(3));
    const auto survivor = static_cast<std::size_t>(below(static_cast<int>(count)));
    std::vector<std::unique_ptr<searches::Worker>> workers;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t batch_domains = 1 + static_cast<std::uint64_t>(below(40));
      const auto seed = static_cast<unsigned>(random());
      Search search = delayed(on_host, seed, below(2) * 200);
      if (i != survivor && below(4) != 0) {
        const Moment moment = below(2) == 0 ? Moment::before : Moment::after;
        search = failing(search, static_cast<std::uint64_t>(below(30)), moment, "lost");
      }
      workers.push_back(host_worker(task, batch_domains, search));
    }
    Losses losses;
    const result::SearchResult result = searches::run_search(task, workers, losses.hooks());
    INFO("round ", round, ", ", count, " devices, ", losses.told.size(), " lost");
    check_as_by_one(result, one);
    losses_in_all += losses.told.size();
  }
  CHECK(losses_in_all > 50);
}

TEST_CASE("devices: what is not a device's failure ends the search, whatever other devices there are") {
  const Task task = many_pieces();
  std::vector<std::unique_ptr<searches::Worker>> workers(3);
  std::atomic<bool> thrown = false; // the others wait until it has been given a batch
  const Search good = [&](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
    for (int waited = 0; waited < 20000 && !thrown; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return on_host(batch, interrupt);
  };
  const auto throwing = [&](const auto& error) {
    thrown = false;
    for (std::unique_ptr<searches::Worker>& worker : workers)
      worker = host_worker(task, 16, good);
    workers[1] = host_worker(
        task, 16,
        [&thrown, error](const engine::domains::DomainBatch&, const engine::Interrupt&) -> engine::BatchResult {
          thrown = true;
          throw error;
        });
  };
  throwing(SoundnessError("unsound"));
  CHECK_THROWS_WITH_AS((void)searches::run_search(task, workers), "unsound", SoundnessError);
  throwing(UsageError("refused"));
  CHECK_THROWS_WITH_AS((void)searches::run_search(task, workers), "refused", UsageError);
  throwing(std::bad_alloc());
  CHECK_THROWS_AS((void)searches::run_search(task, workers), std::bad_alloc);
}

TEST_CASE("devices: an interrupted search counts what was covered, of every device") {
  const Task task = one_piece();
  const result::SearchResult one = run_one(task, 64);
  for (const int after : {1, 2, 10, 50, 80}) {
    std::vector<std::unique_ptr<searches::Worker>> workers(2);
    for (std::unique_ptr<searches::Worker>& worker : workers)
      worker = host_worker(task, 64, delayed(on_host, 5, 100));
    std::atomic<int> asked = 0;
    searches::SearchHooks hooks;
    hooks.interrupted = [&] { return ++asked > after; };
    const result::SearchResult result = searches::run_search(task, workers, hooks);
    CHECK(result.interrupted);
    CHECK(result.arguments() < task.size());
    CHECK((result.arguments() > 0 || after < 50));
    CHECK(result.arguments() == result.workers[0].arguments + result.workers[1].arguments);
    CHECK(result.cases.size() <= one.cases.size());
    for (const Case& found : result.cases)
      CHECK(std::any_of(one.cases.begin(), one.cases.end(), [&](const Case& known) { return known.x == found.x; }));
  }
}

TEST_CASE("devices: several threads confirm what one does") {
  const auto check = [](const Task& task, std::uint64_t direct) {
    const auto worker = [&](unsigned threads) { return host_worker(task, 1 << 15, on_host, threads); };
    const result::SearchResult one = run_search_on(task, worker(1));
    CHECK(one.covered == task.range());
    CHECK(one.direct == direct);
    CHECK(one.cases.size() > task.size() / 200); // thousands of arguments in a batch
    std::vector<std::unique_ptr<searches::Worker>> workers;
    workers.push_back(worker(3));
    workers.push_back(worker(16));
    check_as_by_one(searches::run_search(task, workers), one);
    check_as_by_one(searches::run_search(task, std::span(workers).first(1)), one);
  };
  Task task = one_piece();
  task.K = 8;
  task.choices.domain_bits = 4;
  check(task, 0);
  task.costs.set(device::shared_cost("confirmation"), 0); // nothing is cheaper than MPFR
  task.last = task.first + 20000;
  check(task, 20000);
}

TEST_CASE("devices: threads that plan and confirm change nothing of what one does") {
  for (const Task& task : {many_pieces(), one_piece()}) {
    const result::SearchResult one = run_one(task, 16);
    for (const unsigned threads : {2U, 3U, 8U})
      for (const int delay : {0, 300}) {
        const result::SearchResult result =
            run_search_on(task, host_worker(task, 16, delayed(on_host, threads, delay), 1, threads));
        check_as_by_one(result, one);
        CHECK(report::ledger_table(result) == report::ledger_table(one));
        CHECK(report::method_table(result) == report::method_table(one));
        REQUIRE(result.fields.size() == one.fields.size());
        for (std::size_t i = 0; i < one.fields.size(); ++i) {
          CHECK(result.fields[i].intervals == one.fields[i].intervals);
          CHECK(result.fields[i].direct_arguments == one.fields[i].direct_arguments);
        }
      }
  }
}

TEST_CASE("devices: with several planning threads, too, a device that fails loses only what it had not searched") {
  const Task task = many_pieces();
  const result::SearchResult one = run_one(task, 16);
  for (const std::uint64_t at : {0, 1, 5, 30})
    for (const unsigned threads : {2U, 8U}) {
      std::vector<std::unique_ptr<searches::Worker>> workers;
      workers.push_back(host_worker(task, 16, failing(on_host, at, Moment::before, "lost"), 1, threads));
      workers.push_back(host_worker(task, 16, delayed(on_host, 3, 300), 1, threads));
      Losses losses;
      check_as_by_one(searches::run_search(task, workers, losses.hooks()), one);
      CHECK(losses.told.size() <= 1); // the other may have done everything before
    }
  for (const unsigned threads : {2U, 8U})
    CHECK_THROWS_WITH_AS(
        (void)run_search_on(task, host_worker(task, 16, failing(on_host, 2, Moment::after, "alone"), 1, threads)),
        "alone", DeviceError);
}

TEST_CASE("devices: queues beside each other change nothing of what one finds, and none is searched by two threads") {
  for (const Task& task : {many_pieces(), one_piece()}) {
    const result::SearchResult one = run_one(task, 16);
    for (const unsigned queues : {2U, 5U}) {
      std::atomic<unsigned> opened = 0;
      std::atomic<bool> shared = false;
      const auto engines = [&](engine::domains::DomainEngine::Search search) {
        std::vector<std::unique_ptr<engine::Engine>> result;
        result.push_back(std::make_unique<engine::domains::DomainEngine>(
            engine::domains::domain_options(task.settings()), engine::domains::DomainLimits{16, 1},
            [search, busy = std::make_shared<std::atomic<bool>>(false),
             &shared](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
              if (busy->exchange(true))
                shared = true;
              engine::BatchResult found = search(batch, interrupt);
              *busy = false;
              return found;
            }));
        return result;
      };
      const auto worker_of = [&](const engine::domains::DomainEngine::Search& further) {
        auto worker = std::make_unique<searches::DeviceWorker>(engines(delayed(on_host, queues, 300)), task.choices,
                                                               task.costs, 1, 3);
        worker->search_in_queues(queues, [&opened, engines, further] {
          ++opened;
          return engines(further);
        });
        return worker;
      };
      const result::SearchResult result = run_search_on(task, worker_of(delayed(on_host, queues + 1, 300)));
      check_as_by_one(result, one);
      CHECK(opened > 0);
      CHECK(opened < queues);
      CHECK_FALSE(shared);
      // One of them fails: the device is lost, with everything that its queues had not delivered.
      std::vector<std::unique_ptr<searches::Worker>> workers;
      workers.push_back(worker_of(failing(on_host, 2, Moment::after, "lost")));
      workers.push_back(host_worker(task, 16, delayed(on_host, 3, 300)));
      check_as_by_one(searches::run_search(task, workers), one);
    }
  }
}

TEST_CASE("devices: work that waits is searched together where queues share a device, and finds what it finds apart") {
  // Next to π there are pieces of every length.
  constexpr double around = 0x1p-19;
  const double pi = std::ldexp(std::rint(std::ldexp(3.14159265358979, 30)), -30);
  const Task by_domains = make_task(known_sin, {"p40", 40, -1022, 40, pi - around, pi + around}, Rounding::all, 12);
  Task task = widely(by_domains);
  task.costs.set(device::shared_cost("interval"), 5e7); // the number of queues of GPUs
  task.costs.set(device::shared_cost("confirmation"), 1);
  const result::SearchResult one = run_search_on(by_domains, host_worker(by_domains, 1 << 15));
  REQUIRE(one.cases.size() > 300);
  for (const unsigned queues : {2U, 4U})
    for (const bool fails : {false, true}) {
      std::atomic<std::uint64_t> most_runs = 0;
      std::atomic<unsigned> batches = 0;
      const auto engines = [&] {
        device::Tunables tunables;
        tunables.set(device::shared_tunable("queues"), queues);
        std::vector<std::unique_ptr<engine::Engine>> result;
        result.push_back(std::make_unique<engine::wide::WideEngine>(
            engine::wide::wide_options(task.settings(tunables)), std::uint64_t(1) << 20,
            [&](const engine::wide::WideBatch& batch, const engine::Interrupt& interrupt) {
              std::this_thread::sleep_for(std::chrono::milliseconds(2)); // others begin to wait
              for (std::uint64_t most = most_runs; most < batch.runs.size();)
                most_runs.compare_exchange_weak(most, batch.runs.size());
              const bool is_third = ++batches == 3;
              engine::BatchResult found = search_widely_on_host(batch, interrupt);
              if (is_third && fails)
                throw DeviceError("lost");
              return found;
            }));
        return result;
      };
      auto worker = std::make_unique<searches::DeviceWorker>(engines(), task.choices, task.costs, 1, 3);
      worker->search_in_queues(queues, engines);
      std::vector<std::unique_ptr<searches::Worker>> workers;
      workers.push_back(std::move(worker));
      if (fails)
        workers.push_back(wide_host_worker(task, 1 << 20));
      const result::SearchResult result = searches::run_search(task, workers);
      CHECK(most_runs > 2);
      CHECK(result.covered == one.covered);
      CHECK(same(result.cases, one.cases));
      CHECK(same(result.exact, one.exact));
      std::uint64_t intervals = 0;
      for (const result::FieldReport& field : result.fields)
        intervals += field.intervals;
      CHECK((fails || batches < intervals / 2));
    }
}

} // namespace tmd::test
