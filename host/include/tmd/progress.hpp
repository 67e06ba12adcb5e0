// The progress of a search.
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
  std::size_t devices = 1; // number of working devices
  uint128 known = 0;       // those of `done` that an earlier run has searched
};

// Regular reports on stderr, for programs that read them.
struct ProgressReports {
  enum class Form { lines, json };
  Form form = Form::lines;
  double seconds = 10; // interval between reports

  friend bool operator==(const ProgressReports&, const ProgressReports&) = default;
};

} // namespace tmd
