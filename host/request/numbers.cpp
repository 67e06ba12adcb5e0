#include "request/numbers.hpp"

#include "tmd/error.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace tmd {

namespace {

// Nothing unless the text is that number and nothing else.
template <typename Number> std::optional<Number> whole_number(std::string_view text) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

} // namespace

int parse_integer(std::string_view text, std::string_view option, int least, int greatest) {
  const auto value = whole_number<int>(text);
  if (!value || *value < least || *value > greatest)
    throw UsageError(fmt::format("{} must be an integer from {} to {}, not '{}'", option, least, greatest, text));
  return *value;
}

double parse_share(std::string_view text, std::string_view option) {
  const auto value = whole_number<double>(text);
  if (!value || !(*value >= 0 && *value <= 1))
    throw UsageError(fmt::format("{} must be a number from 0 to 1, not '{}'", option, text));
  return *value;
}

} // namespace tmd
