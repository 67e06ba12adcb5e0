// FP64 division on a device, its own and emulated in integers (seed 001): throughput, and the emulation's quotients bit
// for bit.
#pragma once

#include "app/lab/measure.hpp"
#include "opencl/compute.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd {

// The numbers are TMD_FP64_DIVISION's in cl_kernels/bench/fp64_division.cl.
enum class Fp64Division { built_in = 1, newton, halley };
inline constexpr std::array<std::string_view, 3> fp64_division_names{"built-in", "newton", "halley"};

[[nodiscard]] constexpr std::string_view to_string(Fp64Division division) {
  return fp64_division_names[static_cast<unsigned>(division) - 1];
}

struct Fp64Operands {
  std::uint64_t x;
  std::uint64_t y;
};

// Pair `index` of the operands that check a division, as bit patterns; most of them are hard.
[[nodiscard]] Fp64Operands fp64_operands(std::uint64_t seed, std::uint64_t index);

// The host's quotient, as bit patterns.
[[nodiscard]] std::uint64_t fp64_quotient_on_host(Fp64Operands operands);

// Whether two results of a division are the same; all NaNs count as the same.
[[nodiscard]] bool same_fp64(std::uint64_t a, std::uint64_t b);

class Fp64Divider {
public:
  Fp64Divider(const opencl::DeviceDescription& device, std::size_t work_group_size);

  // Whether the device divides FP64 numbers itself, as IEEE 754 prescribes.
  [[nodiscard]] bool has_built_in() const { return compute_.device().fp64_is_ieee; }

  // Quotients of two arrays of the same size, as bit patterns.
  [[nodiscard]] std::vector<std::uint64_t> quotients(Fp64Division division, std::span<const std::uint64_t> x,
                                                     std::span<const std::uint64_t> y);

  // Divisions per second, measured for about `patience` seconds or `wanted` rounds, of numbers in [1, 2). Throws
  // SoundnessError when the quotients are not the host's.
  [[nodiscard]] double throughput(Fp64Division division, double patience, std::uint64_t wanted = ~std::uint64_t(0));

  // Compares emulated quotients of the first `count` pairs of fp64_operands() with the built-in ones on the device,
  // after a sample of those with the host's; where there are none, all with the host's. Returns the seconds it took.
  // Throws SoundnessError, naming operands, when the emulation errs, and DeviceError when the built-in division does.
  double check(Fp64Division emulation, std::uint64_t count, std::uint64_t seed);

private:
  opencl::Kernel& build(const char* kernel, Fp64Division division);
  // The pairs among the first `count` whose quotients differ from the built-in ones or the host's.
  struct Errors {
    std::uint64_t count = 0;
    std::uint64_t first = 0; // index of one of them
  };
  [[nodiscard]] Errors compare_on_device(Fp64Division emulation, std::uint64_t count, std::uint64_t seed);
  [[nodiscard]] Errors compare_with_host(Fp64Division division, std::uint64_t count, std::uint64_t seed);
  // The text "x / y = …, not …" for a pair.
  [[nodiscard]] std::string describe(Fp64Division division, Fp64Operands operands);

  opencl::Compute compute_;
  std::size_t work_group_size_;
  std::uint32_t work_items_; // enough to keep the device busy
  std::map<std::pair<std::string, Fp64Division>, opencl::Kernel> kernels_;
};

} // namespace tmd
