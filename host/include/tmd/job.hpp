// Jobs: a function, a range of a format's numbers, and K, which says how near to a breakpoint a value makes a case.
#pragma once

#include "tmd/api.hpp"
#include "tmd/argument.hpp"
#include "tmd/format.hpp"
#include "tmd/integer.hpp"
#include "tmd/rounding.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd {

inline constexpr int most_bits = 120; // K: beyond, no bound of the ledger could be met

// Part `index` of `count` of a job, counted from 1.
struct PartOfJob {
  int index = 1;
  int count = 1;

  friend bool operator==(const PartOfJob&, const PartOfJob&) = default;
};

// A job as a user writes it. Numbers are texts, so that none is rounded on its way here: C hex floats, decimals, powers
// of two (2^-30), and sums of these. Where a member is empty, what is said there applies.
struct JobSpec {
  // Names of the catalogue (tmd/function.hpp), or expressions in x. A job has one; `tmd search sin,cos` makes two jobs.
  std::vector<std::string> functions;
  std::optional<std::string> from;       // the first argument; empty: where the function's domain begins
  std::optional<std::string> to;         // the end of the range, not in it; empty: where the domain ends
  std::string format = "binary64";       // as find_format() takes it
  std::optional<int> argument_precision; // q, 2 … 65 bits; empty: the format's
  Rounding rounding = Rounding::all;
  std::optional<Values> values;   // empty: of the format if a bound is empty, else unbounded
  std::optional<int> bits;        // K, 1 … most_bits; empty: what leaves some hundred cases a binade
  bool no_symmetry = false;       // searches also what symmetry or scaling decides, if bounds are empty
  std::optional<PartOfJob> shard; // of several machines' searches
};

// A job as it is understood.
struct JobDescription {
  // What equal jobs share and others do not: "exp on [0x1p+0, 0x1p+1), p = 53, e = -1022 to 1023, q = 53, all, K = 44".
  std::string identity;
  std::string function;
  Format format;
  int argument_precision = 0;
  Rounding rounding = Rounding::all;
  Values values = Values::unbounded;
  int bits = 0;              // K
  Argument from;             // the first argument
  Argument to;               // the end of the range
  uint128 arguments = 0;     // that are searched, of those between
  double expected_cases = 0; // 2·N·2^−K of N arguments, by chance
};

// Uses no device; of a shard it surveys the whole job, which may take seconds. Throws OptionError, a UsageError that
// names the member, for whatever is wrong with the spec, and UsageError for no function at all.
[[nodiscard]] TMD_API JobDescription describe_job(const JobSpec& spec);

} // namespace tmd
