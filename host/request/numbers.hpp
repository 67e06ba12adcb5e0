// Numbers that a user gives to options.
#pragma once

#include <string>
#include <string_view>

namespace tmd {

// Throws UsageError, naming the option, for anything but an integer in the range.
[[nodiscard]] int parse_integer(std::string_view text, std::string_view option, int least, int greatest);

// The same for a number from 0 to 1.
[[nodiscard]] double parse_share(std::string_view text, std::string_view option);

} // namespace tmd
