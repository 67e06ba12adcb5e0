// The kernels' text of the boxes engine as C++, for the tests that include this: in the namespace `full` as it is, and
// in others with a term of the proof left out.
#pragma once

#include "opencl_names.hpp"

#include <set>
#include <utility>
#include <vector>

namespace boxes_text {

using namespace opencl_names;

// clang-format off
#define global
#include "cl_kernels/boxes/layout.clh"
#include "cl_kernels/boxes/surface.clh"
#include "cl_kernels/boxes/places.clh"
#include "cl_kernels/boxes/vectors.clh"
namespace powers {
#include "cl_kernels/boxes/fixed_power.clh"
#include "cl_kernels/boxes/power_surface.clh"
} // namespace powers
using namespace powers;
namespace compounds {
#define TMD_COMPOUND
#include "cl_kernels/boxes/fixed_power.clh"
#undef TMD_COMPOUND
} // namespace compounds
// clang-format on

// The findings as pairs counted from the middle, and as entries.
struct Sink {
  place at{};
  std::set<std::pair<i32, i32>> found;
  std::vector<u64> entries;
  std::vector<i32> refused;
};
inline void found(Sink* sink, i32 i, i32 j) {
  sink->found.emplace(i, j);
  if (sink->at.strip != nullptr && has_pair(&sink->at, i, j))
    sink->entries.push_back(pair_entry(&sink->at, i, j));
}
inline void refused(Sink* sink, i32 box) { sink->refused.push_back(box); }
inline void take(Sink* sink, u64 entry) { sink->entries.push_back(entry); }

// clang-format off
#define FOUND Sink
namespace full {
#include "cl_kernels/boxes/lines.clh"
#include "cl_kernels/boxes/power_rows.clh"
#include "cl_kernels/boxes/rows.clh"
} // namespace full
#undef TMD_POINT_ERROR
#undef TMD_ROOT_ERROR
namespace no_float_error {
#define TMD_POINT_ERROR 0.0f
#define TMD_ROOT_ERROR 0.0f
#include "cl_kernels/boxes/lines.clh"
#include "cl_kernels/boxes/power_rows.clh"
#include "cl_kernels/boxes/rows.clh"
#undef TMD_POINT_ERROR
#undef TMD_ROOT_ERROR
} // namespace no_float_error
namespace tiles {
#include "cl_kernels/boxes/tiles.clh"
} // namespace tiles
#undef FOUND
#undef global
#undef PURE
// clang-format on

} // namespace boxes_text
