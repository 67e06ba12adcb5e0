// A whole tuning: trials by a worker, the search for the best, and its confirmation against the default.
#pragma once

#include "tune/descent.hpp"
#include "tune/journal.hpp"
#include "tune/worker.hpp"

#include "device/costs.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tmd::tune {

struct TuningOptions {
  Tunables base;       // the default: where the search begins, and what the result is compared with
  double budget = 300; // seconds after the default's own trial, confirmation included
  DescentOptions descent;
};

// What the pairs of alternating runs say of a part: median of tuned time over default time.
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

// The planner's costs with the tuned values, beside those that a device has without a measurement.
struct CostTuning {
  Costs before;
  std::optional<Costs> measured;
  Verdict wide;      // of searches by the wide test: time with the measured costs over that with the others,
  Verdict automatic; // and of those whose method the planner chooses
  int pairs = 0;     // of alternating runs
  std::string note;  // why the measured ones are not kept; empty: they are

  [[nodiscard]] bool kept() const { return measured && note.empty(); }
};

struct TuningResult {
  std::vector<Trial> trials;                // all of them, those of earlier runs first
  std::size_t resumed = 0;                  // of those, from earlier runs
  Tunables best;                            // by single runs, before it was confirmed
  Tunables tuned;                           // what won against the default; else the default
  std::array<Gain, all_parts.size()> gains; // of `tuned`
  int pairs = 0;                            // of alternating runs, in each comparison
  std::vector<std::string> notes;           // what was dropped, and why
  std::optional<CostTuning> costs;          // nothing where nobody asked for them
  bool budget_spent = false;                // before all had been tried that the descent would try
  bool interrupted = false;
};

struct TuningProgress {
  const Trial* trial; // that just ended; null while the result is confirmed
  std::size_t trials; // so far
  double seconds;     // since the start, and after the default's trial since then
  double budget;
};

struct TuningHooks {
  std::function<void(const TuningProgress&)> progress;
  std::function<bool()> interrupted; // asked all the time; what is known is kept
};

// Sends a request to a worker.
using Ask = std::function<Answer(const Message& request)>;

// Tunes until nothing improves, the budget is spent, or the user stops it. Trials that the journal knows are not made
// again; new ones are added to it (it may be null). Throws DeviceError when the default itself cannot be measured, or
// the status that a worker's check failed with.
[[nodiscard]] TuningResult tune(const TuningOptions& options, const std::vector<Coordinate>& space, const Ask& ask,
                                Journal* journal, const TuningHooks& hooks);

} // namespace tmd::tune
