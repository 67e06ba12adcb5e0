// CL/opencl.hpp, set up the one way this program uses it. Only host/opencl/*.cpp include it.
#pragma once

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <string>

namespace tmd::opencl {

// "CL_OUT_OF_RESOURCES" for −5, and so on; the number itself if it is not known.
[[nodiscard]] std::string error_name(cl_int code);

// Throws DeviceError: what was tried, the call that failed and the error's name.
[[noreturn]] void fail(const cl::Error& error, const std::string& doing);

} // namespace tmd::opencl
