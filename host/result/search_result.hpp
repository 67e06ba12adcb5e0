// The findings of a search, and how much it has covered.
#pragma once

#include "job/coverage.hpp"
#include "job/regime.hpp"
#include "result/cases.hpp"
#include "result/part_result.hpp"
#include "result/partial_claim.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tmd::result {

// A field as it was searched; for tables and the ledger.
struct FieldReport {
  engine::Field field;
  uint128 intervals = 0;
  uint128 direct_arguments = 0;                              // number decided by MPFR alone
  std::map<std::string, std::uint64_t, std::less<>> methods; // number of intervals by method
  engine::Prices prices;   // of the first interval with a plan: they explain its method
  engine::PlanReport plan; // merged from all intervals

  // Without a plan, MPFR decided every argument.
  [[nodiscard]] bool has_plan() const { return !plan.ledger.empty() || !methods.empty(); }
};

// The work of one worker, including parts of incomplete claims.
struct WorkerReport {
  uint128 arguments = 0;
  engine::Stages stages;  // without those of unfinished work
  std::string failure;    // why the worker was lost; empty if it was not
  engine::Idle idle = {}; // complete when the search has ended
};

// The kind of every argument in a range; nothing if none is a case, or only some are.
[[nodiscard]] std::optional<Case::Kind> kind_of(const job::Regime& regime);

// The result of the whole range or, if the search was interrupted, the state from which it can be resumed.
struct SearchResult : Findings {
  std::vector<job::RegimeRange> regimes; // ranges with one answer, by argument; they are covered
  job::Coverage covered;                 // ranks of arguments
  job::Coverage left_out;                // ranks that the search leaves out: then it is partial
  job::Coverage gaps;                    // ranks that no part covers, in a merged result
  uint128 direct = 0;                    // number of arguments decided by MPFR alone
  std::uint64_t candidates = 0;
  bool interrupted = false;
  engine::Stages stages;
  engine::Idle idle;           // of all devices together
  double planning_seconds = 0; // elapsed host time for plans and coefficients
  double seconds = 0;
  std::vector<FieldReport> fields;
  std::vector<WorkerReport> workers;        // in the order of the workers
  std::vector<PartialClaim> partial_claims; // the incomplete claims of an interrupted search

  [[nodiscard]] uint128 arguments() const { return covered.size(); }
  // The cases of every kind among these ranks of the job that are listed one by one, by argument.
  [[nodiscard]] std::vector<Case> listed_in(const job::Job& job, const job::Coverage& ranks) const;
  // Whether the result covers this case without listing it: it is in a range, or is an exact case beyond the last
  // listed one. Requires sorted lists.
  [[nodiscard]] bool knows(const job::Job& job, const Case& one) const;
  // Whether some argument is undecided: its value may be a breakpoint, or on either side of one.
  [[nodiscard]] bool has_undecided() const;
  // The number of arguments in the finished parts of incomplete claims. Of claims with common arguments, the last
  // counts; claims whose arguments are covered or left out by now do not.
  [[nodiscard]] uint128 partial_arguments() const;
  [[nodiscard]] bool is_partial() const { return !left_out.empty() || !gaps.empty(); }
  // The number of covered arguments in regimes that are cases, or that are none.
  [[nodiscard]] uint128 arguments_of_regimes(bool cases) const;
  // The number of covered arguments in regimes of exact cases. No list has them.
  [[nodiscard]] uint128 exact_of_regimes() const;

  // Adds a complete claim, with each of its cases once, and empties its sums. Throws SoundnessError if its parts do not
  // have all of its arguments, or if some of these are covered.
  void close(const job::Job& job, PartialClaim& claim);
  void add_work(const PartSums& sums);

  // Sorts the lists and the regimes.
  void sort();
};

// Adds a part's interval and direct arguments to its field's report.
void record(FieldReport& report, const PartResult& part);
// The same for a field that the work for another one serves: it has no intervals of its own.
void record_served(FieldReport& report, const PartResult& part);

} // namespace tmd::result
