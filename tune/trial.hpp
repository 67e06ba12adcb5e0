// What the tuner tries, and what came of it.
#pragma once

#include "device/tuning.hpp"

#include <array>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace tmd::tune {

// The parts of a search that are timed apart, because each has tunables of its own. `whole` is a search in phases, all
// of it; `wide`, the wide test, and `walk`, the phase walk, have jobs of their own.
enum class Part { phase1, phase2, phase3, polynomials, wide, walk, whole };
inline constexpr std::array<Part, 7> all_parts{Part::phase1, Part::phase2, Part::phase3, Part::polynomials,
                                               Part::wide,   Part::walk,   Part::whole};
inline constexpr std::array<std::string_view, 7> part_names{"phase1", "phase2", "phase3", "polynomials",
                                                            "wide",   "walk",   "whole"};
inline constexpr std::array<Part, 2> parts_with_jobs{Part::wide, Part::walk};
[[nodiscard]] constexpr std::string_view to_string(Part part) { return part_names[static_cast<unsigned>(part)]; }

// Times of the parts.
class Seconds {
public:
  double& operator[](Part part) { return values_[static_cast<unsigned>(part)]; }
  double operator[](Part part) const { return values_[static_cast<unsigned>(part)]; }

private:
  std::array<double, all_parts.size()> values_{};
};

// How a trial ended. Only `ok` counts: the search kept in every phase what the host keeps, and found its cases.
enum class State {
  ok,
  compile,   // a kernel could not be built
  runtime,   // the device or its driver failed, or the process that tried it died
  timeout,   // too slow to be measured
  incorrect, // other survivors or cases than the host's
};
inline constexpr std::array<std::string_view, 5> state_names{"ok", "compile", "runtime", "timeout", "incorrect"};
[[nodiscard]] constexpr std::string_view to_string(State state) { return state_names[static_cast<unsigned>(state)]; }

struct Trial {
  Tunables tunables;
  Part part = Part::whole; // for whose sake it was tried
  State state = State::ok;
  Seconds seconds;     // medians; of `ok` only; 0 for parts that were not run
  Seconds ratios;      // to the default's, run in turn: what compares trials, also those of another day
  int runs = 0;        // of the whole job; fewer where the first were slow, 0 where a slice told enough
  std::string message; // why it is not `ok`
};

// The tunables in which the two differ, as --set takes them: "phase1.items=4 phase1.logms=5".
[[nodiscard]] std::string difference(const Tunables& tunables, const Tunables& base);

// As JSON. What is read may come from a damaged file or a failing process: false means that it is none of ours.
[[nodiscard]] nlohmann::ordered_json to_json(const Tunables& tunables);
[[nodiscard]] bool from_json(const nlohmann::ordered_json& json, Tunables& tunables);
[[nodiscard]] nlohmann::ordered_json to_json(const Seconds& seconds);
[[nodiscard]] bool from_json(const nlohmann::ordered_json& json, Seconds& seconds);
[[nodiscard]] nlohmann::ordered_json to_json(const Trial& trial);
[[nodiscard]] bool from_json(const nlohmann::ordered_json& json, Trial& trial);

} // namespace tmd::tune
