// Tests whether a device finds in boxes what the host finds.
#pragma once

#include "engine/boxes/search.hpp"

namespace tmd::engine::boxes {

// Tests the arithmetic that the kernels use, that of FP64, and some rectangles of binary32: by boxes, pair by pair,
// with y of both signs; of x^y, or of (1 + x)^y. Throws FaultError if any result differs from the host's, DeviceError
// if the device fails.
void test_boxes(Launcher& launcher, BoxSearch& device, bool is_compound = false);

} // namespace tmd::engine::boxes
