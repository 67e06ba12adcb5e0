#include "opencl/private_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <pthread.h>

namespace tmd::opencl {

std::uint64_t thread_stack() {
  constexpr std::uint64_t usual = std::uint64_t(2) << 20;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0)
    return usual;
  std::size_t bytes = 0;
  const bool is_told = ::pthread_attr_getstacksize(&attributes, &bytes) == 0;
  (void)::pthread_attr_destroy(&attributes);
  return is_told ? bytes : usual;
}

std::uint64_t work_items_on_stack(const DeviceDescription& device, std::uint64_t stack_bytes,
                                  std::uint64_t private_bytes) {
  if (!device.is_cpu)
    return std::numeric_limits<std::uint64_t>::max();
  return std::max<std::uint64_t>(stack_bytes / 2 / std::max<std::uint64_t>(private_bytes, 1), 1);
}

} // namespace tmd::opencl
