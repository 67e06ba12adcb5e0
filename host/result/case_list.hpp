// Lists of arguments, from whoever made them: CORE-MATH's .wc, our JSON Lines and published pages, tables, plain
// numbers.
#pragma once

#include "result/list_claims.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::result {

// A number of a list, and what the list says of it.
struct ListedArgument {
  std::size_t line = 0;          // counted from 1
  std::string x;                 // as it is written: a C hex float or a decimal
  std::optional<int> equal_bits; // after the round bit, a count behind the number: ⌊bits⌋ of a hard case
  std::optional<double> bits;    // to four decimals, of our records
  std::optional<Breakpoint> breakpoint;
  std::optional<Case::Kind> kind;
  std::string function; // of a table that has a column for it
};

// Arguments of a function of two variables, in C's order.
struct ListedPair {
  std::size_t line = 0;
  std::string first;
  std::string second;
};

// Arguments from first to last that have no entry each: all are cases, or they were not searched.
struct ListedRange {
  std::string first;
  std::string last;
  bool is_searched = true;
};

struct CaseList {
  std::string name; // of its file, for messages
  std::vector<ListedArgument> entries;
  std::vector<ListedRange> ranges;
  std::size_t specials = 0;      // snan, nan, inf, -inf: what is never a case
  std::vector<ListedPair> pairs; // "x,y"
  ListClaims claims;             // what it says of itself
};

// Whether a word is nan, an infinity or the like.
[[nodiscard]] bool is_special_number(std::string word);

// The arguments whose cases the list claims to have, in entries or in ranges; empty where it claims nothing.
[[nodiscard]] job::Coverage covered(const CaseList& list, const format::ArgumentSet& set);

// A line is a number, perhaps with a count of bits behind it, a special value or a pair; `#` begins a comment, and
// blank lines do not count. Where the first line names columns, one of them `x`, the text is a table; columns `bits`
// (also `minus_log2_dist`), `breakpoint`, `kind` (R or M) and `function` say more. A text that begins with `{` is JSON
// Lines: the records of a search, or some of its cases. Only of the first line it is looked at whether its number is
// one. Throws UsageError, with the name and mostly the line, for what is no such list
// or not a whole one.
[[nodiscard]] CaseList parse_case_list(std::string_view text, std::string_view name);

// The same of a file, as open_result() takes it: packed perhaps, and `-` is standard input.
[[nodiscard]] CaseList read_case_list(const std::string& file);

// The same of a list that others are compared with. Throws UsageError where it has not as many cases as it says.
[[nodiscard]] CaseList read_complete_list(const std::string& file);

} // namespace tmd::result
