// The bits of numbers in the formats of IEEE 754 and in x87's.
#pragma once

#include "tmd/format.hpp"

#include <string>
#include <string_view>

namespace tmd::format {

// "0x3f800000" for "0x1p+0" in binary32; for numbers that are exact in the format, and for inf, -inf and nan (the quiet
// one without a sign). Throws UsageError for a format without an encoding, such as p12.
[[nodiscard]] std::string encoding_of(const Format& format, std::string_view number);

// The number, or inf, -inf, nan. Throws UsageError, naming `what`, if `bits` is not an encoding of the format, written
// as an integer with 0x.
[[nodiscard]] std::string number_of_encoding(const Format& format, std::string_view bits, std::string_view what);

} // namespace tmd::format
