// Reads and writes profiles as TOML, and decides whether one fits a device.
#include "device/profile.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <toml++/toml.h>

namespace tmd::device {

namespace {

constexpr std::array<opencl::DeviceClass, 6> classes{opencl::DeviceClass::nvidia_gpu, opencl::DeviceClass::amd_gpu,
                                                     opencl::DeviceClass::intel_gpu,  opencl::DeviceClass::other_gpu,
                                                     opencl::DeviceClass::cpu,        opencl::DeviceClass::accelerator};

// Messages of the TOML parser may quote the file: nothing of it may disturb a terminal or break the sentence.
std::string printable(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::string result(text.substr(0, longest));
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

[[noreturn]] void wrong_type(std::string_view key, std::string_view wanted) {
  throw UsageError(fmt::format("{} must be {}", printable(key), wanted));
}

std::string string_of(std::string_view key, const toml::node& node) {
  const auto value = node.value_exact<std::string>();
  if (!value)
    wrong_type(key, "a string");
  return *value;
}

const toml::table& table_of(std::string_view key, const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr)
    wrong_type(key, "a table");
  return *table;
}

opencl::DeviceClass class_of(const std::string& name) {
  for (const opencl::DeviceClass device_class : classes)
    if (opencl::to_string(device_class) == name)
      return device_class;
  throw UsageError(fmt::format("'{}' is no class of devices", printable(name)));
}

ProfileMatch parse_match(const toml::table& table) {
  ProfileMatch match;
  for (const auto& [key, node] : table) {
    const std::string name = fmt::format("match.{}", key.str());
    if (key == "class")
      match.device_class = class_of(string_of(name, node));
    else if (key == "platform")
      match.platform = string_of(name, node);
    else if (key == "vendor")
      match.vendor = string_of(name, node);
    else if (key == "device")
      match.device = string_of(name, node);
    else if (key == "driver")
      match.driver = string_of(name, node);
    else if (key == "cpu-mode")
      match.cpu_mode = static_cast<CpuMode>(find_name("CPU mode", printable(string_of(name, node)), cpu_mode_names));
    else
      throw UsageError(fmt::format("unknown key {}", printable(name)));
  }
  if (!match.device_class && match.platform.empty() && match.vendor.empty() && match.device.empty())
    throw UsageError("match names no class, platform, vendor or device");
  return match;
}

double number_of(std::string_view key, const toml::node& node) {
  const auto value = node.value<double>();
  if (!value)
    wrong_type(key, "a number");
  return *value;
}

ProfileTimes parse_times(std::string_view key, const toml::table& table) {
  ProfileTimes result;
  for (const auto& [part, node] : table)
    result.emplace(part.str(), number_of(fmt::format("{}.{}", key, part.str()), node));
  return result;
}

// For people only: unknown keys are no error.
ProfileOrigin parse_origin(const toml::table& table) {
  constexpr std::string_view of_part = "-gain";
  ProfileOrigin origin;
  for (const auto& [key, node] : table) {
    const std::string name = fmt::format("measured.{}", key.str());
    if (key == "date") {
      const auto date = node.value_exact<toml::date>();
      if (!date)
        wrong_type(name, "a date");
      origin.date = fmt::format("{:04}-{:02}-{:02}", date->year, date->month, date->day);
    } else if (key == "tmd")
      origin.version = string_of(name, node);
    else if (key == "job")
      origin.job = string_of(name, node);
    else if (key == "against")
      origin.against = string_of(name, node);
    else if (key == "default-seconds")
      origin.default_seconds = parse_times(name, table_of(name, node));
    else if (key == "tuned-seconds")
      origin.tuned_seconds = parse_times(name, table_of(name, node));
    else if (key == "gain")
      origin.gain = number_of(name, node);
    else if (key.str().ends_with(of_part))
      origin.gains.emplace(key.str().substr(0, key.str().size() - of_part.size()), number_of(name, node));
  }
  return origin;
}

// `phase1.items = 4` is a table in a table in TOML, but stands for the tunable phase1.items.
void collect_tunables(const std::string& prefix, const toml::table& table, const Tuning& tuning, Setting& tunables) {
  const std::vector<Tunable> all = tuning.tunables();
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table()) {
      collect_tunables(name + ".", *inner, tuning, tunables);
      continue;
    }
    if (tuning.is_retired(name))
      continue;
    const auto known = std::find_if(all.begin(), all.end(), [&](const Tunable& t) { return t.name == name; });
    if (known == all.end())
      throw UsageError(fmt::format("unknown tunable '{}'", printable(name)));
    if (!known->names.empty()) {
      const auto value = node.value_exact<std::string>();
      if (!value)
        wrong_type(name, "a string");
      tunables.emplace_back(name, printable(*value));
    } else {
      const auto value = node.value_exact<std::int64_t>();
      if (!value)
        wrong_type(name, "an integer");
      tunables.emplace_back(name, std::to_string(*value));
    }
  }
}

// `wide.line = 0.1` is a table in a table in TOML, but stands for the cost wide.line.
void collect_costs(const std::string& prefix, const toml::table& table,
                   std::vector<std::pair<std::string, double>>& costs) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table()) {
      collect_costs(name + ".", *inner, costs);
      continue;
    }
    costs.emplace_back(printable(name), number_of(name, node));
  }
}

Profile parse_tables(const toml::table& root, const Tuning& tuning) {
  const toml::node* format = root.get("format");
  if (format == nullptr)
    throw UsageError("the key format is missing");
  if (format->value_exact<std::int64_t>() != profile_format)
    throw UsageError(fmt::format("its format is not {}", profile_format));
  Profile profile;
  std::optional<bool> tuned;
  bool matched = false;
  ProfileOrigin origin;
  for (const auto& [key, node] : root) {
    if (key == "tuned") {
      tuned = node.value_exact<bool>();
      if (!tuned)
        wrong_type("tuned", "true or false");
    } else if (key == "match") {
      profile.match = parse_match(table_of("match", node));
      matched = true;
    } else if (key == "measured")
      origin = parse_origin(table_of("measured", node));
    else if (key == "tunables")
      collect_tunables("", table_of("tunables", node), tuning, profile.tunables);
    else if (key == "costs")
      collect_costs("", table_of("costs", node), profile.costs);
    else if (key != "format")
      throw UsageError(fmt::format("unknown key {}", printable(key.str())));
  }
  if (!matched)
    throw UsageError("the table match is missing");
  if (!tuned)
    throw UsageError("the key tuned is missing");
  if (*tuned)
    profile.tuned = origin;
  Tunables tunables;
  apply(profile, tunables, tuning); // throws for a bad value
  Costs costs;
  apply(profile, costs, tuning);
  return profile;
}

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < ' ' || c == 127)
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + "\"";
}

// Measurements are good to three digits; TOML requires a point or an exponent in a number that is no integer.
std::string three_digits(double value) {
  std::string text = fmt::format("{:.3g}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string times_table(const ProfileTimes& seconds) {
  std::string text;
  for (const auto& [part, value] : seconds)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", part, three_digits(value));
  return "{ " + text + " }";
}

} // namespace

Profile parse_profile(std::string_view text, const Tuning& tuning) {
  try {
    return parse_tables(toml::parse(text), tuning);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("line {}: {}", error.source().begin.line, printable(error.description())));
  }
}

std::string to_toml(const Profile& profile, const Tuning& tuning) {
  std::string text =
      "# How tmd uses a device. The values change its speed, never its results. See doc/guide/devices-and-tuning.md.\n";
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  line("format", std::to_string(profile_format));
  line("tuned", profile.tuned ? "true" : "false");

  text += "\n[match] # whom it serves; * and ? stand for other characters\n";
  const ProfileMatch& match = profile.match;
  if (match.device_class)
    line("class", toml_string(opencl::to_string(*match.device_class)));
  for (const auto& [key, pattern] : {std::pair("platform", &match.platform),
                                     {"vendor", &match.vendor},
                                     {"device", &match.device},
                                     {"driver", &match.driver}})
    if (!pattern->empty())
      line(key, toml_string(*pattern));
  if (match.cpu_mode)
    line("cpu-mode", toml_string(to_string(*match.cpu_mode)));

  if (profile.tuned) {
    const ProfileOrigin& origin = *profile.tuned;
    text += "\n[measured] # by `tmd tune`\n";
    if (!origin.date.empty())
      line("date", origin.date);
    line("tmd", toml_string(origin.version));
    line("job", toml_string(origin.job));
    line("against", toml_string(origin.against));
    line("default-seconds", times_table(origin.default_seconds));
    line("tuned-seconds", times_table(origin.tuned_seconds));
    line("gain", three_digits(origin.gain));
    for (const auto& [part, gain] : origin.gains)
      line(part + "-gain", three_digits(gain));
  }

  text += "\n[tunables]\n";
  for (const Tunable& tunable : tuning.tunables()) // in the order of the tables
    for (const auto& [name, value] : profile.tunables)
      if (name == tunable.name)
        line(name, tunable.names.empty() ? value : toml_string(value));

  if (!profile.costs.empty())
    text += "\n[costs] # relative to one regular test\n";
  for (const Cost& cost : tuning.costs())
    for (const auto& [name, value] : profile.costs)
      if (name == cost.name)
        line(name, three_digits(value));
  return text;
}

bool fits(std::string_view pattern, std::string_view text) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  if (pattern.empty())
    return true;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos; // position of the last star, and where its match began
  std::size_t begin = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      begin = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || same(pattern[p], text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++begin;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

void apply(const Profile& profile, Tunables& tunables, const Tuning& tuning) {
  Tunables result = tunables;
  for (const auto& [name, value] : profile.tunables)
    tuning.set(result, name, value);
  tunables = result;
}

void apply(const Profile& profile, Costs& costs, const Tuning& tuning) {
  Costs result = costs;
  for (const auto& [name, value] : profile.costs)
    tuning.set(result, name, value);
  costs = result;
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

} // namespace tmd::device
