// The numbers that the kernels of differences and the host share.
#pragma once

#include <cstddef>

namespace tmd::engine::differences::layout {

#include "cl_kernels/differences/layout.clh" // NOLINT: OpenCL C

inline constexpr std::size_t coefficient_words = TMD_COEFFICIENT_LIMBS / 2;
inline constexpr int place_bits = TMD_PLACE_BITS;
inline constexpr unsigned wrong_end = TMD_WRONG_END;
inline constexpr std::size_t stretch_words = TMD_STRETCH_WORDS;

} // namespace tmd::engine::differences::layout
