// The search for the best, in a landscape that is known.
#include "tune/descent.hpp"
#include "host/engine/domains/tunables.hpp"
#include "unit/tune/made_up_device.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace tmd;
using namespace tmd::tune;

TEST_CASE("the descent finds the best of a landscape, whatever the seed") {
  const std::vector<Coordinate> space = search_space(some_gpu(), opencl::CpuMode::automatic, true);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Tunables best = descend(space, Tunables(),
                                  [](const Tunables& t, Part part, double) -> std::optional<double> {
                                    if (static_cast<Division>(t[domain_tunable("phase1.division")]) == Division::native)
                                      return std::nullopt; // as if it were wrong
                                    return ratios_of(t, Tunables())[part];
                                  },
                                  {.seed = seed});
    CHECK(difference(best, Tunables()) == best_of_all);
  }
}

TEST_CASE("the descent ends where it is when the budget does") {
  int left = 90; // those of the walk and of the wide test come first
  const Tunables best = descend(
      search_space(some_gpu(), opencl::CpuMode::automatic, true), Tunables(),
      [&](const Tunables& t, Part part, double) -> std::optional<double> {
        if (--left < 0)
          throw BudgetSpent();
        return part == Part::phase1 && static_cast<Division>(t[domain_tunable("phase1.division")]) == Division::subtract
                   ? 0.5
                   : 1;
      },
      {});
  CHECK(difference(best, Tunables()) == "phase1.division=subtract");
}
