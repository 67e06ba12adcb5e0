// Where arguments stand in a figure.
#pragma once

#include "job/job.hpp"

#include <string>
#include <vector>

namespace tmd {

// From 0 to 1 over the range of a job, as many arguments in each part of it as in another: inside a binade linear, and
// each binade as wide as another, on both sides of 0.
class ArgumentAxis {
public:
  explicit ArgumentAxis(const Job& job);

  // rank: from the job's first to its last, which is not of the range.
  [[nodiscard]] double position(ArgumentSet::Rank rank) const;
  // How many binades long it is, also where it lies in one.
  [[nodiscard]] double binades() const;

  struct Tick {
    double position;
    std::string label; // as gnuplot takes it, `2^{-3}` for instance
  };
  // A few arguments that are short to write: powers of two and 0, or, in less than three binades, hex floats.
  [[nodiscard]] std::vector<Tick> ticks() const;

  // The range, cut where arguments are counted: into binades, or so many of them at a time that there are not more than
  // some hundred slices; less than eight binades into 64 slices of one size, as far as that goes.
  [[nodiscard]] std::vector<RankInterval> slices() const;
  // Binades in a slice; 0 where slices are smaller than a binade.
  [[nodiscard]] int slice_binades() const;

private:
  [[nodiscard]] std::vector<Tick> ticks_at_powers() const;
  [[nodiscard]] std::vector<Tick> ticks_at_numbers() const;

  ArgumentSet arguments_;
  Format format_;
  ArgumentSet::Rank first_;
  ArgumentSet::Rank last_;
  ArgumentSet::Rank binade_; // arguments in one
};

} // namespace tmd
