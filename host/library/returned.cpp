// Well-known functions with two results, by name.
#include "library/returned.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tmd::library {

std::string_view to_string(Returned returned) {
  return returned == Returned::first ? "first" : returned == Returned::second ? "second" : "value";
}

Returned returned_of(std::string_view word) {
  for (const Returned one : {Returned::value, Returned::first, Returned::second})
    if (word == to_string(one))
      return one;
  throw UsageError(fmt::format("--result must be first, second or value, not '{}'", word));
}

Returned returned_by(std::string_view symbol, std::string_view function) {
  constexpr std::string_view both = "sincos";
  constexpr std::array<std::string_view, 4> types{"", "f", "l", "f16"};
  if (!symbol.starts_with(both) || std::find(types.begin(), types.end(), symbol.substr(both.size())) == types.end())
    return Returned::value;
  if (function == "sin")
    return Returned::first;
  if (function == "cos")
    return Returned::second;
  throw UsageError(fmt::format("{} returns sin and cos, not {}; choose one of them with --result", symbol, function));
}

} // namespace tmd::library
