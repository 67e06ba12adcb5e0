#include "tune/journal.hpp"

#include "support/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::tune {

namespace {

using Json = nlohmann::ordered_json;

} // namespace

Journal::Journal(const std::filesystem::path& folder, const std::string& name, const std::string& subject, bool fresh)
    : lines_(folder / fmt::format("{}-{}.jsonl", name, digest(subject)), "another tmd tunes the same device") {
  const std::string heading = Json{{"type", "journal"}, {"subject", subject}}.dump();
  const std::vector<std::string> known = lines_.lines();
  // Another subject with the same digest, or no journal at all.
  if (fresh || known.empty() || known.front() != heading) {
    lines_.clear();
    lines_.append(heading);
    return;
  }
  for (const std::string& line : known)
    if (Trial trial; from_json(Json::parse(line, nullptr, false), trial))
      trials_.push_back(trial);
}

void Journal::append(const Trial& trial) {
  lines_.append(to_json(trial).dump(-1, ' ', true, Json::error_handler_t::replace));
}

} // namespace tmd::tune
