// Numbers as the bits that a format of IEEE 754, or x87's, has them in.
#pragma once

#include "tmd/format.hpp"

#include <string>
#include <string_view>

namespace tmd::format {

// "0x3f800000" of "0x1p+0" in binary32; of what is exact in the format, and of inf, -inf and nan (the quiet one without
// a sign). Throws UsageError for a format that has no bits, such as p12.
[[nodiscard]] std::string encoding_of(const Format& format, std::string_view number);

// The number, or inf, -inf, nan. Throws UsageError, naming `what`, for what are no bits of the format, written as an
// integer with 0x.
[[nodiscard]] std::string number_of_encoding(const Format& format, std::string_view bits, std::string_view what);

} // namespace tmd::format
