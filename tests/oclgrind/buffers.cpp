// Corrects what Oclgrind 21.10 knows of buffers: a library to be loaded before its own (LD_PRELOAD). Oclgrind's shadow
// of a buffer records which bytes have been written. It outlives the buffer, so that the next one at the same address
// has a shadow that is too short; and it begins anew with each write of the host's, as long as that write. Bytes beyond
// it count as uninitialized for good. So buffers are kept, and the host writes all of a buffer or nothing.
#define CL_TARGET_OPENCL_VERSION 120
#include "next_function.hpp"

#include <CL/cl.h>

#include <cstddef>
#include <cstring>
#include <vector>

extern "C" {

cl_int clReleaseMemObject(cl_mem /*memory*/) { return CL_SUCCESS; }

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                            std::size_t size, const void* from, cl_uint event_count, const cl_event* events,
                            cl_event* event) {
  static auto* const write = tmd::next_function<decltype(clEnqueueWriteBuffer)>("clEnqueueWriteBuffer");
  std::size_t whole = 0;
  cl_int status = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof whole, &whole, nullptr);
  if (status != CL_SUCCESS || size >= whole || offset > whole - size)
    return write(queue, buffer, blocking, offset, size, from, event_count, events, event);
  std::vector<unsigned char> bytes(whole);
  status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, whole, bytes.data(), event_count, events, nullptr);
  if (status != CL_SUCCESS)
    return status;
  std::memcpy(bytes.data() + offset, from, size);
  return write(queue, buffer, CL_TRUE, 0, whole, bytes.data(), 0, nullptr, event);
}

} // extern "C"
