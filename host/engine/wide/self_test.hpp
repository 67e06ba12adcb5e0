// A known answer through the wide test's kernels, before a device is trusted with a search.
#pragma once

#include "engine/wide/search.hpp"

#include <string>

namespace tmd::engine::wide {

// The kernels that are tested: those of every search, those for refused groups, or both.
enum class WideSelfTest { all, groups, refused };

// Searches a small, fixed part of exp around a known hard-to-round case: the candidates of groups, of groups in parts,
// and of every argument, each by itself, must be those of the host. Returns the first error as a text, or nothing.
// Throws DeviceError if the device fails. The device's counts stay as they were.
[[nodiscard]] std::string wide_self_test_failure(WideSearch& device, WideSelfTest of = WideSelfTest::all);

// The batch that it searches.
[[nodiscard]] WideBatch wide_self_test_batch();

} // namespace tmd::engine::wide
