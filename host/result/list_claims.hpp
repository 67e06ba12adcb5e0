// What a list of cases says about itself: its job, its K, and the arguments that it covers. Our records say so, and so
// do comments in our .wc files and published ones; other lists may say nothing.
#pragma once

#include "format/argument.hpp"
#include "job/coverage.hpp"
#include "result/record.hpp"
#include "tmd/search_spec.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::result {

struct ListClaims {
  // Arguments as they are written.
  struct Range {
    std::string first;
    std::string end;
    bool end_included = false;
  };

  std::string function;                                     // name of the function
  std::vector<std::pair<std::string, std::string>> options; // options of a search, such as {"format", "binary32"}
  std::optional<int> bits;                                  // K, from which on cases are listed
  std::vector<Range> ranges;                                // ranges whose cases are listed
  std::optional<std::array<std::string, 2>> pair_ranges;    // of x and y, as "FROM:TO"
  std::optional<std::size_t> cases;                         // number of hard cases with an entry

  // Whether the list says what its job is.
  [[nodiscard]] bool is_known() const { return !function.empty(); }
  // The arguments of the ranges.
  [[nodiscard]] job::Coverage covered(const format::ArgumentSet& set) const;
};

// Adds the claims of a record `search`, `publication`, `searched` or `summary`. Throws Json::exception if a key is
// missing.
void add_claims(ListClaims& claims, const Json& record);
// Adds the claims of a comment, given without its `#`.
void add_claims(ListClaims& claims, std::string_view comment);

// The arguments to check: those of the command line, of the list or of the reference, or all, limited to those whose
// cases the list contains. An empty set makes no statement. Throws UsageError if the command line goes beyond the list.
[[nodiscard]] job::Coverage range_of(const SearchSpec& spec, const format::ArgumentSet& set,
                                     const job::Coverage& listed, const job::Coverage& reference);

// Collects a request from several sources: the command line first, then lists.
class Agreement {
public:
  // function: its name. spec: the request, which must outlive this object; the options in `given` were on the command
  // line.
  Agreement(SearchSpec& spec, std::string function, const std::vector<std::string>& given);

  // Takes from the list what is still open. Throws UsageError if the list contradicts what is known.
  void adopt(const ListClaims& claims, const std::string& list);

private:
  void adopt_option(const std::string& name, const std::string& text, const std::string& list);

  SearchSpec& spec_;
  std::string function_;
  std::map<std::string, std::string> said_by_; // the source of each option
};

} // namespace tmd::result
