// Values of functions of two variables in double, with a bound of their error, and what follows about breakpoints: for
// formats with few bits, where they decide nearly every pair.
#pragma once

#include "pairs/pair_job.hpp"

#include <vector>

namespace tmd::pairs {

// |f| equals `value` within the relative error estimate_error. If anchor is not 0, f = anchor + offset, and offset has
// the relative error offset_error.
struct Estimate {
  double value = 0;
  double anchor = 0;
  double offset = 0;
};
// Every estimate has about ten roundings of 2^-53; x^y with |y·log2 x| < 2^8 has as many times ln 2·2^-52 in addition.
inline constexpr double estimate_error = 0x1p-44;
inline constexpr double offset_error = 0x1p-20;

// 2^t for |t| < 2^8: from a table of 512 entries and four terms. The anchor is 1 if |t| is below `small`.
class PowerOfTwo {
public:
  explicit PowerOfTwo(double small);
  [[nodiscard]] Estimate operator()(double t) const;

private:
  double small_;
  std::vector<double> table_; // 2^(j/512)
};

// atan2 and atan2pi for y > 0, as functions of y/x.
class Angle {
public:
  explicit Angle(const PairJob& job);
  // in_family: y/x is one of the ratios that are their own anchors.
  [[nodiscard]] Estimate operator()(double ratio, bool left, bool in_family) const;

private:
  // atan(x) for 0 ≤ x ≤ 1: from the nearest 256th, atan((x − c)/(1 + c·x)).
  [[nodiscard]] double arc_tangent(double x) const;

  bool half_turns_;
  double pi_;
  std::vector<double> table_;
};

// Requires x ≥ y.
[[nodiscard]] Estimate hypotenuse(double x, double y);

enum class Judged {
  nothing,        // no case
  family,         // a case that is only counted
  perhaps_family, // the same, if it is a case at all
  perhaps         // MPFR and Arb must decide
};

// Decides whether a value may be a case.
class EstimateJudge {
public:
  explicit EstimateJudge(const format::BreakpointGrid& grid, int K);
  [[nodiscard]] Judged operator()(const Estimate& estimate) const;

private:
  // The value divided by the spacing at `place`, less the shift.
  [[nodiscard]] double scaled(double value, double place) const;

  format::BreakpointGrid grid_;
  double shift_;
  double epsilon_;
  double end_; // no breakpoint lies beyond this
};

} // namespace tmd::pairs
