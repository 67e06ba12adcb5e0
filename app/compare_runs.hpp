// The searches of `tmd compare`, each in a process of its own.
#pragma once

#include "run_child.hpp"

#include "report/comparison.hpp"
#include "support/terminal_line.hpp"

#include <cstddef>

namespace tmd::app {

class ComparisonRuns {
public:
  // spec: what all searches have in common. timeout: seconds after which one is given up.
  ComparisonRuns(report::Comparison& comparison, SearchSpec spec, double timeout)
      : comparison_(comparison), spec_(std::move(spec)), timeout_(timeout) {}

  // Runs every cell so many times. The cells take turns, so that a machine that slows down slows all. Ends early when
  // the user interrupts it.
  void run(int runs);
  // Has the laboratory count the rounds of the tests, which do not depend on the device: the fastest counts them.
  void measure_divergence();

  // Throws SoundnessError where a combination found other cases than the first or a check of it failed, and DeviceError
  // where one failed.
  void require_success() const;

private:
  void run_cell(std::size_t index);
  void count_rounds(const report::ComparisonCell& where);

  report::Comparison& comparison_;
  SearchSpec spec_;
  double timeout_;
  bool unsound_ = false; // a soundness check failed in one of them
  support::TerminalLine status_;
};

} // namespace tmd::app
