// The threads of a search: one cuts the range, one a device searches pieces, others confirm candidates. The accounts
// record what each has found; what can no longer be trusted is searched again.
#include "search/search.hpp"

#include "engine/registry.hpp"
#include "job/leading_term.hpp"
#include "number/arb.hpp"
#include "search/accounts.hpp"
#include "search/cutter.hpp"
#include "search/dispatcher.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd::searches {

namespace {

using Clock = std::chrono::steady_clock;

job::Coverage range_of(const job::Job& job, const SearchHooks& hooks) {
  return hooks.only != nullptr ? *hooks.only : job.range();
}

// The ranks that an earlier run has covered or left out.
job::Coverage known_of(const result::SearchResult& result) {
  job::Coverage known = result.covered;
  known.add(result.left_out);
  return known;
}

// The threads of a search: one cuts the range into fields, and each worker has one, the first of them the caller's.
// They share the dispatcher, which hands out parts, and the accounts, which record what has been done.
class Search {
public:
  Search(const job::Job& job, std::span<const std::unique_ptr<Worker>> workers, const SearchHooks& hooks,
         const Claims& claims, result::SearchResult so_far)
      : job_(job), workers_(workers), hooks_(hooks), to_do_(known_of(so_far).complement_in(range_of(job, hooks))),
        dispatcher_(to_do_.size(), workers.size()), known_regimes_(so_far.regimes),
        accounts_(job, hooks, dispatcher_, workers.size(), std::move(so_far)),
        cutter_(
            job, hooks, claims, to_do_, known_regimes_, [this] { return interrupted(); }, dispatcher_, accounts_) {}

  // Throws what ended a thread, except an interruption by the user or the loss of a worker beside others.
  result::SearchResult run() {
    std::vector<std::thread> threads;
    guarded([this, &threads] { // if one thread cannot be started, those started before must end
      threads.emplace_back([this] {
        const number::ThreadCaches caches;
        guarded([this] { cutter_.cut(); });
      });
      for (std::size_t index = 1; index < workers_.size(); ++index)
        threads.emplace_back([this, index] {
          const number::ThreadCaches caches;
          guarded([this, index] { work(index); });
        });
      work(0);
    });
    for (std::thread& thread : threads)
      thread.join();
    if (failure_)
      std::rethrow_exception(failure_);
    return accounts_.close();
  }

private:
  // A worker's view of the search.
  class Exchange : public PartExchange {
  public:
    Exchange(Search& search, std::size_t index) : search_(search), index_(index) {}
    std::optional<Assignment> take() override {
      const auto part = search_.dispatcher_.take(index_);
      if (!part)
        return std::nullopt;
      return Assignment{*part, search_.dispatcher_.field(part->field)};
    }
    [[nodiscard]] bool is_shared() const override { return search_.dispatcher_.working() > 1; }
    void shorten(const Assignment& taken, uint128 count) override {
      search_.dispatcher_.shorten(index_, taken.part, count);
    }
    void deliver(const result::PartResult& part) override { search_.accounts_.count(index_, part); }
    void close() override { search_.dispatcher_.close(index_); }
    [[nodiscard]] bool interrupted() const override { return search_.interrupted(); }

  private:
    Search& search_;
    std::size_t index_;
  };

  // Runs a thread's body; an exception ends the search.
  template <typename Body> void guarded(const Body& body) {
    try {
      body();
      return;
    } catch (const Interrupted&) {
      accounts_.interrupt();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_)
        failure_ = std::current_exception();
    }
    stopping_ = true;
    dispatcher_.stop();
  }

  [[nodiscard]] bool interrupted() const { return stopping_ || (hooks_.interrupted && hooks_.interrupted()); }

  void work(std::size_t index) {
    Exchange exchange(*this, index);
    const auto lose = [&](const Error& error, bool is_faulty) {
      return accounts_.lose(index, error.what(), is_faulty, [this] { return interrupted(); });
    };
    try {
      workers_[index]->work(job_, exchange);
      dispatcher_.close(index);
      if (!interrupted() && dispatcher_.holds(index)) // other workers would wait for its part
        throw SoundnessError("a device has ended without searching all that it had taken");
      accounts_.end();
    } catch (const FaultError& error) {
      if (!lose(error, true))
        throw;
    } catch (const DeviceError& error) {
      if (!lose(error, false))
        throw;
    }
  }

  const job::Job& job_;
  const std::span<const std::unique_ptr<Worker>> workers_;
  const SearchHooks& hooks_;
  const job::Coverage to_do_;
  Dispatcher dispatcher_;
  const std::vector<job::RegimeRange> known_regimes_; // regimes that an earlier run has proven
  Accounts accounts_;
  Cutter cutter_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

} // namespace

Claims claims_of(const job::Job& job, const Choices& choices, std::span<const engine::EngineKind* const> kinds) {
  std::vector<const engine::EngineKind*> claiming;
  for (const engine::EngineKind* kind : engine::engines_for(choices.algorithm, kinds))
    if (kind->claim != nullptr)
      claiming.push_back(kind);
  if (claiming.empty())
    return {};
  return [job, choices, claiming](const job::Stretch& stretch) -> std::optional<engine::Field> {
    for (const engine::EngineKind* kind : claiming)
      if (auto field = kind->claim(job, choices, stretch))
        return field;
    return std::nullopt;
  };
}

ClaimedParts claimed_parts(const Claims& claims, const job::Stretch& stretch) {
  ClaimedParts result;
  std::vector<job::Stretch> open{stretch};
  while (!open.empty()) {
    const job::Stretch part = open.back();
    open.pop_back();
    auto field = claims ? claims(part) : std::nullopt;
    if (!field) {
      result.left.push_back(part);
      continue;
    }
    const std::vector<job::Stretch> others = job::without(part, field->arguments);
    open.insert(open.end(), others.rbegin(), others.rend());
    result.fields.push_back(std::move(*field));
  }
  return result;
}

std::vector<Family> families_of(std::vector<engine::Field> fields,
                                const std::function<bool(const engine::Field&, const engine::Field&)>& joins) {
  std::vector<Family> families;
  for (engine::Field& field : fields) {
    const engine::Claim& claim = *field.claim();
    const auto family = std::ranges::find_if(families, [&](const Family& one) {
      return !claim.family.empty() && one.front().claim()->family == claim.family &&
             one.front().extent() == field.extent() && joins(one.front(), field);
    });
    if (family != families.end())
      family->push_back(std::move(field));
    else
      families.push_back({std::move(field)});
  }
  for (Family& family : families)
    std::iter_swap(family.begin(), std::ranges::max_element(
                                       family, {}, [](const engine::Field& field) { return field.arguments.count; }));
  return families;
}

engine::Field leader_of(const Family& family) {
  engine::Field leader = family.front();
  for (const engine::Field& other : std::span(family).subspan(1))
    leader.claim()->others.push_back(other.arguments);
  return leader;
}

namespace {

// Adds the idle time that devices have not reported: before their first part, after the last, and during launches.
void add_idle_rest(result::SearchResult& result, double seconds) {
  for (result::WorkerReport& worker : result.workers) {
    const double rest = seconds - engine::device_seconds_of(worker.stages) - worker.idle.seconds();
    worker.idle[engine::IdleReason::other] += std::max(rest, 0.0);
    result.idle[engine::IdleReason::other] += std::max(rest, 0.0);
  }
}

} // namespace

std::vector<job::RegimeRange> ranges_beside_leading_term(const job::Job& job, const job::Coverage& whole,
                                                         std::span<const std::unique_ptr<Worker>> workers,
                                                         const engine::Interrupt& interrupted) {
  const auto beside = job::beside_leading_term(job, whole);
  if (!beside)
    return {};
  SearchHooks hooks;
  hooks.interrupted = interrupted;
  const result::SearchResult found = run_search(job::reference_job(job, *beside), workers, hooks);
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  const auto is_case = [&](format::ArgumentSet::Rank rank) {
    return confirmation.confirm(job.arguments().at(rank)).has_value();
  };
  return found.interrupted ? std::vector<job::RegimeRange>{}
                           : job::ranges_of_binades(job, *beside, found.listed(), is_case);
}

result::SearchResult run_search(const job::Job& job, std::span<const std::unique_ptr<Worker>> workers,
                                const SearchHooks& hooks, const Claims& claims, result::SearchResult so_far) {
  const auto start = Clock::now();
  result::SearchResult result = Search(job, workers, hooks, claims, std::move(so_far)).run();
  const job::Coverage known = known_of(result);
  const job::Coverage range = range_of(job, hooks);
  if (known == range) // everything is done: there is nothing to interrupt
    result.interrupted = false;
  if (!result.interrupted && known != range)
    throw SoundnessError(
        fmt::format("the ranks {} were covered, but the range is {}", job::to_string(known), job::to_string(range)));
  result.sort();
  const double seconds = support::seconds_since(start);
  result.seconds += seconds;
  add_idle_rest(result, seconds);
  return result;
}

} // namespace tmd::searches
