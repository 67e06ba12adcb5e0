// How far a search is.
#pragma once

#include "tmd/integer.hpp"

#include <cstddef>
#include <cstdint>

namespace tmd {

struct Progress {
  uint128 done = 0; // arguments
  uint128 total = 0;
  std::uint64_t cases = 0;
  double seconds = 0;
  std::size_t devices = 1; // at work
  uint128 known = 0;       // arguments of those done that an earlier run has searched
};

// Reports for whoever reads a program's stderr, again and again.
struct ProgressReports {
  enum class Form { lines, json };
  Form form = Form::lines;
  double seconds = 10; // from one to the next

  friend bool operator==(const ProgressReports&, const ProgressReports&) = default;
};

} // namespace tmd
