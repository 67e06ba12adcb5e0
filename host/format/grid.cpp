#include "format/grid.hpp"

#include "tmd/error.hpp"

#include <fmt/format.h>

namespace tmd {

std::string_view to_string(Rounding rounding) {
  switch (rounding) {
  case Rounding::directed:
    return "directed";
  case Rounding::nearest:
    return "nearest";
  case Rounding::all:
    break;
  }
  return "all";
}

Rounding parse_rounding(std::string_view name) {
  for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest})
    if (name == to_string(rounding))
      return rounding;
  throw UsageError(fmt::format("unknown rounding '{}'; known are all, directed and nearest", name));
}

std::string_view to_string(Values values) { return values == Values::format ? "format" : "unbounded"; }

Values parse_values(std::string_view name) {
  for (const Values values : {Values::format, Values::unbounded})
    if (name == to_string(values))
      return values;
  throw UsageError(fmt::format("unknown values '{}'; known are format and unbounded", name));
}

std::string_view to_string(Breakpoint breakpoint) {
  return breakpoint == Breakpoint::representable ? "representable" : "midpoint";
}

} // namespace tmd
