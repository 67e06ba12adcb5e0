// Values of functions of two variables in double, with a bound of their error, and what that says of breakpoints: for
// formats with few bits, where nearly every pair can be decided so.
#pragma once

#include "pairs/pair_job.hpp"

#include <vector>

namespace tmd::pairs {

// |f| within estimate_error of `value`, relatively. Where anchor is not 0, f = anchor + offset, with an offset within
// offset_error, relatively.
struct Estimate {
  double value = 0;
  double anchor = 0;
  double offset = 0;
};
// Every estimate has some ten roundings of 2^-53; x^y with |y·log2 x| < 2^8 also that many times ln 2·2^-52.
inline constexpr double estimate_error = 0x1p-44;
inline constexpr double offset_error = 0x1p-20;

// 2^t for |t| < 2^8: by a table of 512 entries and four terms. Its anchor is 1 where |t| is below `small`.
class PowerOfTwo {
public:
  explicit PowerOfTwo(double small);
  [[nodiscard]] Estimate operator()(double t) const;

private:
  double small_;
  std::vector<double> table_; // 2^(j/512)
};

// atan2 and atan2pi for y > 0, by y/x.
class Angle {
public:
  explicit Angle(const PairJob& job);
  // in_family: y/x is one of those that are their own anchors.
  [[nodiscard]] Estimate operator()(double ratio, bool left, bool in_family) const;

private:
  // atan(x) for 0 ≤ x ≤ 1: from the nearest 256th, atan((x − c)/(1 + c·x)).
  [[nodiscard]] double arc_tangent(double x) const;

  bool half_turns_;
  double pi_;
  std::vector<double> table_;
};

// x ≥ y.
[[nodiscard]] Estimate hypotenuse(double x, double y);

enum class Judged {
  nothing,        // no case
  family,         // a case that is counted only
  perhaps_family, // the same, if it is a case
  perhaps         // to be looked at
};

// Whether a value may be a case.
class EstimateJudge {
public:
  explicit EstimateJudge(const format::BreakpointGrid& grid, int bits);
  [[nodiscard]] Judged operator()(const Estimate& estimate) const;

private:
  // Value over spacing, less the shift, for the spacing at `place`.
  [[nodiscard]] double scaled(double value, double place) const;

  format::BreakpointGrid grid_;
  double shift_;
  double epsilon_;
  double end_; // no breakpoint is beyond
};

} // namespace tmd::pairs
