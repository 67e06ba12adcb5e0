// Numbers of a format, infinities and what is no number as bits, and what is right for a result.
#pragma once

#include "format/argument.hpp"
#include "tmd/direction.hpp"
#include "tmd/integer.hpp"

#include <limits>
#include <string>

namespace tmd::library {

// The rank of a number's size, beyond it that of infinity and of what is no number, and a bit for the sign: the
// encoding of IEEE 754. (x87's has a bit more, which says nothing; see code_of().)
using Code = uint128;

// What f(x) is rounded to toward zero, and how far f(x) is from there to the next number away from zero, in units of
// the last place. What is said of a fraction by its place among 0, 1/2 and 1 is certain. 1: f(x) lies beyond the
// largest number. Not a number: only that is right.
struct RightResult {
  Code toward_zero = 0;
  double fraction = std::numeric_limits<double>::quiet_NaN();
};

class Encodings {
public:
  explicit Encodings(const Format& format);

  [[nodiscard]] const Format& format() const { return format_; }
  [[nodiscard]] const format::ArgumentSet& set() const { return set_; }
  [[nodiscard]] Code infinity() const { return infinity_; }
  [[nodiscard]] Code sign() const { return sign_; }
  // The quiet one.
  [[nodiscard]] Code not_a_number() const { return infinity_ | Code(1) << (format_.precision - 2); }
  [[nodiscard]] bool is_number(Code code) const { return magnitude(code) < infinity_; }
  [[nodiscard]] bool is_nan(Code code) const { return magnitude(code) > infinity_; }
  [[nodiscard]] bool is_zero(Code code) const { return magnitude(code) == 0; }
  [[nodiscard]] bool is_negative(Code code) const { return (code & sign_) != 0; }
  [[nodiscard]] Code magnitude(Code code) const { return code & ~sign_; }
  [[nodiscard]] Code code(const Argument& argument) const;
  // Whether one number is less than another.
  [[nodiscard]] bool is_before(Code one, Code other) const;

  [[nodiscard]] Argument argument(Code code) const;
  // "0x1.8p+1", "-inf", "snan".
  [[nodiscard]] std::string text(Code code) const;

  // The correctly rounded result; where no number is right, one that is none.
  [[nodiscard]] Code expected(const RightResult& right, Direction direction) const;
  // A zero that is exact may have either sign.
  [[nodiscard]] bool is_right(const RightResult& right, Direction direction, Code result) const;

private:
  Format format_;
  format::ArgumentSet set_;
  Code infinity_;
  Code sign_; // the bit
};

} // namespace tmd::library
