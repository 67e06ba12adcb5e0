// Calls a function of a math library at samples of every degree of hardness in every binade and every direction, until
// a budget is spent. Where it is wrong, more samples show how far the faults reach.
#pragma once

#include "job/stretch.hpp"
#include "library/called_function.hpp"
#include "library/fault_groups.hpp"
#include "library/library_findings.hpp"
#include "library/promise.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tmd::library {

struct ScanRequest {
  const function::Function* function = nullptr;
  Format format;
  std::optional<job::RankInterval> ranks; // only numbers of these ranks; empty: all of the format
  std::uint64_t seed = 0;                 // decides all calls, together with a budget of calls
  double seconds = 0;                     // the budget, unless `calls` is given
  std::optional<std::uint64_t> calls;
  std::optional<Promise> promise;
  bool flags = false;          // whether flags are checked
  MakeCalledFunction other;    // the function to compare with, if any
  std::size_t most_listed = 0; // limit for the misrounded results that findings list in each direction
};

struct ScanFindings : LibraryFindings {
  std::uint64_t arguments = 0;
  std::uint64_t not_judged = 0; // arguments with an unknown right result
  std::uint64_t by_mpfr = 0;    // arguments that MPFR decided
  int most_bits = 0;            // of the hardest results
  bool gave_up = false;         // after too many lost calls
  std::vector<FaultGroup> groups;
};

// called: makes a function for each thread. report: gets the share of the budget that is spent, now and then. Throws
// UsageError if there is nothing to call or no C type for the format, and what calls throw.
[[nodiscard]] ScanFindings scan(const ScanRequest& request, unsigned threads, const MakeCalledFunction& called,
                                const std::function<void(double)>& report);

} // namespace tmd::library
