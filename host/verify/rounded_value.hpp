// A value of a function as a format has it: correctly rounded in every direction, subnormal results and overflow
// included.
#pragma once

#include "function/function.hpp"
#include "tmd/direction.hpp"
#include "tmd/format.hpp"

#include <array>
#include <optional>
#include <string>

namespace tmd {

// y as a number of the format or an infinity. What is beyond 2^(max_exponent + 1), an infinite y too, overflows: a
// direction that leads towards zero gives the largest number.
[[nodiscard]] Mpfr round_to(const Format& format, mpfr_srcptr y, Direction direction);

// log2 of the distance of the format's numbers around y ≠ 0, as if its exponents had no upper end.
[[nodiscard]] long ulp_exponent(const Format& format, mpfr_srcptr y);

// A number of at most 64 bits as a C hex float, or inf, -inf, nan.
[[nodiscard]] std::string to_hex(mpfr_srcptr y);

struct RoundedValue {
  ValueEnclosure enclosure;                       // of f(x), with at least 60 bits behind those of the format
  std::array<std::optional<Mpfr>, 4> in_format{}; // by direction; nothing where no theorem and no precision decides

  [[nodiscard]] const std::optional<Mpfr>& in(Direction direction) const {
    return in_format.at(static_cast<std::size_t>(direction));
  }
};

// f(x) by Ziv's method; nothing where f(x) is no real number.
[[nodiscard]] std::optional<RoundedValue> rounded_value(const Function& function, const Format& format, mpfr_srcptr x);

// |y − f(x)| in ulps of the format at f(x), to some ten digits. An infinite y counts as 2^(max_exponent + 1); infinite
// for what is not a number.
[[nodiscard]] double error_in_ulps(const RoundedValue& value, const Format& format, mpfr_srcptr y);

} // namespace tmd
