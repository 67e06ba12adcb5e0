// What is searched, and nothing of how: two searches of equal jobs have equal results, whatever devices, engines and
// settings they use.
#pragma once

#include "format/argument.hpp"
#include "format/format.hpp"
#include "format/grid.hpp"
#include "function/function.hpp"
#include "job/coverage.hpp"
#include "job/stretch.hpp"
#include "number/integer.hpp"

#include <optional>
#include <string>

namespace tmd {

// Every argument X of rank first … last − 1 whose value is closer than 2^−bits spacings to a breakpoint.
struct Job {
  const Function* function = nullptr;
  Format format;
  int argument_precision = 53;
  Rounding rounding = Rounding::all;
  Values values = Values::unbounded;
  int bits = 44; // K
  ArgumentSet::Rank first = 0;
  ArgumentSet::Rank last = 0;

  [[nodiscard]] ArgumentSet arguments() const { return {format, argument_precision}; }
  [[nodiscard]] BreakpointGrid grid() const;
  [[nodiscard]] uint128 size() const { return static_cast<uint128>(last - first); }
  [[nodiscard]] Coverage range() const { return {first, last}; }

  // What equal jobs share and others do not, in one line: "exp on [0x1p+0, 0x1p+1), p = 53, e = -1022 to 1023, q = 53,
  // all, K = 44", and "values as the format has them" where they are. Whatever is kept of a search is kept under this.
  [[nodiscard]] std::string identity() const;
};

// The same for all jobs that differ in nothing but their ranges.
[[nodiscard]] Job without_range(Job job);

// The ranks of the arguments in a domain.
[[nodiscard]] RankInterval ranks_in_domain(const Domain& domain, const ArgumentSet& arguments);

// The arguments x ≥ 0 whose values decide those at all others, by the function's scaling: a period, or some binades.
// Nothing where it has no such scaling, or where values elsewhere leave the format.
[[nodiscard]] std::optional<RankInterval> decisive_ranks(const Job& job);

// 2·N·2^−K: how many cases are to be expected among N of the job's arguments, by chance; of all of them.
[[nodiscard]] double expected_cases(const Job& job, uint128 arguments);
[[nodiscard]] double expected_cases(const Job& job);

// Checks the range against the function's domain. Throws UsageError, naming the bound that lies outside.
void check_domain(const Job& job);

} // namespace tmd
