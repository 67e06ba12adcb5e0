// A kernel goes over the arrays in passes of some rounds and adds up its results. The expected sum of each element
// follows from running sums that the host makes; it is compared after each run.
#include "app/lab/integer_arithmetic.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

namespace tmd {

namespace {

// These numbers must equal those in cl_kernels/bench/integer_division.cl.
constexpr std::uint32_t step_between_passes = 37;

std::uint64_t result_of(ArrayOperation operation, std::uint64_t x, std::uint64_t y) {
  switch (operation) {
  case ArrayOperation::addition:
    return x + y;
  case ArrayOperation::multiplication:
    return x * y;
  case ArrayOperation::division:
    break;
  }
  return x / y;
}

// Sums of the first 0, 1, 2, … results of the arrays three times over.
std::vector<std::uint64_t> running_sums(ArrayOperation operation, const ArrayOperands& operands) {
  std::vector<std::uint64_t> sums{0};
  for (std::size_t i = 0; i < 3 * ArrayOperands::size; ++i)
    sums.push_back(sums.back() +
                   result_of(operation, operands.x[i % ArrayOperands::size], operands.y[i % ArrayOperands::size]));
  return sums;
}

// The sum that the kernel `repeat` leaves for each element.
std::vector<std::uint64_t> expected_sums(const std::vector<std::uint64_t>& running, std::uint32_t passes,
                                         std::uint32_t repetitions) {
  std::vector<std::uint64_t> sums(ArrayOperands::size);
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    const std::uint32_t steps = pass * step_between_passes;
    for (std::size_t element = 0; element < sums.size(); ++element) {
      const std::size_t begin = element + steps % ArrayOperands::size;
      sums[element] += running[begin + repetitions] - running[begin];
    }
  }
  return sums;
}

// The operands three times over, as the kernel reads them.
template <typename Number> std::vector<Number> three_times(const std::vector<std::uint64_t>& array) {
  std::vector<Number> result;
  for (int time = 0; time < 3; ++time)
    for (const std::uint64_t element : array)
      result.push_back(static_cast<Number>(element));
  return result;
}

} // namespace

ArrayOperands make_operands(OperandKind kind, int bits, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto of_length = [&](int length) { return (random() | std::uint64_t(1) << 63) >> (64 - length); };
  const auto any_length = [&] { return of_length(1 + static_cast<int>(random() % static_cast<unsigned>(bits))); };
  ArrayOperands operands;
  while (operands.x.size() < ArrayOperands::size) {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    if (kind == OperandKind::continued_fraction) {
      // Gauss's measure has y/x = 2^u − 1 for a uniform u.
      const double u = static_cast<double>(random() >> 11) * 0x1p-53;
      x = of_length(bits);
      y = static_cast<std::uint64_t>(std::max(std::exp2(u) - 1, 0x1.001p-16) * static_cast<double>(x));
      y = std::min(y, x);
    } else {
      x = any_length();
      y = any_length();
      if (x / y >> 20 != 0)
        continue;
    }
    operands.x.push_back(x);
    operands.y.push_back(y);
  }
  return operands;
}

IntegerArithmetic::IntegerArithmetic(const opencl::DeviceDescription& device, std::size_t work_group_size)
    : compute_(device), work_group_size_(work_group_size) {}

opencl::Kernel& IntegerArithmetic::build(const ArrayKernel& kernel) {
  const std::array<opencl::Macro, 5> macros{
      {{"TMD_OPERATION", static_cast<int>(kernel.operation), 1, array_operation_names.size()},
       {"TMD_ELEMENTS", kernel.vector_width, 1, 16},
       {"TMD_ARRAY_SIZE", ArrayOperands::size, 16, 1 << 20},
       {"TMD_DIVISION", static_cast<int>(kernel.division), 1, engine::domains::division_names.size()},
       {"TMD_LOGMS", kernel.logms, 0, 64}}};
  const std::string key = opencl::build_options(macros);
  if (const auto found = kernels_.find(key); found != kernels_.end())
    return found->second;
  return kernels_.emplace(key, compute_.kernel("bench/integer_division.cl", "repeat", macros)).first->second;
}

Measurement IntegerArithmetic::time(const ArrayKernel& of, const ArrayOperands& operands, std::uint64_t repetitions,
                                    double patience) {
  constexpr std::uint32_t size = ArrayOperands::size;
  constexpr std::size_t bytes = 3 * sizeof(std::uint64_t) * size;
  opencl::Kernel& kernel = build(of);
  static_assert(sizeof(std::uint64_t) == sizeof(double));
  const opencl::Buffer x = compute_.allocate(bytes);
  const opencl::Buffer y = compute_.allocate(bytes);
  const auto upload = [&](const opencl::Buffer& to, const std::vector<std::uint64_t>& array) {
    if (engine::domains::length_bits(of.division) < 64)
      compute_.write(to, three_times<double>(array).data(), to.bytes());
    else
      compute_.write(to, three_times<std::uint64_t>(array).data(), to.bytes());
  };
  upload(x, operands.x);
  upload(y, operands.y);
  // Makes several work-items for each element, so that the device is busy; they share the repetitions.
  const std::uint64_t most_copies = std::uint64_t(compute_.device().is_gpu ? 16 : 4) * compute_.device().compute_units;
  const auto copies = static_cast<std::uint32_t>(std::min(most_copies, repetitions));
  const std::uint32_t elements = copies * size;
  const opencl::Buffer sums = compute_.allocate(sizeof(std::uint64_t) * elements);
  const std::vector<std::uint64_t> running = running_sums(of.operation, operands);

  const auto run = [&](std::uint32_t passes, std::uint32_t rounds) {
    kernel.set(x, y, elements, passes, rounds, sums);
    const double seconds = compute_.run(kernel, elements / static_cast<unsigned>(of.vector_width), work_group_size_);
    std::vector<std::uint64_t> found(elements);
    compute_.read(sums, found.data(), sums.bytes());
    const std::vector<std::uint64_t> expected = expected_sums(running, passes, rounds);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != expected[i % size])
        throw SoundnessError(fmt::format("{} of 64-bit integers ({}, vectors of {}) went wrong on device {} ({}), "
                                         "operands {} and {} or those after them",
                                         array_operation_names[static_cast<unsigned>(of.operation) - 1],
                                         engine::domains::to_string(of.division), of.vector_width,
                                         compute_.device().index, compute_.device().name, operands.x[i % size],
                                         operands.y[i % size]));
    return seconds;
  };
  // More repetitions than an array has elements are rounded up to whole passes.
  const Measurement measured = measure(
      [&](std::uint32_t rounds) {
        const std::uint32_t passes = (rounds + size - 1) / size;
        return run(passes, passes == 1 ? rounds : size) * rounds / (passes == 1 ? rounds : passes * size);
      },
      (repetitions + copies - 1) / copies, patience);
  return {measured.rounds * copies, measured.seconds};
}

} // namespace tmd
