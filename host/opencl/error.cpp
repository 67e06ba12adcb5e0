#include "opencl/cl.hpp"

#include "tmd/error.hpp"

#include <fmt/format.h>

namespace tmd::opencl {

std::string error_name(cl_int code) {
  switch (code) {
#define TMD_CASE(name)                                                                                                 \
  case name:                                                                                                           \
    return #name
    TMD_CASE(CL_DEVICE_NOT_FOUND);
    TMD_CASE(CL_DEVICE_NOT_AVAILABLE);
    TMD_CASE(CL_COMPILER_NOT_AVAILABLE);
    TMD_CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    TMD_CASE(CL_OUT_OF_RESOURCES);
    TMD_CASE(CL_OUT_OF_HOST_MEMORY);
    TMD_CASE(CL_PROFILING_INFO_NOT_AVAILABLE);
    TMD_CASE(CL_BUILD_PROGRAM_FAILURE);
    TMD_CASE(CL_MAP_FAILURE);
    TMD_CASE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    TMD_CASE(CL_COMPILE_PROGRAM_FAILURE);
    TMD_CASE(CL_LINKER_NOT_AVAILABLE);
    TMD_CASE(CL_LINK_PROGRAM_FAILURE);
    TMD_CASE(CL_INVALID_VALUE);
    TMD_CASE(CL_INVALID_DEVICE_TYPE);
    TMD_CASE(CL_INVALID_PLATFORM);
    TMD_CASE(CL_INVALID_DEVICE);
    TMD_CASE(CL_INVALID_CONTEXT);
    TMD_CASE(CL_INVALID_QUEUE_PROPERTIES);
    TMD_CASE(CL_INVALID_COMMAND_QUEUE);
    TMD_CASE(CL_INVALID_HOST_PTR);
    TMD_CASE(CL_INVALID_MEM_OBJECT);
    TMD_CASE(CL_INVALID_BINARY);
    TMD_CASE(CL_INVALID_BUILD_OPTIONS);
    TMD_CASE(CL_INVALID_PROGRAM);
    TMD_CASE(CL_INVALID_PROGRAM_EXECUTABLE);
    TMD_CASE(CL_INVALID_KERNEL_NAME);
    TMD_CASE(CL_INVALID_KERNEL_DEFINITION);
    TMD_CASE(CL_INVALID_KERNEL);
    TMD_CASE(CL_INVALID_ARG_INDEX);
    TMD_CASE(CL_INVALID_ARG_VALUE);
    TMD_CASE(CL_INVALID_ARG_SIZE);
    TMD_CASE(CL_INVALID_KERNEL_ARGS);
    TMD_CASE(CL_INVALID_WORK_DIMENSION);
    TMD_CASE(CL_INVALID_WORK_GROUP_SIZE);
    TMD_CASE(CL_INVALID_WORK_ITEM_SIZE);
    TMD_CASE(CL_INVALID_GLOBAL_OFFSET);
    TMD_CASE(CL_INVALID_EVENT_WAIT_LIST);
    TMD_CASE(CL_INVALID_EVENT);
    TMD_CASE(CL_INVALID_OPERATION);
    TMD_CASE(CL_INVALID_BUFFER_SIZE);
    TMD_CASE(CL_INVALID_GLOBAL_WORK_SIZE);
    TMD_CASE(CL_INVALID_PROPERTY);
    TMD_CASE(CL_INVALID_COMPILER_OPTIONS);
    TMD_CASE(CL_INVALID_LINKER_OPTIONS);
#undef TMD_CASE
  case -1001:
    return "CL_PLATFORM_NOT_FOUND_KHR";
  default:
    return fmt::format("OpenCL error {}", code);
  }
}

void fail(const cl::Error& error, const std::string& doing) {
  throw DeviceError(fmt::format("{} failed: {} returned {}", doing, error.what(), error_name(error.err())));
}

} // namespace tmd::opencl
