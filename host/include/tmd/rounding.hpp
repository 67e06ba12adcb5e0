// The breakpoints to search, and the numbers to which values are rounded.
#pragma once

#include "tmd/api.hpp"

#include <string_view>

namespace tmd {

// The breakpoints to search: `directed` roundings change at representable numbers, multiples of the ulp u; rounding to
// `nearest` changes at midpoints, odd multiples of u/2; `all` means both, multiples of u/2.
enum class Rounding { all, directed, nearest };

[[nodiscard]] TMD_API std::string_view to_string(Rounding rounding);
// Throws UsageError for an unknown name.
[[nodiscard]] TMD_API Rounding parse_rounding(std::string_view name);

enum class Breakpoint { representable, midpoint };

[[nodiscard]] TMD_API std::string_view to_string(Breakpoint breakpoint);

// The numbers to which values are rounded: those of the format, including subnormal ones; or numbers of its precision
// with exponents of any size.
enum class Values { unbounded, format };

[[nodiscard]] TMD_API std::string_view to_string(Values values);
// Throws UsageError for an unknown name.
[[nodiscard]] TMD_API Values parse_values(std::string_view name);

} // namespace tmd
