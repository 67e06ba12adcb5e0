#include "request/numbers.hpp"

#include "tmd/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tmd::request {

int parse_integer(std::string_view text, std::string_view option, int least, int greatest) {
  const auto value = number_of<int>(text);
  if (!value || *value < least || *value > greatest)
    throw UsageError(fmt::format("{} must be an integer from {} to {}, not '{}'", option, least, greatest, text));
  return *value;
}

double parse_share(std::string_view text, std::string_view option) {
  const auto value = number_of<double>(text);
  if (!value || !(*value >= 0 && *value <= 1))
    throw UsageError(fmt::format("{} must be a number from 0 to 1, not '{}'", option, text));
  return *value;
}

double parse_positive(std::string_view text, std::string_view option) {
  const auto value = number_of<double>(text);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    throw UsageError(fmt::format("{} must be a positive number, not '{}'", option, text));
  return *value;
}

} // namespace tmd::request
