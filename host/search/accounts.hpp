// The accounts of a search: what each worker has done, and which of it counts. A delivered part is covered at once, but
// stays in its worker's account until the search ends: if the device turns out to be faulty, everything in that account
// is revoked and searched again by others. A claimed field counts only as a whole, so its parts are kept together, with
// those of an earlier run. When all threads have ended, close() adds up the accounts and makes the result.
#pragma once

#include "search/dispatcher.hpp"
#include "search/other_accounts.hpp"
#include "search/search.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tmd::searches {

// Used by all threads of a search.
class Accounts {
public:
  Accounts(const job::Job& job, const SearchHooks& hooks, Dispatcher& dispatcher, std::size_t workers,
           result::SearchResult so_far);

  // Enters a field, in the dispatcher's order, and notes in it what other functions its claim serves. Returns the parts
  // of it, in its coordinate, that an earlier run has searched. Throws UsageError if there are too many fields.
  [[nodiscard]] job::Coverage enter(engine::Field& field);
  // Enters a claim that the work of an earlier one serves, the latest that enter() has entered. Returns all of it.
  [[nodiscard]] job::Coverage enter_joined(const engine::Field& field);
  // The parts of a claim that an earlier run has searched.
  [[nodiscard]] job::Coverage done_before(const engine::Field& field) const;
  // No more fields come: reports claims of an earlier run that are partitioned differently now.
  void complete();
  void add_regime(const job::RegimeRange& range);
  void leave_out(const job::RankInterval& ranks);
  // A part is done: it is covered, unless the worker turns out to be faulty. Reports about plans include those of
  // faulty workers.
  void count(std::size_t worker, const result::PartResult& part);
  // A worker has failed, and others take its work. If it is faulty, nothing that it has done counts any longer. Returns
  // false if no other worker is left and the search has not been interrupted.
  [[nodiscard]] bool lose(std::size_t worker, const std::string& why, bool is_faulty,
                          const engine::Interrupt& interrupted);
  // A worker has ended, as nothing is left to be done.
  void end();
  void interrupt();
  // The result of all workers. A claimed field counts if every part of it was searched, in this run or before;
  // otherwise its parts are kept for a run that resumes the search. Call once, when all threads have ended.
  [[nodiscard]] result::SearchResult close();

private:
  // The work of one worker.
  struct Account {
    std::vector<result::Part> parts;
    job::Coverage covered; // ranks that count as searched
    result::PartSums sums;
    std::map<std::size_t, result::PartialClaim> claimed; // parts of claimed fields, by the field's number
  };

  [[nodiscard]] const engine::Field& field(std::size_t number) const {
    return result_.fields[known_fields_ + number].field;
  }
  [[nodiscard]] job::Coverage resume(std::size_t number);
  std::size_t enter_number(const engine::Field& field);
  void count_claimed(std::size_t worker, const engine::Field& field, uint128 arguments, const result::PartResult& part);
  void revoke(std::size_t worker);
  void close(std::size_t worker);
  void tell_progress() const;

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const job::Job& job_;
  const uint128 size_; // number of the job's arguments
  const SearchHooks& hooks_;
  Dispatcher& dispatcher_;

  std::mutex mutex_; // guards the members below, and the hooks that report to the caller
  result::SearchResult result_;
  std::size_t at_work_; // workers that have neither ended nor been lost; some may be about to fail, and take no parts
  const std::size_t known_fields_; // fields that an earlier run has entered
  std::size_t known_cases_;
  uint128 known_arguments_;
  std::map<std::size_t, result::PartialClaim>
      partial_; // partly searched claims, of this run or an earlier one, by the field's number
  std::vector<OtherAccounts> others_;
  OtherSearch same_; // this search as that of joined claims
  OtherAccounts joined_;
  std::size_t leader_ = 0;        // number of the field whose work serves those that are entered as joined
  job::Coverage proven_;          // ranks of the regimes that this run has found
  std::vector<Account> accounts_; // indexed by worker
  uint128 searched_ = 0;          // arguments searched by all workers
  std::uint64_t found_ = 0;       // hard cases found
};

} // namespace tmd::searches
