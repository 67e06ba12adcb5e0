// An interrupted search is resumed with the arguments that are left, and finds what an uninterrupted one finds. All
// without OpenCL.
#include "end_to_end/enumeration.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tmd::test {
namespace {

using Workers = std::vector<std::unique_ptr<searches::Worker>>;

// Several pieces with exact cases among them, below zero and above.
std::vector<Task> tasks() {
  std::vector<Task> result{make_task(known_exp2, {"p13", 13, -1022, 13, 0.75, 6}, Rounding::all, 5),
                           make_task(known_sin, {"p13", 13, -1022, 13, -7, -0.75}, Rounding::nearest, 4),
                           make_task(known_cbrt, {"binary16", 11, -14, 11, -0x1p-12, 0x1p-12}, Rounding::directed, 4)};
  for (Task& task : result) {
    task.costs = test_eagerly();
    task.choices.domain_bits = 5;
    task.choices.split_bits = 2;
  }
  return result;
}

Workers one_worker(const Task& task) {
  Workers workers;
  workers.push_back(host_worker(task, 8));
  return workers;
}

Workers two_workers(const Task& task) {
  Workers workers = one_worker(task);
  workers.push_back(host_worker(task, 3));
  return workers;
}

Workers one_of_two_fails(const Task& task) {
  Workers workers = one_worker(task);
  workers.push_back(host_worker(
      task, 3, failing(engine::domains::DomainEngine::Search(search_domains_on_host), 1, Moment::after, "lost")));
  return workers;
}

Workers wide_worker(const Task& task) {
  Workers workers;
  workers.push_back(wide_host_worker(widely(task, 7), 2));
  return workers;
}

result::SearchResult in_one_go(const Task& task) {
  result::SearchResult result = searches::run_search(task, one_worker(task));
  REQUIRE(result.covered == task.range());
  REQUIRE(result.cases.size() > 100);
  return result;
}

// Checks that the cases are exactly those of the covered arguments.
void check_so_far(const Task& task, const result::SearchResult& result, const result::SearchResult& expected) {
  const auto covered = [&](const result::Cases& cases) {
    std::vector<Case> some;
    std::copy_if(cases.begin(), cases.end(), std::back_inserter(some),
                 [&](const Case& one) { return result.covered.contains(task.arguments().rank(one.x)); });
    return some;
  };
  CHECK(same(result.cases, covered(expected.cases)));
  CHECK(same(result.exact, covered(expected.exact)));
  CHECK(result.undecided.empty());
}

// Interrupts a search after `parts` parts, again and again, until it is complete, with new workers in each turn.
// Returns the number of turns.
int in_turns(const Task& task, int parts, const result::SearchResult& expected,
             const std::function<Workers(const Task&, int)>& workers) {
  result::SearchResult result;
  int turns = 0;
  do {
    ++turns;
    std::atomic<int> done = 0;
    searches::SearchHooks hooks;
    hooks.progress = [&, before = result.arguments()](const Progress& progress) {
      ++done;
      CHECK(progress.done > before);
      CHECK(progress.total == task.size());
    };
    hooks.interrupted = [&] { return done >= parts; };
    const uint128 before = result.arguments();
    const double seconds = result.seconds;
    const Workers now = workers(task, turns);
    result = searches::run_search(task, now, hooks, {}, std::move(result));
    CHECK(result.arguments() > before);
    CHECK(result.seconds > seconds);
    CHECK(result.workers.size() == now.size());
    uint128 of_workers = 0;
    for (const result::WorkerReport& worker : result.workers)
      of_workers += worker.arguments;
    CHECK(of_workers == result.arguments() - before);
    check_so_far(task, result, expected);
  } while (result.interrupted);
  CHECK(result.covered == task.range());
  CHECK(same(result.cases, expected.cases));
  CHECK(same(result.exact, expected.exact));
  return turns;
}

// Confirms every argument of its parts; the delivered results can be falsified.
class PlainWorker : public searches::Worker {
public:
  using Deliver = std::function<void(searches::PartExchange&, const result::PartResult&)>;
  explicit PlainWorker(Deliver deliver) : deliver_(std::move(deliver)) {}

  void work(const job::Job& job, searches::PartExchange& exchange) override {
    const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
    while (const auto assignment = exchange.take()) {
      result::PartResult result;
      result.part = assignment->part;
      const engine::Field& field = assignment->field;
      const uint128 first = field.is_claimed() ? 0 : result.part.first;
      const uint128 count = field.is_claimed() ? field.arguments.count : result.part.count;
      for (uint128 i = first; i < first + count; ++i)
        if (const auto found = confirmation.confirm(field.arguments.argument(i)))
          result.found.push_back(*found);
      deliver_(exchange, result);
    }
  }

private:
  Deliver deliver_;
};

result::SearchResult run_plainly(const Task& task, const PlainWorker::Deliver& deliver,
                                 const searches::Claims& claims = {}, result::SearchResult so_far = {}) {
  const std::unique_ptr<searches::Worker> worker = std::make_unique<PlainWorker>(deliver);
  return searches::run_search(task, std::span(&worker, 1), {}, claims, std::move(so_far));
}

void deliver_once(searches::PartExchange& exchange, const result::PartResult& result) { exchange.deliver(result); }

// The result of a search of the first arguments.
result::SearchResult first_half(const Task& task) {
  Task half = task;
  half.last = task.first + (task.last - task.first) / 2;
  return searches::run_search(half, one_worker(half));
}

} // namespace

TEST_CASE("resumed: interrupted after its first, second … part, a search finds the same") {
  for (const Task& task : tasks()) {
    const result::SearchResult expected = in_one_go(task);
    int most = 0;
    for (const int parts : {1, 2, 3, 4, 5, 7, 11, 16, 23, 40, 80})
      most = std::max(most, in_turns(task, parts, expected, [](const Task& same, int) { return one_worker(same); }));
    CHECK(most > 30);
  }
}

TEST_CASE("resumed: with two workers, and one of which fails") {
  for (const Task& task : tasks()) {
    const result::SearchResult expected = in_one_go(task);
    for (const int parts : {1, 2, 3, 5, 9, 20}) {
      (void)in_turns(task, parts, expected, [](const Task& same, int) { return two_workers(same); });
      (void)in_turns(task, parts, expected, [](const Task& same, int) { return one_of_two_fails(same); });
    }
  }
}

TEST_CASE("resumed: other engines, tests and domains in every turn") {
  for (const Task& task : tasks()) {
    const result::SearchResult expected = in_one_go(task);
    for (const int parts : {2, 3, 6, 10})
      (void)in_turns(task, parts, expected, [](Task other, int turn) {
        other.choices.algorithm =
            std::array{"regular", "lefevre", "exhaustive", "auto"}.at(static_cast<std::size_t>(turn % 4));
        other.choices.domain_bits = 4 + turn % 3;
        return turn % 5 == 1 ? wide_worker(other) : two_workers(other);
      });
  }
}

TEST_CASE("resumed: what is done is not done again") {
  for (const Task& task : tasks()) {
    const result::SearchResult expected = in_one_go(task);
    // Everything is done: nothing is searched.
    const result::SearchResult again = run_plainly(
        task, [](searches::PartExchange&, const result::PartResult&) { FAIL("there was something to do"); }, {},
        expected);
    CHECK(again.covered == task.range());
    CHECK(same(again.cases, expected.cases));
    CHECK(same(again.exact, expected.exact));
    // Some parts are done: the workers get the rest, and no more.
    result::SearchResult so_far = first_half(task);
    const uint128 before = so_far.arguments();
    CHECK(before > 0);
    uint128 taken = 0;
    const result::SearchResult result = run_plainly(
        task,
        [&](searches::PartExchange& exchange, const result::PartResult& part) {
          taken += part.part.count;
          exchange.deliver(part);
        },
        {}, std::move(so_far));
    CHECK(taken == task.size() - before);
    CHECK(result.covered == task.range());
    CHECK(same(result.cases, expected.cases));
    CHECK(same(result.exact, expected.exact));
  }
}

TEST_CASE("resumed: ranks that would be covered twice, not at all, or beyond the range are refused") {
  const Task task = tasks()[0];
  CHECK(run_plainly(task, deliver_once).covered == task.range());

  // A part is delivered twice, or more of it than was given.
  CHECK_THROWS_AS((void)run_plainly(task,
                                    [](searches::PartExchange& exchange, const result::PartResult& part) {
                                      exchange.deliver(part);
                                      exchange.deliver(part);
                                    }),
                  SoundnessError);
  CHECK_THROWS_AS((void)run_plainly(task,
                                    [](searches::PartExchange& exchange, result::PartResult part) {
                                      ++part.part.count;
                                      exchange.deliver(part);
                                    }),
                  SoundnessError);

  // A claim reaches one argument back into the covered range.
  const auto claim = [](job::Stretch stretch, uint128 more) {
    stretch.first -= more;
    stretch.count += more;
    return engine::Field{stretch, engine::Claim{"plain", 1, [stretch](uint128, uint128) { return stretch.count; }}};
  };
  const auto sound = [&](const job::Stretch& stretch) { return std::optional(claim(stretch, 0)); };
  CHECK(run_plainly(task, deliver_once, sound, first_half(task)).covered == task.range());
  const auto unsound = [&](const job::Stretch& stretch) { return std::optional(claim(stretch, 1)); };
  CHECK_THROWS_WITH_AS((void)run_plainly(task, deliver_once, unsound, first_half(task)),
                       doctest::Contains("would be covered twice"), SoundnessError);

  // A part is not delivered.
  CHECK_THROWS_WITH_AS(
      (void)run_plainly(task, [](searches::PartExchange& exchange, const result::PartResult&) { exchange.close(); }),
      doctest::Contains("without searching all that it had taken"), SoundnessError);

  // The contents are those of an earlier search of another range.
  Task shorter = task;
  --shorter.last;
  CHECK_THROWS_AS((void)run_plainly(shorter, deliver_once, {}, in_one_go(task)), SoundnessError);
}

} // namespace tmd::test
