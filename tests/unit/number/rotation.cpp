// Steps around a circle, compared with taking them one by one.
#include "host/number/rotation.hpp"

#include "host/number/random.hpp"

#include <doctest/doctest.h>

namespace tmd::number {

TEST_CASE("the first step into an arc") {
  Random random(1);
  std::size_t wrong = 0;
  std::size_t found = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t start = random.next();
    std::uint64_t step = random.next() >> random.below(64);
    if (i % 3 == 0)
      step = -step;
    if (i % 7 == 0) // it returns to the same places
      step = random.below(8) << 61;
    const std::uint64_t width = random.next() >> random.below(64);
    const std::uint64_t most = random.below(500);
    std::optional<std::uint64_t> first;
    for (std::uint64_t t = 0; t <= most && !first; ++t)
      if (start + t * step <= width)
        first = t;
    found += first.has_value() ? 1 : 0;
    wrong += first_within(start, step, width, most) == first ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(found > 500);
}

} // namespace tmd::number
