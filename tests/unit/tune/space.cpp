// The search space of tuning, and its settings.
#include "tune/space.hpp"

#include "host/opencl/private_memory.hpp"

#include <doctest/doctest.h>

#include "unit/tune/made_up_device.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace tmd::tune {

TEST_CASE("the search space: known tunables, values in their range, within the device's limits") {
  const std::vector<Coordinate> space = search_space(some_gpu(), CpuMode::automatic, true);
  std::set<std::string> seen;
  for (const Coordinate& coordinate : space) {
    REQUIRE(!coordinate.settings.empty());
    for (const std::string& tunable : coordinate.tunables)
      CHECK_MESSAGE(seen.insert(tunable).second, tunable << " is in two coordinates");
    for (const device::Setting& setting : coordinate.settings) {
      device::Tunables tunables;
      for (const auto& [name, value] : with({}, coordinate, setting, built_in()))
        CHECK_NOTHROW(engine::engine_tuning().set(tunables, name, value));
      for (const auto& [name, value] : setting) {
        CHECK(std::find(coordinate.tunables.begin(), coordinate.tunables.end(), name) != coordinate.tunables.end());
        if (name.ends_with("work-group-size"))
          CHECK(std::stoi(value) <= 256);
      }
    }
  }
  // The settings that the program promises to try.
  for (const char* name : {"phase1.work-group-size",
                           "phase1.items",
                           "phase1.division",
                           "phase1.logms",
                           "phase2.work-group-size",
                           "phase2.items",
                           "phase2.division",
                           "phase2.logms",
                           "phase3.work-group-size",
                           "polynomials.packet-bits",
                           "compaction",
                           "scan-percent",
                           "plan.domain-bits-offset",
                           "plan.split-bits-offset",
                           "batch-domains",
                           "launch-milliseconds",
                           "wide.work-group-size",
                           "wide.items",
                           "wide.vector-width",
                           "wide.order",
                           "wide.group-bits-offset",
                           "wide.denominator-percent",
                           "phase.width-percent",
                           "phase.work-group-size",
                           "phase.chunk-bits",
                           "phase.segment-bits"})
    CHECK_MESSAGE(seen.count(name) == 1, name);
  for (const Coordinate& coordinate : search_space(some_gpu(), CpuMode::automatic, false))
    CHECK(coordinate.part != Part::polynomials);
}

TEST_CASE("the search space: of a CPU no work-group that has no room on a thread's stack") {
  opencl::DeviceDescription cpu;
  cpu.set_type(false, true, false);
  cpu.work_group_size = 4096;
  const std::uint64_t most = opencl::work_items_on_stack(cpu, opencl::thread_stack());
  std::uint64_t largest = 0;
  for (const Coordinate& coordinate : search_space(cpu, CpuMode::automatic, true))
    for (const device::Setting& setting : coordinate.settings)
      for (const auto& [name, value] : setting)
        if (name.ends_with("work-group-size"))
          largest = std::max<std::uint64_t>(largest, std::stoull(value));
  CHECK(largest <= most);
  CHECK(2 * largest >= std::min<std::uint64_t>(most, 1024)); // and at least as many as required
}

TEST_CASE("a setting puts the other tunables of its coordinate back") {
  const Coordinate coordinate{
      Part::phase1,
      {"phase1.division", "phase1.logms"},
      {{{"phase1.division", "hybrid"}, {"phase1.logms", "7"}}, {{"phase1.division", "native"}}}};
  Settings settings{{"phase1.items", "9"}};
  settings = with(settings, coordinate, coordinate.settings[0], built_in());
  CHECK(to_string(settings) == "phase1.items=9 phase1.logms=7");
  settings = with(settings, coordinate, coordinate.settings[1], built_in());
  CHECK(to_string(settings) == "phase1.division=native phase1.items=9");
}

} // namespace tmd::tune
