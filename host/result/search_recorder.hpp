// Records what a search has done while it is running.
#pragma once

#include "job/regime.hpp"
#include "job/stretch.hpp"
#include "result/part_result.hpp"
#include "result/partial_claim.hpp"

#include <cstddef>

namespace tmd::result {

// Called as soon as something counts, by one thread at a time. An exception from a member ends the search.
class SearchRecorder {
public:
  SearchRecorder() = default;
  SearchRecorder(const SearchRecorder&) = delete;
  SearchRecorder& operator=(const SearchRecorder&) = delete;
  virtual ~SearchRecorder() = default;

  // Records that a worker has searched these ranks.
  virtual void searched(std::size_t worker, const job::RankInterval& ranks, const PartResult& part) = 0;
  // Records that a worker has searched a part of a claim, with so many arguments. The claim counts only when it is
  // complete.
  virtual void searched(std::size_t worker, const ClaimIdentity& claim, uint128 arguments, const PartResult& part) = 0;
  virtual void proven(const job::RegimeRange& range) = 0;
  virtual void left_out(const job::RankInterval& ranks) = 0;
  // Records that the worker is faulty: nothing that it has searched counts.
  virtual void revoked(std::size_t worker) = 0;
};

} // namespace tmd::result
