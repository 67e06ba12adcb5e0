// What the self-tests of all engines share: a known hard-to-round case of exp, and the sentence for a device that
// fails.
#pragma once

#include "opencl/device.hpp"
#include "polynomial/scaled_function.hpp"

#include <cstdint>
#include <string_view>

namespace tmd::engine::self_test {

// exp(0x1.bace898p+0) lies 2^−26.04 half-ulps from a breakpoint of 27 bits. With so few, a domain of 256 arguments
// bends by as much as the bound: what the kernels do with the curvature decides over survivors, too.
inline constexpr std::uint64_t argument_count = std::uint64_t(1) << 16;
inline constexpr std::uint64_t known_index = 12345; // of the known case among them

// exp on the piece of that case, of `arguments` arguments.
[[nodiscard]] polynomial::ScaledFunction function(std::uint64_t arguments);

// Throws FaultError unless nothing was wrong. wrong: what was, as a clause.
void require(const opencl::DeviceDescription& device, std::string_view wrong);

} // namespace tmd::engine::self_test
