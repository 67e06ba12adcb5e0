// Whether a device computes as OpenCL promises: the proofs of all tests rest on that.
#pragma once

#include "engine/launcher.hpp"

#include <string>
#include <vector>

namespace tmd::engine {

// A file that includes self_test/arithmetic.clh, such as one that is built anyway, and how it is built.
struct ArithmeticProgram {
  std::string file = "self_test/arithmetic.cl";
  std::vector<opencl::Macro> macros = {};
  std::string options = {};
};
// With the operations of FP64.
[[nodiscard]] ArithmeticProgram arithmetic_in_fp64();

// Compares each operation that kernels use with the host's, on 2^16 operands (2^10 by Oclgrind): exact results where
// OpenCL asks for them, else its bounds in ulps (OpenCL 1.2, section 7.4). Returns what was wrong, or nothing. Throws
// DeviceError when the device fails.
[[nodiscard]] std::string arithmetic_failure(Launcher& launcher, const ArithmeticProgram& program = {});
// The same of FP64's (section 9.3), for a device that has it.
[[nodiscard]] std::string fp64_failure(Launcher& launcher);

// Begins to build the program of the first.
void build_arithmetic_ahead(Launcher& launcher, const ArithmeticProgram& program = {});

// Why OpenCL does not promise for a device what the wide test's proof needs of float, or nothing.
[[nodiscard]] std::string why_no_wide_test(const opencl::DeviceDescription& device);

} // namespace tmd::engine
