// Runs the kernels of cl_kernels/bench/fp64_division.cl. `quotients` and `compare` are checked against the host's
// division, bit for bit; `throughput` is timed, and a sample of its sums is computed again on the host.
#include "app/lab/fp64_division.hpp"

#include "app/lab/production.hpp"
#include "tmd/error.hpp"
#include "tmd/integer.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

#include <fmt/format.h>

namespace tmd {

namespace {

// The names that the shared kernel pieces expect (cl_kernels/common/portable.clh).
using u64 = std::uint64_t;
u64 unsigned_high_half(u64 x, u64 y) { return static_cast<u64>((uint128(x) * y) >> 64); }
int leading_zeros(u64 x) { return std::countl_zero(x); }
#define PURE inline
namespace text {
// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/bench/fp64_operands.clh"
// NOLINTEND
// clang-format on
} // namespace text

// Adds quotients in the order of the kernel `throughput`.
u64 sum_on_host(u64 item, std::uint32_t rounds) {
  Fp64Operands operands{0x3ff0000000000000U + (item * 0x9e3779b97f4a7c15U >> 13),
                        0x3ff0000000000000U + (item * 0xbf58476d1ce4e5b9U >> 13)};
  u64 sum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    sum += fp64_quotient_on_host(operands);
    operands.x += 3;
    operands.y += 5;
  }
  return sum;
}

} // namespace

Fp64Operands fp64_operands(std::uint64_t seed, std::uint64_t index) {
  Fp64Operands operands{};
  text::fp64_operands(seed, index, &operands.x, &operands.y);
  return operands;
}

std::uint64_t fp64_quotient_on_host(Fp64Operands operands) {
  return std::bit_cast<u64>(std::bit_cast<double>(operands.x) / std::bit_cast<double>(operands.y));
}

bool same_fp64(std::uint64_t a, std::uint64_t b) {
  const auto is_nan = [](u64 bits) { return bits << 1 > 0xffe0000000000000U; };
  return a == b || (is_nan(a) && is_nan(b));
}

Fp64Divider::Fp64Divider(const opencl::DeviceDescription& device, std::size_t work_group_size)
    : compute_(device), work_group_size_(work_group_size), work_items_(4096 * device.compute_units) {}

opencl::Kernel& Fp64Divider::build(const char* kernel, Fp64Division division) {
  const std::pair<std::string, Fp64Division> key{kernel, division};
  if (const auto found = kernels_.find(key); found != kernels_.end())
    return found->second;
  const std::array<opencl::Macro, 1> macros{
      {{"TMD_FP64_DIVISION", static_cast<int>(division), 1, fp64_division_names.size()}}};
  return kernels_.emplace(key, compute_.kernel("bench/fp64_division.cl", kernel, macros)).first->second;
}

std::vector<std::uint64_t> Fp64Divider::quotients(Fp64Division division, std::span<const std::uint64_t> x,
                                                  std::span<const std::uint64_t> y) {
  opencl::Kernel& kernel = build("quotients", division);
  std::vector<u64> result(x.size());
  const opencl::Buffer numerators = compute_.allocate(x.size_bytes());
  const opencl::Buffer denominators = compute_.allocate(x.size_bytes());
  const opencl::Buffer target = compute_.allocate(x.size_bytes());
  compute_.write(numerators, x.data(), x.size_bytes());
  compute_.write(denominators, y.data(), x.size_bytes());
  kernel.set(numerators, denominators, static_cast<std::uint32_t>(x.size()), target);
  compute_.run(kernel, x.size(), work_group_size_);
  compute_.read(target, result.data(), x.size_bytes());
  return result;
}

double Fp64Divider::throughput(Fp64Division division, double patience, std::uint64_t wanted) {
  opencl::Kernel& kernel = build("throughput", division);
  const opencl::Buffer sums = compute_.allocate(sizeof(u64) * work_items_);
  std::uint32_t rounds = 0;
  const Measurement measured = measure(
      [&](std::uint32_t count) {
        rounds = count;
        kernel.set(work_items_, rounds, sums);
        return compute_.run(kernel, work_items_, work_group_size_);
      },
      wanted, patience);
  std::vector<u64> found(work_items_);
  compute_.read(sums, found.data(), sums.bytes());
  constexpr u64 sample = 64;
  for (u64 i = 0; i < sample; ++i) {
    const u64 item = i * (work_items_ - 1) / (sample - 1);
    if (found[item] != sum_on_host(item, rounds))
      throw SoundnessError(fmt::format("FP64 division ({}) gave other quotients on device {} ({}) than on the host",
                                       to_string(division), compute_.device().index, compute_.device().name));
  }
  return static_cast<double>(measured.rounds) * work_items_ / measured.seconds;
}

std::string Fp64Divider::describe(Fp64Division division, Fp64Operands operands) {
  const auto number = [](u64 bits) { return fmt::format("{:#018x} ({:a})", bits, std::bit_cast<double>(bits)); };
  const u64 found = quotients(division, {&operands.x, 1}, {&operands.y, 1}).front();
  return fmt::format("{} / {} gave {}, not {}", number(operands.x), number(operands.y), number(found),
                     number(fp64_quotient_on_host(operands)));
}

Fp64Divider::Errors Fp64Divider::compare_with_host(Fp64Division division, std::uint64_t count, std::uint64_t seed) {
  constexpr u64 batch = u64(1) << 20;
  Errors errors;
  std::vector<u64> x;
  std::vector<u64> y;
  for (u64 first = 0; first < count; first += batch) {
    x.clear();
    y.clear();
    for (u64 i = first; i < std::min(count, first + batch); ++i) {
      const Fp64Operands operands = fp64_operands(seed, i);
      x.push_back(operands.x);
      y.push_back(operands.y);
    }
    const std::vector<u64> found = quotients(division, x, y);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!same_fp64(found[i], fp64_quotient_on_host({x[i], y[i]})) && errors.count++ == 0)
        errors.first = first + i;
  }
  return errors;
}

double Fp64Divider::check(Fp64Division emulation, std::uint64_t count, std::uint64_t seed) {
  const auto start = std::chrono::steady_clock::now();
  Errors errors;
  if (has_built_in()) {
    constexpr u64 sample = u64(1) << 18;
    const Errors own = compare_with_host(Fp64Division::built_in, std::min(count, sample), seed);
    if (own.count != 0)
      throw DeviceError(fmt::format("the FP64 division of device {} ({}) is not IEEE's: {}", compute_.device().index,
                                    compute_.device().name,
                                    describe(Fp64Division::built_in, fp64_operands(seed, own.first))));
    errors = compare_on_device(emulation, count, seed);
  } else {
    errors = compare_with_host(emulation, count, seed);
  }
  if (errors.count != 0)
    throw SoundnessError(fmt::format("emulated FP64 division ({}) on device {} ({}) errs for {} of {} operands: {}",
                                     to_string(emulation), compute_.device().index, compute_.device().name,
                                     errors.count, count, describe(emulation, fp64_operands(seed, errors.first))));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Fp64Divider::Errors Fp64Divider::compare_on_device(Fp64Division emulation, std::uint64_t count, std::uint64_t seed) {
  constexpr std::uint32_t capacity = 64;
  constexpr u64 most = u64(1) << 31; // the counter has 32 bits
  opencl::Kernel& kernel = build("compare", emulation);
  const opencl::Buffer differing = compute_.allocate(sizeof(u64) * capacity);
  const opencl::Buffer counter = compute_.allocate(sizeof(std::uint32_t));
  engine::LaunchSizer sizer(work_items_, 0.2);
  Errors errors;
  for (u64 first = 0; first < count;) {
    const u64 pairs = std::min({count - first, sizer.items(), most});
    compute_.clear(counter);
    kernel.set(seed, first, pairs, differing, capacity, counter);
    sizer.observe(pairs, compute_.run(kernel, std::min<u64>(pairs, work_items_), work_group_size_));
    std::uint32_t found = 0;
    compute_.read(counter, &found, sizeof found);
    if (found != 0 && errors.count == 0) {
      std::vector<u64> indices(std::min(found, capacity));
      compute_.read(differing, indices.data(), sizeof(u64) * indices.size());
      errors.first = *std::min_element(indices.begin(), indices.end());
    }
    errors.count += found;
    first += pairs;
  }
  return errors;
}

} // namespace tmd
