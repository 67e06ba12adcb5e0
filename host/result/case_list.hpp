// Lists of arguments, from whoever made them: CORE-MATH's .wc, our JSON Lines, plain numbers.
#pragma once

#include "verify/confirm.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// A number of a list, and what the list says of it.
struct ListedArgument {
  std::size_t line = 0;          // counted from 1
  std::string x;                 // as it is written: a C hex float or a decimal
  std::optional<int> equal_bits; // after the round bit, a count behind the number: ⌊bits⌋ of a hard case
  std::optional<double> bits;    // to four decimals, of our records
  std::optional<Breakpoint> breakpoint;
  std::optional<Case::Kind> kind;
};

// Arguments from first to last of which a record has no entry each: all are cases, or they were not searched.
struct ListedRange {
  std::string first;
  std::string last;
};

struct CaseList {
  std::vector<ListedArgument> entries;
  std::vector<ListedRange> ranges;
  std::size_t specials = 0;          // snan, nan, inf, -inf: what is never a case
  std::size_t pairs = 0;             // x,y: arguments of functions of two variables
  std::optional<std::string> format; // of a `search` record
};

// A line is a number, perhaps with a count of bits behind it, a special value or a pair; `#` begins a comment, and
// blank lines do not count. A text that begins with `{` is JSON Lines, of which the records `case`, `exact`,
// `undecided` and `range` count. What a line has for a number is not looked at. Throws UsageError, with the name and
// the line, for a line that is none of these.
[[nodiscard]] CaseList parse_case_list(std::string_view text, std::string_view name);

// The same of a file, which may be packed with xz or gzip.
[[nodiscard]] CaseList read_case_list(const std::filesystem::path& file);

} // namespace tmd
