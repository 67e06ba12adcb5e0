// Neighbouring arguments on which F, the value in units of half an ulp, is a polynomial in fixed point with a proven
// error. They give right results without MPFR, in every format, and those whose values lie near a breakpoint are found
// without looking at the others.
//
// Let t be the distance from the middle argument and 2^r at least the greatest |t|. Then F = Σ d_j·(t/2^r)^j with d_j
// in units of 2^-fraction_bits. Horner's rule with integers of 128 bits loses at most two units a step, rounding the
// coefficients one each. The neighbourhood is so small that Taylor's remainder (polynomial/taylor.hpp) is negligible
// against the distances of interest.
#pragma once

#include "job/stretch.hpp"
#include "library/coded_results.hpp"
#include "polynomial/taylor.hpp"
#include "tmd/integer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tmd::library {

// The position of a value's magnitude relative to the nearest breakpoint.
struct NearestBreakpoint {
  bool is_midpoint = false;
  bool is_above = false; // whether the value is above the breakpoint
  int bits = 0;          // the distance is at least 2^-(bits + 1) and less than 2^-bits, in spacings of half a unit
};

inline constexpr int hardest_bits = 60; // limit of bits: harder results and exact ones get this value
// For a right result (RightResult) that is a number.
[[nodiscard]] NearestBreakpoint nearest_breakpoint(double fraction);

class Neighbourhood {
public:
  struct Value {
    RightResult right;
    NearestBreakpoint nearest;
    bool is_certain = false; // false if the value is nearer to a breakpoint than the polynomial's error
  };

  // A neighbourhood of up to 2^bits arguments of the stretch that contains the argument with that index. Nothing if
  // values so close together have no polynomial, or no breakpoints.
  [[nodiscard]] static std::optional<Neighbourhood> around(const function::Function& function,
                                                           const Encodings& encodings, const job::Stretch& stretch,
                                                           uint128 index, int bits);

  [[nodiscard]] const job::Stretch& arguments() const { return arguments_; }
  [[nodiscard]] std::uint64_t count() const { return static_cast<std::uint64_t>(arguments_.count); }
  [[nodiscard]] Value value(std::uint64_t index) const;

private:
  friend class HardArguments;

  Neighbourhood() = default;
  [[nodiscard]] bool set_polynomial(polynomial::TaylorPolynomial& taylor);
  [[nodiscard]] int128 evaluate(std::int64_t t) const;
  // F modulo 1, in units of 2^-64; below, its slope.
  [[nodiscard]] std::uint64_t on_circle(int128 value) const;
  [[nodiscard]] std::uint64_t slope(std::int64_t t) const;

  job::Stretch arguments_{};
  Code base_ = 0; // the result for F = 0
  int fraction_bits_ = 0;
  int radius_bits_ = 0;
  std::int64_t middle_ = 0;
  std::vector<int128> coefficients_;
  std::uint64_t error_ = 0; // in units of 2^-64
  double curvature_ = 0;    // max |F''|/2
};

// Finds the arguments of a neighbourhood, from one on, whose values are nearer to a breakpoint than 2^-bits half ulps.
// It works on pieces where F is nearly a line.
class HardArguments {
public:
  // The neighbourhood must outlive it.
  HardArguments(const Neighbourhood& neighbourhood, int bits, std::uint64_t first);

  // The index of the next argument found; nothing after the last one, or when `steps` has been counted down to 0. A
  // step is a piece, or an argument that was looked at.
  [[nodiscard]] std::optional<std::uint64_t> next(std::uint64_t& steps);
  // The value at that argument.
  [[nodiscard]] const Neighbourhood::Value& value() const { return value_; }

private:
  void begin_piece();

  const Neighbourhood& neighbourhood_;
  int bits_;
  std::uint64_t at_; // the next argument
  std::uint64_t end_;
  std::uint64_t length_ = 1;
  // The following are modulo 1, in units of 2^-64: F and the width at the next argument, the slope, and twice the
  // width.
  std::uint64_t place_ = 0;
  std::uint64_t slope_ = 0;
  std::uint64_t width_ = 0;
  Neighbourhood::Value value_;
};

} // namespace tmd::library
