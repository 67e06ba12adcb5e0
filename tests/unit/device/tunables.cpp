// Tunables: by name, as defaults, and within the limits of devices.
#include "host/engine/domains/tunables.hpp"
#include "host/device/tunables.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/wide/tunables.hpp"
#include "tmd/error.hpp"
#include "unit/captured_devices.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tmd::device {
using namespace tmd::captured;

namespace {

bool needs_fp64(std::int64_t division) {
  return division == static_cast<std::int64_t>(engine::domains::Division::double_lengths) ||
         division == static_cast<std::int64_t>(engine::domains::Division::double_reciprocal);
}

} // namespace

TEST_CASE("tunables are set by name, number or value's name, within their range") {
  Tunables tunables;
  for (const Tunable& tunable : engine::engine_tuning().tunables()) {
    INFO(tunable.name);
    for (const std::int64_t value : {tunable.least, tunable.greatest}) {
      const std::string text = to_string(tunable, value);
      CHECK_NOTHROW(engine::engine_tuning().set(tunables, tunable.name, text));
      CHECK(tunables[tunable] == value);
    }
    for (const std::string& bad :
         {std::to_string(tunable.least - 1), std::to_string(tunable.greatest + 1), std::string(), std::string("x"),
          std::string("3x"), std::string("3.5"), std::string(" 3"), std::string("99999999999999999999")}) {
      CHECK_THROWS_AS(engine::engine_tuning().set(tunables, tunable.name, bad), UsageError);
      CHECK(tunables[tunable] == tunable.greatest); // the value is unchanged
    }
    const Tunables defaults;
    CHECK(defaults[tunable] >= tunable.least);
    CHECK(defaults[tunable] <= tunable.greatest);
    if (!tunable.names.empty())
      CHECK(tunable.names.size() == static_cast<std::size_t>(tunable.greatest - tunable.least + 1));
  }
  engine::engine_tuning().set(tunables, "phase2.division", "double");
  CHECK(tunables[engine::domains::domain_tunable("phase2.division")] ==
        static_cast<std::int64_t>(engine::domains::Division::double_lengths));
  engine::engine_tuning().set(tunables, "phase1.logms", "17");
  CHECK(tunables[engine::domains::domain_tunable("phase1.logms")] == 17);
  CHECK(message_of([&] { engine::engine_tuning().set(tunables, "phase4.items", "1"); }).find("phase4.items") !=
        std::string::npos);
  CHECK(message_of([&] { engine::engine_tuning().set(tunables, "phase1.logms", "65"); }).find("from 0 to 64") !=
        std::string::npos);
  CHECK(message_of([&] { engine::engine_tuning().set(tunables, "phase1.division", "9"); }).find("reciprocal") !=
        std::string::npos);
}

TEST_CASE("untuned devices get tunables that they can run") {
  for (const Captured& one : all) {
    INFO(one.name);
    const DeviceDescription device = describe(one);
    const Tunables tunables = engine::engine_tuning().default_tunables(device);
    for (const Tunable& tunable : engine::engine_tuning().tunables()) {
      INFO(tunable.name);
      CHECK(tunables[tunable] >= tunable.least);
      CHECK(tunables[tunable] <= tunable.greatest);
      if (tunable.name.find("work-group-size") != std::string_view::npos)
        CHECK(static_cast<std::size_t>(tunables[tunable]) <= device.work_group_size);
    }
    for (const std::int64_t division : {tunables[engine::domains::domain_tunable("phase1.division")],
                                        tunables[engine::domains::domain_tunable("phase2.division")]}) {
      CHECK((device.has_fp64() || !needs_fp64(division)));
      // A SIMD group has a division strategy that does not diverge on a GPU.
      if (device.is_gpu)
        CHECK((division == static_cast<std::int64_t>(engine::domains::Division::reciprocal) || needs_fp64(division)));
    }
    // There are three lists of survivors, the largest with 8 bytes each, beside a batch of domains.
    const auto capacity = static_cast<std::uint64_t>(tunables[shared_tunable("survivor-capacity")]);
    CHECK(8 * capacity <= device.largest_buffer);
    CHECK(16 * capacity <= device.global_memory / 4);
    CHECK(capacity >= 1024);
  }
  // Accelerators get the defaults of CPUs.
  const Tunables phi = engine::engine_tuning().default_tunables(describe(all[0]));
  const Tunables xeon = engine::engine_tuning().default_tunables(machine({"Intel(R) Xeon(R) Platinum 8480C"}).front());
  for (const Tunable& tunable : engine::engine_tuning().tunables()) {
    INFO(tunable.name);
    CHECK(phi[tunable] == xeon[tunable]);
  }
}

TEST_CASE("tunables are brought within a device's limits, and no further") {
  Tunables wanted;
  wanted.set(engine::domains::domain_tunable("phase1.work-group-size"), 1024);
  wanted.set(shared_tunable("survivor-capacity"), std::int64_t(1) << 26);
  DeviceDescription device;
  Tunables limited = engine::engine_tuning().limited_to(device, wanted); // the driver does not give these limits
  CHECK(limited[engine::domains::domain_tunable("phase1.work-group-size")] == 1024);
  CHECK(limited[shared_tunable("survivor-capacity")] == wanted[shared_tunable("survivor-capacity")]);
  device.work_group_size = 96;
  device.global_memory = 256 * mebibyte;
  device.largest_buffer = 128 * mebibyte;
  limited = engine::engine_tuning().limited_to(device, wanted);
  CHECK(limited[engine::domains::domain_tunable("phase1.work-group-size")] == 96);
  CHECK(limited[engine::domains::domain_tunable("phase2.work-group-size")] == 96);
  CHECK(limited[engine::domains::domain_tunable("phase3.work-group-size")] == 64);
  CHECK(limited[shared_tunable("survivor-capacity")] ==
        256 * mebibyte / 4 / 44); // 44 bytes for each survivor, in a quarter of the memory
  // The wide test's sorted groups have to fit into local memory.
  device.work_group_size = 1024;
  device.local_memory = 32768;
  wanted.set(engine::wide::wide_tunable("wide.work-group-size"), 256);
  CHECK(engine::engine_tuning().limited_to(device, wanted)[engine::wide::wide_tunable("wide.work-group-size")] == 256);
  wanted.set(engine::wide::wide_tunable("wide.order"), static_cast<std::int64_t>(engine::wide::Order::by_lines));
  CHECK(engine::engine_tuning().limited_to(device, wanted)[engine::wide::wide_tunable("wide.work-group-size")] == 128);
  device.local_memory = 49152;
  CHECK(engine::engine_tuning().limited_to(device, wanted)[engine::wide::wide_tunable("wide.work-group-size")] == 256);
  device.extensions = "cl_khr_fp64";
  wanted.set(engine::domains::domain_tunable("phase1.division"),
             static_cast<std::int64_t>(engine::domains::Division::double_lengths));
  wanted.set(engine::domains::domain_tunable("phase2.division"),
             static_cast<std::int64_t>(engine::domains::Division::double_reciprocal));
  CHECK(engine::engine_tuning().limited_to(device, wanted)[engine::domains::domain_tunable("phase1.division")] ==
        wanted[engine::domains::domain_tunable("phase1.division")]);
  CHECK(engine::engine_tuning().limited_to(device, wanted)[engine::domains::domain_tunable("phase2.division")] ==
        wanted[engine::domains::domain_tunable("phase2.division")]);
  device.extensions = "";
  CHECK(engine::engine_tuning().limited_to(device, wanted)[engine::domains::domain_tunable("phase1.division")] ==
        static_cast<std::int64_t>(engine::domains::Division::reciprocal));
  CHECK(engine::engine_tuning().limited_to(device, wanted)[engine::domains::domain_tunable("phase2.division")] ==
        static_cast<std::int64_t>(engine::domains::Division::reciprocal));
  device.work_group_size = 1;
  CHECK(engine::engine_tuning().limited_to(
            device, wanted)[engine::domains::domain_tunable("polynomials.work-group-size")] == 1);
}

} // namespace tmd::device
