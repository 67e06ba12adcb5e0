#include "library/promise.hpp"

#include "request/numbers.hpp"
#include "tmd/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tmd::library {

Promise::Promise(std::string_view text) : text_(text) {
  if (text == "correct")
    return;
  ulps_ = request::number_of<double>(text);
  if (!ulps_ || !(*ulps_ >= 0.5) || std::isinf(*ulps_))
    throw UsageError(fmt::format("--promise must be 'correct' or a number of ulps from 0.5 on, not '{}'", text));
}

bool Promise::allows(double error, Direction direction) const {
  return ulps_ && std::fabs(error) <= *ulps_ + (direction == Direction::nearest ? 0 : 0.5);
}

} // namespace tmd::library
