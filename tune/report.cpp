// Tables, records and the profile are made from the result alone. Times are medians; a gain is the default's time
// divided by the tuned one.
#include "tune/report.hpp"

#include "result/record.hpp"
#include "support/text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::tune {

namespace {

constexpr std::size_t shown = 5; // greatest number of rows of a part, and of failures

std::string_view title(Part part) {
  constexpr std::array<std::string_view, all_parts.size()> titles{
      "phase 1", "phase 2", "phase 3", "polynomials", "wide test", "phase walk", "phases together"};
  return titles[static_cast<unsigned>(part)];
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Turns a name into a pattern that fits it: TOML holds only UTF-8, and drivers may return other bytes.
std::string as_pattern(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

const Gain& gain_of(const TuningResult& result, Part part) {
  static const Gain none; // nothing was measured
  const auto found = result.gains.find(part);
  return found == result.gains.end() ? none : found->second;
}

ProfileTimes times_of(const TuningResult& result, double Gain::*seconds) {
  const auto of = [&](Part part) { return gain_of(result, part).*seconds; };
  ProfileTimes times;
  for (const Part part : all_parts)
    times.emplace(to_string(part), of(part));
  return times;
}

} // namespace

std::string file_name_of(const TuningDescription& tuning) {
  std::string name = tmd::support::file_name_of(fmt::format("{} {}", tuning.device.platform, tuning.device.name));
  if (tuning.device.is_cpu && tuning.cpu_mode != CpuMode::automatic)
    name += fmt::format("-{}", to_string(tuning.cpu_mode));
  return name;
}

std::string subject_of(const TuningDescription& tuning) {
  const opencl::DeviceDescription& device = tuning.device;
  return fmt::format("{}, {}, driver {}, {} units, {} MHz; CPU mode {}; {}; tmd {}, kernels {}; default {}",
                     device.name, device.platform, device.driver_version, device.compute_units, device.clock_mhz,
                     to_string(tuning.cpu_mode), tuning.job, tuning.version, tuning.kernels.digest,
                     support::digest(to_string(tuning.default_values)));
}

std::string trial_table(const TuningResult& result) {
  std::array<std::size_t, state_names.size()> counts{};
  for (const Trial& trial : result.trials)
    ++counts[static_cast<unsigned>(trial.state)];
  std::string text = "tried " + support::counted(result.trials.size(), "configuration");
  if (result.resumed > 0)
    text += fmt::format(" ({} of them in earlier runs)", result.resumed);
  for (std::size_t state = 0; state < counts.size(); ++state)
    text += fmt::format("{}{} {}", state == 0 ? ": " : ", ", counts[state], word_of(static_cast<State>(state)));
  text += "\n";

  for (const Part part : all_parts) {
    std::vector<const Trial*> tried;
    for (const Trial& trial : result.trials)
      if (trial.part == part && trial.state == State::ok)
        tried.push_back(&trial);
    if (tried.empty())
      continue;
    std::stable_sort(tried.begin(), tried.end(),
                     [&](const Trial* a, const Trial* b) { return a->ratios.at(part) < b->ratios.at(part); });
    text += fmt::format("\n{}: {} ok, the best\n  {:>12}{:>12}  {}\n", title(part), tried.size(), "seconds",
                        "of default", "setting");
    for (std::size_t i = 0; i < std::min(shown, tried.size()); ++i)
      text += fmt::format("  {:>12.4e}{:>12.3f}  {}\n", tried[i]->seconds.at(part), tried[i]->ratios.at(part),
                          to_string(tried[i]->settings));
  }
  std::size_t failures = 0;
  for (const Trial& trial : result.trials)
    if (trial.state != State::ok && trial.state != State::timeout && failures++ < shown)
      text += fmt::format("{}  {:<10}{}: {}\n", failures == 1 ? "\nfailed\n" : "", to_string(trial.state),
                          to_string(trial.settings), first_line(trial.message));
  if (failures > shown)
    text += fmt::format("  … and {} more\n", failures - shown);
  return text;
}

std::string gain_table(const TuningDescription& tuning, const TuningResult& result) {
  std::string text = fmt::format("gains over the {}, medians of {} alternating runs each\n  {:<17}{:>14}{:>14}{:>8}\n",
                                 tuning.against, result.pairs, "", "default", "tuned", "gain");
  for (const Part part :
       {Part::polynomials, Part::phase1, Part::phase2, Part::phase3, Part::whole, Part::wide, Part::walk}) {
    const Gain& gain = gain_of(result, part);
    if (gain.default_seconds == 0) // the host does this part
      continue;
    text += fmt::format("  {:<17}{:>12.4e} s{:>12.4e} s{:>8.2f} ± {:.2f}\n", title(part), gain.default_seconds,
                        gain.tuned_seconds, 1 / gain.verdict.ratio,
                        gain.verdict.noise / (gain.verdict.ratio * gain.verdict.ratio));
  }
  text += fmt::format("kept: {}\n", result.tuned.empty() ? "the default, which nothing beats beyond the noise"
                                                         : to_string(result.tuned));
  for (const std::string& note : result.notes)
    text += fmt::format("dropped: {}\n", first_line(note));
  if (result.budget_spent)
    text += "left out: what there was no time for; with a larger --budget the same command continues from here\n";
  return text;
}

std::string json_lines(const TuningDescription& tuning, const TuningResult& result) {
  const opencl::DeviceDescription& device = tuning.device;
  const auto line = [](const result::Json& json) {
    return json.dump(-1, ' ', true, result::Json::error_handler_t::replace) + "\n";
  };
  std::string text = line(result::first_record("tuning", result::running_program(tuning.kernels),
                                               {{"device", device.name},
                                                {"platform", device.platform},
                                                {"driver", device.driver_version},
                                                {"class", opencl::to_string(device.device_class())},
                                                {"cpu_mode", to_string(tuning.cpu_mode)},
                                                {"job", tuning.job},
                                                {"against", tuning.against},
                                                {"default", tuning.default_values}}));
  for (const Trial& trial : result.trials)
    text += line(to_json(trial, tuning.default_values));
  for (const Part part : all_parts) {
    const Gain& gain = gain_of(result, part);
    text += line(result::plain_record("gain", {{"part", to_string(part)},
                                               {"default_seconds", gain.default_seconds},
                                               {"tuned_seconds", gain.tuned_seconds},
                                               {"gain", 1 / gain.verdict.ratio},
                                               {"ratio_noise", gain.verdict.noise}}));
  }
  Settings tunables = result.tuned;
  tunables.insert(tuning.default_values.begin(), tuning.default_values.end());
  text += line(result::plain_record("result", {{"tunables", tunables},
                                               {"changed", result.tuned.empty() ? "" : to_string(result.tuned)},
                                               {"trials", result.trials.size()},
                                               {"resumed", result.resumed},
                                               {"pairs", result.pairs}}));
  return text;
}

device::Profile profile_of(const TuningDescription& tuning, const TuningResult& result, const std::string& pattern,
                           const std::string& date) {
  const opencl::DeviceDescription& device = tuning.device;
  device::Profile profile;
  profile.match = {.device_class = device.device_class(),
                   .platform = as_pattern(device.platform),
                   .vendor = {},
                   .device = pattern.empty() ? as_pattern(device.name) : pattern,
                   .driver = as_pattern(device.driver_version),
                   .cpu_mode = device.is_cpu ? std::optional(tuning.cpu_mode) : std::nullopt};
  profile.tuned =
      ProfileOrigin{.date = date,
                    .version = tuning.kernels.foreign ? tuning.version + ", foreign kernels " + tuning.kernels.digest
                                                      : tuning.version,
                    .job = tuning.job,
                    .against = tuning.against,
                    .default_seconds = times_of(result, &Gain::default_seconds),
                    .tuned_seconds = times_of(result, &Gain::tuned_seconds),
                    .gain = 1 / gain_of(result, Part::whole).verdict.ratio};
  for (const Part part : {Part::wide, Part::walk})
    profile.tuned->gains.emplace(to_string(part), 1 / gain_of(result, part).verdict.ratio);
  for (const auto& [name, value] : tuning.default_values)
    if (std::any_of(tuning.space.begin(), tuning.space.end(), [&, wanted = name](const Coordinate& coordinate) {
          return std::find(coordinate.tunables.begin(), coordinate.tunables.end(), wanted) != coordinate.tunables.end();
        }))
      profile.tunables.emplace_back(name, result.tuned.contains(name) ? result.tuned.at(name) : value);
  return profile;
}

} // namespace tmd::tune
