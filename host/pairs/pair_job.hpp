// Jobs and results of searches of a function of two variables. Pairs that differ only by scaling share one entry: atan2
// depends on the ratio of its operands, and the value of hypot scales with both.
#pragma once

#include "engine/stage.hpp"
#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/pair_expression.hpp"
#include "result/run_description.hpp"
#include "tmd/argument.hpp"
#include "tmd/case.hpp"
#include "tmd/format.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::pairs {

// All pairs of nonzero numbers of a format at which the value of the function must be computed.
struct PairJob {
  const function::PairFunction* function = nullptr;
  Format format;
  Rounding rounding = Rounding::all;
  int K = 0; // K
  // The ranges of both operands, as "FROM:TO", where only their pairs are searched.
  std::optional<std::array<std::string, 2>> ranges = {};
  // How values are computed over ranges; it owns `function`, unless that has a name.
  std::shared_ptr<const function::PairExpression> expression = {};

  [[nodiscard]] format::BreakpointGrid grid() const {
    return {rounding, format.precision, format.min_exponent, format.max_exponent};
  }
};

inline constexpr int least_pair_bits = 3; // limit of K: below, most pairs are cases

// "atan2, binary32 with arguments of 24 bits, breakpoints: all, values as the format has them, K = 44".
[[nodiscard]] std::string describe(const PairJob& job);
// The pairs that an entry of the list stands for: "y > 0, a pair for each ratio y/x; f(-y, x) = -f(y, x)".
[[nodiscard]] std::string_view reduction_of(const PairJob& job);

using Operands = std::array<Argument, 2>;                    // in C's order
[[nodiscard]] std::string to_text(const Operands& operands); // "0x1p+0,0x1.8p+1"
// The same, with a decimal number where the function takes an integer.
[[nodiscard]] std::string to_text(const function::PairFunction& function, const Operands& operands);
// Whether the function is x^y or (1 + x)^n: pow, powr or compoundn, which are searched by boxes.
[[nodiscard]] bool is_power(const function::PairFunction& function);
// Parses an operand of the function: a number of the format or an integer. Throws UsageError, naming `what`, for
// anything else.
[[nodiscard]] Argument read_operand(const function::PairFunction& function, std::size_t number, const std::string& text,
                                    const format::ArgumentSet& numbers, std::string_view what);

struct PairCase {
  Operands operands;
  Case found;        // a hard case; its x is unused
  uint128 pairs = 1; // the number of the format's pairs that the entry stands for
};

// Hardest first; equally hard ones by their text.
[[nodiscard]] bool is_harder(const PairCase& left, const PairCase& right);

// Cases that are not listed; their number, as far as it is known.
struct PairFamily {
  bool is_exact = false;
  std::string rule;               // in words
  std::optional<uint128> entries; // the number of entries that a list would have
};

// The pairs of a search by boxes, by what became of them.
struct BoxesDone {
  uint128 pairs = 0;         // all pairs of the job or part
  uint128 searched = 0;      // in tiles that were searched, or whose pairs were examined one by one
  uint128 empty = 0;         // in tiles whose values exclude cases
  uint128 beside_one = 0;    // in tiles whose cases all lie next to 1
  uint128 given = 0;         // pairs with x or y = 1, whose values are known
  std::uint64_t planted = 0; // pairs planted, all of which the devices found
  double expected = 0;       // cases expected by chance
  engine::Stages stages;
  std::string part;                        // "part 1 of 4"; empty for the whole job
  std::vector<result::AuditReport> audits; // `arguments` counts pairs
};

struct PairResult {
  std::vector<PairCase> cases;     // hardest first
  std::vector<Operands> undecided; // in expressions: neither known to be cases nor known to be none
  std::vector<PairFamily> families;
  std::string method;           // in words
  uint128 tested = 0;           // number of breakpoints, roots or entries examined one by one
  std::uint64_t candidates = 0; // number of pairs that MPFR and Arb examined
  double seconds = 0;
  std::optional<BoxesDone> boxes = {};
};

// The case that a pair is, by Ziv's method; nothing if it is no case. Undecided for expressions alone: of functions a
// theorem says which values are exact. Requires operands with a value to be computed.
[[nodiscard]] std::optional<Case> confirm_pair(const PairJob& job, const Operands& operands);

// Describes the cases whose value is so near to a number known from the operands that no other breakpoint is near.
[[nodiscard]] std::string family_rule(const function::PairFunction& function, const Format& format);

} // namespace tmd::pairs
