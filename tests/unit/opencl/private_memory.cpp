// Limits for a work-group's private memory on the stack of a CPU's threads.
#include "host/opencl/private_memory.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>

#include <pthread.h>

namespace tmd::opencl {
using namespace tmd::opencl;

namespace {

constexpr std::uint64_t kibibyte = 1024;

DeviceDescription a_cpu() {
  DeviceDescription device;
  device.set_type(false, true, false);
  return device;
}

} // namespace

TEST_CASE("private memory: work-groups take half of a stack at most, and of a GPU as many work-items as it likes") {
  for (const std::uint64_t stack : {64 * kibibyte, 512 * kibibyte, 2048 * kibibyte, 8192 * kibibyte})
    for (const std::uint64_t bytes : {std::uint64_t(1), std::uint64_t(2164), 9 * kibibyte, most_private_bytes}) {
      const std::uint64_t items = work_items_on_stack(a_cpu(), stack, bytes);
      CHECK(items * bytes <= stack / 2);
      CHECK((items + 1) * bytes > stack / 2);
    }
  CHECK(work_items_on_stack(a_cpu(), kibibyte) == 1); // none has room: a work-group has at least one work-item
  CHECK(work_items_on_stack(a_cpu(), 8192 * kibibyte, 0) > 1024);
  DeviceDescription gpu;
  gpu.set_type(true, false, false);
  CHECK(work_items_on_stack(gpu, kibibyte) > 1024);
}

TEST_CASE("private memory: the stack is that of threads that are started") {
  std::uint64_t bytes = 0;
  std::thread([&] {
    pthread_attr_t attributes;
    REQUIRE(::pthread_getattr_np(::pthread_self(), &attributes) == 0);
    std::size_t size = 0;
    CHECK(::pthread_attr_getstacksize(&attributes, &size) == 0);
    (void)::pthread_attr_destroy(&attributes);
    bytes = size;
  }).join();
  CHECK(bytes == thread_stack());
}

} // namespace tmd::opencl
