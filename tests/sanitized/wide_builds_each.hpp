// The two builds of wide_lines.clh for one kind of floats: part of wide_builds.hpp.
// clang-format off
namespace divisions {
#define TMD_RECIPROCALS 0
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_RECIPROCALS
TMD_LINES_OF_GIVEN_GROUP
} // namespace divisions
namespace reciprocals {
#define TMD_RECIPROCALS 1
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_RECIPROCALS
TMD_LINES_OF_GIVEN_GROUP
} // namespace reciprocals
// clang-format on
