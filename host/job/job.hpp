// A job, the question of a search: two searches of equal jobs have equal results, whatever devices, engines and
// settings they use.
#pragma once

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/function.hpp"
#include "job/coverage.hpp"
#include "job/stretch.hpp"
#include "tmd/format.hpp"
#include "tmd/integer.hpp"

#include <string>

namespace tmd::job {

// Every argument X of rank first … last − 1 whose value is closer than 2^−bits spacings to a breakpoint.
struct Job {
  const function::Function* function = nullptr;
  Format format;
  int argument_precision = 53;
  Rounding rounding = Rounding::all;
  Values values = Values::unbounded;
  int K = 44; // K
  format::ArgumentSet::Rank first = 0;
  format::ArgumentSet::Rank last = 0;
  bool by_scaling = false; // search only the decisive_ranks(), which determine the other values

  [[nodiscard]] format::ArgumentSet arguments() const { return {format, argument_precision}; }
  [[nodiscard]] format::BreakpointGrid grid() const;
  // The ranks that are searched, and their number.
  [[nodiscard]] Coverage range() const;
  [[nodiscard]] uint128 size() const { return range().size(); }

  // One line that equal jobs share and others do not: "exp on [0x1p+0, 0x1p+1), p = 53, e = -1022 to 1023, q = 53, all,
  // K = 44", with "values as the format has them" if they are, and the scaling if it leaves gaps. Whatever is kept of a
  // search is filed under this line.
  [[nodiscard]] std::string identity() const;
};

// The job with an empty range: equal for all jobs that differ only in their ranges.
[[nodiscard]] Job without_range(Job job);

// The ranks of the arguments in a domain.
[[nodiscard]] RankInterval ranks_in_domain(const Domain& domain, const format::ArgumentSet& arguments);

// 2·N·2^−K, the number of cases expected by chance among N arguments; and among all of the job's.
[[nodiscard]] double expected_cases(const Job& job, uint128 arguments);
[[nodiscard]] double expected_cases(const Job& job);

// Checks the range against the function's domain. Throws UsageError, naming the bound that is outside.
void check_domain(const Job& job);

} // namespace tmd::job
