#include "search/search.hpp"

#include "engine/registry.hpp"
#include "error.hpp"
#include "job/pieces.hpp"
#include "job/regimes.hpp"
#include "number/arb.hpp"
#include "search/dispatcher.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

using Clock = std::chrono::steady_clock;

// How many arguments a part stands for.
uint128 arguments_of(const Field& field, const Part& part) {
  return field.is_claimed() ? field.arguments_at(part.first, part.count) : part.count;
}

Coverage range_of(const Job& job, const SearchHooks& hooks) {
  return hooks.only != nullptr ? *hooks.only : job.range();
}

// What an earlier run has covered or left out.
Coverage known_of(const SearchResult& result) {
  Coverage known = result.covered;
  known.add(result.left_out);
  return known;
}

// What the threads of a search share: one cuts the range into fields, and each worker has one.
class Search {
public:
  Search(const Job& job, std::span<const std::unique_ptr<Worker>> workers, const SearchHooks& hooks,
         const Claims& claims, SearchResult so_far)
      : job_(job), workers_(workers), hooks_(hooks), claims_(claims), range_(range_of(job, hooks)),
        to_do_(known_of(so_far).complement_in(range_)), dispatcher_(to_do_.size(), workers.size()),
        result_(std::move(so_far)), known_fields_(result_.fields.size()), known_cases_(result_.cases.size()),
        known_arguments_(result_.arguments()), room_(room()), accounts_(workers.size(), Account(room_)) {
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
    close_accounts();
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
    [[nodiscard]] bool is_shared() const override { return search_.dispatcher_.working() > 1; }
    void shorten(const Part& part, uint128 count) override { search_.dispatcher_.shorten(index_, part, count); }
    void deliver(const PartResult& part) override { search_.count(index_, part); }
    void close() override { search_.dispatcher_.close(index_); }
    [[nodiscard]] bool interrupted() const override { return search_.interrupted(); }

  private:
    Search& search_;
    std::size_t index_;
  };

  // What counts when it is known that it is done, and by a device that can be trusted.
  struct Sums {
    uint128 arguments = 0;
    uint128 direct = 0;
    std::uint64_t candidates = 0;
    double planning_seconds = 0;
    Stages stages;
    Findings found;

    explicit Sums(const CaseRoom& room) : found(room) {}
    void add(const PartResult& part, uint128 of) {
      arguments += of;
      direct += part.direct;
      candidates += part.candidates;
      planning_seconds += part.planning_seconds;
      tmd::add(stages, part.stages);
      found.add(part.found);
    }
    static std::uint64_t hard_cases(const std::vector<Case>& found) {
      return static_cast<std::uint64_t>(
          std::count_if(found.begin(), found.end(), [](const Case& one) { return one.kind == Case::Kind::hard; }));
    }
    void add(Sums&& others) {
      arguments += others.arguments;
      direct += others.direct;
      candidates += others.candidates;
      planning_seconds += others.planning_seconds;
      tmd::add(stages, others.stages);
      found.add(std::move(others.found));
    }
  };
  // A worker's part of a claimed field, which counts only as a whole.
  struct Claimed {
    explicit Claimed(const CaseRoom& room) : sums(room) {}

    Coverage done; // in the field's own coordinate
    Sums sums;
  };
  // What a worker has done.
  struct Account {
    explicit Account(const CaseRoom& room) : sums(room) {}

    std::vector<Part> parts;
    Coverage covered; // ranks
    Sums sums;
    std::map<std::size_t, Claimed> claimed; // by field
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

  // Cuts the range into regimes and fields, ahead of the workers, and always in the same places: of a search that goes
  // on, some of them are known.
  void cut() {
    if (!to_do_.empty())
      divide(
          job_, cut_range(), [this] { return interrupted(); },
          [this](const RegimeRange& range) {
            for (const auto& [first, last] : to_do_.within(range.ranks.first, range.ranks.last))
              settle({{first, last}, range.regime});
          },
          [this](const Stretch& rest) { cut(rest); });
    dispatcher_.complete();
  }

  [[nodiscard]] Coverage cut_range() const {
    const RankInterval& whole = hooks_.cut_range;
    return whole == RankInterval{} ? range_ : Coverage(whole.first, whole.last);
  }

  // What is to be done of a stretch.
  [[nodiscard]] std::vector<Stretch> to_do_in(const Stretch& stretch) const {
    const RankInterval ranks = ranks_of(job_.arguments(), stretch, 0, stretch.count);
    std::vector<Stretch> result;
    for (const auto& [first, last] : to_do_.within(ranks.first, ranks.last))
      for (const Stretch& one : stretches(job_.arguments(), first, last))
        result.push_back(one);
    return result;
  }

  void cut(const Stretch& stretch) {
    const std::vector<Stretch> parts = to_do_in(stretch);
    if (parts.empty())
      return;
    const auto claimed = [this](const Stretch& part) {
      const auto claim = claims_ ? claims_(part) : std::nullopt;
      if (claim)
        add(*claim);
      return claim.has_value();
    };
    Coverage rest; // ranks
    for (const Stretch& part : parts)
      if (const RankInterval ranks = ranks_of(job_.arguments(), part, 0, part.count); !claimed(part))
        rest.add(ranks.first, ranks.last);
    if (rest.empty())
      return;
    if (hooks_.leaves_out && has_too_many_pieces(job_, stretch)) {
      for (const auto& [first, last] : rest.intervals())
        leave_out({first, last});
      return;
    }
    if (hooks_.only == nullptr)
      cut(stretch, rest);
    else // nothing goes on from samples: they need not be cut as the whole is
      for (const Stretch& part : parts)
        cut(part, rest);
  }

  // What is left of a stretch, ranks.
  void cut(const Stretch& stretch, const Coverage& rest) {
    const BreakpointGrid grid = job_.grid();
    PieceCutter cutter(job_, stretch, [this] { return interrupted(); });
    while (const auto piece = cutter.next()) {
      const RankInterval ranks = ranks_of(job_.arguments(), piece->arguments, 0, piece->arguments.count);
      for (const auto& [first, last] : rest.within(ranks.first, ranks.last)) {
        if (piece->values && !grid.reaches(piece->values->exponent, job_.bits)) {
          settle({{first, last}, {}});
          continue;
        }
        for (const Stretch& part : stretches(job_.arguments(), first, last))
          add(Field::of({part, piece->values}));
      }
    }
  }

  // A regime was proven in Arb; MPFR says of some of its arguments whether they are cases.
  void settle(const RegimeRange& range) {
    constexpr long enough_precision =
        1L << 16; // for values so near to a breakpoint that it would take far more to tell
    Function function = *job_.function;
    function.most_precision = std::min(function.most_precision, enough_precision);
    const Confirmation confirmation(function, job_.grid(), job_.bits);
    for (const ArgumentSet::Rank rank :
         {range.ranks.first, range.ranks.first + (range.ranks.last - range.ranks.first) / 2, range.ranks.last - 1}) {
      const Argument x = job_.arguments().at(rank);
      const auto found = confirmation.confirm(x);
      const auto& rule = range.regime.rule;
      const bool is_case = found && found->kind != Case::Kind::exact;
      if (is_case != rule.has_value() || (rule && rule->breakpoint && *rule->breakpoint != found->breakpoint))
        throw SoundnessError(fmt::format("{} is proven to be {} like its neighbours, but MPFR finds that it is not",
                                         to_hex(x), rule ? "a case" : "none"));
    }
    dispatcher_.skip(range.size());
    const std::lock_guard lock(mutex_);
    result_.regimes.push_back(range);
    settled_.add(range.ranks.first, range.ranks.last);
    if (hooks_.recorder != nullptr)
      hooks_.recorder->settled(range);
    tell_progress();
  }

  void leave_out(const RankInterval& ranks) {
    dispatcher_.skip(static_cast<uint128>(ranks.last - ranks.first));
    const std::lock_guard lock(mutex_);
    result_.left_out.add(ranks.first, ranks.last);
    if (hooks_.recorder != nullptr)
      hooks_.recorder->left_out(ranks);
  }

  // Throws Interrupted when the search stops.
  void add(const Field& field) {
    constexpr std::size_t most_fields = std::size_t(1) << 20;
    {
      const std::lock_guard lock(mutex_);
      if (result_.fields.size() > most_fields)
        throw UsageError(fmt::format("{} changes the binade of its values more than {} times on this range; search a "
                                     "smaller one",
                                     job_.function->name, most_fields));
      result_.fields.emplace_back().field = field;
    }
    if (!dispatcher_.add(field))
      throw Interrupted();
  }

  void work(std::size_t index) {
    Exchange exchange(*this, index);
    try {
      workers_[index]->work(job_, exchange);
      dispatcher_.close(index);
      if (!interrupted() && dispatcher_.holds(index)) // the others would wait for it
        throw SoundnessError("a device has ended without searching all that it had taken");
    } catch (const FaultError& error) {
      lose(index, error, [&] { // with all that it did
        dispatcher_.reopen(accounts_[index].parts);
        take_back(accounts_[index]);
        accounts_[index] = Account(room_);
        if (hooks_.recorder != nullptr)
          hooks_.recorder->revoked(index);
      });
    } catch (const DeviceError& error) {
      lose(index, error, [] {});
    }
  }

  // Within the handler of an error that ends a worker; rethrows it where there is no other.
  template <typename Revoke> void lose(std::size_t index, const Error& error, const Revoke& revoke) {
    const std::lock_guard lock(mutex_);
    result_.workers[index].failure = error.what();
    revoke();
    if (dispatcher_.drop(index) == 0) {
      if (!interrupted())
        throw;
      result_.interrupted = true; // the others have ended for that reason: what is known counts
    }
    if (hooks_.lost)
      hooks_.lost(index, error.what());
  }

  // From here on a part is covered, and what was found there counts, unless the worker turns out to be faulty. What
  // reports tell of plans counts those of faulty workers, too.
  void count(std::size_t index, const PartResult& part) {
    const std::lock_guard lock(mutex_);
    dispatcher_.finish(index, part.part, part.seconds);
    FieldReport& report = result_.fields[known_fields_ + part.part.field];
    const uint128 arguments = arguments_of(report.field, part.part);
    Account& account = accounts_[index];
    account.parts.push_back(part.part);
    searched_ += arguments;
    found_ += Sums::hard_cases(part.found);
    if (report.field.is_claimed()) {
      Claimed& claimed = account.claimed.try_emplace(part.part.field, claimed_room()).first->second;
      claimed.done.add(static_cast<int128>(part.part.first), static_cast<int128>(part.part.first + part.part.count));
      claimed.sums.add(part, arguments);
    } else {
      const RankInterval ranks = ranks_of(job_.arguments(), report.field.arguments, part.part.first, part.part.count);
      account.covered.add(ranks.first, ranks.last);
      account.sums.add(part, arguments);
      if (hooks_.recorder != nullptr)
        hooks_.recorder->searched(index, ranks, part);
    }
    record(report, part);
    tell_progress();
  }

  // With the mutex locked.
  void tell_progress() const {
    if (hooks_.progress)
      hooks_.progress(progress());
  }

  [[nodiscard]] Progress progress() const {
    return {known_arguments_ + settled_.size() + searched_,
            job_.size(),
            known_cases_ + found_,
            seconds_since(start_),
            dispatcher_.working(),
            known_arguments_};
  }

  // What a faulty worker has done counts no longer.
  void take_back(const Account& account) {
    const auto subtract = [this](const Sums& sums) {
      searched_ -= sums.arguments;
      found_ -= sums.found.cases.size();
    };
    subtract(account.sums);
    for (const auto& [field, claimed] : account.claimed)
      subtract(claimed.sums);
  }

  // What all workers did, for the result. A claimed field counts when every part of it was searched, which must be all
  // of its arguments; a case that was found in two of them is one.
  void close_accounts() {
    result_.covered.add(settled_);
    std::map<std::size_t, Coverage> done;
    std::map<std::size_t, uint128> arguments;
    std::map<std::size_t, Sums> whole; // what was found and done in complete ones
    for (const Account& account : accounts_)
      for (const auto& [field, claimed] : account.claimed) {
        done[field].add(claimed.done);
        arguments[field] += claimed.sums.arguments;
      }
    const auto is_complete = [&](std::size_t field) {
      return done.at(field).size() == result_.fields[known_fields_ + field].field.extent;
    };
    for (std::size_t index = 0; index < accounts_.size(); ++index) {
      Account& account = accounts_[index];
      result_.covered.add(account.covered);
      add_work(account.sums, result_.workers[index]);
      result_.add(std::move(account.sums.found));
      for (auto& [field, claimed] : account.claimed)
        if (is_complete(field)) {
          add_work(claimed.sums, result_.workers[index]);
          whole.try_emplace(field, claimed_room()).first->second.add(std::move(claimed.sums));
        }
    }
    for (auto& [field, sums] : whole) {
      const Stretch& stretch = result_.fields[known_fields_ + field].field.arguments;
      const RankInterval ranks = ranks_of(job_.arguments(), stretch, 0, stretch.count);
      if (arguments.at(field) != stretch.count)
        throw SoundnessError(fmt::format("the parts of a stretch of {} arguments from {} on hold {} of them",
                                         to_string(stretch.count), to_hex(stretch.argument(0)),
                                         to_string(arguments.at(field))));
      result_.covered.add(ranks.first, ranks.last);
      PartResult part;
      part.direct = sums.direct;
      part.candidates = sums.candidates;
      part.planning_seconds = sums.planning_seconds;
      part.stages = sums.stages;
      sums.found.sort();
      for (const Cases* list : {&sums.found.cases, &sums.found.exact, &sums.found.undecided})
        each_once(*list, [&](const Case& one) {
          result_.add(one);
          if (hooks_.recorder != nullptr)
            part.found.push_back(one);
        });
      if (hooks_.recorder == nullptr)
        continue;
      std::sort(part.found.begin(), part.found.end(),
                [](const Case& left, const Case& right) { return compare(left.x, right.x) < 0; });
      hooks_.recorder->searched(0, ranks, part);
    }
  }

  // Of a sorted list, in which what was found twice stands side by side.
  template <typename Use> static void each_once(const Cases& cases, const Use& use) {
    std::optional<Argument> last;
    for (const Case& one : cases) {
      if (last && compare(*last, one.x) == 0)
        continue;
      last = one.x;
      use(one);
    }
  }

  void add_work(const Sums& sums, WorkerReport& worker) {
    result_.direct += sums.direct;
    result_.candidates += sums.candidates;
    result_.planning_seconds += sums.planning_seconds;
    tmd::add(result_.stages, sums.stages);
    worker.arguments += sums.arguments;
    tmd::add(worker.stages, sums.stages);
  }

  // For the cases of a worker, so that those of all take no more than those of one list.
  [[nodiscard]] CaseRoom room() const {
    constexpr std::size_t least = std::size_t(1) << 12;
    const CaseRoom all;
    return {std::max(least, all.most_in_memory / workers_.size()), std::make_shared<ScratchFile>()};
  }
  // For those of a claimed field, of which there may be a thousand.
  [[nodiscard]] CaseRoom claimed_room() const {
    constexpr std::size_t fields = 1 << 8;
    return {std::max<std::size_t>(room_.most_in_memory / fields, 1 << 10), room_.file};
  }

  const Clock::time_point start_ = Clock::now();
  const Job& job_;
  const std::span<const std::unique_ptr<Worker>> workers_;
  const SearchHooks& hooks_;
  const Claims& claims_;
  const Coverage range_;
  const Coverage to_do_;
  Dispatcher dispatcher_;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_; // of what follows, and of the hooks that tell the caller something
  SearchResult result_;
  const std::size_t known_fields_; // of an earlier run
  const std::size_t known_cases_;
  const uint128 known_arguments_;
  const CaseRoom room_;
  Coverage settled_;              // ranks of the regimes that this run has found
  std::vector<Account> accounts_; // by worker
  uint128 searched_ = 0;          // arguments, by all of them
  std::uint64_t found_ = 0;       // hard cases
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
      if (const auto claim = kind->claim(job, choices, stretch))
        return Field{stretch, std::nullopt, kind->name, claim->extent, claim->arguments_at, claim->coordinate};
    return std::nullopt;
  };
}

SearchResult run_search(const Job& job, std::span<const std::unique_ptr<Worker>> workers, const SearchHooks& hooks,
                        const Claims& claims, SearchResult so_far) {
  const auto start = Clock::now();
  SearchResult result = Search(job, workers, hooks, claims, std::move(so_far)).run();
  const Coverage known = known_of(result);
  const Coverage range = range_of(job, hooks);
  if (known == range) // whoever interrupts when all is done interrupts nothing
    result.interrupted = false;
  if (!result.interrupted && known != range)
    throw SoundnessError(
        fmt::format("the ranks {} were covered, but the range is {}", to_string(known), to_string(range)));
  result.sort();
  result.seconds += seconds_since(start);
  return result;
}

} // namespace tmd
