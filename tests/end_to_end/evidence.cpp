// Devices give evidence against themselves, and their results are discarded. All without OpenCL.
#include "end_to_end/enumeration.hpp"
#include "host/search/audit.hpp"
#include "host/search/expectation.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tmd::test {
namespace {

using Workers = std::vector<std::unique_ptr<searches::Worker>>;
using Search = engine::domains::DomainEngine::Search;

Task task_of_many_cases() {
  Task task = make_task(known_exp2, {"p13", 13, -1022, 13, 0.75, 6}, Rounding::all, 5);
  task.costs = test_eagerly();
  task.choices.domain_bits = 5;
  task.choices.split_bits = 2;
  return task;
}

result::SearchResult one_workers(const Task& task) {
  const std::unique_ptr<searches::Worker> worker = host_worker(task, 4);
  result::SearchResult result = searches::run_search(task, std::span(&worker, 1));
  REQUIRE(result.cases.size() > 100);
  return result;
}

// Loses every candidate until it is noticed at batch `at`.
Search lying(std::uint64_t at, std::atomic<std::uint64_t>& batches) {
  return [at, &batches](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
    if (batches++ == at)
      throw FaultError("found out");
    engine::BatchResult result = search_domains_on_host(batch, interrupt);
    result.candidates.clear();
    return result;
  };
}

} // namespace

TEST_CASE("evidence: what a faulty device did is done again by the other") {
  using namespace std::chrono_literals;
  const Task task = task_of_many_cases();
  const result::SearchResult one = one_workers(task);
  for (const std::uint64_t at : {0, 1, 5, 20, 60})
    for (const std::size_t bad : {0, 1}) {
      CAPTURE(at);
      std::atomic<std::uint64_t> batches = 0;
      std::atomic<bool> told = false;
      const Search honest = [&](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
        for (int waited = 0; waited < 20000 && !told; ++waited) // until the other has done so many batches
          std::this_thread::sleep_for(1ms);
        return search_domains_on_host(batch, interrupt);
      };
      Workers workers(2);
      workers[bad] = host_worker(task, 4, lying(at, batches));
      workers[1 - bad] = host_worker(task, 4, honest);
      searches::SearchHooks hooks;
      hooks.lost = [&](std::size_t index, const std::string& why) {
        CHECK(index == bad);
        CHECK(why == "found out");
        told = true;
      };
      const result::SearchResult result = searches::run_search(task, workers, hooks);
      REQUIRE(told);
      CHECK(result.covered == task.range());
      CHECK(same(result.cases, one.cases));
      CHECK(same(result.exact, one.exact));
      CHECK(result.workers[bad].arguments == 0); // none of its results counts
      CHECK(result.workers[1 - bad].arguments == task.size());
      CHECK(engine::stage(result.workers[bad].stages, "phase1").tested == 0);
    }
}

TEST_CASE("evidence: a faulty device that is alone ends the search as unsound") {
  const Task task = task_of_many_cases();
  std::atomic<std::uint64_t> batches = 0;
  Workers workers;
  workers.push_back(host_worker(task, 4, lying(7, batches)));
  try {
    (void)searches::run_search(task, workers);
    FAIL("a list without its cases was believed");
  } catch (const FaultError& error) {
    CHECK(error.status() == Status::unsound);
  }
  // The same if the other has failed before.
  batches = 0;
  workers.clear();
  workers.push_back(host_worker(task, 4, lying(3, batches)));
  workers.push_back(host_worker(task, 4, failing(Search(search_domains_on_host), 0, Moment::before, "no power")));
  CHECK_THROWS_AS((void)searches::run_search(task, workers), DeviceError);
}

TEST_CASE("evidence: a candidate that lies too far from every breakpoint") {
  const Task task = task_of_many_cases();
  const Search another_function = [](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
    engine::BatchResult result = search_domains_on_host(batch, interrupt);
    for (std::uint64_t& candidate : result.candidates)
      candidate = candidate > 0 ? candidate - 1 : 1;
    return result;
  };
  Workers workers;
  workers.push_back(host_worker(task, 4, another_function));
  try {
    (void)searches::run_search(task, workers);
    FAIL("another function was searched");
  } catch (const FaultError& error) {
    CHECK(error.status() == Status::unsound);
    CAPTURE(std::string(error.what()));
    CHECK(std::string(error.what()).find("another function than exp2") != std::string::npos);
    CHECK(std::string(error.what()).find("domains test") != std::string::npos);
  }
}

TEST_CASE("evidence: parts for an audit lie in the range, one in each share of it") {
  const Task task = task_of_many_cases();
  number::Random random(1);
  for (const uint128 count : {uint128(0), uint128(1), uint128(5), uint128(1000), task.size(), task.size() + 7})
    for (const std::size_t parts : {1, 3, 16}) {
      const job::Coverage some = searches::random_parts(task.range(), count, parts, random);
      CHECK(some.size() <= std::min(count, task.size()));
      CHECK(some.size() + parts > std::min(count, task.size()));
      CHECK(some.complement_in(task.range()).size() == task.size() - some.size()); // throws if it lies outside
    }
  // If all is asked for, the audit searches all, however many parts there might have been.
  for (const uint128 size : {uint128(16), uint128(31), task.size()})
    CHECK(searches::random_parts(task.range().slice(0, size), size, 16, random) == task.range().slice(0, size));
  CHECK(searches::random_parts(task.range(), 100, 4, random) != searches::random_parts(task.range(), 100, 4, random));
}

TEST_CASE("evidence: an audit agrees with a right result, and finds what is missing or too many") {
  const Task task = task_of_many_cases();
  const result::SearchResult right = one_workers(task);
  const auto audited = [&](const result::SearchResult& result, double share) {
    Workers workers;
    workers.push_back(wide_host_worker(widely(task, 7), 2));
    return searches::audit(task, result, searches::auditable(task, result), workers,
                           {searches::AuditWay::Means::test, "wide"}, {share, 0}, 5, {});
  };
  const result::AuditReport whole = audited(right, 1);
  CHECK(whole.cases == right.cases.size() + right.exact.size());
  CHECK(whole.arguments == task.size());
  CHECK(audited(right, 0.25).arguments <= task.size() / 4 + 1);
  // The share is one of the arguments that were searched, however few, and not of the range.
  result::SearchResult little = right;
  const uint128 searched = task.size() / 100;
  little.left_out = task.range().slice(0, task.size() - searched);
  const result::AuditReport quarter = audited(little, 0.25);
  CHECK(quarter.arguments <= searched / 4 + 1);
  CHECK(quarter.arguments + 16 > searched / 4);
  result::SearchResult wrong = right;
  std::vector<Case> cases = right.cases.to_vector();
  cases.pop_back();
  wrong.cases = cases;
  CHECK_THROWS_WITH_AS((void)audited(wrong, 1), doctest::Contains("that the search has missed"), SoundnessError);
  wrong = right;
  Case other = wrong.cases.front();
  for (const Case& one : right.cases)
    other.x.significand = std::max(other.x.significand, one.x.significand);
  ++other.x.significand;
  if (std::none_of(right.cases.begin(), right.cases.end(),
                   [&](const Case& one) { return compare(one.x, other.x) == 0; })) {
    wrong.cases.push_back(other);
    CHECK_THROWS_WITH_AS((void)audited(wrong, 1), doctest::Contains("has missed a case"), SoundnessError);
  }
  CHECK(searches::auditing_algorithm(right) == "wide");
  result::SearchResult by_both; // no audit uses an engine that can be used only in few places
  by_both.fields.resize(2);
  by_both.fields[0].methods["wide"] = 1;
  by_both.fields[1].methods["regular"] = 1;
  CHECK(searches::auditing_algorithm(by_both) == "regular");
}

TEST_CASE("evidence: a list with far too few or too many cases is told, one as expected is not") {
  Task task = make_task(known_exp2, {"binary32", 24, -126, 24, 1, 4}, Rounding::all, 12);
  task.function = &function::find_function("exp");
  task.costs = test_eagerly();
  const std::unique_ptr<searches::Worker> worker = host_worker(task, 64);
  result::SearchResult result = searches::run_search(task, std::span(&worker, 1));
  REQUIRE(result.cases.size() > 5000);
  CHECK(searches::unexpected_counts(task, result).empty());
  result::SearchResult fewer = result;
  std::vector<Case> cases = result.cases.to_vector();
  fewer.cases = std::span(cases).first(cases.size() / 2);
  REQUIRE(!searches::unexpected_counts(task, fewer).empty());
  const searches::Unexpected first = searches::unexpected_counts(task, fewer).front();
  CHECK(static_cast<double>(first.cases) < first.expected);
  result::SearchResult more = result;
  more.cases.add(result::Cases(result.cases));
  more.cases.sort();
  CHECK(!searches::unexpected_counts(task, more).empty());
}

TEST_CASE("evidence: neighbouring binades with far too few cases are told in one sentence") {
  Task task = make_task(known_cbrt, {"binary32", 24, -126, 24, 1, 8}, Rounding::all, 12);
  task.costs = test_eagerly();
  const std::unique_ptr<searches::Worker> worker = host_worker(task, 64);
  result::SearchResult result = searches::run_search(task, std::span(&worker, 1));
  std::vector<Case> cases = result.cases.to_vector();
  result.cases = std::span(cases).first(cases.size() / 2);
  const std::vector<searches::Unexpected> fewer = searches::unexpected_counts(task, result);
  REQUIRE(fewer.size() == 1);
  CHECK(fewer.front().fields == 3);
  CHECK(fewer.front().ranks == job::RankInterval{task.first, task.last});
  CHECK(fewer.front().cases < fewer.front().most_cases);
  CHECK(searches::describe(task, fewer.front()).starts_with("in each of 3 binades from 0x1p+0 to 0x1.fffffep+2 "));
  CHECK(searches::describe(task, fewer.front()).ends_with(" cases, where 4096 ± 64 were to be expected"));
}

TEST_CASE("evidence: an interrupted search is compared with what so much of it should have found") {
  Task task = make_task(known_exp2, {"binary32", 24, -126, 24, 1, 4}, Rounding::all, 12);
  task.function = &function::find_function("exp");
  task.costs = test_eagerly();
  const std::unique_ptr<searches::Worker> worker = host_worker(task, 64);
  std::atomic<bool> is_half_done = false;
  searches::SearchHooks hooks;
  hooks.progress = [&](const Progress& now) { is_half_done = now.done > now.total / 4; };
  hooks.interrupted = [&] { return is_half_done.load(); };
  result::SearchResult result = searches::run_search(task, std::span(&worker, 1), hooks);
  REQUIRE(result.interrupted);
  REQUIRE(result.arguments() < task.size() / 2);
  REQUIRE(result.cases.size() > 1000);
  CHECK(searches::unexpected_counts(task, result).empty());
  std::vector<Case> cases = result.cases.to_vector();
  result.cases = std::span(cases).first(cases.size() / 2);
  const std::vector<searches::Unexpected> fewer = searches::unexpected_counts(task, result);
  REQUIRE(!fewer.empty());
  uint128 arguments = 0;
  for (const searches::Unexpected& one : fewer)
    arguments += one.arguments;
  CHECK(arguments <= result.arguments());
}

} // namespace tmd::test
