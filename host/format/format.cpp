#include "tmd/format.hpp"

#include "support/text.hpp"
#include "tmd/error.hpp"

#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tmd {

Format find_format(std::string_view name) {
  static const std::array<Format, 5> formats{{{"binary16", 11, -14, 15},
                                              {"bfloat16", 8, -126, 127},
                                              {"binary32", 24, -126, 127},
                                              {"binary64", 53, -1022, 1023},
                                              {"binary80", 64, -16382, 16383}}};
  for (const Format& format : formats)
    if (format.name == name)
      return format;
  if (name.size() >= 2 && name.front() == 'p') {
    int precision = 0;
    const char* last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + 1, last, precision);
    if (error == std::errc() && end == last && precision >= 2 && precision <= max_precision)
      return {std::string(name), precision, -1022, 1023};
  }
  std::vector<std::string_view> names;
  names.reserve(formats.size());
  for (const Format& format : formats)
    names.emplace_back(format.name);
  throw UsageError(fmt::format("unknown format '{}'; known are binary16, bfloat16, binary32, binary64, binary80 and "
                               "p2 … p64 (that many bits, exponents of binary64){}",
                               name, support::did_you_mean(name, names)));
}

} // namespace tmd
