// The table of the options of a search. The command line's parser, `--help`, the manual page, shell completions, the
// keys of job files and the JSON of a request are derived from it.
//
// How to add an option: a member of SearchSpec, a row of the table in option_table.cpp, and the line that uses the
// member. `tests/unit/request/option_table.cpp` takes the new row through all of its ways.
#pragma once

#include "request/option_text.hpp"
#include "tmd/search_spec.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::request {

// Options that belong together in help texts, and that other commands take together.
enum class OptionGroup {
  function, // FUNCTION, which stands on the command line without a name
  range,
  format,
  job,    // rounding, values, K
  method, // the test, and the size of its domains
  device,
  kernels,
  engine, // how an engine works
  run,
  mpi,
  output,
  internal // only in the JSON of a request: for the project's own tests and `tmd doctor`
};

struct SearchOption : OptionText {
  using Texts = std::vector<std::string>;

  OptionGroup group = OptionGroup::run;
  bool in_job_files = true; // false: `tmd run` sets it
  bool is_number = false;   // whether it is a number in JSON
  // Sets the member from one value, which is "true" for an option without a value; for a repeatable option, adds the
  // value. Throws UsageError for an invalid value.
  std::function<void(SearchSpec& spec, const std::string& text)> set;
  // The texts that make set() reproduce the member; none if it is as in SearchSpec{}.
  std::function<Texts(const SearchSpec& spec)> get;
};

[[nodiscard]] std::span<const SearchOption> option_table();
// Throws UsageError, with a suggestion, for an unknown name.
[[nodiscard]] const SearchOption& find_option(std::string_view name);
// The options of a group.
[[nodiscard]] std::vector<SearchOption> options_in(OptionGroup group);

// The same as option.set(), but what it throws is an OptionError.
void set_option(SearchSpec& spec, const SearchOption& option, const std::string& text);

} // namespace tmd::request
