// A function of OpenCL C as a device has it.
#pragma once

#include "library/called_function.hpp"
#include "opencl/compute.hpp"
#include "tmd/format.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tmd {

// It rounds to nearest. A device that fails ends the run: there is no process between it and us.
class BuiltInFunction : public CalledFunction {
public:
  // options: of OpenCL's compiler. Throws UsageError for a name that OpenCL C does not have, or a format that the
  // device does not have; DeviceError where the kernel cannot be built.
  BuiltInFunction(opencl::Compute compute, const std::string& name, const Format& format, const std::string& options);

  [[nodiscard]] const SharedCalls& block() const override { return block_; }
  [[nodiscard]] bool rounds(Direction direction) const override { return direction == Direction::nearest; }
  [[nodiscard]] std::vector<LostCall> call(std::size_t count, std::size_t most) override;

private:
  std::size_t size_; // bytes of a number
  opencl::Compute compute_;
  SharedCalls block_; // this process' alone
  opencl::Kernel kernel_;
  opencl::Buffer arguments_;
  opencl::Buffer results_;
};

} // namespace tmd
