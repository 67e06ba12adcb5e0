#include "engine/phase/reference.hpp"

#include "engine/kernel_text.hpp"
#include "engine/phase/groups.hpp"

#include <cmath>

namespace tmd::engine::phase {

namespace {

using namespace kernel_text;
using layout::phase_parameters;
using std::ceil;
using std::ldexp;
using std::rint;

struct Found {
  const PhaseBatch* batch;
  std::vector<PhasePoint>* all;
};
void found(Found* sink, int target, kernel_layout::i64 told) {
  if (sink->batch->plan->field->is_logarithm())
    sink->batch->plan->add_points(layout::found_entry(told, target), *sink->batch, *sink->all);
  else
    sink->all->push_back({told, target});
}

// clang-format off
// NOLINTBEGIN: OpenCL C
#define global
#define FOUND Found
#include "cl_kernels/phase/fixed_point.clh"
namespace one_word {
#define TMD_M_WORDS 1
#include "engine/phase/walk_text.inc"
#undef TMD_M_WORDS
} // namespace one_word
namespace two_words {
#define TMD_M_WORDS 2
#include "engine/phase/walk_text.inc"
#undef TMD_M_WORDS
} // namespace two_words
#undef global
#undef FOUND
// NOLINTEND
// clang-format on

// Calls the version for the number of words in the plan's m.
template <typename One, typename Two> auto with_words(const PhaseBatch& batch, One one, Two two) {
  return batch.plan->m_words == 2 ? two : one;
}

std::uint64_t chunks_in_group(const phase_parameters& p) { return std::uint64_t(1) << (p.group_bits - p.chunk_bits); }

} // namespace

std::vector<PhasePoint> walk_on_host(const PhaseBatch& batch, PhaseUnits units,
                                     const std::vector<std::uint64_t>& chunks, const std::vector<std::uint64_t>& starts,
                                     std::vector<std::uint64_t>& refused) {
  const phase_parameters& p = batch.parameters;
  const auto walk_chunk = units == PhaseUnits::plain
                              ? with_words(batch, one_word::plain::walk_chunk, two_words::plain::walk_chunk)
                              : with_words(batch, one_word::robust::walk_chunk, two_words::robust::walk_chunk);
  std::vector<PhasePoint> all;
  Found sink{&batch, &all};
  for (const std::uint64_t chunk : chunks) {
    const std::uint64_t* table = batch.tables.data() + chunk / chunks_in_group(p) * layout::table_words(p.degree);
    const std::uint64_t* start = starts.data() + chunk * layout::start_words;
    const auto number = static_cast<kernel_layout::u32>(chunk % chunks_in_group(p));
    const auto windows = static_cast<kernel_layout::u32>(
        std::min(batch.windows - (chunk << p.chunk_bits), std::uint64_t(1) << p.chunk_bits));
    if (walk_chunk(&p, table, start, number, windows, &sink) == 0)
      refused.push_back(chunk);
  }
  return all;
}

std::vector<std::uint64_t> starts_on_host(const PhaseBatch& batch, std::vector<std::uint64_t>& made) {
  const phase_parameters& p = batch.parameters;
  const auto make_starts = with_words(batch, one_word::robust::make_starts, two_words::robust::make_starts);
  const std::uint64_t chunks = ((batch.windows - 1) >> p.chunk_bits) + 1;
  std::vector<std::uint64_t> starts(chunks * layout::start_words);
  const std::uint64_t groups = ((batch.windows - 1) >> p.group_bits) + 1;
  for (std::uint64_t g = 0; g < groups; ++g) {
    const std::uint64_t first = g * chunks_in_group(p);
    made.push_back(make_starts(&p, batch.tables.data() + g * layout::table_words(p.degree),
                               batch.starts.data() + g * layout::start_words, 0,
                               static_cast<kernel_layout::u32>(std::min(chunks_in_group(p), chunks - first)),
                               starts.data() + first * layout::start_words));
  }
  return starts;
}

bool walk_window_on_host(const PhaseBatch& batch, std::uint64_t window, std::vector<PhasePoint>& found) {
  phase_parameters p = batch.parameters;
  p.chunk_bits = 0;
  const auto start = start_at(*batch.plan, batch.first_window + window);
  Found sink{&batch, &found};
  const std::uint64_t* table = batch.tables.data() + (window >> p.group_bits) * layout::table_words(p.degree);
  const auto walk_chunk = with_words(batch, one_word::robust::walk_chunk, two_words::robust::walk_chunk);
  return walk_chunk(&p, table, start.data(),
                    static_cast<kernel_layout::u32>(window & ((std::uint64_t(1) << p.group_bits) - 1)), 1, &sink) != 0;
}

} // namespace tmd::engine::phase
