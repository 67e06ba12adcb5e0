// Costs by name, and those of devices that nobody has measured.
#include "host/device/costs.hpp"
#include "host/device/tunables.hpp"
#include "tmd/error.hpp"
#include "unit/captured_devices.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <string_view>

using namespace tmd;

TEST_CASE("costs: every one has a name of its own, and is set by it alone") {
  std::set<std::string_view> names;
  for (const Cost& cost : cost_table) {
    INFO(cost.name);
    CHECK(names.insert(cost.name).second);
    Costs costs;
    set_cost(costs, cost.name, 1234.5);
    CHECK(costs.*cost.value == 1234.5);
    for (const Cost& other : cost_table)
      if (other.value != cost.value)
        CHECK(costs.*other.value == Costs().*other.value);
  }
  CHECK(sizeof(Costs) == cost_table.size() * sizeof(double)); // none is left out of the table
}

TEST_CASE("costs: what is no positive number is refused, and so are unknown names") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Cost& cost : cost_table)
    for (const double bad : {0.0, -0.0, -1.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
      Costs costs;
      try {
        set_cost(costs, cost.name, bad);
        FAIL("a bad cost was taken");
      } catch (const UsageError& error) {
        CHECK(std::string(error.what()).find("cost " + std::string(cost.name)) == 0);
      }
      CHECK(costs == Costs()); // as they were
    }
  for (const char* name : {"", "Polynomial", "polynomial ", "wide", "wide_group"}) {
    Costs costs;
    CHECK_THROWS_AS(set_cost(costs, name, 1), UsageError);
    CHECK(costs == Costs());
  }
}

TEST_CASE("costs: those of untuned devices are positive, and a GPU's host is dear") {
  for (const captured::Captured& one : captured::all) {
    INFO(one.name);
    const opencl::DeviceDescription device = captured::describe(one);
    const Costs costs = default_costs(device, default_tunables(device));
    for (const Cost& cost : cost_table)
      CHECK((std::isfinite(costs.*cost.value) && costs.*cost.value > 0));
    CHECK((!device.is_gpu || costs.polynomial_by_host > costs.polynomial));
  }
}
