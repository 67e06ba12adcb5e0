// What a journal, and a result that was made of one, tell of a device; and how journals number the devices they name.
#pragma once

#include "opencl/device.hpp"
#include "result/record.hpp"
#include "tmd/integer.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tmd::result {

// A device that parts were searched on, in one run or several.
struct JournalDevice {
  std::string name;
  std::string platform;
  std::string driver;
  std::size_t index = 0; // in `tmd devices`
  std::string class_name;
  std::string host;     // empty where the search was on one machine
  std::string uuid;     // of one with a host, where it tells
  bool revoked = false; // it was faulty: what it had searched until then does not count

  // What counts.
  uint128 arguments = 0;
  std::uint64_t cases = 0;
  double seconds = 0; // that its parts took
};

// The numbers of a run's devices. Those that the journal has not named yet are added to `named`, and append() takes a
// record for each.
[[nodiscard]] std::vector<std::size_t> number_devices(const std::vector<opencl::DeviceDescription>& devices,
                                                      std::vector<JournalDevice>& named,
                                                      const std::function<void(const Json&)>& append);
// Adds the device that such a record names. Throws UsageError where it is not the next one.
void read_device(const Json& record, std::vector<JournalDevice>& named);
// The number of the device of a record. Throws UsageError where no record before it names that device.
[[nodiscard]] std::size_t device_number(const Json& record, const std::vector<JournalDevice>& named);

} // namespace tmd::result
