// The settings that the tuner tries, and the outcome of each trial.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace tmd::tune {

// The parts of a search that are timed separately, because each has tunables of its own. `whole` is the whole search in
// phases; `wide`, by the wide test, and `walk`, by the phase walk, are searches of their own.
enum class Part { phase1, phase2, phase3, polynomials, wide, walk, whole };
inline constexpr std::array<Part, 7> all_parts{Part::phase1, Part::phase2, Part::phase3, Part::polynomials,
                                               Part::wide,   Part::walk,   Part::whole};
inline constexpr std::array<std::string_view, 7> part_names{"phase1", "phase2", "phase3", "polynomials",
                                                            "wide",   "walk",   "whole"};
[[nodiscard]] constexpr std::string_view to_string(Part part) { return part_names[static_cast<unsigned>(part)]; }

// The searches in which parts are timed.
enum class Work { phases, wide, walk };
inline constexpr std::array<Work, 3> all_works{Work::phases, Work::wide, Work::walk};
[[nodiscard]] constexpr Work work_of(Part part) {
  return part == Part::wide ? Work::wide : part == Part::walk ? Work::walk : Work::phases;
}

// Seconds of the parts of a search, or ratios of two of them.
using Seconds = std::map<Part, double>;

// Tunables by name, as --set takes them: those that differ from the default.
using Settings = std::map<std::string, std::string>;
// A text such as "phase1.items=4 phase1.logms=5"; "default" if there are none.
[[nodiscard]] std::string to_string(const Settings& settings);

// The ways in which a trial can end. Only `ok` counts: its list is that of the default.
enum class State {
  ok,
  compile,   // a kernel could not be built
  runtime,   // the device or its driver failed, or the process that tried it died
  timeout,   // too slow to be measured
  incorrect, // it found another list, or a soundness check failed
};
inline constexpr std::array<std::string_view, 5> state_names{"ok", "compile", "runtime", "timeout", "incorrect"};
[[nodiscard]] constexpr std::string_view to_string(State state) { return state_names[static_cast<unsigned>(state)]; }
// The word in tables: a setting that takes much longer than the best one is given up.
[[nodiscard]] constexpr std::string_view word_of(State state) {
  return state == State::timeout ? "given up" : to_string(state);
}

struct Trial {
  Settings settings;
  Part part = Part::whole; // the part that it was tried for
  State state = State::ok;
  Seconds seconds; // only if `ok`
  Seconds ratios; // to those of the default, run just after it; trials are compared by these, also those of another day
  std::string message; // why it is not `ok`
};

// JSON with all tunables. default_values: those of every tunable.
[[nodiscard]] nlohmann::ordered_json to_json(const Seconds& seconds);
[[nodiscard]] nlohmann::ordered_json to_json(const Trial& trial, const Settings& default_values);
// Returns nothing if the record is not a trial, since the file may be damaged.
[[nodiscard]] std::optional<Trial> read_trial(const nlohmann::ordered_json& json, const Settings& default_values);

} // namespace tmd::tune
