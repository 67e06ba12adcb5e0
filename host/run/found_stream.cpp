// The recorder is called first: a case is recorded before the callback sees it.
#include "run/found_stream.hpp"

#include <utility>

namespace tmd::run {

FoundStream::FoundStream(std::function<void(const Case&)> found, result::SearchRecorder* recorder,
                         const result::SearchResult& so_far)
    : found_(std::move(found)), recorder_(recorder) {
  tell(static_cast<const result::Findings&>(so_far));
  for (const result::PartialClaim& claim : so_far.partial_claims)
    tell(claim.sums.found);
}

void FoundStream::tell(const Case& one) {
  if (told_.insert(one.x).second)
    found_(one);
}

void FoundStream::tell(const result::Findings& found) {
  for (const result::Cases* list : {&found.cases, &found.exact, &found.undecided})
    for (const Case& one : *list)
      tell(one);
}

void FoundStream::searched(std::size_t worker, const job::RankInterval& ranks, const result::PartResult& part) {
  if (recorder_ != nullptr)
    recorder_->searched(worker, ranks, part);
  for (const Case& one : part.found)
    tell(one);
}

void FoundStream::searched(std::size_t worker, const result::ClaimIdentity& claim, uint128 arguments,
                           const result::PartResult& part) {
  if (recorder_ != nullptr)
    recorder_->searched(worker, claim, arguments, part);
  for (const Case& one : part.found)
    tell(one);
}

void FoundStream::proven(const job::RegimeRange& range) {
  if (recorder_ != nullptr)
    recorder_->proven(range);
}

void FoundStream::left_out(const job::RankInterval& ranks) {
  if (recorder_ != nullptr)
    recorder_->left_out(ranks);
}

void FoundStream::revoked(std::size_t worker) {
  if (recorder_ != nullptr)
    recorder_->revoked(worker);
}

} // namespace tmd::run
