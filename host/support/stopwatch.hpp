// How long something took.
#pragma once

#include <chrono>

namespace tmd::support {

// Wall time in seconds, of the clock that nobody sets.
[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace tmd::support
