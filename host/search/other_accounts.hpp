// Accounts of another function that the same work serves: sin and cos, for instance, have cases in the same windows of
// the phase. The results are passed to that function's search, which comes later; what it knows already is left as it
// is. Other claims of the same search that the work serves have such accounts, too. As in the accounts of the search
// itself, results stay with their worker until the end, for it may turn out to be faulty.
#pragma once

#include "search/search.hpp"

#include <cstddef>
#include <map>
#include <utility>
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
  // The work for field `number` serves this one, too.
  void enter(std::size_t number, engine::Field field) { fields_[number].push_back(std::move(field)); }
  [[nodiscard]] bool serves(std::size_t number) const { return fields_.contains(number); }
  // Returns the number of arguments, 0 if they were known.
  uint128 count(std::size_t worker, const result::Part& part, const result::PartResult::OfFunction& found);
  // The worker is faulty: its results do not count. The first of these tells the other search's recorder.
  void revoke(std::size_t worker);
  void forget(std::size_t worker) { claimed_[worker].clear(); }
  // The number of a field, and the place of one that its work serves among those.
  using Place = std::pair<std::size_t, std::size_t>;
  // What a worker has searched.
  [[nodiscard]] const std::map<Place, result::PartialClaim>& claimed(std::size_t worker) const {
    return claimed_[worker];
  }
  [[nodiscard]] std::map<Place, result::PartialClaim> take(std::size_t worker) { return std::move(claimed_[worker]); }
  // Passes all results to the other search. Call once, at the end.
  void close();

private:
  [[nodiscard]] result::PartialClaim* partial_claim(const result::ClaimIdentity& claim) const;

  OtherSearch& search_;
  std::map<std::size_t, std::vector<engine::Field>> fields_;   // those served, by the numbers of the search's own
  std::vector<std::map<Place, result::PartialClaim>> claimed_; // their searched parts, by worker
};

} // namespace tmd::searches
