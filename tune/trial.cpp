#include "tune/trial.hpp"

#include "engine/registry.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::tune {

namespace {

using Json = nlohmann::ordered_json;

// The position of a member's text among the names; false when it is none.
bool find_member(const Json& json, const char* member, std::span<const std::string_view> names, std::size_t& index) {
  const auto found = json.find(member);
  if (found == json.end() || !found->is_string())
    return false;
  index = static_cast<std::size_t>(std::find(names.begin(), names.end(), found->get<std::string>()) - names.begin());
  return index < names.size();
}

} // namespace

std::string difference(const Tunables& tunables, const Tunables& base) {
  std::string text;
  for (const Tunable& tunable : engine_tuning().tunables())
    if (tunables[tunable] != base[tunable])
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", tunable.name, to_string(tunable, tunables[tunable]));
  return text;
}

Json to_json(const Tunables& tunables) {
  Json json = Json::object();
  for (const Tunable& tunable : engine_tuning().tunables())
    json[std::string(tunable.name)] = to_string(tunable, tunables[tunable]);
  return json;
}

bool from_json(const Json& json, Tunables& tunables) {
  if (!json.is_object() || json.size() != engine_tuning().tunables().size())
    return false;
  try {
    for (const auto& [name, value] : json.items()) {
      if (!value.is_string())
        return false;
      engine_tuning().set(tunables, name, value.get<std::string>());
    }
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

Json to_json(const Seconds& seconds) {
  Json json = Json::object();
  for (const Part part : all_parts)
    json[std::string(to_string(part))] = seconds[part];
  return json;
}

bool from_json(const Json& json, Seconds& seconds) {
  if (!json.is_object())
    return false;
  for (const Part part : all_parts) {
    const auto found = json.find(std::string(to_string(part)));
    if (found == json.end() || !found->is_number())
      return false;
    seconds[part] = found->get<double>();
    if (!std::isfinite(seconds[part]) || seconds[part] < 0)
      return false;
  }
  return true;
}

Json to_json(const Trial& trial) {
  Json json{{"type", "trial"},
            {"part", to_string(trial.part)},
            {"state", to_string(trial.state)},
            {"runs", trial.runs},
            {"seconds", to_json(trial.seconds)},
            {"ratios", to_json(trial.ratios)},
            {"tunables", to_json(trial.tunables)}};
  if (!trial.message.empty())
    json["message"] = trial.message;
  return json;
}

bool from_json(const Json& json, Trial& trial) {
  if (!json.is_object() || !json.contains("type") || json["type"] != "trial")
    return false;
  std::size_t part = 0;
  std::size_t state = 0;
  if (!find_member(json, "part", part_names, part) || !find_member(json, "state", state_names, state) ||
      !json.contains("seconds") || !from_json(json["seconds"], trial.seconds) || !json.contains("ratios") ||
      !from_json(json["ratios"], trial.ratios) || !json.contains("tunables") ||
      !from_json(json["tunables"], trial.tunables))
    return false;
  trial.part = static_cast<Part>(part);
  trial.state = static_cast<State>(state);
  const auto runs = json.find("runs");
  trial.runs = runs != json.end() && runs->is_number_integer() ? runs->get<int>() : 0;
  const auto message = json.find("message");
  trial.message = message != json.end() && message->is_string() ? message->get<std::string>() : "";
  return true;
}

} // namespace tmd::tune
