// Sizes of launches.
#include "host/engine/launcher.hpp"

#include <doctest/doctest.h>

namespace tmd::engine {

TEST_CASE("launch sizes approach the time they are given, four times larger at most at a step") {
  LaunchSizer sizer(1000, 0.2);
  CHECK(sizer.items() == 1000);
  sizer.observe(1000, 1e-6);
  CHECK(sizer.items() == 4000);
  sizer.observe(1000, 1e-6); // a partial launch says nothing about a whole one
  CHECK(sizer.items() == 4000);
  sizer.observe(4000, 0.1);
  CHECK(sizer.items() == 8000);
  sizer.observe(8000, 0.4);
  CHECK(sizer.items() == 4000);
  sizer.observe(4, 0.15); // it is slow: 4 items take almost all of the time
  CHECK(sizer.items() == 5);
  sizer.observe(5, 1000);
  CHECK(sizer.items() == 1); // but never 0
  sizer.observe(0, 1000);
  CHECK(sizer.items() == 1);
  for (int i = 0; i < 20; ++i)
    sizer.observe(sizer.items(), 1e-3 * static_cast<double>(sizer.items()));
  CHECK(sizer.items() == 200);
}

TEST_CASE("launch sizes do not shrink for the time that other queues have taken") {
  LaunchSizer sizer(100000, 0.2);
  sizer.observe(100000, 0.4, 2); // exactly the time of two launches
  CHECK(sizer.items() == 100000);
  sizer.observe(10, 0.39, 2); // a few items behind a long launch of the other queue
  CHECK(sizer.items() == 100000);
  sizer.observe(100000, 0.8, 2); // too long for any share of the time
  CHECK(sizer.items() == 50000);
  sizer.observe(50000, 0.2, 2);
  CHECK(sizer.items() == 100000);
  sizer.observe(100000, 0.4); // the launch runs alone
  CHECK(sizer.items() == 50000);
  sizer.observe(10, 0.1);
  CHECK(sizer.items() == 20);
  for (int i = 0; i < 20; ++i) // a size that was too small grows again, whatever the other queues do
    sizer.observe(sizer.items(), 0.2, 2);
  CHECK(sizer.items() > 100000);
}

} // namespace tmd::engine
