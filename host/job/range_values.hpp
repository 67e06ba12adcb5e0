// The values of a function on a range of arguments of one binade.
#pragma once

#include "function/function.hpp"
#include "job/stretch.hpp"
#include "number/hull.hpp"

namespace tmd::job {

// constant + slope·t; t counts a range's arguments from the one in its middle.
struct Line {
  number::Integer constant;
  number::Integer slope;

  // The line at an argument of a range, by its index.
  [[nodiscard]] number::Integer at(uint128 index, uint128 count) const;
};

// Taylor coefficients of f(±(first + i)·2^unit) in i, at the ends and the middle of a range and over all of it.
class RangeValues {
public:
  RangeValues(const function::Function& function, const Stretch& range, long precision);

  [[nodiscard]] const Stretch& range() const { return range_; }
  [[nodiscard]] long precision() const { return precision_; }
  [[nodiscard]] const number::ArbVector& lowest() const { return lowest_; }
  [[nodiscard]] const number::ArbVector& highest() const { return highest_; }

  // Prepares hull(). False if values are not finite.
  [[nodiscard]] bool enclose_all();

  // The coefficient of i² at an argument, times 2^exponent.
  [[nodiscard]] number::Arb bend(uint128 index, long exponent) const;

  // The middle's coefficient of i^order, times 2^exponent.
  [[nodiscard]] number::Arb middle(long order, long exponent) const;

  // The values of f·2^exponent − n0 − n1·t, t counted from the middle: between those at the ends where the derivative
  // has one sign, else by a Taylor form.
  [[nodiscard]] number::Hull hull(long exponent, const Line& line) const;

  // The values of hull(), at the two ends alone.
  [[nodiscard]] number::Hull low(long exponent, const Line& line) const { return end(lowest_, 0, exponent, line); }
  [[nodiscard]] number::Hull high(long exponent, const Line& line) const {
    return end(highest_, range_.count - 1, exponent, line);
  }

  // Taylor coefficients of f in x: at 0, and over all numbers from there to the range's farthest.
  [[nodiscard]] number::ArbVector at_zero(long length) const;
  [[nodiscard]] number::ArbVector from_zero(long length) const;

  // The value by the function's own enclosure.
  [[nodiscard]] function::ValueEnclosure value(uint128 index) const;

private:
  [[nodiscard]] number::ArbVector at(uint128 index, long length) const;

  [[nodiscard]] number::ArbVector series(number::Arb& x, long length) const;

  [[nodiscard]] number::Hull end(const number::ArbVector& coefficients, uint128 index, long exponent,
                                 const Line& line) const;

  const function::Function* function_;
  Stretch range_;
  long precision_;
  number::ArbVector lowest_{1};
  number::ArbVector highest_{1};
  number::ArbVector middle_{1};
  number::ArbVector all_{1};
};

} // namespace tmd::job
