// Jobs: a function, a range of a format's numbers, and K, which defines how near to a breakpoint a case is.
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

inline constexpr int most_bits = 120; // limit for K, given by the bounds of the error ledger

// Part `index` of `count` of a job, counting from 1.
struct PartOfJob {
  int index = 1;
  int count = 1;

  friend bool operator==(const PartOfJob&, const PartOfJob&) = default;
};

// A job as a user writes it. Numbers are texts, so that none is rounded: C hex floats, decimals, powers of two (2^-30),
// and sums of these. Comments say what an empty member means.
struct JobSpec {
  // Names of the catalogue (tmd/function.hpp), or expressions in x. A job has one; `tmd search sin,cos` makes two jobs.
  std::vector<std::string> functions;
  std::optional<std::string> from;       // the first argument; empty: beginning of the function's domain
  std::optional<std::string> to;         // the end of the range, not included; empty: end of the domain
  std::string format = "binary64";       // as find_format() takes it
  std::optional<int> argument_precision; // q, 2 … 65 bits; empty: the format's
  Rounding rounding = Rounding::all;
  std::optional<Values> values;   // empty: `format` if a bound is empty, else `unbounded`
  std::optional<int> bits;        // K, 1 … most_bits; empty: a K with some hundred cases a binade
  bool no_symmetry = false;       // if bounds are empty: do not skip what follows by symmetry or scaling
  std::optional<PartOfJob> shard; // the part that this machine searches
};

// A resolved job.
struct JobDescription {
  // Equal for the same jobs only: "exp on [0x1p+0, 0x1p+1), p = 53, e = -1022 to 1023, q = 53, all, K = 44".
  std::string identity;
  std::string function;
  Format format;
  int argument_precision = 0;
  Rounding rounding = Rounding::all;
  Values values = Values::unbounded;
  int bits = 0;              // K
  Argument from;             // the first argument
  Argument to;               // the end of the range
  uint128 arguments = 0;     // arguments of the range that are searched
  double expected_cases = 0; // 2·N·2^−K for N arguments, as expected by chance
};

// Uses no device. For a shard it surveys the whole job, which may take seconds. Throws OptionError, a UsageError that
// names the member, for a mistake in the spec, and UsageError if there is no function.
[[nodiscard]] TMD_API JobDescription describe_job(const JobSpec& spec);

} // namespace tmd
