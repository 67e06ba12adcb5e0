// The records of functions that `tmd libm --all-functions` has put to the test.
#pragma once

#include "library/promise.hpp"
#include "support/line_journal.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <cxxopts.hpp>
#include <nlohmann/json.hpp>

namespace tmd::app {

// By their symbols: in memory, and in a file if there is one, which grows by whole functions.
class LibmRecords {
public:
  // The file is that of --json. head: a first record, with which those of the file must agree. Throws UsageError where
  // they do not, and what LineJournal throws.
  LibmRecords(const cxxopts::ParseResult& parsed, const nlohmann::ordered_json& head, bool at_all_arguments);

  // Nothing where the function is not done, or nothing is known of that promise.
  [[nodiscard]] std::string find(const std::string& symbol, const std::optional<library::Promise>& promise) const;
  void add(const std::string& symbol, const std::string& records);

private:
  std::unique_ptr<support::LineJournal> file_;
  std::map<std::string, std::string> blocks_;
};

// The last of a function's records.
[[nodiscard]] nlohmann::ordered_json summary_of(std::string_view records);

} // namespace tmd::app
