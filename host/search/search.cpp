#include "search/search.hpp"

#include "engine/registry.hpp"
#include "job/pieces.hpp"
#include "job/regimes.hpp"
#include "number/arb.hpp"
#include "search/dispatcher.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

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

// Where a part is in its field's coordinate.
Coverage place_of(const Part& part) {
  return {static_cast<int128>(part.first), static_cast<int128>(part.first + part.count)};
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
      : job_(job), size_(job.size()), workers_(workers), hooks_(hooks), claims_(claims), range_(range_of(job, hooks)),
        to_do_(known_of(so_far).complement_in(range_)), dispatcher_(to_do_.size(), workers.size()),
        result_(std::move(so_far)), known_fields_(result_.fields.size()), known_regimes_(result_.regimes),
        known_cases_(result_.cases.size()), known_arguments_(result_.arguments()), room_(room()),
        accounts_(workers.size(), Account(room_)) {
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
    void shorten(const Assignment& taken, uint128 count) override {
      search_.dispatcher_.shorten(index_, taken.part, count);
    }
    void deliver(const PartResult& part) override { search_.count(index_, part); }
    void close() override { search_.dispatcher_.close(index_); }
    [[nodiscard]] bool interrupted() const override { return search_.interrupted(); }

  private:
    Search& search_;
    std::size_t index_;
  };

  // A worker's part of a claimed field, which counts only as a whole.
  struct Claimed {
    explicit Claimed(const CaseRoom& room) : sums(room) {}

    Coverage done; // in the field's own coordinate
    PartSums sums;
  };
  // What a worker has done.
  struct Account {
    explicit Account(const CaseRoom& room) : sums(room) {}

    std::vector<Part> parts;
    Coverage covered;                       // ranks
    PartSums sums;                          // that count when it is known that the device can be trusted
    std::map<std::size_t, Claimed> claimed; // by field
    std::map<std::size_t, Claimed> of_mate; // likewise, what was found of the mate's
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
    if (hooks_.fields != nullptr)
      for (const Field& field : *hooks_.fields)
        add(field);
    else if (!to_do_.empty())
      divide(
          job_, cut_range(), [this] { return interrupted(); },
          [this](const RegimeRange& range) {
            compare_known(range.ranks, range.regime);
            for (const auto& [first, last] : to_do_.within(range.ranks.first, range.ranks.last))
              settle({{first, last}, range.regime});
          },
          [this](const Stretch& rest) {
            compare_known(ranks_of(job_.arguments(), rest, 0, rest.count), {});
            cut(rest);
          });
    {
      const std::lock_guard lock(mutex_);
      if (hooks_.passed_over)
        for (const BegunClaim& claim : result_.begun)
          hooks_.passed_over(claim);
      result_.begun.clear();
    }
    dispatcher_.complete();
  }

  // What an earlier run says of ranges was proven as it is now, or else by the binades of their values.
  void compare_known(const RankInterval& ranks, const std::optional<Regime>& proven) const {
    for (auto known = std::partition_point(known_regimes_.begin(), known_regimes_.end(),
                                           [&](const RegimeRange& one) { return one.ranks.last <= ranks.first; });
         known != known_regimes_.end() && known->ranks.first < ranks.last; ++known) {
      const RankInterval both{std::max(ranks.first, known->ranks.first), std::min(ranks.last, known->ranks.last)};
      const auto& rule = known->regime.rule;
      if (proven ? !(known->regime == *proven) : rule || !is_out_of_reach(both, ranks))
        throw SoundnessError(
            fmt::format("an earlier run is said to have proven that {} the {} arguments from {} on {}, "
                        "but it is not so",
                        rule ? "all" : "none of", to_string(static_cast<uint128>(both.last - both.first)),
                        to_hex(job_.arguments().at(both.first)), rule ? "are cases" : "is a case"));
    }
  }

  // Whether these ranks are of binades without breakpoints, in the pieces into which all of a stretch is cut.
  [[nodiscard]] bool is_out_of_reach(const RankInterval& some, const RankInterval& stretch) const {
    const Coverage out = out_of_reach(job_, Coverage(stretch.first, stretch.last), [this] { return interrupted(); });
    const Coverage ranks(some.first, some.last);
    return out.intersection(ranks) == ranks;
  }

  [[nodiscard]] Coverage cut_range() const {
    const RankInterval& ranks = hooks_.cut_range;
    if (ranks == RankInterval{})
      return range_;
    Job whole = job_;
    whole.first = ranks.first;
    whole.last = ranks.last;
    return whole.range();
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
    Coverage rest; // ranks
    for (const Stretch& part : parts) {
      const ClaimedParts claimed = claimed_parts(claims_, part);
      for (const Field& field : claimed.fields)
        add(field);
      for (const Stretch& left : claimed.left) {
        const RankInterval ranks = ranks_of(job_.arguments(), left, 0, left.count);
        rest.add(ranks.first, ranks.last);
      }
    }
    if (rest.empty())
      return;
    // By what nobody claims of the whole stretch, so that all shards are cut in the same places.
    for (const Stretch& left : claimed_parts(claims_, stretch).left) {
      const RankInterval ranks = ranks_of(job_.arguments(), left, 0, left.count);
      const Coverage of_left = rest.intersection(Coverage(ranks.first, ranks.last));
      rest = of_left.complement_in(rest);
      if (of_left.empty())
        continue;
      if (hooks_.leaves_out && has_too_many_pieces(job_, left))
        for (const auto& [first, last] : of_left.intervals())
          leave_out({first, last});
      else if (hooks_.only == nullptr)
        cut(left, of_left);
      else // nothing goes on from samples: they need not be cut as the whole is
        cut_by_itself(of_left);
    }
    cut_by_itself(rest); // of what is claimed as a whole, parts that are too short to be
  }

  void cut_by_itself(const Coverage& ranks) {
    for (const auto& [first, last] : ranks.intervals())
      for (const Stretch& part : stretches(job_.arguments(), first, last))
        cut(part, ranks);
  }

  // What `rest` has of a stretch, ranks.
  void cut(const Stretch& stretch, const Coverage& rest) {
    const BreakpointGrid grid = job_.grid();
    const RankInterval whole = ranks_of(job_.arguments(), stretch, 0, stretch.count);
    if (hooks_.only != nullptr && has_only_short_pieces(job_, stretch)) {
      for (const auto& [first, last] : rest.within(whole.first, whole.last))
        for (const Stretch& part : stretches(job_.arguments(), first, last))
          add(Field::of({part, std::nullopt}));
      return;
    }
    uint128 open = rest.intersection(Coverage(whole.first, whole.last)).size();
    PieceCutter cutter(job_, stretch, [this] { return interrupted(); });
    while (open > 0) { // what lies behind may have very many pieces
      const auto piece = cutter.next();
      if (!piece)
        return;
      const RankInterval ranks = ranks_of(job_.arguments(), piece->arguments, 0, piece->arguments.count);
      for (const auto& [first, last] : rest.within(ranks.first, ranks.last)) {
        open -= static_cast<uint128>(last - first);
        if (piece->values && !grid.reaches(piece->values->exponent, job_.bits)) {
          settle({{first, last}, {}});
          continue;
        }
        for (const Stretch& part : stretches(job_.arguments(), first, last))
          add(Field::of({part, piece->values}));
      }
    }
  }

  // A regime was proven in Arb; MPFR says of some of its arguments whether they are cases, where it has numbers of that
  // size.
  void settle(const RegimeRange& range) {
    constexpr long enough_precision =
        1L << 16; // for values so near to a breakpoint that it would take far more to tell
    Function function = *job_.function;
    function.most_precision = std::min(function.most_precision, enough_precision);
    const Confirmation confirmation(function, job_.grid(), job_.bits);
    for (const ArgumentSet::Rank rank :
         {range.ranks.first, range.ranks.first + (range.ranks.last - range.ranks.first) / 2, range.ranks.last - 1}) {
      const Argument x = job_.arguments().at(rank);
      const auto [found, distance, is_enclosed] = confirmation.judge(x);
      if (!is_enclosed)
        continue;
      const auto& rule = range.regime.rule;
      const bool is_exact = found && found->kind == Case::Kind::exact;
      if (is_exact || found.has_value() != rule.has_value() ||
          (rule && rule->breakpoint && *rule->breakpoint != found->breakpoint))
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

  // The field of the mate that has the same coordinate, unless all of that is known.
  [[nodiscard]] std::optional<Field> mate_of(const Field& field) const {
    if (hooks_.mate == nullptr || !field.is_claimed())
      return std::nullopt;
    const MateSearch& mate = *hooks_.mate;
    auto result = mate.claims(field.arguments);
    if (!result)
      return std::nullopt;
    const ClaimIdentity own = ClaimIdentity::of(job_, field);
    const ClaimIdentity other = ClaimIdentity::of(mate.job, *result);
    const BegunClaim* begun = begun_of_mate(other);
    const bool is_same = own.engine == other.engine && own.ranks == other.ranks && own.extent == other.extent;
    const bool is_known =
        (begun != nullptr && begun->is_complete()) || !mate.covered.within(other.ranks.first, other.ranks.last).empty();
    return is_same && !is_known ? std::move(result) : std::nullopt;
  }

  [[nodiscard]] BegunClaim* begun_of_mate(const ClaimIdentity& claim) const {
    std::vector<BegunClaim>& begun = hooks_.mate->begun;
    const auto found =
        std::find_if(begun.begin(), begun.end(), [&](const BegunClaim& one) { return one.claim == claim; });
    return found == begun.end() ? nullptr : &*found;
  }

  // Throws Interrupted when the search stops.
  void add(Field field) {
    const std::optional<Field> mate = mate_of(field);
    if (mate)
      field.mate = hooks_.mate->job.function;
    constexpr std::size_t most_fields = std::size_t(1) << 20;
    Coverage done; // by an earlier run, in the field's coordinate
    {
      const std::lock_guard lock(mutex_);
      if (result_.fields.size() > most_fields)
        throw UsageError(fmt::format("{} changes the binade of its values more than {} times on this range; search a "
                                     "smaller one",
                                     job_.function->name, most_fields));
      result_.fields.emplace_back().field = field;
      const std::size_t number = result_.fields.size() - 1 - known_fields_;
      if (mate)
        mates_.emplace(number, *mate);
      if (field.is_claimed())
        done = take_up(number, field);
    }
    if (!dispatcher_.add(field, done))
      throw Interrupted();
  }

  // What an earlier run has done of a claim goes on, where it is the very same claim: its arguments are counted again.
  // With the mutex locked.
  Coverage take_up(std::size_t number, const Field& field) {
    const ClaimIdentity claim = ClaimIdentity::of(job_, field);
    const auto found = std::find_if(result_.begun.begin(), result_.begun.end(),
                                    [&](const BegunClaim& one) { return one.claim == claim; });
    if (found == result_.begun.end())
      return {};
    uint128 arguments = 0;
    for (const auto& [first, last] : found->done.intervals())
      arguments += field.arguments_at(static_cast<uint128>(first), static_cast<uint128>(last - first));
    if (arguments != found->sums.arguments)
      throw SoundnessError(fmt::format("the parts of a stretch of {} arguments from {} on that an earlier run has "
                                       "searched are said to hold {} of them, but hold {}",
                                       to_string(claim.size()), to_hex(field.arguments.argument(0)),
                                       to_string(found->sums.arguments), to_string(arguments)));
    known_arguments_ += arguments;
    known_cases_ += found->sums.found.cases.size();
    Coverage done = found->done;
    taken_up_.emplace(number, std::move(*found));
    result_.begun.erase(found);
    return done;
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
        for (SearchRecorder* recorder : {hooks_.recorder, hooks_.mate != nullptr ? hooks_.mate->recorder : nullptr})
          if (recorder != nullptr)
            recorder->revoked(index);
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
    dispatcher_.finish(index, part.part, part.seconds, part.fixed_seconds);
    FieldReport& report = result_.fields[known_fields_ + part.part.field];
    const uint128 arguments = arguments_of(report.field, part.part);
    Account& account = accounts_[index];
    account.parts.push_back(part.part);
    searched_ += arguments;
    found_ += static_cast<std::uint64_t>(std::count_if(part.found.begin(), part.found.end(),
                                                       [](const Case& one) { return one.kind == Case::Kind::hard; }));
    if (report.field.is_claimed()) {
      count_claimed(index, account.claimed, hooks_.recorder, ClaimIdentity::of(job_, report.field), arguments, part);
      if (part.of_mate)
        count_of_mate(index, part);
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

  // A worker's part of a claim, among those that it has done. With the mutex locked.
  void count_claimed(std::size_t index, std::map<std::size_t, Claimed>& among, SearchRecorder* recorder,
                     const ClaimIdentity& claim, uint128 arguments, const PartResult& part) {
    Claimed& claimed = among.try_emplace(part.part.field, claimed_room()).first->second;
    claimed.done.add(place_of(part.part));
    claimed.sums.add(part, arguments);
    if (recorder != nullptr)
      recorder->searched(index, claim, arguments, part);
  }

  // The same of the mate's, unless some of it is known.
  void count_of_mate(std::size_t index, const PartResult& part) {
    const Field& field = mates_.at(part.part.field);
    const ClaimIdentity claim = ClaimIdentity::of(hooks_.mate->job, field);
    if (const BegunClaim* begun = begun_of_mate(claim);
        begun != nullptr && !begun->done.intersection(place_of(part.part)).empty())
      return;
    PartResult of_mate;
    of_mate.part = part.part;
    of_mate.found = part.of_mate->found;
    of_mate.candidates = part.of_mate->candidates;
    count_claimed(index, accounts_[index].of_mate, hooks_.mate->recorder, claim, arguments_of(field, part.part),
                  of_mate);
  }

  // With the mutex locked.
  void tell_progress() const {
    if (hooks_.progress)
      hooks_.progress(progress());
  }

  [[nodiscard]] Progress progress() const {
    return {known_arguments_ + settled_.size() + searched_,
            size_,
            known_cases_ + found_,
            seconds_since(start_),
            dispatcher_.working(),
            known_arguments_};
  }

  // What a faulty worker has done counts no longer.
  void take_back(const Account& account) {
    const auto subtract = [this](const PartSums& sums) {
      searched_ -= sums.arguments;
      found_ -= sums.found.cases.size();
    };
    subtract(account.sums);
    for (const auto& [field, claimed] : account.claimed)
      subtract(claimed.sums);
  }

  // What all workers did, for the result. A claimed field counts when every part of it was searched, in this run or
  // before, which must be all of its arguments; else what was done of it stays for a run that goes on.
  void close_accounts() {
    result_.covered.add(settled_);
    std::map<std::size_t, BegunClaim> claims = std::move(taken_up_);
    for (std::size_t index = 0; index < accounts_.size(); ++index) {
      Account& account = accounts_[index];
      WorkerReport& worker = result_.workers[index];
      const auto report = [&](const PartSums& sums) {
        worker.arguments += sums.arguments;
        tmd::add(worker.stages, sums.stages);
      };
      result_.covered.add(account.covered);
      result_.add_work(account.sums);
      report(account.sums);
      result_.add(std::move(account.sums.found));
      for (auto& [number, claimed] : account.claimed) {
        report(claimed.sums);
        const auto [claim, is_new] = claims.try_emplace(number);
        if (is_new)
          claim->second = {
              ClaimIdentity::of(job_, result_.fields[known_fields_ + number].field), {}, PartSums(claimed_room())};
        claim->second.add(claimed.done, std::move(claimed.sums));
      }
      for (auto& [number, claimed] : account.of_mate) {
        const ClaimIdentity claim = ClaimIdentity::of(hooks_.mate->job, mates_.at(number));
        BegunClaim* begun = begun_of_mate(claim);
        if (begun == nullptr)
          begun = &hooks_.mate->begun.emplace_back(BegunClaim{claim, {}, PartSums(claimed_room())});
        begun->add(claimed.done, std::move(claimed.sums));
      }
    }
    for (auto& [number, claim] : claims)
      if (claim.is_complete())
        result_.close(job_, claim);
      else
        result_.begun.push_back(std::move(claim));
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
  const uint128 size_; // of the job
  const std::span<const std::unique_ptr<Worker>> workers_;
  const SearchHooks& hooks_;
  const Claims& claims_;
  const Coverage range_;
  const Coverage to_do_;
  Dispatcher dispatcher_;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_; // of what follows, and of the hooks that tell the caller something
  SearchResult result_;
  const std::size_t known_fields_;               // of an earlier run
  const std::vector<RegimeRange> known_regimes_; // likewise, by argument
  std::size_t known_cases_;
  uint128 known_arguments_;
  std::map<std::size_t, BegunClaim> taken_up_; // of an earlier run, by field
  std::map<std::size_t, Field> mates_;         // by field
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
        return Field{claim->arguments,    std::nullopt,      kind->name, claim->extent,
                     claim->arguments_at, claim->coordinate, nullptr,    claim->place_of};
    return std::nullopt;
  };
}

ClaimedParts claimed_parts(const Claims& claims, const Stretch& stretch) {
  ClaimedParts result;
  std::vector<Stretch> open{stretch};
  while (!open.empty()) {
    const Stretch part = open.back();
    open.pop_back();
    auto field = claims ? claims(part) : std::nullopt;
    if (!field) {
      result.left.push_back(part);
      continue;
    }
    const std::vector<Stretch> others = without(part, field->arguments);
    open.insert(open.end(), others.rbegin(), others.rend());
    result.fields.push_back(std::move(*field));
  }
  return result;
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
