// A device that is not wrong, but another than there is here: a library to be loaded before OpenCL's (LD_PRELOAD),
// which passes the program's calls on. TMD_OTHER_DEVICE lists what is different:
//
//   no-fp64      devices have no FP64
//   unfused-fma  their fma of FP64 rounds twice
//   rusticl      platforms are called as Mesa's Rusticl, and have no devices
//   clover       before the others stands Mesa's Clover, without devices
#define CL_TARGET_OPENCL_VERSION 120
#include "next_function.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

bool is(std::string_view what) {
  const char* different = std::getenv("TMD_OTHER_DEVICE");
  return different != nullptr && std::string_view(different).find(what) != std::string_view::npos;
}

// The program knows this address as Clover; nothing reads what is there.
cl_platform_id clover() {
  static int one = 0;
  return reinterpret_cast<cl_platform_id>(&one);
}

cl_int answer(const std::string& text, std::size_t room, void* to, std::size_t* size) {
  const std::size_t bytes = text.size() + 1;
  if (size != nullptr)
    *size = bytes;
  if (to != nullptr && room < bytes)
    return CL_INVALID_VALUE;
  if (to != nullptr)
    std::memcpy(to, text.c_str(), bytes);
  return CL_SUCCESS;
}

// The language's own functions are overloaded; those for doubles round twice.
constexpr const char* unfused = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define TMD_UNFUSED(type) \
  type __attribute__((overloadable)) unfused_fma(type x, type y, type z) { \
    _Pragma("OPENCL FP_CONTRACT OFF") type product = x * y; \
    return product + z; \
  }
#define TMD_FUSED(type) \
  type __attribute__((overloadable)) unfused_fma(type x, type y, type z) { return fma(x, y, z); }
#define TMD_EACH(make, type) make(type) make(type##2) make(type##4) make(type##8) make(type##16)
TMD_EACH(TMD_UNFUSED, double)
TMD_EACH(TMD_FUSED, float)
#define fma unfused_fma
)";

} // namespace

extern "C" cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  static auto* const next = tmd::next_function<decltype(clGetPlatformIDs)>("clGetPlatformIDs");
  if (!is("clover"))
    return next(room, platforms, count);
  cl_uint others = 0;
  const cl_int status =
      next(platforms != nullptr ? room - 1 : 0, platforms != nullptr ? platforms + 1 : nullptr, &others);
  if (platforms != nullptr)
    *platforms = clover();
  if (count != nullptr)
    *count = others + 1;
  return status;
}

extern "C" cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, std::size_t room, void* to,
                                    std::size_t* size) {
  static auto* const next = tmd::next_function<decltype(clGetPlatformInfo)>("clGetPlatformInfo");
  if (platform == clover())
    return answer(what == CL_PLATFORM_NAME ? "Clover" : "OpenCL 1.1 Mesa", room, to, size);
  if (is("rusticl") && what == CL_PLATFORM_NAME)
    return answer("rusticl", room, to, size);
  return next(platform, what, room, to, size);
}

extern "C" cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id* devices,
                                 cl_uint* count) {
  static auto* const next = tmd::next_function<decltype(clGetDeviceIDs)>("clGetDeviceIDs");
  if (platform == clover() || is("rusticl"))
    return CL_DEVICE_NOT_FOUND;
  return next(platform, type, room, devices, count);
}

extern "C" cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, std::size_t room, void* to,
                                  std::size_t* size) {
  static auto* const next = tmd::next_function<decltype(clGetDeviceInfo)>("clGetDeviceInfo");
  std::size_t bytes = 0;
  if (!is("no-fp64") || what != CL_DEVICE_EXTENSIONS || next(device, what, 0, nullptr, &bytes) != CL_SUCCESS)
    return next(device, what, room, to, size);
  std::string extensions(bytes, '\0');
  (void)next(device, what, bytes, extensions.data(), nullptr);
  extensions.resize(std::strlen(extensions.c_str()));
  constexpr std::string_view fp64 = "cl_khr_fp64";
  if (const std::size_t at = extensions.find(fp64); at != std::string::npos)
    extensions.erase(at, fp64.size());
  return answer(extensions, room, to, size);
}

extern "C" cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** texts,
                                                const std::size_t* lengths, cl_int* status) {
  static auto* const next = tmd::next_function<decltype(clCreateProgramWithSource)>("clCreateProgramWithSource");
  if (!is("unfused-fma"))
    return next(context, count, texts, lengths, status);
  std::string all = unfused;
  for (cl_uint i = 0; i < count; ++i)
    all += lengths != nullptr && lengths[i] != 0 ? std::string(texts[i], lengths[i]) : std::string(texts[i]);
  const char* text = all.c_str();
  return next(context, 1, &text, nullptr, status);
}
