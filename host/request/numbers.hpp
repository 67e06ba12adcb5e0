// Parses the numbers in option values.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tmd::request {

// Nothing unless the whole text is a number of this type.
template <typename Number> [[nodiscard]] std::optional<Number> number_of(std::string_view text) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

// Throws UsageError, naming the option, unless the text is an integer in the range.
[[nodiscard]] int parse_integer(std::string_view text, std::string_view option, int least, int greatest);

// The same for a number from 0 to 1.
[[nodiscard]] double parse_share(std::string_view text, std::string_view option);

// The same for a number above 0, not infinite.
[[nodiscard]] double parse_positive(std::string_view text, std::string_view option);

} // namespace tmd::request
