#include "libm_records.hpp"

#include "options.hpp"

#include "tmd/error.hpp"

#include <sstream>

#include <fmt/format.h>

namespace tmd::app {

using Json = nlohmann::ordered_json;

Json summary_of(std::string_view records) {
  records.remove_suffix(1); // the end of the line
  return Json::parse(records.substr(records.rfind('\n') + 1));
}

LibmRecords::LibmRecords(const cxxopts::ParseResult& parsed, const Json& head, bool at_all_arguments) {
  if (parsed.count("json") == 0)
    return;
  file_ = std::make_unique<support::LineJournal>(file_name(parsed, "json"), "is being written by another tmd libm");
  std::string block;
  std::string symbol;
  for (const std::string& line : file_->lines()) {
    const Json record = Json::parse(line, nullptr, false);
    const bool is_record = record.is_object() && record.contains("type");
    const bool is_first = is_record && record["type"] == "library";
    if (!is_first && (!is_record || block.empty()))
      throw UsageError(fmt::format("'{}' is no file of tmd libm --json", file_->file().string()));
    if (is_first) {
      const auto differs = [&](const char* key) { return record.value(key, Json()) != head.value(key, Json()); };
      if (differs("library") || differs("device") || differs("build_options") || differs("format") ||
          record.contains("seed") == at_all_arguments)
        throw UsageError(fmt::format("'{}' has results of another library or format, or of other arguments",
                                     file_->file().string()));
      block.clear();
      symbol = record["symbol"];
    }
    block += line + "\n";
    if (record["type"] == "summary")
      blocks_[symbol] = block;
  }
}

std::string LibmRecords::find(const std::string& symbol, const std::optional<library::Promise>& promise) const {
  const auto found = blocks_.find(symbol);
  if (found == blocks_.end())
    return "";
  const Json summary = summary_of(found->second);
  const bool is_known = !promise || (summary.contains("promise") && summary["promise"].at("text") == promise->text());
  return is_known ? found->second : "";
}

void LibmRecords::add(const std::string& symbol, const std::string& records) {
  std::istringstream lines(records);
  for (std::string line; file_ && std::getline(lines, line);)
    file_->append(line);
  if (file_)
    file_->sync();
  blocks_[symbol] = records;
}

} // namespace tmd::app
