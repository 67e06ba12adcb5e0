// The recorder is told first: what a callback sees is kept already.
#include "run/found_stream.hpp"

#include <utility>

namespace tmd {

FoundStream::FoundStream(std::function<void(const Case&)> found, SearchRecorder* recorder, const SearchResult& so_far)
    : found_(std::move(found)), recorder_(recorder) {
  tell(static_cast<const Findings&>(so_far));
  for (const BegunClaim& claim : so_far.begun)
    tell(claim.sums.found);
}

void FoundStream::tell(const Case& one) {
  if (told_.insert(one.x).second)
    found_(one);
}

void FoundStream::tell(const Findings& found) {
  for (const Cases* list : {&found.cases, &found.exact, &found.undecided})
    for (const Case& one : *list)
      tell(one);
}

void FoundStream::searched(std::size_t worker, const RankInterval& ranks, const PartResult& part) {
  if (recorder_ != nullptr)
    recorder_->searched(worker, ranks, part);
  for (const Case& one : part.found)
    tell(one);
}

void FoundStream::searched(std::size_t worker, const ClaimIdentity& claim, uint128 arguments, const PartResult& part) {
  if (recorder_ != nullptr)
    recorder_->searched(worker, claim, arguments, part);
  for (const Case& one : part.found)
    tell(one);
}

void FoundStream::settled(const RegimeRange& range) {
  if (recorder_ != nullptr)
    recorder_->settled(range);
}

void FoundStream::left_out(const RankInterval& ranks) {
  if (recorder_ != nullptr)
    recorder_->left_out(ranks);
}

void FoundStream::revoked(std::size_t worker) {
  if (recorder_ != nullptr)
    recorder_->revoked(worker);
}

} // namespace tmd
