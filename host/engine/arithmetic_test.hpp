// Whether a device computes as OpenCL promises: the proofs of all tests rest on that.
#pragma once

#include "engine/launcher.hpp"

#include <string>

namespace tmd {

inline constexpr const char* arithmetic_program = "self_test/arithmetic.cl";

// Compares each operation that kernels use with the host's, on 2^16 operands (2^10 by Oclgrind): exact results where
// OpenCL asks for them, else its bounds in ulps (OpenCL 1.2, sections 7.4 and 9.3 for FP64). fp64: whether a test will
// use that, too. Returns what was wrong, or nothing. program: a file that includes self_test/arithmetic.clh, such as
// one that is built anyway, with these options. Throws DeviceError when the device fails.
[[nodiscard]] std::string arithmetic_failure(Launcher& launcher, bool fp64,
                                             const std::string& program = arithmetic_program,
                                             std::string_view options = {});

// Begins to build its program on another thread.
void build_arithmetic_ahead(Launcher& launcher, bool fp64);

// Why OpenCL does not promise for a device what the wide test's proof needs of float, or nothing.
[[nodiscard]] std::string why_no_wide_test(const opencl::DeviceDescription& device);

} // namespace tmd
