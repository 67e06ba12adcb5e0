// The records of the functions tested by `tmd libm --all-functions`.
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

// The records by symbol, in memory and in the file, if there is one, which grows by complete functions.
class LibmRecords {
public:
  // The file is that of --json. head: a first record, which must agree with that of the file. Throws UsageError if they
  // differ, and what LineJournal throws.
  LibmRecords(const cxxopts::ParseResult& parsed, const nlohmann::ordered_json& head, bool at_all_arguments);

  // Empty if the function is not done, or was not tested for that promise.
  [[nodiscard]] std::string find(const std::string& symbol, const std::optional<library::Promise>& promise) const;
  void add(const std::string& symbol, const std::string& records);

private:
  std::unique_ptr<support::LineJournal> file_;
  std::map<std::string, std::string> blocks_;
};

// The last of a function's records.
[[nodiscard]] nlohmann::ordered_json summary_of(std::string_view records);

} // namespace tmd::app
