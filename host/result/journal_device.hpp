// The devices in a journal, or in a result made from one, and how journals number them.
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

// A device that searched parts, in one run or several.
struct JournalDevice {
  std::string name;
  std::string platform;
  std::string driver;
  std::size_t index = 0; // in `tmd devices`
  std::string class_name;
  std::string host;     // empty if the search was on one machine
  std::string uuid;     // of a device with a host, if known
  bool revoked = false; // whether it was faulty: what it had searched until then does not count

  // The work that counts.
  uint128 arguments = 0;
  std::uint64_t cases = 0;
  double seconds = 0; // time of its parts
};

// The numbers of a run's devices. Devices new to the journal are added to `named`, and append() gets a record for each.
[[nodiscard]] std::vector<std::size_t> number_devices(const std::vector<opencl::DeviceDescription>& devices,
                                                      std::vector<JournalDevice>& named,
                                                      const std::function<void(const Json&)>& append);
// Adds the device of such a record. Throws UsageError if its number is not the next one.
void read_device(const Json& record, std::vector<JournalDevice>& named);
// The number of the device in a record. Throws UsageError if no earlier record names it.
[[nodiscard]] std::size_t device_number(const Json& record, const std::vector<JournalDevice>& named);

} // namespace tmd::result
