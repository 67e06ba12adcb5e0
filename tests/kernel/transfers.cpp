// Transfers from a device besides lists: rows of a buffer, and reads that a GPU puts into pinned memory.
#include "device.hpp"
#include "host/engine/kernel_layout.hpp"
#include "host/opencl/compute.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tmd::test {

namespace {

// Any event of the queue, because a later read only takes its kernel's name.
opencl::Event some_event(opencl::Compute& compute) {
  opencl::Kernel kernel = compute.kernel("self_test/arithmetic.cl", "conversions", {});
  const opencl::Buffer words = compute.allocate(1 << 10);
  kernel.set(words, words, words, engine::kernel_layout::launch_slice{}, words);
  return compute.start(kernel, 1, 1);
}

} // namespace

TEST_CASE("transfers: rows are copied from everywhere in a buffer, also from its end") {
  constexpr std::size_t row_words = 24;
  constexpr std::size_t row_bytes = row_words * sizeof(std::uint32_t);
  constexpr std::size_t rows_in_all = 60;
  opencl::Compute compute(test_device());
  std::vector<std::uint32_t> words(rows_in_all * row_words);
  std::iota(words.begin(), words.end(), 1);
  const opencl::Buffer from = compute.allocate(rows_in_all * row_bytes);
  compute.write(from, words.data(), from.bytes());
  for (const std::size_t stride : {1U, 2U, 7U, 30U, 59U})
    for (const std::size_t first : {0U, 1U, 6U, 29U, 59U})
      for (std::size_t rows = 1; first + (rows - 1) * stride < rows_in_all; ++rows) {
        constexpr std::size_t before = 2; // rows in the target that stay as they are
        const opencl::Buffer to = compute.allocate((before + rows) * row_bytes);
        std::vector<std::uint32_t> copied((before + rows) * row_words, 0);
        compute.write(to, copied.data(), to.bytes());
        compute.copy_rows_later(from, first * row_bytes, stride * row_bytes, rows, row_bytes, to, before * row_bytes);
        compute.read(to, copied.data(), to.bytes());
        std::vector<std::uint32_t> expected(before * row_words, 0);
        for (std::size_t row = 0; row < rows; ++row) {
          const auto begin = words.begin() + static_cast<std::ptrdiff_t>((first + row * stride) * row_words);
          expected.insert(expected.end(), begin, begin + row_words);
        }
        INFO(stride, ", ", first, ", ", rows);
        REQUIRE(copied == expected);
      }
}

TEST_CASE("transfers: reads on their way keep apart, more of them than there are places in pinned memory") {
  opencl::DeviceDescription device = test_device();
  device.is_gpu = true; // these have pinned memory
  opencl::Compute compute(device);
  constexpr std::size_t words = 100;
  constexpr std::size_t reads = 40;
  std::vector<std::uint32_t> values(reads * words);
  std::iota(values.begin(), values.end(), 1);
  const opencl::Buffer buffer = compute.allocate(values.size() * sizeof(std::uint32_t));
  compute.write(buffer, values.data(), buffer.bytes());
  const opencl::Event event = some_event(compute);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::vector<std::uint32_t>> read(reads, std::vector<std::uint32_t>(words));
    std::vector<opencl::Event> reading;
    for (std::size_t i = 0; i < reads; ++i)
      reading.push_back(compute.read_later(buffer, read[i].data(), words * sizeof(std::uint32_t), event,
                                           i * words * sizeof(std::uint32_t)));
    for (std::size_t i = 0; i < reads; i += 2) // a part first, then the rest once more
      (void)compute.finish(reading[i]);
    for (const opencl::Event& one : reading)
      (void)compute.finish(one);
    for (std::size_t i = 0; i < reads; ++i)
      REQUIRE(std::equal(read[i].begin(), read[i].end(), values.begin() + static_cast<std::ptrdiff_t>(i * words)));
  }
}

} // namespace tmd::test
