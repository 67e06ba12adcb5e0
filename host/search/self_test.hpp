// A known answer through all three kernels, before a device is trusted with a search.
#pragma once

#include "search/phases.hpp"

namespace tmd {

// Searches a small, fixed part of exp around a known hard-to-round case with a low bound, so that every phase both keeps
// and discards much, and compares each phase's survivors with the host's. Takes some milliseconds.
// Throws DeviceError when the device's answer is wrong.
void self_test(ThreePhases& phases);

// The batch that self_test() searches.
[[nodiscard]] DomainBatch self_test_batch();

} // namespace tmd
