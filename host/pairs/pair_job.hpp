// What is searched of a function of two variables, and what a search leaves. Pairs that differ by scaling alone share
// one entry: atan2 depends on the ratio of its operands, and the value of hypot scales with both.
#pragma once

#include "engine/stage.hpp"
#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/pairs.hpp"
#include "tmd/argument.hpp"
#include "tmd/case.hpp"
#include "tmd/format.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::pairs {

// All pairs of numbers of a format, neither 0, at which the function has a value to be computed.
struct PairJob {
  const function::PairFunction* function = nullptr;
  Format format;
  Rounding rounding = Rounding::all;
  int bits = 0; // K

  [[nodiscard]] format::BreakpointGrid grid() const {
    return {rounding, format.precision, format.min_exponent, format.max_exponent};
  }
};

inline constexpr int least_pair_bits = 3; // K: below, most pairs are cases

// "atan2, binary32 with arguments of 24 bits, breakpoints: all, values as the format has them, K = 44".
[[nodiscard]] std::string describe(const PairJob& job);
// Which pairs an entry of the list stands for: "y > 0, a pair for each ratio y/x; f(-y, x) = -f(y, x)".
[[nodiscard]] std::string_view reduction_of(const function::PairFunction& function);

using Operands = std::array<Argument, 2>;                    // in C's order
[[nodiscard]] std::string to_text(const Operands& operands); // "0x1p+0,0x1.8p+1"
// The same with an integer as a decimal number, "0x1.8p+1,-3", where the function takes one.
[[nodiscard]] std::string to_text(const function::PairFunction& function, const Operands& operands);
// Whether it is x^y: pow or powr, which are searched by boxes.
[[nodiscard]] bool is_power(const function::PairFunction& function);
// An operand of the function by its text, a number of the format or an integer. Throws UsageError, naming `what`, for
// anything else.
[[nodiscard]] Argument read_operand(const function::PairFunction& function, std::size_t number, const std::string& text,
                                    const format::ArgumentSet& numbers, std::string_view what);

struct PairCase {
  Operands operands;
  Case found;        // hard; its x does not matter
  uint128 pairs = 1; // of the format's pairs, those that the entry stands for
};

// Hardest first; among equals by their text.
[[nodiscard]] bool is_harder(const PairCase& left, const PairCase& right);

// Cases that are counted and not listed, as far as they are counted.
struct PairFamily {
  bool is_exact = false;
  std::string rule;               // in words
  std::optional<uint128> entries; // that a list would have
};

// What a search by boxes has done.
struct BoxesDone {
  uint128 pairs = 0;         // all that were to be searched:
  uint128 searched = 0;      // in tiles that were searched, or each of whose pairs was looked at,
  uint128 empty = 0;         // whose values tell that there is no case,
  uint128 beside_one = 0;    // whose cases are next to 1,
  uint128 given = 0;         // and with x or y = 1
  std::uint64_t planted = 0; // that devices had to find, and have found
  double expected = 0;       // cases, by chance
  engine::Stages stages;
  std::string part; // "part 1 of 4", where it is not all
};

struct PairResult {
  std::vector<PairCase> cases; // hardest first
  std::vector<PairFamily> families;
  std::string method;           // in words
  uint128 tested = 0;           // breakpoints, roots or entries that were looked at one by one
  std::uint64_t candidates = 0; // that MPFR and Arb have looked at
  double seconds = 0;
  std::optional<BoxesDone> boxes = {};
};

// What a pair is by Ziv's method; nothing where it is no case. Never undecided, since a theorem says which values are
// exact. The operands must be ones with a value to be computed.
[[nodiscard]] std::optional<Case> confirm_pair(const PairJob& job, const Operands& operands);

// Where the value of the function is so near to a number that is known from the operands that no other breakpoint is
// near, in words.
[[nodiscard]] std::string family_rule(const function::PairFunction& function, const Format& format);

} // namespace tmd::pairs
