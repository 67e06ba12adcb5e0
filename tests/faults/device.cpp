// A device that is wrong on purpose: a library to be loaded before OpenCL's (LD_PRELOAD), which passes the program's
// calls on, but for a fault. TMD_FAULT says which, "KIND OF AFTER": the launches of the kernel OF, or the reads or
// writes of OF bytes and more, when AFTER of them have been as they should be.
//
//   cut KERNEL AFTER     a launch runs half of its work-groups
//   skip KERNEL AFTER    every other launch is not run
//   twice KERNEL AFTER   a launch is run twice
//   fail KERNEL AFTER    launches on the queue of that launch are refused from then on, whatever the kernel
//   refuse CALL AFTER    one call of that function of OpenCL is refused
//   late KERNEL AFTER    what is read after a launch is what was read at that place before
//   flip BYTES AFTER     every fourth read has a bit flipped
//   stale BYTES AFTER    every fourth read gives what was read at that place before
//   lost BYTES AFTER     every fourth write does not reach the device
//
// TMD_FAULT_LOG names a file for two numbers: how many calls were meant or before AFTER, and how many were made wrong.
#define CL_TARGET_OPENCL_VERSION 120
#include "next_function.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

class Fault {
public:
  Fault() { std::istringstream(variable("TMD_FAULT")) >> kind_ >> of_ >> after_; }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  ~Fault() {
    if (const char* file = variable("TMD_FAULT_LOG"); *file != '\0')
      std::ofstream(file) << calls_ << " " << wrong_ << "\n";
  }

  [[nodiscard]] bool is(const char* kind) const { return kind_ == kind; }
  // Whether a launch, or a read or write, is to be made wrong.
  bool means(const std::string& kernel) { return kernel == of_ && ++calls_ > after_; }
  bool means(std::size_t bytes) { return bytes >= std::strtoul(of_.c_str(), nullptr, 10) && ++calls_ > after_; }
  // Whether this call of OpenCL is to be refused.
  bool refuses(const char* call) {
    const bool meant = is("refuse") && of_ == call && calls_++ == after_;
    if (meant)
      done();
    return meant;
  }
  // Whether this is every n-th of the calls in question.
  [[nodiscard]] bool every(unsigned long n) const { return (calls_ - after_) % n == 1; }
  void done() { ++wrong_; }

private:
  std::string kind_;
  std::string of_;
  unsigned long after_ = 0;
  unsigned long calls_ = 0;
  unsigned long wrong_ = 0;
};

// The last text read at a place.
struct Place {
  cl_mem buffer;
  std::size_t offset;
  std::size_t bytes;
  auto operator<=>(const Place&) const = default;
};

struct State {
  std::mutex mutex;
  Fault fault;
  std::map<Place, std::vector<unsigned char>> read_before;
  bool late = false;
  cl_command_queue failed = nullptr; // a queue on which every launch is refused
};

State& state() {
  static State one;
  return one;
}

bool refuses(const char* call) {
  const std::lock_guard lock(state().mutex);
  return state().fault.refuses(call);
}

// The answer of a function that returns an object and reports errors through a pointer.
std::nullptr_t refuse(cl_int* status, cl_int error) {
  if (status != nullptr)
    *status = error;
  return nullptr;
}

std::string name_of(cl_kernel kernel) {
  std::array<char, 256> name{};
  (void)::clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, name.size(), name.data(), nullptr);
  return name.data();
}

} // namespace

extern "C" cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const std::size_t* offset, const std::size_t* global, const std::size_t* local,
                                         cl_uint waits, const cl_event* wait_for, cl_event* event) {
  static auto* const next = tmd::next_function<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
  if (refuses("clEnqueueNDRangeKernel"))
    return CL_OUT_OF_RESOURCES;
  const std::lock_guard lock(state().mutex);
  Fault& fault = state().fault;
  const bool meant = fault.means(name_of(kernel));
  state().late = meant && fault.is("late");
  if (meant && fault.is("fail") && state().failed == nullptr)
    state().failed = queue;
  if (state().failed == queue) {
    fault.done();
    return CL_OUT_OF_RESOURCES;
  }
  std::size_t items = *global;
  if (meant && fault.is("cut") && items > *local) {
    items = items / *local / 2 * *local;
    fault.done();
  }
  if (meant && fault.is("skip") && fault.every(2)) {
    fault.done();
    return ::clEnqueueMarkerWithWaitList(queue, waits, wait_for, event);
  }
  if (meant && fault.is("twice")) {
    fault.done();
    (void)next(queue, kernel, dimensions, offset, &items, local, waits, wait_for, nullptr);
  }
  return next(queue, kernel, dimensions, offset, &items, local, waits, wait_for, event);
}

extern "C" cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                                      std::size_t bytes, void* to, cl_uint waits, const cl_event* wait_for,
                                      cl_event* event) {
  static auto* const next = tmd::next_function<decltype(clEnqueueReadBuffer)>("clEnqueueReadBuffer");
  if (refuses("clEnqueueReadBuffer"))
    return CL_OUT_OF_RESOURCES;
  const std::lock_guard lock(state().mutex);
  (void)blocking; // all reads of this program are blocking
  const cl_int status = next(queue, buffer, CL_TRUE, offset, bytes, to, waits, wait_for, event);
  Fault& fault = state().fault;
  auto* const data = static_cast<unsigned char*>(to);
  std::vector<unsigned char>& before = state().read_before[{buffer, offset, bytes}];
  const std::vector<unsigned char> now(data, data + bytes);
  const bool meant = (fault.is("flip") || fault.is("stale")) && fault.means(bytes) && fault.every(4);
  if (meant && fault.is("flip"))
    data[bytes / 2] ^= 1U << 4;
  if (((meant && fault.is("stale")) || state().late) && before.size() == bytes)
    std::memcpy(data, before.data(), bytes);
  if (std::memcmp(data, now.data(), bytes) != 0)
    fault.done();
  before = now;
  return status;
}

extern "C" cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                                       std::size_t bytes, const void* from, cl_uint waits, const cl_event* wait_for,
                                       cl_event* event) {
  static auto* const next = tmd::next_function<decltype(clEnqueueWriteBuffer)>("clEnqueueWriteBuffer");
  if (refuses("clEnqueueWriteBuffer"))
    return CL_OUT_OF_HOST_MEMORY;
  const std::lock_guard lock(state().mutex);
  Fault& fault = state().fault;
  if (fault.is("lost") && fault.means(bytes) && fault.every(4)) {
    fault.done();
    return event != nullptr ? ::clEnqueueMarkerWithWaitList(queue, waits, wait_for, event) : CL_SUCCESS;
  }
  return next(queue, buffer, blocking, offset, bytes, from, waits, wait_for, event);
}

extern "C" cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                                      const cl_device_id* devices,
                                      void(CL_CALLBACK* notify)(const char*, const void*, std::size_t, void*),
                                      void* data, cl_int* status) {
  static auto* const next = tmd::next_function<decltype(clCreateContext)>("clCreateContext");
  if (refuses("clCreateContext"))
    return refuse(status, CL_OUT_OF_HOST_MEMORY);
  return next(properties, count, devices, notify, data, status);
}

extern "C" cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int* status) {
  static auto* const next = tmd::next_function<decltype(clCreateCommandQueue)>("clCreateCommandQueue");
  if (refuses("clCreateCommandQueue"))
    return refuse(status, CL_OUT_OF_RESOURCES);
  return next(context, device, properties, status);
}

extern "C" cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                                 void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  static auto* const next = tmd::next_function<decltype(clBuildProgram)>("clBuildProgram");
  if (refuses("clBuildProgram"))
    return CL_BUILD_PROGRAM_FAILURE;
  return next(program, count, devices, options, notify, data);
}

extern "C" cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* status) {
  static auto* const next = tmd::next_function<decltype(clCreateKernel)>("clCreateKernel");
  if (refuses("clCreateKernel"))
    return refuse(status, CL_OUT_OF_HOST_MEMORY);
  return next(program, name, status);
}

extern "C" cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t bytes, void* host,
                                 cl_int* status) {
  static auto* const next = tmd::next_function<decltype(clCreateBuffer)>("clCreateBuffer");
  if (refuses("clCreateBuffer"))
    return refuse(status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return next(context, flags, bytes, host, status);
}
