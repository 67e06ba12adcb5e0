#include "search/other_accounts.hpp"

#include <algorithm>
#include <utility>

namespace tmd::searches {

bool OtherAccounts::enter(std::size_t number, const job::Job& job, const engine::Field& field) {
  auto other = search_.claims(field.arguments);
  if (!other)
    return false;
  const result::ClaimIdentity claim = result::ClaimIdentity::of(search_.job, *other);
  const bool is_same = result::ClaimIdentity::of(job, field).ranks == claim.ranks && !field.claim()->shared.empty() &&
                       field.claim()->shared == other->claim()->shared;
  // Complete claims may end elsewhere: values of exp overflow earlier than those of cosh.
  const bool is_known =
      !search_.covered.within(claim.ranks.first, claim.ranks.last).empty() ||
      std::any_of(search_.partial_claims.begin(), search_.partial_claims.end(), [&](const result::PartialClaim& one) {
        return one.is_complete() && one.claim.ranks.first < claim.ranks.last &&
               claim.ranks.first < one.claim.ranks.last;
      });
  if (!is_same || is_known)
    return false;
  enter(number, *std::move(other));
  return true;
}

result::PartialClaim* OtherAccounts::partial_claim(const result::ClaimIdentity& claim) const {
  const auto found = std::ranges::find(search_.partial_claims, claim, &result::PartialClaim::claim);
  return found == search_.partial_claims.end() ? nullptr : &*found;
}

uint128 OtherAccounts::count(std::size_t worker, const result::Part& part,
                             const result::PartResult::OfFunction& found) {
  const Place place{part.field, found.claim.value_or(0)};
  const engine::Field& field = fields_.at(place.first).at(place.second);
  const result::ClaimIdentity claim = result::ClaimIdentity::of(search_.job, field);
  if (const result::PartialClaim* before = partial_claim(claim);
      before != nullptr && !before->done.intersection(result::place_of(part)).empty())
    return 0;
  result::PartResult result;
  result.part = part;
  result.found = found.found;
  result.candidates = found.candidates;
  const uint128 arguments = result::arguments_of(field, part);
  claimed_[worker].try_emplace(place, result::PartialClaim{claim, {}, {}}).first->second.add(result, arguments);
  if (search_.recorder != nullptr)
    search_.recorder->searched(worker, claim, arguments, result);
  return arguments;
}

void OtherAccounts::revoke(std::size_t worker) {
  forget(worker);
  if (search_.recorder != nullptr)
    search_.recorder->revoked(worker);
}

void OtherAccounts::close() {
  for (auto& of_worker : claimed_)
    for (auto& [number, claimed] : of_worker)
      if (result::PartialClaim* before = partial_claim(claimed.claim))
        before->add(claimed.done, std::move(claimed.sums));
      else
        search_.partial_claims.push_back(std::move(claimed));
}

} // namespace tmd::searches
