// Costs by name, and those of devices that have not been measured.
#include "host/device/costs.hpp"
#include "host/device/tunables.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/registry.hpp"
#include "tmd/error.hpp"
#include "unit/captured_devices.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <string_view>

namespace tmd::device {

TEST_CASE("costs: every one has a name of its own, and is set by it alone") {
  std::set<std::string_view> names;
  for (const Cost& cost : engine::engine_tuning().costs()) {
    INFO(cost.name);
    CHECK(names.insert(cost.name).second);
    Costs costs;
    engine::engine_tuning().set(costs, cost.name, 1234.5);
    CHECK(costs[cost] == 1234.5);
    for (const Cost& other : engine::engine_tuning().costs())
      if (other.name != cost.name)
        CHECK(costs[other] == Costs()[other]);
  }
}

TEST_CASE("costs: what is no positive number is refused, and so are unknown names") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Cost& cost : engine::engine_tuning().costs())
    for (const double bad : {0.0, -0.0, -1.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
      Costs costs;
      try {
        engine::engine_tuning().set(costs, cost.name, bad);
        FAIL("a bad cost was taken");
      } catch (const UsageError& error) {
        CHECK(std::string(error.what()).find("cost " + std::string(cost.name)) == 0);
      }
      CHECK(costs == Costs()); // the value is unchanged
    }
  for (const char* name : {"", "Polynomial", "polynomial ", "wide", "wide_group"}) {
    Costs costs;
    CHECK_THROWS_AS(engine::engine_tuning().set(costs, name, 1), UsageError);
    CHECK(costs == Costs());
  }
}

TEST_CASE("costs: those of untuned devices are positive, and a GPU's host is dear") {
  for (const captured::Captured& one : captured::all) {
    INFO(one.name);
    const opencl::DeviceDescription device = captured::describe(one);
    const Costs costs = engine::engine_tuning().default_costs(device, engine::engine_tuning().default_tunables(device));
    for (const Cost& cost : engine::engine_tuning().costs())
      CHECK((std::isfinite(costs[cost]) && costs[cost] > 0));
    CHECK((!device.is_gpu || costs[engine::domains::domain_cost("polynomial-by-host")] >
                                 costs[engine::domains::domain_cost("polynomial")]));
  }
}

} // namespace tmd::device
