#include "result/run_description.hpp"

#include <fmt/format.h>

namespace tmd::result {

std::string DeviceUse::place() const {
  return rank ? fmt::format("device {} of {} (rank {})", device.index, device.host, *rank)
              : fmt::format("device {}", device.index);
}

} // namespace tmd::result
