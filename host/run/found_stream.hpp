// Passes cases on while a search runs.
#pragma once

#include "result/search_recorder.hpp"
#include "result/search_result.hpp"

#include <functional>
#include <set>

namespace tmd::run {

// Reports each case once. Parts of claims overlap, and the parts of a faulty worker are searched again, but no case is
// ever taken back: the host has confirmed all of them. Everything else is passed on to another recorder.
class FoundStream : public result::SearchRecorder {
public:
  // Reports at once the cases of an earlier run. recorder: may be null.
  FoundStream(std::function<void(const Case&)> found, result::SearchRecorder* recorder,
              const result::SearchResult& so_far);

  void searched(std::size_t worker, const job::RankInterval& ranks, const result::PartResult& part) override;
  void searched(std::size_t worker, const result::ClaimIdentity& claim, uint128 arguments,
                const result::PartResult& part) override;
  void proven(const job::RegimeRange& range) override;
  void left_out(const job::RankInterval& ranks) override;
  void revoked(std::size_t worker) override;

private:
  struct IsLess {
    bool operator()(const Argument& left, const Argument& right) const { return compare(left, right) < 0; }
  };

  void tell(const Case& one);
  void tell(const result::Findings& found);

  std::function<void(const Case&)> found_;
  result::SearchRecorder* recorder_;
  std::set<Argument, IsLess> told_;
};

} // namespace tmd::run
