// From the stretches of a job to its regimes, and to the stretches between them.
#pragma once

#include "job/coverage.hpp"
#include "job/job.hpp"
#include "job/regime.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace tmd::job {

// Joins the results of RegimeFinder into regimes that are long enough, also across binades, and stretches between them.
class RegimeJoiner {
public:
  RegimeJoiner(format::ArgumentSet arguments, std::function<void(const RegimeRange&)> take_regime,
               std::function<void(const Stretch&)> take_stretch);

  // Adds the next one, in the order of stretches(). Whatever is complete is passed on.
  void add(const RegimeStretch& next);
  // No more come.
  void close();

private:
  void add_stretch(const Stretch& stretch);
  void close_regime();
  void close_stretch();

  format::ArgumentSet arguments_;
  std::function<void(const RegimeRange&)> take_regime_;
  std::function<void(const Stretch&)> take_stretch_;
  std::optional<Stretch> stretch_;    // the open stretch, before regime_; neighbours may extend it
  std::optional<RegimeRange> regime_; // the open regime, likewise
  std::vector<Stretch> short_;        // the stretches of regime_ while that is too short
};

// Passes on the regimes of these ranks of a job, and the stretches between them. Throws Interrupted when `interrupted`,
// called now and then, returns true.
void divide(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
            std::function<void(const RegimeRange&)> take_regime, std::function<void(const Stretch&)> take_stretch);
// Does so on all cores; the callbacks are called by the calling thread. If proofs need many bits, borders may lie
// elsewhere: for estimates only.
void divide_in_parallel(const Job& job, const Coverage& ranks, const std::function<bool()>& interrupted,
                        std::function<void(const RegimeRange&)> take_regime,
                        std::function<void(const Stretch&)> take_stretch);

} // namespace tmd::job
