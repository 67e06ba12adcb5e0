#include "tune/trial.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::tune {

namespace {

using Json = nlohmann::ordered_json;

// The position of a name among others. Throws std::out_of_range if it is not there.
template <std::size_t size> std::size_t index_of(const std::array<std::string_view, size>& names, const Json& name) {
  const auto found = std::find(names.begin(), names.end(), name.get<std::string>());
  return found == names.end() ? throw std::out_of_range("no such name")
                              : static_cast<std::size_t>(found - names.begin());
}

Seconds read_seconds(const Json& json) {
  Seconds seconds;
  for (const auto& [name, value] : json.items())
    seconds[static_cast<Part>(index_of(part_names, name))] = value.get<double>();
  return seconds;
}

} // namespace

std::string to_string(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "default" : text;
}

Json to_json(const Seconds& seconds) {
  Json json = Json::object();
  for (const auto& [part, value] : seconds)
    json[std::string(to_string(part))] = value;
  return json;
}

Json to_json(const Trial& trial, const Settings& default_values) {
  Settings tunables = trial.settings;
  tunables.insert(default_values.begin(), default_values.end()); // insert() keeps values that are there already
  Json json{{"type", "trial"},
            {"part", to_string(trial.part)},
            {"state", to_string(trial.state)},
            {"runs", trial.seconds.empty() ? 0 : 1},
            {"seconds", to_json(trial.seconds)},
            {"ratios", to_json(trial.ratios)},
            {"tunables", tunables}};
  if (!trial.message.empty())
    json["message"] = trial.message;
  return json;
}

std::optional<Trial> read_trial(const Json& json, const Settings& default_values) {
  try {
    if (json.at("type") != "trial")
      return std::nullopt;
    Trial trial;
    trial.part = static_cast<Part>(index_of(part_names, json.at("part")));
    trial.state = static_cast<State>(index_of(state_names, json.at("state")));
    trial.seconds = read_seconds(json.at("seconds"));
    trial.ratios = read_seconds(json.at("ratios"));
    trial.message = json.value("message", "");
    for (const auto& [name, value] : json.at("tunables").get<Settings>())
      if (default_values.at(name) != value)
        trial.settings[name] = value;
    if (trial.state == State::ok && !(trial.ratios.at(trial.part) > 0))
      return std::nullopt;
    return trial;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

} // namespace tmd::tune
