// What a list of cases says of itself: the job it is of, from K on, and the arguments that it covers. Our records say
// so, and the comments of our .wc files and of published ones; lists of others may say nothing.
#pragma once

#include "format/argument.hpp"
#include "job/coverage.hpp"
#include "result/record.hpp"
#include "tmd/search_spec.hpp"

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

  std::string function;                                     // its name
  std::vector<std::pair<std::string, std::string>> options; // of a search, such as {"format", "binary32"}
  std::optional<int> bits;                                  // K, from which on cases are listed
  std::vector<Range> ranges;                                // in which they are
  std::optional<std::size_t> cases;                         // hard cases that have an entry each

  // Whether it is known what the list is of.
  [[nodiscard]] bool is_known() const { return !function.empty(); }
  // The arguments of the ranges.
  [[nodiscard]] job::Coverage covered(const format::ArgumentSet& set) const;
};

// Adds what a record `search`, `publication`, `searched` or `summary` says. Throws Json::exception where a key is
// missing.
void add_claims(ListClaims& claims, const Json& record);
// Adds what a comment says, without its `#`.
void add_claims(ListClaims& claims, std::string_view comment);

// The arguments that are looked at: those of the command line, of the list or of the reference, or all, as far as the
// list has their cases. Empty sets: they say nothing. Throws UsageError where the command line goes beyond the list.
[[nodiscard]] job::Coverage range_of(const SearchSpec& spec, const format::ArgumentSet& set,
                                     const job::Coverage& listed, const job::Coverage& reference);

// Who has said what of a request: the command line first, then lists.
class Agreement {
public:
  // function: its name. spec: the request, of which the options in `given` were on the command line; it must outlive
  // the agreement.
  Agreement(SearchSpec& spec, std::string function, const std::vector<std::string>& given);

  // Takes from the list what nobody has said yet. Throws UsageError where it contradicts what was said.
  void adopt(const ListClaims& claims, const std::string& list);

private:
  void adopt_option(const std::string& name, const std::string& text, const std::string& list);

  SearchSpec& spec_;
  std::string function_;
  std::map<std::string, std::string> said_by_; // options
};

} // namespace tmd::result
