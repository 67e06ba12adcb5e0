// Blocks go from the shared memory to the device and back. One work-group is run before the first block, because some
// drivers compile only then, and compiling must not count as a hang.
#include "library/built_in_function.hpp"

#include "library/c_type.hpp"
#include "library/library_worker.hpp"
#include "library/opencl_bounds.hpp"
#include "opencl/compute.hpp"
#include "tmd/error.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace tmd::library {

namespace {

constexpr std::size_t room =
    SharedCalls::most + ServedBuiltIn::together; // with space for the end of the last work-group

opencl::Kernel kernel_of(opencl::Compute& compute, const ServedBuiltIn& served, std::size_t size) {
  if (!is_built_in(served.name))
    throw UsageError(fmt::format("OpenCL C has no function '{}'; --symbol names another", served.name));
  const opencl::DeviceDescription& device = compute.device();
  const std::size_t bits = 8 * size;
  if ((bits == 16 && !device.has_extension("cl_khr_fp16")) || (bits == 64 && !device.has_fp64()) || bits > 64)
    throw UsageError(fmt::format("{} does not support numbers of that format", device.name));
  const std::array<opencl::Macro, 2> macros{{{"TMD_FORMAT", static_cast<std::int64_t>(bits), 16, 64},
                                             {"TMD_RETURNED", static_cast<std::int64_t>(served.returned), 0, 2}}};
  return compute.kernel("library/built_in.cl", "call_built_in", macros,
                        fmt::format("-DTMD_FUNCTION={} {}", served.name, served.options));
}

class BuiltInCalls {
public:
  BuiltInCalls(const ServedBuiltIn& served, std::size_t size, support::Descriptor memory)
      : size_(size), compute_(opencl::select_device(opencl::list_devices(), served.device)),
        shared_(std::move(memory), size_), kernel_(kernel_of(compute_, served, size_)),
        arguments_(compute_.allocate(room * size_)), results_(compute_.allocate(room * size_)) {
    kernel_.set(arguments_, results_);
    compute_.run(kernel_, ServedBuiltIn::together, ServedBuiltIn::together);
  }

  // Makes the calls of the block from that number on.
  void run(std::uint64_t first) {
    const std::size_t count = shared_.header().calls - first;
    compute_.write(arguments_, shared_.arguments<std::byte>() + first * size_, count * size_);
    compute_.run(kernel_, count, ServedBuiltIn::together);
    // The results begin behind space for a whole block of arguments.
    compute_.read(results_, shared_.arguments<std::byte>() + (SharedCalls::most + first) * size_, count * size_);
  }

private:
  std::size_t size_; // bytes of a number
  opencl::Compute compute_;
  SharedCalls shared_;
  opencl::Kernel kernel_;
  opencl::Buffer arguments_;
  opencl::Buffer results_;
};

} // namespace

void serve_built_in(const ServedBuiltIn& served, support::Descriptor channel, support::Descriptor memory) {
  serve_blocks(channel, [&] {
    const std::size_t size = with_c_type(served.format, [](auto zero) { return sizeof zero; });
    return [calls = std::make_shared<BuiltInCalls>(served, size, std::move(memory))](std::uint64_t first) {
      calls->run(first);
    };
  });
}

} // namespace tmd::library
