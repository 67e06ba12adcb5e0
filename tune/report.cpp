#include "tune/report.hpp"

#include "engine/registry.hpp"
#include "result/schema.hpp"
#include "tune/measure_costs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::tune {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shown = 5; // rows of a part, and of failures

std::string_view title(Part part) {
  constexpr std::array<std::string_view, all_parts.size()> titles{
      "phase 1", "phase 2", "phase 3", "polynomials", "wide test", "phase walk", "phases together"};
  return titles[static_cast<unsigned>(part)];
}

std::string setting_of(const Trial& trial, const Tunables& base) {
  const std::string text = difference(trial.tunables, base);
  return text.empty() ? "default" : text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A name as a pattern that fits it: TOML holds UTF-8 only, and drivers may not.
std::string as_pattern(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

// The planner's costs, beside those without a measurement.
std::string cost_table_of(const CostTuning& costs) {
  std::string text;
  if (costs.measured) {
    text += fmt::format("\ncosts of the planner, relative to one regular test\n  {:<19}{:>11}{:>12}\n", "", "default",
                        "measured");
    for (const Cost& cost : engine_tuning().costs())
      text += fmt::format("  {:<19}{:>11.3g}{:>12.3g}\n", cost.name, costs.before[cost], (*costs.measured)[cost]);
  }
  if (costs.pairs > 0)
    text += fmt::format("time of searches with the measured costs, over that with the default, medians of {} pairs:\n"
                        "  wide {:.3f} ± {:.3f}, auto {:.3f} ± {:.3f}\n",
                        costs.pairs, costs.wide.ratio, costs.wide.noise, costs.automatic.ratio, costs.automatic.noise);
  return text + (costs.kept() ? "kept: the measured costs\n"
                              : fmt::format("dropped: the measured costs: {}\n", first_line(costs.note)));
}

Json record_of(const CostTuning& costs) {
  const auto verdict = [&](const Verdict& one) {
    return costs.pairs > 0 ? Json{{"ratio", one.ratio}, {"ratio_noise", one.noise}} : Json();
  };
  return {{"type", "costs"},
          {"default", to_json(costs.before)},
          {"measured", costs.measured ? to_json(*costs.measured) : Json()},
          {"kept", costs.kept()},
          {"pairs", costs.pairs},
          {"wide", verdict(costs.wide)},
          {"auto", verdict(costs.automatic)},
          {"message", costs.note.empty() ? Json() : Json(costs.note)}};
}

ProfileTimes times_of(const TuningResult& result, double Gain::*seconds) {
  const auto of = [&](Part part) { return result.gains[static_cast<unsigned>(part)].*seconds; };
  ProfileTimes times;
  for (const Part part : all_parts)
    times.emplace(to_string(part), of(part));
  return times;
}

} // namespace

std::string trial_table(const TuningDescription& tuning, const TuningResult& result) {
  std::array<std::size_t, state_names.size()> counts{};
  for (const Trial& trial : result.trials)
    ++counts[static_cast<unsigned>(trial.state)];
  std::string text = fmt::format("tried {} configurations", result.trials.size());
  if (result.resumed > 0)
    text += fmt::format(" ({} of them in earlier runs)", result.resumed);
  for (std::size_t state = 0; state < counts.size(); ++state)
    text += fmt::format("{}{} {}", state == 0 ? ": " : ", ", counts[state], state_names[state]);
  text += "\n";

  for (const Part part : all_parts) {
    std::vector<const Trial*> tried;
    for (const Trial& trial : result.trials)
      if (trial.part == part && trial.state == State::ok)
        tried.push_back(&trial);
    if (tried.empty())
      continue;
    std::stable_sort(tried.begin(), tried.end(),
                     [&](const Trial* a, const Trial* b) { return a->ratios[part] < b->ratios[part]; });
    text += fmt::format("\n{}: {} ok, the best\n  {:>12}{:>12}{:>6}  {}\n", title(part), tried.size(), "seconds",
                        "of default", "runs", "setting");
    for (std::size_t i = 0; i < std::min(shown, tried.size()); ++i)
      text += fmt::format("  {:>12.4e}{:>12.3f}{:>6}  {}\n", tried[i]->seconds[part], tried[i]->ratios[part],
                          tried[i]->runs, setting_of(*tried[i], tuning.base));
  }
  std::size_t failures = 0;
  for (const Trial& trial : result.trials)
    if (trial.state != State::ok && trial.state != State::timeout && failures++ < shown)
      text += fmt::format("{}  {:<10}{}: {}\n", failures == 1 ? "\nfailed\n" : "", to_string(trial.state),
                          setting_of(trial, tuning.base), first_line(trial.message));
  if (failures > shown)
    text += fmt::format("  … and {} more\n", failures - shown);
  return text;
}

std::string gain_table(const TuningDescription& tuning, const TuningResult& result) {
  std::string text = fmt::format("gains over the {}, medians of {} alternating runs each\n  {:<17}{:>14}{:>14}{:>8}\n",
                                 tuning.against, result.pairs, "", "default", "tuned", "gain");
  for (const Part part :
       {Part::polynomials, Part::phase1, Part::phase2, Part::phase3, Part::whole, Part::wide, Part::walk}) {
    const Gain& gain = result.gains[static_cast<unsigned>(part)];
    if (gain.default_seconds == 0) // the host's
      continue;
    text += fmt::format("  {:<17}{:>12.4e} s{:>12.4e} s{:>8.2f} ± {:.2f}\n", title(part), gain.default_seconds,
                        gain.tuned_seconds, 1 / gain.verdict.ratio,
                        gain.verdict.noise / (gain.verdict.ratio * gain.verdict.ratio));
  }
  const std::string kept = difference(result.tuned, tuning.base);
  text += fmt::format("kept: {}\n", kept.empty() ? "the default, which nothing beats beyond the noise" : kept);
  for (const std::string& note : result.notes)
    text += fmt::format("dropped: {}\n", first_line(note));
  if (result.budget_spent)
    text += "left out: what there was no time for; with a larger --budget the same command goes on from here\n";
  return result.costs ? text + cost_table_of(*result.costs) : text;
}

std::string json_lines(const TuningDescription& tuning, const TuningResult& result) {
  const opencl::DeviceDescription& device = tuning.device;
  const auto line = [](const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n"; };
  std::string text = line({{"type", "tuning"},
                           {"schema", record_schema},
                           {"version", tuning.version},
                           {"kernels", tuning.kernels.digest},
                           {"foreign_kernels", tuning.kernels.foreign},
                           {"device", device.name},
                           {"platform", device.platform},
                           {"driver", device.driver_version},
                           {"class", opencl::to_string(device.device_class())},
                           {"cpu_mode", opencl::to_string(tuning.cpu_mode)},
                           {"job", tuning.job},
                           {"against", tuning.against},
                           {"default", to_json(tuning.base)}});
  for (const Trial& trial : result.trials)
    text += line(to_json(trial));
  for (const Part part : all_parts) {
    const Gain& gain = result.gains[static_cast<unsigned>(part)];
    text += line({{"type", "gain"},
                  {"part", to_string(part)},
                  {"default_seconds", gain.default_seconds},
                  {"tuned_seconds", gain.tuned_seconds},
                  {"gain", 1 / gain.verdict.ratio},
                  {"ratio_noise", gain.verdict.noise}});
  }
  if (result.costs)
    text += line(record_of(*result.costs));
  text += line({{"type", "result"},
                {"tunables", to_json(result.tuned)},
                {"changed", difference(result.tuned, tuning.base)},
                {"trials", result.trials.size()},
                {"resumed", result.resumed},
                {"pairs", result.pairs}});
  return text;
}

Profile profile_of(const TuningDescription& tuning, const TuningResult& result, const std::string& pattern,
                   const std::string& date) {
  const opencl::DeviceDescription& device = tuning.device;
  Profile profile;
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
                    .gain = 1 / result.gains[static_cast<unsigned>(Part::whole)].verdict.ratio};
  for (const Part part : parts_with_jobs)
    if (const double ratio = result.gains[static_cast<unsigned>(part)].verdict.ratio;
        std::isfinite(1 / ratio) && 1 / ratio != 0)
      profile.tuned->gains.emplace(to_string(part), 1 / ratio);
  for (const Tunable& tunable : engine_tuning().tunables()) {
    const bool searched = std::any_of(tuning.space.begin(), tuning.space.end(), [&](const Coordinate& coordinate) {
      return std::find(coordinate.tunables.begin(), coordinate.tunables.end(), tunable.name) !=
             coordinate.tunables.end();
    });
    if (searched)
      profile.tunables.emplace_back(tunable.name, to_string(tunable, result.tuned[tunable]));
  }
  if (result.costs && result.costs->kept())
    for (const Cost& cost : engine_tuning().costs())
      profile.costs.emplace_back(cost.name, (*result.costs->measured)[cost]);
  return profile;
}

} // namespace tmd::tune
