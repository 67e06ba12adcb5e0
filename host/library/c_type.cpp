#include "library/c_type.hpp"

#include <cstddef>
#include <string_view>

namespace tmd::library {

std::string c_name(const function::Function& function, const Format& format) {
  if (!function.is_in_c)
    throw UsageError(fmt::format("C has no function {}; --symbol names the library's", function.name));
  return c_name(function.name, format);
}

std::string c_name(const std::string& name, const Format& format) {
  const std::string_view suffix = with_c_type(format, [](auto zero) -> std::string_view {
    constexpr std::size_t size = sizeof zero;
    return size == sizeof(double) ? "" : size == sizeof(float) ? "f" : size < sizeof(float) ? "f16" : "l";
  });
  return fmt::format("{}{}", name, suffix);
}

} // namespace tmd::library
