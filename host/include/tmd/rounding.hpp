// Which breakpoints count, and to which numbers values are rounded.
#pragma once

#include "tmd/api.hpp"

#include <string_view>

namespace tmd {

// Which breakpoints count: `directed` roundings change at representable numbers, multiples of the ulp u; rounding to
// `nearest` at midpoints, odd multiples of u/2; `all` takes both, multiples of u/2.
enum class Rounding { all, directed, nearest };

[[nodiscard]] TMD_API std::string_view to_string(Rounding rounding);
// Throws UsageError for an unknown name.
[[nodiscard]] TMD_API Rounding parse_rounding(std::string_view name);

enum class Breakpoint { representable, midpoint };

[[nodiscard]] TMD_API std::string_view to_string(Breakpoint breakpoint);

// Which numbers values are rounded to: those of the format, subnormal ones included; or numbers of its precision with
// exponents of any size.
enum class Values { unbounded, format };

[[nodiscard]] TMD_API std::string_view to_string(Values values);
// Throws UsageError for an unknown name.
[[nodiscard]] TMD_API Values parse_values(std::string_view name);

} // namespace tmd
