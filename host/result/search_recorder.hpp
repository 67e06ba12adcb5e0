// Who keeps what a search has done while it is running.
#pragma once

#include "job/regimes.hpp"
#include "job/stretch.hpp"
#include "result/begun_claim.hpp"
#include "result/part_result.hpp"

#include <cstddef>

namespace tmd::result {

// Told of everything as soon as it counts, by one thread at a time. What a member throws ends the search.
class SearchRecorder {
public:
  SearchRecorder() = default;
  SearchRecorder(const SearchRecorder&) = delete;
  SearchRecorder& operator=(const SearchRecorder&) = delete;
  virtual ~SearchRecorder() = default;

  // A worker has searched these ranks.
  virtual void searched(std::size_t worker, const job::RankInterval& ranks, const PartResult& part) = 0;
  // A worker has searched a part of a claim, which counts only as a whole: that part of its coordinate, with so many
  // arguments.
  virtual void searched(std::size_t worker, const ClaimIdentity& claim, uint128 arguments, const PartResult& part) = 0;
  virtual void settled(const job::RegimeRange& range) = 0;
  virtual void left_out(const job::RankInterval& ranks) = 0;
  // The worker is faulty: nothing that it has searched counts.
  virtual void revoked(std::size_t worker) = 0;
};

} // namespace tmd::result
