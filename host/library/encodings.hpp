// Numbers of a format, infinities and NaN as bits, and the right result in each direction.
#pragma once

#include "format/argument.hpp"
#include "tmd/direction.hpp"
#include "tmd/integer.hpp"

#include <limits>
#include <string>

namespace tmd::library {

// A sign bit and the rank of the number's size, beyond which come infinity and NaN: the encoding of IEEE 754. (x87 has
// one more bit, which is redundant; see code_of().)
using Code = uint128;

// f(x) rounded toward zero, and the distance of f(x) from that number in ulps, away from zero. Whether the fraction is
// 0, in (0, 1/2), 1/2 or above is certain. The fraction 1 means that f(x) is beyond the largest number. If the fraction
// is NaN, only NaN is right.
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
  // The quiet NaN.
  [[nodiscard]] Code not_a_number() const { return infinity_ | Code(1) << (format_.precision - 2); }
  [[nodiscard]] bool is_number(Code code) const { return magnitude(code) < infinity_; }
  [[nodiscard]] bool is_nan(Code code) const { return magnitude(code) > infinity_; }
  [[nodiscard]] bool is_zero(Code code) const { return magnitude(code) == 0; }
  [[nodiscard]] bool is_negative(Code code) const { return (code & sign_) != 0; }
  [[nodiscard]] Code magnitude(Code code) const { return code & ~sign_; }
  [[nodiscard]] Code code(const Argument& argument) const;
  // Whether the first number is less than the second.
  [[nodiscard]] bool is_before(Code one, Code other) const;

  [[nodiscard]] Argument argument(Code code) const;
  // "0x1.8p+1", "-inf", "snan".
  [[nodiscard]] std::string text(Code code) const;

  // The correctly rounded result; NaN where no number is right.
  [[nodiscard]] Code expected(const RightResult& right, Direction direction) const;
  // An exact zero may have either sign.
  [[nodiscard]] bool is_right(const RightResult& right, Direction direction, Code result) const;

private:
  Format format_;
  format::ArgumentSet set_;
  Code infinity_;
  Code sign_; // the sign bit
};

} // namespace tmd::library
