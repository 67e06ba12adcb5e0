// The start of a walk: a short basis of a window's lattice, and a point of it near each target.
#pragma once

#include "engine/phase/parameters.hpp"
#include "number/arb.hpp"

#include <array>
#include <cstdint>

namespace tmd::engine::phase {

// A window's lattice consists of the (m, mω − q, F'·(mω − q) − n), with integers m, q and n. Of a logarithm, with q
// binades, it has the (m + q·2^64, mω, F'·mω + q·rise − n).
struct PhaseLattice {
  const number::Integer* omega; // in units of 2^−phase_bits
  const number::Integer* phase; // of the window's middle, in units of 2^−phase_bits
  arb_srcptr value;             // F at the middle
  arb_srcptr slope;             // F' at the middle
  bool is_logarithm;
  double half_width;                          // phase of a box unit
  double spacings;                            // spacings of a box unit
  double middle;                              // middle of the body, in box units of z
  int arguments_bits;                         // log2 of the arguments of a box unit
  int m_words;                                // 1 or 2
  const layout::phase_parameters* parameters; // for their units and targets
};

// The TMD_START_WORDS words of a start; those of unused targets are 0.
[[nodiscard]] std::array<std::uint64_t, layout::start_words> lattice_start(const PhaseLattice& lattice);

} // namespace tmd::engine::phase
