// A known answer through the existence tests' kernels, before a device is trusted with a search.
#pragma once

#include "engine/domains/search.hpp"

#include <string>

namespace tmd::engine::domains {

// Searches a small, fixed part of exp around a known hard-to-round case with a low bound, so that every phase both
// keeps and discards many, and compares each phase's survivors with the host's, for the device's tunables and the given
// test. Takes some milliseconds. Returns the first error as a text, or nothing. Throws DeviceError if the device fails.
// The device's counts stay as they were.
[[nodiscard]] std::string self_test_failure(DomainSearch& device, Test test);

// The batch that it searches.
[[nodiscard]] DomainBatch self_test_batch(Test test, int length_bits1, int length_bits2);

} // namespace tmd::engine::domains
