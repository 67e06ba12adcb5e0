// Whether a device finds in boxes what the host finds.
#pragma once

#include "engine/boxes/search.hpp"

namespace tmd::engine::boxes {

// The arithmetic that the kernels use, FP64's, and some rectangles of binary32: by boxes, pair by pair, with y of both
// signs. Throws FaultError unless all is as on the host, DeviceError when the device fails.
void test_boxes(Launcher& launcher, BoxSearch& device);

} // namespace tmd::engine::boxes
