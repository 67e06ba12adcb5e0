// The searches of `tmd compare`, each in a process of its own.
#pragma once

#include "run_child.hpp"

#include "report/comparison.hpp"
#include "support/terminal_line.hpp"

#include <cstddef>

namespace tmd::app {

class ComparisonRuns {
public:
  // spec: the options that all searches share. timeout: limit for each search, in seconds.
  ComparisonRuns(report::Comparison& comparison, SearchSpec spec, double timeout)
      : comparison_(comparison), spec_(std::move(spec)), timeout_(timeout) {}

  // Runs every cell that many times. The cells take turns, so that a machine that slows down slows all of them. An
  // interrupt ends it early.
  void run(int runs);
  // Lets the laboratory count the rounds of the tests. They do not depend on the device, so the fastest one counts.
  void measure_divergence();

  // Throws SoundnessError if a combination found other cases than the first or failed a soundness check, and
  // DeviceError if one failed otherwise.
  void require_success() const;

private:
  void run_cell(std::size_t index);
  void count_rounds(const report::ComparisonCell& where);

  report::Comparison& comparison_;
  SearchSpec spec_;
  double timeout_;
  bool unsound_ = false; // whether a soundness check failed in one of the cells
  support::TerminalLine status_;
};

} // namespace tmd::app
