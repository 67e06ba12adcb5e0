// What a search has found, and how far it has come.
#pragma once

#include "job/coverage.hpp"
#include "job/regimes.hpp"
#include "result/begun_claim.hpp"
#include "result/cases.hpp"
#include "result/part_result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tmd::result {

// One field as it was searched; for tables and the ledger.
struct FieldReport {
  engine::Field field;
  uint128 intervals = 0;
  uint128 direct_arguments = 0;                              // of those, decided in MPFR alone
  std::map<std::string, std::uint64_t, std::less<>> methods; // intervals by the method that they got
  engine::Prices prices;   // of the first interval with a plan: why it got that method
  engine::PlanReport plan; // of all intervals, merged

  // Else every argument went to MPFR.
  [[nodiscard]] bool has_plan() const { return !plan.ledger.empty() || !methods.empty(); }
};

// What one worker did for a search, parts of claims that are not complete among it.
struct WorkerReport {
  uint128 arguments = 0;
  engine::Stages stages;  // what it left unfinished is not counted
  std::string failure;    // why it was lost; empty when it was not
  engine::Idle idle = {}; // all of it, where the search has ended
};

// What every argument of a range is; nothing: none is a case, or only some are.
[[nodiscard]] std::optional<Case::Kind> kind_of(const job::Regime& regime);

// The whole range's, unless the search was interrupted: then it can go on from here.
struct SearchResult : Findings {
  std::vector<job::RegimeRange> regimes; // by argument: what is true of all arguments of a range, which are covered
  job::Coverage covered;                 // ranks of arguments
  job::Coverage left_out;                // ranks that it does not reach: there it is a partial search
  job::Coverage gaps;                    // ranks that no part of it has covered, where it was put together
  uint128 direct = 0;                    // arguments decided in MPFR alone
  std::uint64_t candidates = 0;
  bool interrupted = false;
  engine::Stages stages;
  engine::Idle idle;           // of all devices together
  double planning_seconds = 0; // host time for plans and coefficients, elapsed
  double seconds = 0;
  std::vector<FieldReport> fields;
  std::vector<WorkerReport> workers; // in the order in which they were given
  std::vector<BegunClaim> begun;     // of an interrupted search: claims that are not complete, as they were begun

  [[nodiscard]] uint128 arguments() const { return covered.size(); }
  // What is listed one by one among these ranks of the job, of every kind, by argument.
  [[nodiscard]] std::vector<Case> listed_in(const job::Job& job, const job::Coverage& ranks) const;
  // Whether the result covers this case without naming it: a range has it, or it is an exact case behind the last one
  // that is listed. The lists must be sorted.
  [[nodiscard]] bool knows(const job::Job& job, const Case& one) const;
  // Whether of some argument it is not known if its value is a breakpoint, or on which side of one it lies.
  [[nodiscard]] bool has_undecided() const;
  // In the parts that were done of begun claims. Of claims that have arguments in common the last counts, and none
  // whose arguments are covered or left out by now.
  [[nodiscard]] uint128 begun_arguments() const;
  [[nodiscard]] bool is_partial() const { return !left_out.empty() || !gaps.empty(); }
  // Of the covered ones, those of regimes that are cases, or are none.
  [[nodiscard]] uint128 arguments_of_regimes(bool cases) const;
  // The covered arguments of regimes in which every argument is an exact case. No list names them.
  [[nodiscard]] uint128 exact_of_regimes() const;

  // A claim is complete: it counts, and of its cases each once. Leaves its sums empty. Throws SoundnessError where its
  // parts do not have all of its arguments, and where some of these are covered.
  void close(const job::Job& job, BegunClaim& claim);
  void add_work(const PartSums& sums);

  // Brings the lists and the regimes into their order.
  void sort();
};

// Adds a part's interval and direct arguments to its field's report.
void record(FieldReport& report, const PartResult& part);

} // namespace tmd::result
