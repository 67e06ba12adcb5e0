// Tunables: by name, as defaults, and within the limits of devices.
#include "host/device/tunables.hpp"
#include "tmd/error.hpp"
#include "unit/captured_devices.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

using namespace tmd;
using namespace tmd::captured;

namespace {

bool needs_fp64(std::int64_t division) {
  return division == static_cast<std::int64_t>(Division::double_lengths) ||
         division == static_cast<std::int64_t>(Division::double_reciprocal);
}

} // namespace

TEST_CASE("tunables are set by name, number or value's name, within their range") {
  Tunables tunables;
  for (const Tunable& tunable : tunable_table) {
    INFO(tunable.name);
    for (const std::int64_t value : {tunable.least, tunable.greatest}) {
      const std::string text = to_string(tunable, value);
      CHECK_NOTHROW(set_tunable(tunables, tunable.name, text));
      CHECK(tunables.*tunable.value == value);
    }
    for (const std::string& bad :
         {std::to_string(tunable.least - 1), std::to_string(tunable.greatest + 1), std::string(), std::string("x"),
          std::string("3x"), std::string("3.5"), std::string(" 3"), std::string("99999999999999999999")}) {
      CHECK_THROWS_AS(set_tunable(tunables, tunable.name, bad), UsageError);
      CHECK(tunables.*tunable.value == tunable.greatest); // as it was
    }
    const Tunables defaults;
    CHECK(defaults.*tunable.value >= tunable.least);
    CHECK(defaults.*tunable.value <= tunable.greatest);
    if (!tunable.names.empty())
      CHECK(tunable.names.size() == static_cast<std::size_t>(tunable.greatest - tunable.least + 1));
  }
  set_tunable(tunables, "phase2.division", "double");
  CHECK(tunables.phase2_division == static_cast<std::int64_t>(Division::double_lengths));
  set_tunable(tunables, "phase1.logms", "17");
  CHECK(tunables.phase1_logms == 17);
  CHECK(message_of([&] { set_tunable(tunables, "phase4.items", "1"); }).find("phase4.items") != std::string::npos);
  CHECK(message_of([&] { set_tunable(tunables, "phase1.logms", "65"); }).find("from 0 to 64") != std::string::npos);
  CHECK(message_of([&] { set_tunable(tunables, "phase1.division", "9"); }).find("reciprocal") != std::string::npos);
}

TEST_CASE("untuned devices get tunables that they can run") {
  for (const Captured& one : all) {
    INFO(one.name);
    const DeviceDescription device = describe(one);
    const Tunables tunables = default_tunables(device);
    for (const Tunable& tunable : tunable_table) {
      INFO(tunable.name);
      CHECK(tunables.*tunable.value >= tunable.least);
      CHECK(tunables.*tunable.value <= tunable.greatest);
      if (tunable.name.find("work-group-size") != std::string_view::npos)
        CHECK(static_cast<std::size_t>(tunables.*tunable.value) <= device.work_group_size);
    }
    for (const std::int64_t division : {tunables.phase1_division, tunables.phase2_division}) {
      CHECK((device.has_fp64() || !needs_fp64(division)));
      // One division strategy for a SIMD group: nothing that diverges on a GPU.
      if (device.is_gpu)
        CHECK((division == static_cast<std::int64_t>(Division::reciprocal) || needs_fp64(division)));
    }
    // Three lists of survivors, the largest of 8 bytes each, beside a batch of domains.
    const auto capacity = static_cast<std::uint64_t>(tunables.survivor_capacity);
    CHECK(8 * capacity <= device.largest_buffer);
    CHECK(16 * capacity <= device.global_memory / 4);
    CHECK(capacity >= 1024);
  }
  // Accelerators are given what CPUs are.
  const Tunables phi = default_tunables(describe(all[0]));
  const Tunables xeon = default_tunables(machine({"Intel(R) Xeon(R) Platinum 8480C"}).front());
  for (const Tunable& tunable : tunable_table) {
    INFO(tunable.name);
    CHECK(phi.*tunable.value == xeon.*tunable.value);
  }
}

TEST_CASE("tunables are brought within a device's limits, and no further") {
  Tunables wanted;
  wanted.phase1_work_group_size = 1024;
  wanted.survivor_capacity = std::int64_t(1) << 26;
  DeviceDescription device;
  Tunables limited = limited_to(device, wanted); // limits that are not known
  CHECK(limited.phase1_work_group_size == 1024);
  CHECK(limited.survivor_capacity == wanted.survivor_capacity);
  device.work_group_size = 96;
  device.global_memory = 256 * mebibyte;
  device.largest_buffer = 128 * mebibyte;
  limited = limited_to(device, wanted);
  CHECK(limited.phase1_work_group_size == 96);
  CHECK(limited.phase2_work_group_size == 96);
  CHECK(limited.phase3_work_group_size == 64);
  CHECK(limited.survivor_capacity == 256 * mebibyte / 4 / 44); // 44 bytes a survivor, in a quarter of the memory
  // The wide test's sorted groups have to fit into local memory.
  device.work_group_size = 1024;
  device.local_memory = 32768;
  wanted.wide_work_group_size = 256;
  CHECK(limited_to(device, wanted).wide_work_group_size == 256);
  wanted.wide_order = static_cast<std::int64_t>(Order::by_lines);
  CHECK(limited_to(device, wanted).wide_work_group_size == 128);
  device.local_memory = 49152;
  CHECK(limited_to(device, wanted).wide_work_group_size == 256);
  device.extensions = "cl_khr_fp64";
  wanted.phase1_division = static_cast<std::int64_t>(Division::double_lengths);
  wanted.phase2_division = static_cast<std::int64_t>(Division::double_reciprocal);
  CHECK(limited_to(device, wanted).phase1_division == wanted.phase1_division);
  CHECK(limited_to(device, wanted).phase2_division == wanted.phase2_division);
  device.extensions = "";
  CHECK(limited_to(device, wanted).phase1_division == static_cast<std::int64_t>(Division::reciprocal));
  CHECK(limited_to(device, wanted).phase2_division == static_cast<std::int64_t>(Division::reciprocal));
  device.work_group_size = 1;
  CHECK(limited_to(device, wanted).polynomials_work_group_size == 1);
}
