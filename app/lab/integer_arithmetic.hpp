// 64-bit integer arithmetic over two arrays, repeated many times on a device, scalar and in vectors: the measurement of
// seed 004, table 5.2.
#pragma once

#include "app/lab/measure.hpp"
#include "app/lab/production.hpp"
#include "opencl/compute.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// The numbers are TMD_OPERATION's in cl_kernels/bench/integer_division.cl.
enum class ArrayOperation { addition = 1, multiplication, division };
inline constexpr std::array<std::string_view, 3> array_operation_names{"addition", "multiplication", "division"};

// How the elements of two arrays are combined.
struct ArrayKernel {
  ArrayOperation operation = ArrayOperation::division;
  // Strategy of a division; the two with lengths in double take operands below 2^52.
  engine::domains::Division division = engine::domains::Division::native;
  int logms = 3;        // LOGMS of the hybrid division
  int vector_width = 1; // 1, 4, 8 or 16; 1 is scalar code
};

struct ArrayOperands {
  static constexpr std::size_t size = 1024;
  std::vector<std::uint64_t> x;
  std::vector<std::uint64_t> y; // never 0
};

// The kinds of elements. Quotients stay small enough for repeated subtraction.
enum class OperandKind {
  // x has full length; quotients are distributed as in continued fractions (Gauss–Kuzmin), below 2^16
  continued_fraction,
  any_length // lengths are uniformly distributed, quotients are below 2^20
};
inline constexpr std::array<std::string_view, 2> operand_kind_names{"continued-fraction", "any-length"};

// Random elements below 2^bits, bits ≥ 32.
[[nodiscard]] ArrayOperands make_operands(OperandKind kind, int bits, std::uint64_t seed);

class IntegerArithmetic {
public:
  IntegerArithmetic(const opencl::DeviceDescription& device, std::size_t work_group_size);

  // Runs `repetitions` over the arrays, or as many as about `patience` seconds allow; rounds are repetitions, which the
  // device's work-items share. Throws SoundnessError when the results are not the host's.
  [[nodiscard]] Measurement time(const ArrayKernel& of, const ArrayOperands& operands, std::uint64_t repetitions,
                                 double patience);

private:
  opencl::Kernel& build(const ArrayKernel& kernel);

  opencl::Compute compute_;
  std::size_t work_group_size_;
  std::map<std::string, opencl::Kernel> kernels_; // key: their build options
};

} // namespace tmd
