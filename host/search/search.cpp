#include "search/search.hpp"

#include "engine/registry.hpp"
#include "error.hpp"
#include "job/pieces.hpp"
#include "number/arb.hpp"
#include "search/dispatcher.hpp"
#include "support/stopwatch.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

using Clock = std::chrono::steady_clock;

// How many arguments a part stands for; over all parts of a field these are its arguments.
uint128 arguments_of(const Field& field, const Part& part) {
  const auto up_to = [&](uint128 end) {
    return field.extent == field.arguments.count ? end : end * field.arguments.count / field.extent;
  };
  return up_to(part.first + part.count) - up_to(part.first);
}

// What the threads of a search share: one cuts the range into fields, and each worker has one.
class Search {
public:
  Search(const Job& job, std::span<const std::unique_ptr<Worker>> workers, const SearchHooks& hooks,
         const Claims& claims, SearchResult so_far)
      : job_(job), workers_(workers), hooks_(hooks), claims_(claims), to_do_(so_far.covered.complement_in(job.range())),
        dispatcher_(to_do_.size(), workers.size()), result_(std::move(so_far)), known_fields_(result_.fields.size()),
        done_(result_.arguments()) {
    result_.interrupted = false;
    result_.workers.assign(workers.size(), {});
  }

  // Throws what ended a thread, unless that was the user or the loss of a worker beside others.
  SearchResult run() {
    std::vector<std::thread> threads;
    guarded([this, &threads] { // a thread that cannot be started ends those that have been
      threads.emplace_back([this] {
        const ThreadCaches caches;
        guarded([this] { cut(); });
      });
      for (std::size_t index = 1; index < workers_.size(); ++index)
        threads.emplace_back([this, index] {
          const ThreadCaches caches;
          guarded([this, index] { work(index); });
        });
      work(0);
    });
    for (std::thread& thread : threads)
      thread.join();
    if (failure_)
      std::rethrow_exception(failure_);
    return std::move(result_);
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
    void shorten(const Part& part, uint128 count) override { search_.dispatcher_.shorten(index_, part, count); }
    void deliver(const PartResult& part) override { search_.count(index_, part); }
    void close() override { search_.dispatcher_.close(index_); }
    [[nodiscard]] bool interrupted() const override { return search_.interrupted(); }

  private:
    Search& search_;
    std::size_t index_;
  };

  // Found in the parts of a claimed field, until it is searched as a whole.
  struct Claimed {
    Coverage done; // in the field's own coordinate
    std::vector<Case> found;
  };

  // What a thread does; whatever it throws ends the search.
  template <typename Body> void guarded(const Body& body) {
    try {
      body();
      return;
    } catch (const Interrupted&) {
      const std::lock_guard lock(mutex_);
      result_.interrupted = true;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_)
        failure_ = std::current_exception();
    }
    stopping_ = true;
    dispatcher_.stop();
  }

  [[nodiscard]] bool interrupted() const { return stopping_ || (hooks_.interrupted && hooks_.interrupted()); }

  // Cuts what is to be done into fields, ahead of the workers.
  void cut() {
    const ArgumentSet arguments = job_.arguments();
    for (const auto& [first, last] : to_do_.intervals())
      for (const Stretch& stretch : stretches(arguments, first, last)) {
        if (const auto claim = claims_ ? claims_(stretch) : std::nullopt) {
          if (!add(*claim))
            return;
          continue;
        }
        PieceCutter cutter(*job_.function, stretch, [this] { return interrupted(); });
        while (const auto part = cutter.next())
          if (!add(Field::of(*part)))
            return;
      }
    dispatcher_.complete();
  }

  bool add(const Field& field) {
    constexpr std::size_t most_fields = std::size_t(1) << 20;
    {
      const std::lock_guard lock(mutex_);
      if (result_.fields.size() > most_fields)
        throw UsageError(fmt::format("{} changes the binade of its values more than {} times on this range; search a "
                                     "smaller one",
                                     job_.function->name, most_fields));
      result_.fields.emplace_back().field = field;
    }
    return dispatcher_.add(field);
  }

  void work(std::size_t index) {
    Exchange exchange(*this, index);
    try {
      workers_[index]->work(job_, exchange);
      dispatcher_.close(index);
      if (!interrupted() && dispatcher_.holds(index)) // the others would wait for it
        throw SoundnessError("a device has ended without searching all that it had taken");
    } catch (const DeviceError& error) {
      const std::lock_guard lock(mutex_);
      result_.workers[index].failure = error.what();
      if (dispatcher_.drop(index) == 0)
        throw;
      if (hooks_.lost)
        hooks_.lost(index, error.what());
    }
  }

  // From here on a part is covered, and what was found there counts.
  void count(std::size_t index, const PartResult& part) {
    const std::lock_guard lock(mutex_);
    dispatcher_.finish(index, part.part, part.seconds);
    FieldReport& report = result_.fields[known_fields_ + part.part.field];
    const uint128 arguments = arguments_of(report.field, part.part);
    if (report.field.is_claimed())
      count_claimed(part, report.field);
    else
      cover(part.found, report.field.arguments, part.part.first, part.part.count);
    record(report, part);
    done_ += arguments;
    result_.direct += part.direct;
    result_.candidates += part.candidates;
    result_.planning_seconds += part.planning_seconds;
    tmd::add(result_.stages, part.stages);
    result_.workers[index].arguments += arguments;
    tmd::add(result_.workers[index].stages, part.stages);
    if (hooks_.progress)
      hooks_.progress({done_, job_.size(), result_.cases.size(), seconds_since(start_), dispatcher_.working()});
  }

  void count_claimed(const PartResult& part, const Field& field) {
    Claimed& claimed = claimed_[part.part.field];
    claimed.done.add(static_cast<int128>(part.part.first), static_cast<int128>(part.part.first + part.part.count));
    claimed.found.insert(claimed.found.end(), part.found.begin(), part.found.end());
    if (claimed.done.size() == field.extent)
      cover(claimed.found, field.arguments, 0, field.arguments.count);
  }

  void cover(const std::vector<Case>& found, const Stretch& stretch, uint128 first, uint128 count) {
    const RankInterval ranks = ranks_of(job_.arguments(), stretch, first, count);
    result_.covered.add(ranks.first, ranks.last);
    result_.add(found);
  }

  const Clock::time_point start_ = Clock::now();
  const Job& job_;
  const std::span<const std::unique_ptr<Worker>> workers_;
  const SearchHooks& hooks_;
  const Claims& claims_;
  const Coverage to_do_;
  Dispatcher dispatcher_;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_; // of what follows, and of the hooks that tell the caller something
  SearchResult result_;
  const std::size_t known_fields_; // of an earlier run
  uint128 done_;
  std::map<std::size_t, Claimed> claimed_;
  std::exception_ptr failure_;
};

} // namespace

Claims claims_of(const Job& job, const Choices& choices, std::span<const EngineKind* const> kinds) {
  std::vector<const EngineKind*> claiming;
  for (const EngineKind* kind : engines_for(choices.algorithm, kinds))
    if (kind->claim != nullptr)
      claiming.push_back(kind);
  if (claiming.empty())
    return {};
  return [job, choices, claiming](const Stretch& stretch) -> std::optional<Field> {
    for (const EngineKind* kind : claiming)
      if (const auto extent = kind->claim(job, choices, stretch))
        return Field{stretch, std::nullopt, kind->name, *extent};
    return std::nullopt;
  };
}

SearchResult run_search(const Job& job, std::span<const std::unique_ptr<Worker>> workers, const SearchHooks& hooks,
                        const Claims& claims, SearchResult so_far) {
  const auto start = Clock::now();
  SearchResult result = Search(job, workers, hooks, claims, std::move(so_far)).run();
  if (!result.interrupted && result.covered != job.range())
    throw SoundnessError(fmt::format("the ranks {} were covered, but the range is {}", to_string(result.covered),
                                     to_string(job.range())));
  result.sort();
  result.seconds += seconds_since(start);
  return result;
}

} // namespace tmd
