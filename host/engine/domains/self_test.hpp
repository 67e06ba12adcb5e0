// A known answer through all kernels, before a device is trusted with a search.
#pragma once

#include "engine/domains/search.hpp"

namespace tmd {

// Searches a small, fixed part of exp around a known hard-to-round case with a low bound, so that every phase both
// keeps and discards much, and compares each phase's survivors with the host's, for the device's tunables and the given
// test. Takes some milliseconds. Throws DeviceError when the device's answer is wrong. The device's counts stay as they
// were.
void self_test(DeviceSearch& device, Test test);

// The same, as an answer: what was wrong, or nothing. Still throws DeviceError when the device fails.
[[nodiscard]] std::string self_test_failure(DeviceSearch& device, Test test);

// The batch that self_test() searches.
[[nodiscard]] DomainBatch self_test_batch(Test test, int length_bits1, int length_bits2);

// The same for the wide test: the candidates of groups, of groups in parts, and of every argument, each by itself, must
// be those of the host.
void wide_self_test(DeviceSearch& device);
[[nodiscard]] std::string wide_self_test_failure(DeviceSearch& device);
[[nodiscard]] DomainBatch wide_self_test_batch();

} // namespace tmd
