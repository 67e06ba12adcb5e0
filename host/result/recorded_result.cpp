#include "result/recorded_result.hpp"

#include "error.hpp"
#include "result/schema.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace tmd {

namespace {

class Reader {
public:
  void read(const Json& record) {
    const std::string type = record.at("type");
    if (type == "search")
      begin(record);
    else if (!owned_)
      return;
    else if (type == "case" || type == "exact" || type == "undecided")
      found_.push_back(read_case(owned_->job, record));
    else if (type == "range")
      read_range(result_, owned_->job, record);
    else if (type == "summary")
      end(record);
  }

  [[nodiscard]] RecordedResult result() && {
    if (!owned_)
      throw UsageError("it has no records of a search, which `tmd search --json FILE` writes; a list of arguments does "
                       "not say their bits");
    if (!ended_)
      throw UsageError("its records are not complete: there is no summary");
    return {std::move(*owned_), std::move(result_)};
  }

private:
  void begin(const Json& record) {
    if (owned_)
      throw UsageError("another search begins; one at a time");
    if (const int schema = record.value("schema", 0); schema != record_schema)
      throw UsageError(fmt::format("the records have schema {}, not {}", schema, record_schema));
    owned_ = read_job(record);
  }

  void end(const Json& record) {
    result_.add(found_);
    result_.sort();
    const auto has = [&](const char* key, std::size_t count) { return record.at(key) == count; };
    if (!has("cases", result_.cases.size()) || !has("exact", result_.exact.size()) ||
        !has("undecided", result_.undecided.size()))
      throw UsageError("the summary counts other records than there are");
    result_.covered = result_.left_out.complement_in(owned_->job.range());
    ended_ = true;
  }

  std::optional<OwnedJob> owned_;
  std::vector<Case> found_;
  SearchResult result_;
  bool ended_ = false;
};

} // namespace

RecordedResult read_recorded_result(std::string_view text, std::string_view name) {
  Reader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto refuse = [&](std::string_view why) {
      return UsageError(fmt::format("{}, line {}: {}", name, number, why));
    };
    const Json record = Json::parse(line, nullptr, false);
    if (!record.is_object() || !record.contains("type"))
      continue;
    try {
      reader.read(record);
    } catch (const Json::exception&) { // a key is missing, or of another type
      throw refuse("no record of a search");
    } catch (const Error& error) {
      throw refuse(error.what());
    }
  }
  try {
    return std::move(reader).result();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", name, error.what()));
  }
}

} // namespace tmd
