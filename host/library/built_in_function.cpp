#include "library/built_in_function.hpp"

#include "library/c_type.hpp"
#include "library/opencl_bounds.hpp"
#include "tmd/error.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::size_t work_group_size = 64;
constexpr std::size_t room = SharedCalls::most + work_group_size; // also for the end of the last work-group

opencl::Kernel kernel_of(opencl::Compute& compute, const std::string& name, std::size_t size,
                         const std::string& options) {
  if (!is_built_in(name))
    throw UsageError(fmt::format("OpenCL C has no function '{}'; --symbol names another", name));
  const opencl::DeviceDescription& device = compute.device();
  const std::size_t bits = 8 * size;
  if ((bits == 16 && !device.has_extension("cl_khr_fp16")) || (bits == 64 && !device.has_fp64()) || bits > 64)
    throw UsageError(fmt::format("{} computes with no numbers of that format", device.name));
  const std::array<opencl::Macro, 1> macros{{{"TMD_FORMAT", static_cast<std::int64_t>(bits), 16, 64}}};
  return compute.kernel("library/built_in.cl", "call_built_in", macros,
                        fmt::format("-DTMD_FUNCTION={} {}", name, options));
}

} // namespace

BuiltInFunction::BuiltInFunction(opencl::Compute compute, const std::string& name, const Format& format,
                                 const std::string& options)
    : size_(with_c_type(format, [](auto zero) { return sizeof zero; })), compute_(std::move(compute)), block_(size_),
      kernel_(kernel_of(compute_, name, size_, options)), arguments_(compute_.allocate(room * size_)),
      results_(compute_.allocate(room * size_)) {
  kernel_.set(arguments_, results_);
}

std::vector<LostCall> BuiltInFunction::call(std::size_t count, std::size_t /*most*/) {
  compute_.write(arguments_, block_.arguments<std::byte>(), count * size_);
  compute_.run(kernel_, count, work_group_size);
  // Results lie behind as many arguments as a block has room for.
  compute_.read(results_, block_.arguments<std::byte>() + SharedCalls::most * size_, count * size_);
  return {};
}

} // namespace tmd
