#include "device/tunables.hpp"

#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::device {

void limit(Tunables& tunables, const Tunable& tunable, std::uint64_t most) {
  if (most != 0)
    tunables.set(tunable,
                 std::min(tunables[tunable], static_cast<std::int64_t>(std::min(most, std::uint64_t(1) << 62))));
}

std::int64_t parse_value(const Tunable& tunable, std::string_view text) {
  if (!tunable.names.empty())
    return tunable.least + static_cast<std::int64_t>(find_name(tunable.name, text, tunable.names));
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < tunable.least || number > tunable.greatest)
    throw UsageError(fmt::format("tunable {} must be an integer from {} to {}, not '{}'", tunable.name, tunable.least,
                                 tunable.greatest, text));
  return number;
}

std::string to_string(const Tunable& tunable, std::int64_t value) {
  return tunable.names.empty() ? std::to_string(value)
                               : std::string(tunable.names[static_cast<std::size_t>(value - tunable.least)]);
}

std::size_t find_name(std::string_view what, std::string_view wanted, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    throw UsageError(fmt::format("unknown {} '{}'; known are {}{}", what, wanted, fmt::join(names, ", "),
                                 support::did_you_mean(wanted, names)));
  return static_cast<std::size_t>(found - names.begin());
}

} // namespace tmd::device
