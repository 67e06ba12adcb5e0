// A tuning: trials, a descent to the best settings, and their confirmation against the default.
#pragma once

#include "tune/journal.hpp"
#include "tune/space.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tmd::tune {

// The outcome of a search.
struct SearchRun {
  State state = State::ok;
  Seconds seconds;                // of its parts; empty unless `ok`
  std::vector<std::string> found; // its list, as records
  std::string message;            // why it is not `ok`
};
// Runs a search with these settings, and gives up after `patience` seconds. Throws Interrupted if the user interrupts.
using RunSearch = std::function<SearchRun(Work work, const Settings& settings, double patience)>;

// The verdict of the alternating runs on a part: median of tuned time over default time.
struct Verdict {
  double ratio = 1;
  double noise = 0; // two standard errors of the median, from the median deviation
  [[nodiscard]] bool wins() const;
  [[nodiscard]] bool loses() const;
};
// A relative difference must exceed this, and the noise.
inline constexpr double least_difference = 0.01;
[[nodiscard]] Verdict judge(std::vector<double> ratios);

// The time of a part with the default and with the result.
struct Gain {
  double default_seconds = 0;
  double tuned_seconds = 0;
  Verdict verdict;
};

struct TuningResult {
  std::vector<Trial> trials;      // all trials, those of earlier runs first
  std::size_t resumed = 0;        // number of trials from earlier runs
  Settings tuned;                 // settings that won against the default
  std::map<Part, Gain> gains;     // those of `tuned`
  int pairs = 0;                  // number of alternating runs in each comparison
  std::vector<std::string> notes; // settings that were dropped, and why
  bool budget_spent = false;      // whether it was spent before all settings of the descent had been tried
  bool interrupted = false;
};

struct TuningProgress {
  const Trial* trial; // the trial that has just ended; null while the result is confirmed
  std::size_t trials; // number of trials so far
  double seconds;     // since the default was measured
};

struct TuningOptions {
  Settings default_values; // a value for every tunable
  double budget = 300;     // seconds after the default's own runs, confirmation included
  std::uint64_t seed = 1;  // chooses the order of coordinates after the first round
  std::function<void(const TuningProgress&)> progress = [](const TuningProgress&) {};
};

// Sets one coordinate after the other to the best value for its part, at first in the order of the space, until nothing
// improves or the budget is spent. Then compares the settings found with the default in turn, and keeps those that win.
// Every list must be the default's. Throws DeviceError if the default itself cannot be searched with. journal: may be
// null.
[[nodiscard]] TuningResult tune(const TuningOptions& options, const std::vector<Coordinate>& space,
                                const RunSearch& search, Journal* journal);

} // namespace tmd::tune
