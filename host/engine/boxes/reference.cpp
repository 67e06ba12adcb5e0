// The kernels' text, compiled as C++ for one box or pair at a time: with x^y as the source of coefficients, with (1 +
// x)^y and with a tile's polynomial. Sinks keep what a kernel would write to a list.
#include "engine/boxes/reference.hpp"

#include "engine/kernel_text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tmd::engine::boxes {

namespace {

using namespace kernel_text;
using layout::box_strip;
using std::ceil;
using std::max;
using std::rint;
[[maybe_unused]] kernel_layout::i32 leading_zeros(kernel_layout::u64 x) { return std::countl_zero(x); }

// clang-format off
// NOLINTBEGIN: OpenCL C
#define global
#include "cl_kernels/boxes/surface.clh"
#include "cl_kernels/boxes/places.clh"
#include "cl_kernels/boxes/vectors.clh"
struct Found {
  place at{};
  std::vector<kernel_layout::u64> entries;
  std::vector<kernel_layout::i32> refused;
};
void found(Found* sink, kernel_layout::i32 i, kernel_layout::i32 j) {
  if (has_pair(&sink->at, i, j) != 0)
    sink->entries.push_back(pair_entry(&sink->at, i, j));
}
void refused(Found* sink, kernel_layout::i32 box) { sink->refused.push_back(box); }
void take(Found* sink, kernel_layout::u64 entry) { sink->entries.push_back(entry); }
#define FOUND Found
#include "cl_kernels/boxes/lines.clh"
namespace powers {
#include "cl_kernels/boxes/fixed_power.clh"
#include "cl_kernels/boxes/power_surface.clh"
#include "cl_kernels/boxes/power_rows.clh"
#include "cl_kernels/boxes/rows.clh"
} // namespace powers
namespace compounds {
#define TMD_COMPOUND
#include "cl_kernels/boxes/fixed_power.clh"
#include "cl_kernels/boxes/power_surface.clh"
#include "cl_kernels/boxes/power_rows.clh"
#include "cl_kernels/boxes/rows.clh"
#undef TMD_COMPOUND
} // namespace compounds
namespace tiles {
#include "cl_kernels/boxes/tiles.clh"
#include "cl_kernels/boxes/rows.clh"
} // namespace tiles
#undef FOUND
#undef global
// NOLINTEND
// clang-format on

// The text of the kernels for one kind of surface.
struct KernelText {
  decltype(&powers::walk_part) walk_part;
  decltype(&powers::boxes_of) boxes_of;
  decltype(&powers::look_at_pairs) look_at_pairs;
  decltype(&powers::may_be_case) may_be_case;
  decltype(&powers::surface_at) surface_at;
};

const KernelText& text_of(SurfaceKind kind, const box_strip& strip) {
  static const KernelText power{powers::walk_part, powers::boxes_of, powers::look_at_pairs, powers::may_be_case,
                                powers::surface_at};
  static const KernelText tile{tiles::walk_part, tiles::boxes_of, tiles::look_at_pairs, tiles::may_be_case,
                               tiles::surface_at};
  static const KernelText compound{compounds::walk_part, compounds::boxes_of, compounds::look_at_pairs,
                                   compounds::may_be_case, compounds::surface_at};
  return kind == SurfaceKind::tile ? tile : strip.x_sign != 0 ? compound : power;
}

void look_at_box(const SurfaceWords& words, const box_strip& strip, kernel_layout::i32 row, kernel_layout::i32 box,
                 Found& sink) {
  const place p = place_of(&strip, 0, row, box);
  for (kernel_layout::i32 share = 0; share < TMD_SHARES; ++share)
    text_of(words.kind, strip).look_at_pairs(words.words.data(), &p, share, &sink);
}

} // namespace

RowHits walk_row_on_host(const SurfaceWords& words, const box_strip& strip, std::uint32_t number, std::uint32_t row,
                         std::uint32_t part) {
  Found sink;
  RowHits result;
  result.boxes = static_cast<kernel_layout::u64>(text_of(words.kind, strip)
                                                     .walk_part(words.words.data(), &strip, number,
                                                                static_cast<kernel_layout::i32>(row),
                                                                static_cast<kernel_layout::i32>(part), &sink));
  result.hits = std::move(sink.entries);
  std::sort(result.hits.begin(), result.hits.end());
  result.refused = std::move(sink.refused);
  return result;
}

std::vector<std::uint64_t> look_at_box_on_host(const SurfaceWords& words, const box_strip& strip, std::uint32_t row,
                                               std::int32_t box) {
  Found sink;
  look_at_box(words, strip, static_cast<kernel_layout::i32>(row), box, sink);
  std::sort(sink.entries.begin(), sink.entries.end());
  return std::move(sink.entries);
}

bool pair_may_be_case(const SurfaceWords& words, const box_strip& strip, std::uint64_t hit) {
  const auto mask = (kernel_layout::u64(1) << TMD_PAIR_BITS) - 1;
  return text_of(words.kind, strip)
             .may_be_case(words.words.data(), &strip, static_cast<kernel_layout::i32>(hit >> TMD_PAIR_BITS & mask),
                          static_cast<kernel_layout::i32>(hit & mask)) != 0;
}

PowerPair pair_of(const box_strip& strip, std::uint64_t entry) {
  const auto mask = (kernel_layout::u64(1) << TMD_PAIR_BITS) - 1;
  return {static_cast<std::uint32_t>(entry >> TMD_PAIR_BITS & mask),
          strip.base + static_cast<std::uint32_t>(entry & mask)};
}

std::optional<std::uint64_t> value_on_host(const SurfaceWords& words, const box_strip& strip, const PowerPair& pair) {
  const auto x = static_cast<kernel_layout::i32>(pair.x);
  const auto y = static_cast<kernel_layout::i32>(pair.y - strip.base);
  if (words.kind == SurfaceKind::tile)
    return tiles::polynomial_at(tiles::tile_place_at(words.words.data(), &strip, x, y)).low + strip.offset;
  powers::exponent e = {};
  if (strip.x_sign == 0) {
    e = powers::exponent_at(words.words.data(), &strip, x, y);
  } else {
    const compounds::exponent of_sum = compounds::exponent_at(words.words.data(), &strip, x, y);
    e.whole = of_sum.whole;
    e.part = of_sum.part;
  }
  if (!powers::is_in_strip(&strip, e))
    return std::nullopt;
  return powers::fraction_of(&strip, e, powers::exp2_of(words.words.data(), e.part));
}

PairSurface surface_on_host(const SurfaceWords& words, const box_strip& strip, const PowerPair& pair) {
  const surface f = text_of(words.kind, strip)
                        .surface_at(words.words.data(), &strip, static_cast<kernel_layout::i32>(pair.x),
                                    static_cast<kernel_layout::i32>(pair.y - strip.base));
  return {f.value, f.along, f.across, f.xx, f.xy, f.yy};
}

std::vector<PowerPair> search_on_host(const SurfaceWords& words, const PowerStrip& strip, BoxCounts& counts) {
  const box_strip& s = strip.kernel;
  std::vector<PowerPair> result;
  Found one_by_one;
  for (kernel_layout::u32 row = 0; row < strip.rows(); ++row) {
    if (!strip.is_walked) {
      const auto range = text_of(words.kind, s).boxes_of(words.words.data(), &s, static_cast<kernel_layout::i32>(row));
      for (kernel_layout::i32 box = range.first; box < range.end; ++box)
        look_at_box(words, s, static_cast<kernel_layout::i32>(row), box, one_by_one);
      counts.refused += static_cast<kernel_layout::u64>(max(range.end - range.first, 0));
      continue;
    }
    for (kernel_layout::i32 part = 0; part < s.parts; ++part) {
      const RowHits found = walk_row_on_host(words, s, 0, row, static_cast<kernel_layout::u32>(part));
      counts.boxes += found.boxes;
      counts.hits += found.hits.size();
      counts.refused += found.refused.size();
      for (const kernel_layout::u64 hit : found.hits)
        if (pair_may_be_case(words, s, hit))
          result.push_back(pair_of(s, hit));
      for (const kernel_layout::i32 box : found.refused)
        look_at_box(words, s, static_cast<kernel_layout::i32>(row), box, one_by_one);
    }
  }
  for (const kernel_layout::u64 entry : one_by_one.entries)
    result.push_back(pair_of(s, entry));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

} // namespace tmd::engine::boxes
