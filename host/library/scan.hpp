// A function of a math library called at samples of every degree of hardness in every binade, in every direction, until
// a budget is spent. Where it is wrong more samples are taken, so that it can be said how far that goes.
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
  std::optional<job::RankInterval> ranks; // numbers of these; without, all that the format has
  std::uint64_t seed = 0;                 // decides, with a budget of calls, all that is called
  double seconds = 0;                     // the budget, unless there is one of calls
  std::optional<std::uint64_t> calls;
  std::optional<Promise> promise;
  bool flags = false;          // whether these are looked at
  MakeCalledFunction other;    // that it is compared with, if any
  std::size_t most_listed = 0; // misrounded results of each direction that findings are to list
};

struct ScanFindings : LibraryFindings {
  std::uint64_t arguments = 0;
  std::uint64_t not_judged = 0; // arguments at which it is not known what is right
  std::uint64_t by_mpfr = 0;    // arguments that MPFR decided
  int most_bits = 0;            // of the hardest results
  bool gave_up = false;         // because too many calls were lost
  std::vector<FaultGroup> groups;
};

// called: one for each of the threads. told: the part of the budget that is spent, now and then. Throws UsageError
// where there is nothing to call, or no C type for the format, and what calls throw.
[[nodiscard]] ScanFindings scan(const ScanRequest& request, unsigned threads, const MakeCalledFunction& called,
                                const std::function<void(double)>& told);

} // namespace tmd::library
