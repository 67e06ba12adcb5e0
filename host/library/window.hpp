// Arguments beside each other on which F, the value in halves of a unit of its last place, is a polynomial in fixed
// point with a proven error: what they round to is known without MPFR, in every format, and those whose values lie near
// a breakpoint are found without looking at the others.
//
// With t the way from the middle argument and 2^r no less than the longest way, F = Σ d_j·(t/2^r)^j with d_j in units
// of 2^-fraction_bits. Horner's rule with integers of 128 bits drops at most two units a step, and rounding the
// coefficients one each; Taylor's remainder (polynomial/taylor.hpp) is to be less than values differ by that matter.
#pragma once

#include "job/stretch.hpp"
#include "library/coded_results.hpp"
#include "polynomial/taylor.hpp"
#include "tmd/integer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tmd::library {

// Where a value lies, by its size, from the breakpoint nearest to it.
struct NearestBreakpoint {
  bool is_midpoint = false;
  bool is_above = false; // whether the value is the larger one
  int bits = 0;          // the distance is at least 2^-(bits + 1) and less than 2^-bits, in spacings of half a unit
};

inline constexpr int hardest_bits = 60; // harder results, and exact ones, count as such
// Of a right result (RightResult) that is a number.
[[nodiscard]] NearestBreakpoint nearest_breakpoint(double fraction);

class Window {
public:
  struct Value {
    RightResult right;
    NearestBreakpoint nearest;
    bool is_certain = false; // else it lies nearer to a breakpoint than the polynomial can tell
  };

  // Of up to 2^bits arguments of the stretch, the one of that index among them. Nothing where values so near to each
  // other have no polynomial, or no breakpoints.
  [[nodiscard]] static std::optional<Window> around(const function::Function& function, const Encodings& encodings,
                                                    const job::Stretch& stretch, uint128 index, int bits);

  [[nodiscard]] const job::Stretch& arguments() const { return arguments_; }
  [[nodiscard]] std::uint64_t count() const { return static_cast<std::uint64_t>(arguments_.count); }
  [[nodiscard]] Value value(std::uint64_t index) const;

private:
  friend class Walk;

  Window() = default;
  [[nodiscard]] bool set_polynomial(polynomial::TaylorPolynomial& taylor);
  [[nodiscard]] int128 evaluate(std::int64_t t) const;
  // F and its slope modulo 1, in units of 2^-64.
  [[nodiscard]] std::uint64_t on_circle(int128 value) const;
  [[nodiscard]] std::uint64_t slope(std::int64_t t) const;

  job::Stretch arguments_{};
  Code base_ = 0; // the result where F is 0
  int fraction_bits_ = 0;
  int radius_bits_ = 0;
  std::int64_t middle_ = 0;
  std::vector<int128> coefficients_;
  std::uint64_t error_ = 0; // in units of 2^-64
  double curvature_ = 0;    // max |F''|/2
};

// From an argument of a window on, those whose values lie nearer to a breakpoint than 2^-bits half units. They are
// found on pieces on which F is a line but for part of that.
class Walk {
public:
  // The window must outlive it.
  Walk(const Window& window, int bits, std::uint64_t first);

  // The index of the next one; nothing behind the last one, or when `steps`, which it counts down, are used up: pieces
  // and arguments that were looked at.
  [[nodiscard]] std::optional<std::uint64_t> next(std::uint64_t& steps);
  // Of that one.
  [[nodiscard]] const Window::Value& value() const { return value_; }

private:
  void begin_piece();

  const Window& window_;
  int bits_;
  std::uint64_t at_; // the next argument
  std::uint64_t end_;
  std::uint64_t length_ = 1;
  // Modulo 1, in units of 2^-64: F and the width at the next argument; the slope; twice the width.
  std::uint64_t place_ = 0;
  std::uint64_t slope_ = 0;
  std::uint64_t width_ = 0;
  Window::Value value_;
};

} // namespace tmd::library
