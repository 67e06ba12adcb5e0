// How the accounts are kept: every part is entered in the account of its worker under one mutex; close() adds them up.
// A faulty worker's account is cleared, and its parts go back to the dispatcher.

#include "search/accounts.hpp"

#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tmd::searches {

namespace {

std::uint64_t hard_cases(const std::vector<Case>& cases) {
  return static_cast<std::uint64_t>(
      std::count_if(cases.begin(), cases.end(), [](const Case& one) { return one.kind == Case::Kind::hard; }));
}

} // namespace

Accounts::Accounts(const job::Job& job, const SearchHooks& hooks, Dispatcher& dispatcher, std::size_t workers,
                   result::SearchResult so_far)
    : job_(job), size_(job.size()), hooks_(hooks), dispatcher_(dispatcher), result_(std::move(so_far)),
      at_work_(workers), known_fields_(result_.fields.size()), known_cases_(result_.cases.size()),
      known_arguments_(result_.arguments()), same_{job, {}, {}, {}, hooks.recorder}, joined_(same_, workers),
      accounts_(workers) {
  result_.interrupted = false;
  result_.workers.assign(workers, {});
  for (OtherSearch* other : hooks.others)
    others_.emplace_back(*other, workers);
}

job::Coverage Accounts::enter(engine::Field& field) {
  const std::lock_guard lock(mutex_);
  leader_ = result_.fields.size() - known_fields_;
  if (engine::Claim* claim = field.claim())
    for (OtherAccounts& other : others_)
      if (std::find(claim->companions.begin(), claim->companions.end(), &other.function()) == claim->companions.end() &&
          other.enter(leader_, job_, field))
        claim->companions.push_back(&other.function());
  return resume(enter_number(field));
}

job::Coverage Accounts::enter_joined(const engine::Field& field) {
  const std::lock_guard lock(mutex_);
  joined_.enter(leader_, field);
  (void)resume(enter_number(field));
  return {0, static_cast<int128>(field.extent())};
}

std::size_t Accounts::enter_number(const engine::Field& field) {
  constexpr std::size_t most_fields = std::size_t(1) << 20;
  if (result_.fields.size() > most_fields)
    throw UsageError(fmt::format("{} changes the binade of its values more than {} times on this range; search a "
                                 "smaller one",
                                 job_.function->name, most_fields));
  result_.fields.emplace_back().field = field;
  return result_.fields.size() - known_fields_ - 1;
}

job::Coverage Accounts::done_before(const engine::Field& field) const {
  const auto found =
      std::ranges::find(result_.partial_claims, result::ClaimIdentity::of(job_, field), &result::PartialClaim::claim);
  return found == result_.partial_claims.end() ? job::Coverage() : found->done;
}

// The parts of a claim that an earlier run has searched, if it is the very same claim. Its arguments are counted again.
job::Coverage Accounts::resume(std::size_t number) {
  const engine::Field& field = this->field(number);
  if (!field.is_claimed())
    return {};
  const result::ClaimIdentity claim = result::ClaimIdentity::of(job_, field);
  const auto found = std::ranges::find(result_.partial_claims, claim, &result::PartialClaim::claim);
  if (found == result_.partial_claims.end())
    return {};
  uint128 arguments = 0;
  for (const auto& [first, last] : found->done.intervals())
    arguments += field.claim()->arguments_at(static_cast<uint128>(first), static_cast<uint128>(last - first));
  if (arguments != found->sums.arguments)
    throw SoundnessError(fmt::format("the parts of a stretch of {} arguments from {} on that an earlier run has "
                                     "searched should hold {} of them, but hold {}",
                                     to_string(claim.size()), to_hex(field.arguments.argument(0)),
                                     to_string(found->sums.arguments), to_string(arguments)));
  known_arguments_ += arguments;
  known_cases_ += found->sums.found.cases.size();
  job::Coverage done = found->done;
  partial_.emplace(number, std::move(*found));
  result_.partial_claims.erase(found);
  return done;
}

void Accounts::complete() {
  const std::lock_guard lock(mutex_);
  if (hooks_.skipped)
    for (const result::PartialClaim& claim : result_.partial_claims)
      hooks_.skipped(claim);
  result_.partial_claims.clear();
}

void Accounts::add_regime(const job::RegimeRange& range) {
  const std::lock_guard lock(mutex_);
  result_.regimes.push_back(range);
  proven_.add(range.ranks.first, range.ranks.last);
  if (hooks_.recorder != nullptr)
    hooks_.recorder->proven(range);
  tell_progress();
}

void Accounts::leave_out(const job::RankInterval& ranks) {
  const std::lock_guard lock(mutex_);
  result_.left_out.add(ranks.first, ranks.last);
  if (hooks_.recorder != nullptr)
    hooks_.recorder->left_out(ranks);
}

void Accounts::count(std::size_t worker, const result::PartResult& part) {
  const std::lock_guard lock(mutex_);
  dispatcher_.finish(worker, part.part, part.seconds, part.fixed_seconds);
  result::FieldReport& report = result_.fields[known_fields_ + part.part.field];
  const uint128 arguments = result::arguments_of(report.field, part.part);
  Account& account = accounts_[worker];
  account.parts.push_back(part.part);
  searched_ += arguments;
  found_ += hard_cases(part.found);
  if (report.field.is_claimed()) {
    count_claimed(worker, report.field, arguments, part);
  } else {
    const job::RankInterval ranks =
        job::ranks_of(job_.arguments(), report.field.arguments, part.part.first, part.part.count);
    account.covered.add(ranks.first, ranks.last);
    account.sums.add(part, arguments);
    if (hooks_.recorder != nullptr)
      hooks_.recorder->searched(worker, ranks, part);
  }
  result::record(report, part);
  tell_progress();
}

void Accounts::count_claimed(std::size_t worker, const engine::Field& field, uint128 arguments,
                             const result::PartResult& part) {
  const result::ClaimIdentity claim = result::ClaimIdentity::of(job_, field);
  accounts_[worker]
      .claimed.try_emplace(part.part.field, result::PartialClaim{claim, {}, {}})
      .first->second.add(part, arguments);
  if (hooks_.recorder != nullptr)
    hooks_.recorder->searched(worker, claim, arguments, part);
  for (const result::PartResult::OfFunction& found : part.of_companions) {
    if (found.claim) {
      result::record_served(result_.fields[known_fields_ + part.part.field + 1 + *found.claim], part);
      searched_ += joined_.count(worker, part.part, found);
      found_ += hard_cases(found.found);
      continue;
    }
    for (OtherAccounts& other : others_)
      if (&other.function() == found.function && other.serves(part.part.field))
        other.count(worker, part.part, found);
  }
}

bool Accounts::lose(std::size_t worker, const std::string& why, bool is_faulty, const engine::Interrupt& interrupted) {
  const std::lock_guard lock(mutex_);
  result_.workers[worker].failure = why;
  if (is_faulty)
    revoke(worker);
  dispatcher_.drop(worker);
  if (--at_work_ == 0) {
    if (!interrupted())
      return false;
    result_.interrupted = true; // the others ended because of the interruption: their results count
  }
  if (hooks_.lost)
    hooks_.lost(worker, why);
  return true;
}

// The other workers search all parts of this one again.
void Accounts::revoke(std::size_t worker) {
  Account& account = accounts_[worker];
  dispatcher_.reopen(account.parts);
  const auto subtract = [this](const result::PartSums& sums) {
    searched_ -= sums.arguments;
    found_ -= sums.found.cases.size();
  };
  subtract(account.sums);
  for (const auto& [field, claimed] : account.claimed)
    subtract(claimed.sums);
  for (const auto& [place, claimed] : joined_.claimed(worker))
    subtract(claimed.sums);
  account = {};
  joined_.forget(worker);
  if (hooks_.recorder != nullptr)
    hooks_.recorder->revoked(worker);
  for (OtherAccounts& other : others_)
    other.revoke(worker);
}

void Accounts::end() {
  const std::lock_guard lock(mutex_);
  --at_work_;
}

void Accounts::interrupt() {
  const std::lock_guard lock(mutex_);
  result_.interrupted = true;
}

result::SearchResult Accounts::close() {
  result_.covered.add(proven_);
  for (std::size_t worker = 0; worker < accounts_.size(); ++worker)
    close(worker);
  for (OtherAccounts& other : others_)
    other.close();
  for (auto& [number, claim] : partial_)
    if (claim.is_complete())
      result_.close(job_, claim);
    else
      result_.partial_claims.push_back(std::move(claim));
  return std::move(result_);
}

void Accounts::close(std::size_t worker) {
  Account& account = accounts_[worker];
  const auto report = [&of_worker = result_.workers[worker]](const result::PartSums& sums) {
    of_worker.arguments += sums.arguments;
    engine::add(of_worker.stages, sums.stages);
    of_worker.idle += sums.idle;
  };
  result_.covered.add(account.covered);
  result_.add_work(account.sums);
  report(account.sums);
  result_.add(std::move(account.sums.found));
  const auto add = [&](std::size_t number, result::PartialClaim&& claimed) {
    report(claimed.sums);
    if (const auto [claim, is_new] = partial_.try_emplace(number, std::move(claimed)); !is_new)
      claim->second.add(claimed.done, std::move(claimed.sums));
  };
  for (auto& [number, claimed] : account.claimed)
    add(number, std::move(claimed));
  for (auto& [place, claimed] : joined_.take(worker)) // entered behind the one whose work serves them
    add(place.first + 1 + place.second, std::move(claimed));
}

void Accounts::tell_progress() const {
  if (hooks_.progress)
    hooks_.progress({known_arguments_ + proven_.size() + searched_, size_, known_cases_ + found_,
                     support::seconds_since(start_), dispatcher_.working(), known_arguments_});
}

} // namespace tmd::searches
