#include "tune/journal.hpp"

#include "support/text.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::tune {

using Json = nlohmann::ordered_json;

Journal::Journal(const std::filesystem::path& folder, const std::string& name, const std::string& subject,
                 Settings default_values, bool fresh)
    : lines_(folder / fmt::format("{}-{}.jsonl", name, support::digest(subject)), "another tmd tunes the same device"),
      default_values_(std::move(default_values)) {
  const std::string heading = Json{{"type", "journal"}, {"subject", subject}}.dump();
  const std::vector<std::string> known = lines_.lines();
  // The journal is of another subject with the same digest, or it is none.
  if (fresh || known.empty() || known.front() != heading) {
    lines_.clear();
    lines_.append(heading);
    return;
  }
  for (const std::string& line : known)
    if (auto trial = read_trial(Json::parse(line, nullptr, false), default_values_))
      trials_.push_back(std::move(*trial));
}

void Journal::append(const Trial& trial) {
  lines_.append(to_json(trial, default_values_).dump(-1, ' ', true, Json::error_handler_t::replace));
}

} // namespace tmd::tune
