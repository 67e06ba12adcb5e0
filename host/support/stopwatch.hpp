// Measures elapsed time.
#pragma once

#include <chrono>

namespace tmd::support {

// Wall time in seconds, by the clock that is never set.
[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace tmd::support
