// A value of a function: whether its argument is a hard-to-round case, and its rounding in every direction. Computed by
// MPFR and FLINT; a program that uses nothing else of the library need not link OpenCL.
#pragma once

#include "tmd/api.hpp"
#include "tmd/argument.hpp"
#include "tmd/case.hpp"
#include "tmd/direction.hpp"
#include "tmd/error.hpp"
#include "tmd/job.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tmd {

struct ValueAt {
  Argument x;
  // The hardness of the argument, even if small: x is a K-bit case if this is a hard case with more than K bits. Empty
  // if no breakpoint is near, such as beyond the largest number.
  std::optional<Case> nearest;
  // f(x) in the format by direction, as C hex floats, "inf" or "-inf"; empty if no theorem and no precision decides.
  std::array<std::string, directions.size()> rounded;

  [[nodiscard]] const std::string& in(Direction direction) const {
    return rounded.at(static_cast<std::size_t>(direction));
  }
};

// f(x) for the function, format, argument precision and rounding of the spec; its other members are ignored. x: a
// number of that format and precision, written like the bounds of JobSpec. Throws UsageError for an invalid function or
// number, and if f has no value at x.
[[nodiscard]] TMD_API ValueAt value_at(const JobSpec& spec, std::string_view x);

} // namespace tmd
