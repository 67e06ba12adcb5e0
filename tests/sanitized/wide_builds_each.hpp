// The four builds of wide_lines.clh for one kind of floats: part of wide_builds.hpp.
// clang-format off
namespace root_divide {
#define TMD_ROOT 1
#define TMD_RECIPROCAL 1
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_ROOT
#undef TMD_RECIPROCAL
TMD_LINES_OF_GIVEN_GROUP
} // namespace root_divide
namespace root_reciprocal {
#define TMD_ROOT 1
#define TMD_RECIPROCAL 2
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_ROOT
#undef TMD_RECIPROCAL
TMD_LINES_OF_GIVEN_GROUP
} // namespace root_reciprocal
namespace rsqrt_divide {
#define TMD_ROOT 2
#define TMD_RECIPROCAL 1
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_ROOT
#undef TMD_RECIPROCAL
TMD_LINES_OF_GIVEN_GROUP
} // namespace rsqrt_divide
namespace rsqrt_reciprocal {
#define TMD_ROOT 2
#define TMD_RECIPROCAL 2
#include "cl_kernels/wide/filter.clh"
#include "cl_kernels/wide/crowded.clh"
#undef TMD_ROOT
#undef TMD_RECIPROCAL
TMD_LINES_OF_GIVEN_GROUP
} // namespace rsqrt_reciprocal
// clang-format on
