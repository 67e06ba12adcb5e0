// Reads lists of arguments from any source: CORE-MATH's .wc, our JSON Lines and published pages, tables, plain numbers.
#pragma once

#include "result/list_claims.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::result {

// A number of a list, and what the list says about it.
struct ListedArgument {
  std::size_t line = 0;          // counted from 1
  std::string x;                 // as written: a C hex float or a decimal
  std::optional<int> equal_bits; // count of equal bits after the round bit: ⌊bits⌋ of a hard case
  std::optional<double> bits;    // to four decimals, in our records
  std::optional<Breakpoint> breakpoint;
  std::optional<Case::Kind> kind;
  std::string function; // from a table with such a column
};

// The arguments of a function of two variables, in C's order.
struct ListedPair {
  std::size_t line = 0;
  std::string first;
  std::string second;
};

// Arguments from first to last without entries of their own: all are cases, or they were not searched.
struct ListedRange {
  std::string first;
  std::string last;
  bool is_searched = true;
};

struct CaseList {
  std::string name; // name of its file, for messages
  std::vector<ListedArgument> entries;
  std::vector<ListedRange> ranges;
  std::size_t specials = 0;      // entries snan, nan, inf, -inf, which are never cases
  std::vector<ListedPair> pairs; // "x,y"
  ListClaims claims;             // what the list says about itself
};

// Whether a word is nan, an infinity or the like.
[[nodiscard]] bool is_special_number(std::string word);

// The arguments whose cases the list claims to contain, as entries or in ranges; empty if it claims nothing.
[[nodiscard]] job::Coverage covered(const CaseList& list, const format::ArgumentSet& set);

// A line is a number, perhaps followed by a count of bits, a special value or a pair; `#` begins a comment, and blank
// lines are ignored. If the first line names columns, one of them `x`, the text is a table; columns `bits` (also
// `minus_log2_dist`), `breakpoint`, `kind` (R or M) and `function` are used. A text that begins with `{` is JSON Lines:
// the records of a search, or some of its cases. Only the number in the first line is checked here. Throws UsageError,
// with the name and mostly the line, if the text is no such list or is incomplete.
[[nodiscard]] CaseList parse_case_list(std::string_view text, std::string_view name);

// The same for a file, which open_result() opens: it may be packed, and `-` is standard input.
[[nodiscard]] CaseList read_case_list(const std::string& file);

// The same for a reference list. Throws UsageError if it has fewer cases than it says.
[[nodiscard]] CaseList read_complete_list(const std::string& file);

} // namespace tmd::result
