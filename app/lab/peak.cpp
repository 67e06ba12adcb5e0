#include "app/lab/peak.hpp"

#include "app/lab/measure.hpp"
#include "app/lab/production.hpp"

#include <algorithm>
#include <cstdint>

namespace tmd {

double peak_operations(const opencl::DeviceDescription& device, int vector_bits) {
  constexpr double chains = 10; // value of TMD_PEAK_CHAINS
  constexpr std::uint64_t wanted = std::uint64_t(1) << 16;
  constexpr std::size_t work_group_size = 64;
  constexpr double patience = 0.2; // seconds that the measurement takes
  const std::uint32_t count = std::uint32_t(1) << (device.is_gpu ? 20 : 14);
  const std::int64_t width = std::int64_t(1) << vector_bits;
  engine::Launcher launcher(device, 1);
  opencl::Kernel& kernel = launcher.build("bench", "bench/peak.cl", "peak", {{"TMD_VECTOR_WIDTH", width, 1, 16}});
  const opencl::Buffer made = launcher.compute().allocate(sizeof(float) * count);
  const Measurement measured = measure(
      [&](std::uint32_t rounds) {
        auto launch = launcher.start({kernel}, "bench", count, work_group_size, 0.5F, 1.0F, rounds, made);
        (void)launch.finish();
        return launch.seconds();
      },
      wanted, patience);
  return chains * static_cast<double>(width) * count * static_cast<double>(measured.rounds) /
         std::max(measured.seconds, 1e-9);
}

} // namespace tmd
