// The values of a function in a format: correctly rounded in every direction, with subnormal results and overflow.
#pragma once

#include "function/function.hpp"
#include "tmd/direction.hpp"
#include "tmd/format.hpp"

#include <array>
#include <optional>
#include <string>

namespace tmd::verify {

// y rounded to a number of the format or an infinity. From 2^(max_exponent + 1) on, and if infinite, y overflows:
// directions toward zero then give the largest number.
[[nodiscard]] number::Mpfr round_to(const Format& format, mpfr_srcptr y, Direction direction);

// log2 of the spacing of the format's numbers around y ≠ 0, as if its exponents had no upper end.
[[nodiscard]] long ulp_exponent(const Format& format, mpfr_srcptr y);

// A number of at most 64 bits as a C hex float, or inf, -inf, nan.
[[nodiscard]] std::string to_hex(mpfr_srcptr y);

struct RoundedValue {
  function::ValueEnclosure enclosure;                     // of f(x), with at least 60 bits more than the format
  std::array<std::optional<number::Mpfr>, 4> in_format{}; // by direction; empty if no theorem and no precision decides
  bool is_beside_zero = false; // whether f(x) is nonzero and only known to be nearer to 0 than the enclosure's ends

  [[nodiscard]] const std::optional<number::Mpfr>& in(Direction direction) const {
    return in_format.at(static_cast<std::size_t>(direction));
  }
};

// f(x) by Ziv's method; nothing if f(x) is no real number.
[[nodiscard]] std::optional<RoundedValue> rounded_value(const function::Function& function, const Format& format,
                                                        mpfr_srcptr x);

// The same for any x. Where f has no value, the value that C23 prescribes: function/special_values.hpp, and NaN if x is
// NaN or outside the domain. Nothing if nothing is prescribed.
[[nodiscard]] std::optional<RoundedValue> value_in_c(const function::Function& function, const Format& format,
                                                     mpfr_srcptr x);

// The value NaN in every direction.
[[nodiscard]] RoundedValue not_a_number(const Format& format);

// y − f(x) in ulps of the format at f(x), rounded away from 0, so that an error above half an ulp is reported as such,
// and no error as 0. An infinite y counts as 2^(max_exponent + 1). Infinite if one of the two is NaN, 0 if both are.
[[nodiscard]] double error_in_ulps(const RoundedValue& value, const Format& format, mpfr_srcptr y);

} // namespace tmd::verify
