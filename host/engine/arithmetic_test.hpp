// Tests whether a device computes as OpenCL promises: the proofs of all tests rest on that.
#pragma once

#include "engine/launcher.hpp"

#include <string>
#include <vector>

namespace tmd::engine {

// A program that includes self_test/arithmetic.clh, such as one that is built anyway, with its options.
struct ArithmeticProgram {
  std::string file = "self_test/arithmetic.cl";
  std::vector<opencl::Macro> macros = {};
  std::string options = {};
};
// The program for the operations of FP64.
[[nodiscard]] ArithmeticProgram arithmetic_in_fp64();

// Compares each operation that kernels use with the host's, on 2^16 operands (2^10 with Oclgrind): exact results if
// OpenCL requires them, else its bounds in ulps (OpenCL 1.2, section 7.4). Returns the first error as a text, or
// nothing. Throws DeviceError if the device fails.
[[nodiscard]] std::string arithmetic_failure(Launcher& launcher, const ArithmeticProgram& program = {});
// Compares the operations of FP64 (section 9.3), for a device that has it.
[[nodiscard]] std::string fp64_failure(Launcher& launcher);

// Begins to build the program for arithmetic_failure().
void build_arithmetic_ahead(Launcher& launcher, const ArithmeticProgram& program = {});

// A sentence if OpenCL does not promise what the wide test's proof needs of this device's floats, or nothing.
[[nodiscard]] std::string why_no_wide_test(const opencl::DeviceDescription& device);

} // namespace tmd::engine
