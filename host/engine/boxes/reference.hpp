// The walk of boxes on the host, by the kernels' own text.
#pragma once

#include "engine/boxes/plan.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tmd::engine::boxes {

// What F is made from, and the words that it is made with: x^y or (1 + x)^y and the tables of their series, or the
// polynomials of tiles.
enum class SurfaceKind { power, tile };
struct SurfaceWords {
  std::span<const std::uint64_t> words;
  SurfaceKind kind = SurfaceKind::power;
  // Tables of x^y.
  SurfaceWords(const std::vector<std::uint64_t>& tables) : words(tables) {} // NOLINT(google-explicit-constructor)
  SurfaceWords(std::span<const std::uint64_t> words, SurfaceKind kind = SurfaceKind::power)
      : words(words), kind(kind) {} // NOLINT(google-explicit-constructor)
};

// A pair by its significands.
struct PowerPair {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  friend auto operator<=>(const PowerPair&, const PowerPair&) = default; // NOLINT(modernize-use-nullptr): of C++20
};

// Counts of a strip's search.
struct BoxCounts {
  std::uint64_t boxes = 0;
  std::uint64_t refused = 0; // boxes that were searched by their lines
  std::uint64_t hits = 0;    // pairs that floats do not rule out
};

// The pairs of a strip that may be cases, sorted.
[[nodiscard]] std::vector<PowerPair> search_on_host(const SurfaceWords& words, const PowerStrip& strip,
                                                    BoxCounts& counts);
// The hits in a part of a row, and its refused boxes.
struct RowHits {
  std::vector<std::uint64_t> hits; // as kernels list them, sorted
  std::vector<std::int32_t> refused;
  std::uint64_t boxes = 0;
};
[[nodiscard]] RowHits walk_row_on_host(const SurfaceWords& words, const layout::box_strip& strip, std::uint32_t number,
                                       std::uint32_t row, std::uint32_t part);

// The pairs of a refused box that may be cases, as kernels list them, sorted.
[[nodiscard]] std::vector<std::uint64_t> look_at_box_on_host(const SurfaceWords& words, const layout::box_strip& strip,
                                                             std::uint32_t row, std::int32_t box);

// The pair of an entry of a strip's list.
[[nodiscard]] PowerPair pair_of(const layout::box_strip& strip, std::uint64_t entry);
// The second filter, applied to a hit as kernels list it.
[[nodiscard]] bool pair_may_be_case(const SurfaceWords& words, const layout::box_strip& strip, std::uint64_t hit);
// F at a pair, modulo 1 in units of 2^-64; nothing if the pair does not belong to the strip.
[[nodiscard]] std::optional<std::uint64_t> value_on_host(const SurfaceWords& words, const layout::box_strip& strip,
                                                         const PowerPair& pair);

// F near a pair as the kernels compute it (surface_at()): its value and slopes modulo 1, in units of
// 2^-64, and the quadratic form in box units.
struct PairSurface {
  std::uint64_t value = 0;
  std::uint64_t along = 0;
  std::uint64_t across = 0;
  float xx = 0;
  float xy = 0;
  float yy = 0;
};
[[nodiscard]] PairSurface surface_on_host(const SurfaceWords& words, const layout::box_strip& strip,
                                          const PowerPair& pair);

} // namespace tmd::engine::boxes
