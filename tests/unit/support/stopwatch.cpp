// Wall time.
#include "host/support/stopwatch.hpp"

#include <doctest/doctest.h>

namespace tmd::support {

TEST_CASE("seconds since a moment") {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  const double seconds = seconds_since(now - 90s);
  CHECK(seconds >= 90);
  CHECK(seconds < 100);
  CHECK(seconds_since(now - 1500ms) - seconds_since(now) == doctest::Approx(1.5).epsilon(0.01));
}

} // namespace tmd::support
