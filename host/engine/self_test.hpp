// Shared by the self-tests of all engines: a known hard-to-round case of exp, and the sentence for a device that fails.
#pragma once

#include "opencl/device.hpp"
#include "polynomial/scaled_function.hpp"

#include <cstdint>
#include <string_view>

namespace tmd::engine::self_test {

// exp(0x1.bace898p+0) lies 2^−26.04 half-ulps from a breakpoint of 27 bits. With so few bits, a domain of 256 arguments
// bends by as much as the bound: survivors then depend on the kernels' curvature, too.
inline constexpr std::uint64_t argument_count = std::uint64_t(1) << 16;
inline constexpr std::uint64_t known_index = 12345; // index of the known case

// exp on the piece of that case, of `arguments` arguments.
[[nodiscard]] polynomial::ScaledFunction function(std::uint64_t arguments);

// Throws FaultError unless `wrong`, a clause that says what was wrong, is empty.
void require(const opencl::DeviceDescription& device, std::string_view wrong);

} // namespace tmd::engine::self_test
