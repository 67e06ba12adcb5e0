// What the workers of a search find for another function on their way: sin and cos, for instance, have cases in the
// same windows of the phase. It counts for a search of that function, which comes later and takes it up: whatever that
// search knows already is left as it is. As in the accounts of the search itself, what a worker has found stays its own
// until the end, for it may turn out to be faulty.
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
  // Whether the work for a field, by its number, does for this function, too: the same engine claims the same
  // arguments, and some of that is not known. `job` is the field's.
  [[nodiscard]] bool enter(std::size_t number, const job::Job& job, const engine::Field& field);
  void count(std::size_t worker, const result::Part& part, const result::PartResult::OfFunction& found);
  // The worker is faulty: nothing that it has found counts.
  void revoke(std::size_t worker);
  // Leaves what all workers have found to the search. Once, at the end.
  void close();

private:
  [[nodiscard]] result::BegunClaim* begun(const result::ClaimIdentity& claim) const;

  OtherSearch& search_;
  std::map<std::size_t, engine::Field> fields_; // of this function, by the numbers of the search's own
  std::vector<std::map<std::size_t, result::BegunClaim>> claimed_; // likewise, by worker
};

} // namespace tmd::searches
