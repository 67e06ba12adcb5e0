// An open device: its context, an in-order queue, programs from files, buffers, kernels and their timings.
#pragma once

#include "opencl/device.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tmd::opencl {

// A macro that a kernel file expects, with the range that it accepts.
struct Macro {
  std::string name;
  std::int64_t value;
  std::int64_t least;
  std::int64_t greatest;
};

// "-DNAME=VALUE …". Throws UsageError for a value out of its range.
[[nodiscard]] std::string build_options(std::span<const Macro> macros);

class Buffer {
public:
  Buffer() = default;
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
  friend class Compute;
  friend class Kernel;
  struct Handle;
  std::shared_ptr<Handle> handle_;
  std::size_t bytes_ = 0;
};

class Kernel {
public:
  // Sets all arguments in order: buffers, or values of the kernel's exact types, which OpenCL copies.
  template <typename... Arguments> void set(const Arguments&... arguments) {
    unsigned index = 0;
    (set_one(index++, arguments), ...);
  }
  // Largest work-group of this kernel, by its device and, on a CPU, by the stack of its threads.
  [[nodiscard]] std::size_t work_group_limit() const;
  [[nodiscard]] const std::string& build_log() const;

private:
  friend class Compute;
  struct Handle;
  void set_one(unsigned index, const Buffer& buffer);
  template <typename Value>
  requires std::is_trivially_copyable_v<Value>
  void set_one(unsigned index, const Value& value) { set_bytes(index, &value, sizeof value); }
  void set_bytes(unsigned index, const void* value, std::size_t bytes);
  std::shared_ptr<Handle> handle_;
};

// A kernel that has been started, or a read of its results.
class Event {
private:
  friend class Compute;
  struct Handle;
  std::shared_ptr<Handle> handle_;
};

// When a command was active, in nanoseconds of the device's clock. If kernels of two queues ran at the same time,
// NVIDIA's driver sometimes reports a begin after the end.
struct ActiveTime {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  // 0 if the end is earlier.
  [[nodiscard]] double seconds() const { return end > begin ? static_cast<double>(end - begin) * 1e-9 : 0; }
};

// All members throw DeviceError, naming the call that failed and OpenCL's error.
class Compute {
public:
  explicit Compute(const DeviceDescription& device);

  // The same device, context and programs, with a queue of its own, for another thread. Commands in two queues have no
  // order.
  [[nodiscard]] Compute with_another_queue() const;

  [[nodiscard]] const DeviceDescription& device() const { return device_; }

  // Builds the kernel `name` of cl_kernels/`file`. A failing build's log becomes part of the error's text. The files
  // are read once, for the first kernel, and all kernels come from that reading. `options`: the compiler's own, beside
  // the macros.
  [[nodiscard]] Kernel kernel(const std::string& file, const std::string& name, std::span<const Macro> macros,
                              std::string_view options = {});
  // Begins to build the program of such kernels in another process or on another thread, unless it is already there or
  // the platform is Oclgrind; kernel() waits for it, and reports errors.
  void build_ahead(const std::string& file, std::span<const Macro> macros, std::string_view options = {});
  // The digest of the files that were read; nothing before the first kernel.
  [[nodiscard]] std::optional<std::string> kernel_digest() const;
  [[nodiscard]] Buffer allocate(std::size_t bytes) const;

  // Copy `bytes` between the host and the buffer's byte `offset`; return when the host memory may be used again.
  void write(const Buffer& buffer, const void* from, std::size_t bytes, std::size_t offset = 0);
  void read(const Buffer& buffer, void* to, std::size_t bytes, std::size_t offset = 0);
  // The same of rows of `bytes` each, which begin `stride` bytes apart, from the byte `offset` on; they come without
  // gaps.
  void read_rows(const Buffer& buffer, std::size_t offset, std::size_t stride, std::size_t rows, std::size_t bytes,
                 void* to);

  // Writes in the queue's order; the host memory must stay unchanged until a kernel started later has finished.
  void write_later(const Buffer& buffer, const void* from, std::size_t bytes);

  // Reads results of an earlier kernel from the buffer's byte `offset` on. The host memory must not be used until
  // finish(), which reports errors as the kernel's.
  [[nodiscard]] Event read_later(const Buffer& buffer, void* to, std::size_t bytes, const Event& kernel,
                                 std::size_t offset = 0);

  // Copies rows of `bytes` each, which begin `stride` bytes apart, on the device and in the queue's order: from the
  // byte `offset` on to `to_offset` and behind it, without gaps. All three are multiples of `bytes`.
  void copy_rows_later(const Buffer& from, std::size_t offset, std::size_t stride, std::size_t rows, std::size_t bytes,
                       const Buffer& to, std::size_t to_offset);

  // Sets the buffer to zero, in the queue's order.
  void clear(const Buffer& buffer);

  // Starts at least `items` work-items in groups of `work_group_size` (less if the kernel allows less).
  [[nodiscard]] Event start(const Kernel& kernel, std::size_t items, std::size_t work_group_size);
  // Waits for the command. Returns when the device worked on it.
  ActiveTime finish(const Event& event);
  // Runs the kernel and waits. Returns the device's own time for it, in seconds.
  double run(const Kernel& kernel, std::size_t items, std::size_t work_group_size) {
    return finish(start(kernel, items, work_group_size)).seconds();
  }

private:
  struct Handle;
  struct Shared;
  struct Program;
  struct Built;
  void open_queue();
  DeviceDescription device_;
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Handle> handle_;
};

} // namespace tmd::opencl
