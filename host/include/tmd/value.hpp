// One value of a function: whether its argument is a hard-to-round case, and what every rounding makes of it. Computed
// by MPFR and FLINT; a program that uses nothing else of the library need not link OpenCL.
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
  // How near f(x) is to a breakpoint, in bits, however far that is: x is a K-bit case if this is a hard one with more
  // than K bits. Empty where no breakpoint is near, as beyond the largest number.
  std::optional<Case> nearest;
  // f(x) in the format by direction, as C hex floats, "inf" or "-inf"; empty where no theorem and no precision decides.
  std::array<std::string, directions.size()> rounded;

  [[nodiscard]] const std::string& in(Direction direction) const {
    return rounded.at(static_cast<std::size_t>(direction));
  }
};

// f(x) for the function, format, argument precision and rounding of the spec; its other members say nothing here. x: a
// number of that format and precision, written as JobSpec has bounds. Throws UsageError for a function or a number that
// is none, and where f has no value at x.
[[nodiscard]] TMD_API ValueAt value_at(const JobSpec& spec, std::string_view x);

} // namespace tmd
