// What a journal, and a result that was made of one, tell of a device.
#pragma once

#include "tmd/integer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tmd {

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

} // namespace tmd
