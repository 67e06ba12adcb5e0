#include "device/variant.hpp"

#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd {

std::size_t find_name(std::string_view what, std::string_view wanted, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    throw UsageError(fmt::format("unknown {} '{}'; known are {}{}", what, wanted, fmt::join(names, ", "),
                                 did_you_mean(wanted, names)));
  return static_cast<std::size_t>(found - names.begin());
}

} // namespace tmd
