// What C23 (annex F, of y0 and y1 POSIX) prescribes for functions of one variable where these have no value: at poles,
// and at infinities.
#pragma once

#include "number/mpfr.hpp"

#include <optional>
#include <string_view>

namespace tmd::function {

// x: an infinity, or a finite number at which C's function of that name has no value although it is within the domain's
// ends. An infinity or a zero with its sign, not a number, or a number that every format has. Nothing for functions
// that are not C's, for Bessel functions at infinities, and for atan there, whose limit no format has.
[[nodiscard]] std::optional<number::Mpfr> special_value(std::string_view name, mpfr_srcptr x);

} // namespace tmd::function
