#include "result/partial_claim.hpp"

#include "tmd/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::result {

void PartSums::add(const PartResult& part, uint128 of) {
  arguments += of;
  direct += part.direct;
  candidates += part.candidates;
  planning_seconds += part.planning_seconds;
  tmd::engine::add(stages, part.stages);
  idle += part.idle;
  found.add(part.found);
  found.exact.add_unlisted(part.exact_unlisted);
}

void PartSums::add(PartSums&& others) {
  arguments += others.arguments;
  direct += others.direct;
  candidates += others.candidates;
  planning_seconds += others.planning_seconds;
  tmd::engine::add(stages, others.stages);
  idle += others.idle;
  found.add(std::move(others.found));
}

ClaimIdentity ClaimIdentity::of(const job::Job& job, const engine::Field& field) {
  const engine::Claim& claim = *field.claim();
  return {std::string(claim.engine), job::ranks_of(job.arguments(), field.arguments, 0, field.arguments.count),
          claim.extent, claim.coordinate};
}

uint128 arguments_of(const engine::Field& field, const Part& part) {
  return field.is_claimed() ? field.claim()->arguments_at(part.first, part.count) : part.count;
}

job::Coverage place_of(const Part& part) {
  return {static_cast<int128>(part.first), static_cast<int128>(part.first + part.count)};
}

void PartialClaim::add(const PartResult& part, uint128 arguments) {
  done.add(place_of(part.part));
  sums.add(part, arguments);
}

void PartialClaim::add(const job::Coverage& more, PartSums&& of_them) {
  done.add(more);
  sums.add(std::move(of_them));
}

} // namespace tmd::result
