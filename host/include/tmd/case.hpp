// The cases that a search finds.
#pragma once

#include "tmd/api.hpp"
#include "tmd/argument.hpp"
#include "tmd/rounding.hpp"

#include <string_view>

namespace tmd {

// An argument whose value is closer than 2^−K spacings to a breakpoint, or on it, or undecided between the two.
struct Case {
  enum class Kind : unsigned char {
    hard,     // hard to round: at a known distance from the breakpoint
    exact,    // the value is the breakpoint
    undecided // the distance cannot be distinguished from zero, and no theorem decides
  };

  Argument x;
  double bits = 0; // −log2 of the distance in spacings; infinite unless the case is hard
  Breakpoint breakpoint = Breakpoint::representable; // of an undecided one: the nearest, if known
  Kind kind = Kind::hard;
  bool is_least = false; // whether `bits` is only a lower bound: no further bits of the value were computed

  [[nodiscard]] bool is_exact() const { return kind == Kind::exact; }
};

// "hard", "exact", "undecided".
[[nodiscard]] TMD_API std::string_view to_string(Case::Kind kind);

// Hardest first; equally hard ones by argument.
[[nodiscard]] TMD_API bool is_harder(const Case& left, const Case& right);

} // namespace tmd
