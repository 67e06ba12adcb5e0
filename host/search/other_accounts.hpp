// Accounts of another function that the same work serves: sin and cos, for instance, have cases in the same windows of
// the phase. The results are passed to that function's search, which comes later; what it knows already is left as it
// is. As in the accounts of the search itself, results stay with their worker until the end, for it may turn out to be
// faulty.
#pragma once

#include "search/search.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tmd::searches {

// Used by one thread at a time.
class OtherAccounts {
public:
  OtherAccounts(OtherSearch& search, std::size_t workers) : search_(search), claimed_(workers) {}

  [[nodiscard]] const function::Function& function() const { return *search_.job.function; }
  // Whether the work for field `number` of `job` also serves this function: the same engine claims the same arguments,
  // and none of them is known.
  [[nodiscard]] bool enter(std::size_t number, const job::Job& job, const engine::Field& field);
  [[nodiscard]] bool serves(std::size_t number) const { return fields_.contains(number); }
  void count(std::size_t worker, const result::Part& part, const result::PartResult::OfFunction& found);
  // The worker is faulty: its results do not count.
  void revoke(std::size_t worker);
  // Passes all results to the other search. Call once, at the end.
  void close();

private:
  [[nodiscard]] result::PartialClaim* partial_claim(const result::ClaimIdentity& claim) const;

  OtherSearch& search_;
  std::map<std::size_t, engine::Field> fields_; // the other function's fields, by the numbers of the search's own
  std::vector<std::map<std::size_t, result::PartialClaim>> claimed_; // their searched parts, by worker
};

} // namespace tmd::searches
