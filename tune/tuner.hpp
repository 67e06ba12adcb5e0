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
  Seconds seconds;                // of its parts; of `ok` only
  std::vector<std::string> found; // its list, as records
  std::string message;            // why it is not `ok`
};
// Searches with these settings, and gives up after so many seconds. Throws Interrupted when the user wants no more.
using RunSearch = std::function<SearchRun(Work work, const Settings& settings, double patience)>;

// The verdict of the alternating runs on a part: median of tuned time over default time.
struct Verdict {
  double ratio = 1;
  double noise = 0; // two standard errors of the median, from the median deviation
  [[nodiscard]] bool wins() const;
  [[nodiscard]] bool loses() const;
};
// A difference must exceed the noise, and this.
inline constexpr double least_difference = 0.01;
[[nodiscard]] Verdict judge(std::vector<double> ratios);

// A part of the result beside the default.
struct Gain {
  double default_seconds = 0;
  double tuned_seconds = 0;
  Verdict verdict;
};

struct TuningResult {
  std::vector<Trial> trials;      // all of them, those of earlier runs first
  std::size_t resumed = 0;        // of those, from earlier runs
  Settings tuned;                 // what won against the default
  std::map<Part, Gain> gains;     // of `tuned`
  int pairs = 0;                  // of alternating runs, in each comparison
  std::vector<std::string> notes; // what was dropped, and why
  bool budget_spent = false;      // before all had been tried that the descent would try
  bool interrupted = false;
};

struct TuningProgress {
  const Trial* trial; // that just ended; null while the result is confirmed
  std::size_t trials; // so far
  double seconds;     // since the default was measured
};

struct TuningOptions {
  Settings default_values; // of every tunable
  double budget = 300;     // seconds after the default's own runs, confirmation included
  std::uint64_t seed = 1;  // of the order of coordinates after the first round
  std::function<void(const TuningProgress&)> progress = [](const TuningProgress&) {};
};

// Sets one coordinate after the other to what is best for its part, in the order of the space at first, until nothing
// improves or the budget is spent; then compares what was found with the default in turn, and keeps what wins. Every
// list must be the default's. Throws DeviceError when the default itself cannot be searched with. journal: may be null.
[[nodiscard]] TuningResult tune(const TuningOptions& options, const std::vector<Coordinate>& space,
                                const RunSearch& search, Journal* journal);

} // namespace tmd::tune
