// The arguments of a search: the numbers of a format, at the argument precision, in increasing order.
#pragma once

#include "number/mpfr.hpp"
#include "tmd/argument.hpp"
#include "tmd/format.hpp"

#include <string>
#include <string_view>

namespace tmd::format {

// An argument in MPFR, exactly.
[[nodiscard]] number::Mpfr to_mpfr(const Argument& argument);

// Whether a text is a number that ArgumentSet can read, of any size and precision.
[[nodiscard]] bool is_number(std::string_view text);

// All numbers of a format, with the precision q of the arguments instead of its own. Each has a rank: 0 for zero,
// then ±1, ±2, … outwards, so that ranges are intervals of ranks and their sizes differences of ranks.
class ArgumentSet {
public:
  using Rank = int128;

  // precision: 2 … 65 bits.
  ArgumentSet(Format format, int precision);

  [[nodiscard]] int precision() const { return precision_; }

  // The rank one past the largest number; its argument, 2^(max_exponent + 1), serves as the end of a range.
  [[nodiscard]] Rank end() const;
  [[nodiscard]] Argument at(Rank rank) const;
  // The rank of a number written as a C hex float, a decimal, a power of two (2^-30), or a sum or difference of these
  // (1+2^-13), exact at this precision.
  // Throws UsageError, naming `what` (such as "--from"), for anything else.
  [[nodiscard]] Rank parse(std::string_view text, std::string_view what) const;
  // Reads a number that need not be exact, and tells whether it was: the nearest one with this precision. Beyond the
  // largest number it is end() or -end().
  struct Nearest {
    Rank rank;
    bool is_exact;
  };
  [[nodiscard]] Nearest nearest(std::string_view text, std::string_view what) const;
  // The rank of one of these numbers; its unit is that of its binade.
  [[nodiscard]] Rank rank(const Argument& argument) const;

private:
  Format format_;
  int precision_;
};

} // namespace tmd::format
