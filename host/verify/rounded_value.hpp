// A value of a function as a format has it: correctly rounded in every direction, subnormal results and overflow
// included.
#pragma once

#include "function/function.hpp"
#include "tmd/direction.hpp"
#include "tmd/format.hpp"

#include <array>
#include <optional>
#include <string>

namespace tmd::verify {

// y as a number of the format or an infinity. What is beyond 2^(max_exponent + 1), an infinite y too, overflows: a
// direction that leads towards zero gives the largest number.
[[nodiscard]] number::Mpfr round_to(const Format& format, mpfr_srcptr y, Direction direction);

// log2 of the distance of the format's numbers around y ≠ 0, as if its exponents had no upper end.
[[nodiscard]] long ulp_exponent(const Format& format, mpfr_srcptr y);

// A number of at most 64 bits as a C hex float, or inf, -inf, nan.
[[nodiscard]] std::string to_hex(mpfr_srcptr y);

struct RoundedValue {
  function::ValueEnclosure enclosure; // of f(x), with at least 60 bits behind those of the format
  std::array<std::optional<number::Mpfr>, 4>
      in_format{};             // by direction; nothing where no theorem and no precision decides
  bool is_beside_zero = false; // whether f(x) is only known to be nearer to 0 than the enclosure's ends, and not 0

  [[nodiscard]] const std::optional<number::Mpfr>& in(Direction direction) const {
    return in_format.at(static_cast<std::size_t>(direction));
  }
};

// f(x) by Ziv's method; nothing where f(x) is no real number.
[[nodiscard]] std::optional<RoundedValue> rounded_value(const function::Function& function, const Format& format,
                                                        mpfr_srcptr x);

// The same of any x. Where f has no value, what C23 prescribes: function/special_values.hpp, and no number where x is
// none or outside the domain. Nothing where nothing is prescribed.
[[nodiscard]] std::optional<RoundedValue> value_in_c(const function::Function& function, const Format& format,
                                                     mpfr_srcptr x);

// The value where there is none: not a number, in every direction.
[[nodiscard]] RoundedValue not_a_number(const Format& format);

// y − f(x) in ulps of the format at f(x), rounded away from 0, so that what errs by more than half an ulp is seen to do
// so, and nothing that errs is seen to be exact. An infinite y counts as 2^(max_exponent + 1). Infinite where one of
// them is not a number, 0 where neither is.
[[nodiscard]] double error_in_ulps(const RoundedValue& value, const Format& format, mpfr_srcptr y);

} // namespace tmd::verify
