// What the workers of a search have done, and what of it counts. A part that a worker delivers is covered from then on,
// but it stays in the account of that worker until the search ends: a device may turn out to be faulty, and then all
// that it has done is revoked and searched again by the others. Of a field that an engine has claimed only the whole
// counts, so that its parts are kept together, with those that an earlier run has done. When all threads have ended,
// close() adds up the accounts and makes the result of them.
#pragma once

#include "search/dispatcher.hpp"
#include "search/other_accounts.hpp"
#include "search/search.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tmd::searches {

// Used by all threads of a search.
class Accounts {
public:
  Accounts(const job::Job& job, const SearchHooks& hooks, Dispatcher& dispatcher, std::size_t workers,
           result::SearchResult so_far);

  // Enters a field, in the dispatcher's order, and says in it which other functions its claim serves. Returns what an
  // earlier run has done of it, in its coordinate, which is taken up. Throws UsageError where there are too many.
  [[nodiscard]] job::Coverage enter(engine::Field& field);
  // No more fields come: tells of what an earlier run has done of claims that are made otherwise now.
  void complete();
  void settle(const job::RegimeRange& range);
  void leave_out(const job::RankInterval& ranks);
  // A part is done: it is covered, unless the worker turns out to be faulty. What reports tell of plans counts those of
  // faulty workers, too.
  void count(std::size_t worker, const result::PartResult& part);
  // A worker has failed, and others take its work. Faulty: nothing that it has done counts any longer. Returns false
  // where there are no others, and the search has not been interrupted.
  [[nodiscard]] bool lose(std::size_t worker, const std::string& why, bool is_faulty,
                          const engine::Interrupt& interrupted);
  void interrupt();
  // What all workers did. A claimed field counts when every part of it was searched, in this run or before, which must
  // be all of its arguments; else what was done of it stays for a run that goes on. Once, when all threads have ended.
  [[nodiscard]] result::SearchResult close();

private:
  // What a worker has done.
  struct Account {
    std::vector<result::Part> parts;
    job::Coverage covered; // ranks
    result::PartSums sums;
    std::map<std::size_t, result::BegunClaim> claimed; // parts of claimed fields, by the field's number
  };

  [[nodiscard]] const engine::Field& field(std::size_t number) const {
    return result_.fields[known_fields_ + number].field;
  }
  [[nodiscard]] job::Coverage take_up(std::size_t number);
  void count_claimed(std::size_t worker, const engine::Field& field, uint128 arguments, const result::PartResult& part);
  void revoke(std::size_t worker);
  void close(std::size_t worker);
  void tell_progress() const;

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const job::Job& job_;
  const uint128 size_; // of the job
  const SearchHooks& hooks_;
  Dispatcher& dispatcher_;

  std::mutex mutex_; // of what follows, and of the hooks that tell the caller something
  result::SearchResult result_;
  const std::size_t known_fields_; // of an earlier run
  std::size_t known_cases_;
  uint128 known_arguments_;
  std::map<std::size_t, result::BegunClaim>
      begun_; // claims that an earlier run or this one has begun, by the field's number
  std::vector<OtherAccounts> others_;
  job::Coverage settled_;         // ranks of the regimes that this run has found
  std::vector<Account> accounts_; // by worker
  uint128 searched_ = 0;          // arguments, by all of them
  std::uint64_t found_ = 0;       // hard cases
};

} // namespace tmd::searches
