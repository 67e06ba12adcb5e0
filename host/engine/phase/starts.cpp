// Work-items carry a start from the beginning of a group to that of each of its chunks, stride by stride. Where the
// numbers have no room for a stride, the host makes the start itself.
#include "engine/phase/starts.hpp"

#include "engine/phase/groups.hpp"
#include "engine/phase/tunables.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace tmd::engine::phase {

namespace {

constexpr std::uint64_t first_groups = 256;
constexpr std::int64_t work_group_size = 32;
constexpr const char* program = "phase/starts.cl";
constexpr std::size_t fewest_bytes = std::size_t(1) << 16; // so that small batches share buffers

std::uint64_t chunks_of(const PhaseBatch& batch, int chunk_bits) { return ((batch.windows - 1) >> chunk_bits) + 1; }

void reserve(opencl::Compute& compute, opencl::Buffer& buffer, std::size_t bytes) {
  if (bytes <= buffer.bytes())
    return;
  buffer = {}; // frees the old buffer first
  buffer = compute.allocate(std::max(bytes, fewest_bytes));
}

template <typename T> void upload_to(opencl::Compute& compute, opencl::Buffer& buffer, std::span<const T> values) {
  reserve(compute, buffer, values.size_bytes());
  compute.write(buffer, values.data(), values.size_bytes());
}

} // namespace

std::vector<opencl::Macro> phase_macros(const PhaseBatch& batch, const device::Tunables& tunables) {
  return {{"TMD_M_WORDS", batch.plan->m_words, 1, 2},
          {"TMD_TARGETS", batch.parameters.targets, 1, layout::most_targets},
          {"TMD_VECTORIZER", tunables[phase_tunable("phase.vectorizer")], 0, 1}};
}

ChunkStarts::ChunkStarts(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables)
    : launcher_(std::move(launcher)), tunables_(tunables),
      stage_(phase_stages[0], work_group_size, first_groups, tunables[device::shared_tunable("launch-milliseconds")]) {}

void ChunkStarts::build_ahead(const PhaseBatch& batch) const {
  launcher_->build_ahead(program, phase_macros(batch, tunables_), phase_float_options);
}

void ChunkStarts::make_all(const PhaseBatch& batch, Chunks& whole) {
  upload_to(launcher_->compute(), tables_, std::span(batch.tables));
  upload_to(launcher_->compute(), group_starts_, std::span(batch.starts));
  upload(batch, static_cast<int>(batch.parameters.chunk_bits), whole);
  whole.count = chunks_of(batch, whole.bits);
  // In two steps if groups have many chunks, since the strides of a work-item come one after the other.
  const auto group_bits = static_cast<int>(batch.parameters.group_bits);
  const int long_bits = (group_bits + whole.bits) / 2;
  if (long_bits - whole.bits >= 2) {
    upload(batch, long_bits, long_);
    make(batch, group_starts_, group_bits, nullptr, long_);
    make(batch, long_.starts, long_bits, nullptr, whole);
  } else {
    make(batch, group_starts_, group_bits, nullptr, whole);
  }
}

void ChunkStarts::make_parts(const PhaseBatch& batch, const Chunks& whole, const std::vector<std::uint64_t>& of,
                             Chunks& parts) {
  make(batch, whole.starts, whole.bits, &of, parts);
}

void ChunkStarts::upload(const PhaseBatch& batch, int chunk_bits, Chunks& chunks) {
  layout::phase_parameters parameters = batch.parameters;
  parameters.chunk_bits = static_cast<std::uint32_t>(chunk_bits);
  upload_to(launcher_->compute(), chunks.parameters, std::span<const layout::phase_parameters>(&parameters, 1));
  chunks.bits = chunk_bits;
  chunks.listed.reset();
}

std::optional<std::uint32_t> ChunkStarts::upload_list(const std::vector<std::uint64_t>* list) {
  if (list == nullptr) {
    reserve(launcher_->compute(), listed_, sizeof(std::uint64_t));
    return std::nullopt;
  }
  upload_to(launcher_->compute(), listed_, std::span(*list));
  return std::accumulate(list->begin(), list->end(), std::uint32_t(0),
                         [](std::uint32_t sum, std::uint64_t entry) { return sum + Launcher::entry_sum(entry); });
}

// If not all chunks could be started on the device, the host starts the others.
void ChunkStarts::make(const PhaseBatch& batch, const opencl::Buffer& from, int from_bits,
                       const std::vector<std::uint64_t>* longer, Chunks& chunks) {
  opencl::Compute& compute = launcher_->compute();
  const int share_bits = from_bits - chunks.bits;
  const std::uint64_t items = longer != nullptr ? longer->size() : chunks_of(batch, from_bits);
  reserve(compute, chunks.starts, sizeof(std::uint64_t) * layout::start_words * (items << share_bits));
  reserve(compute, made_, sizeof(std::uint64_t) * items);
  const std::optional<std::uint32_t> read_sum = upload_list(longer);
  for (Sweep sweep(*launcher_, stage_, 0, items, 1, read_sum); const auto slice = sweep.next();) {
    opencl::Kernel& kernel = launcher_->build(stage_.counts.name, program, "phase_starts",
                                              phase_macros(batch, tunables_), phase_float_options);
    kernel.set(chunks.parameters, tables_, from, listed_, chunks.starts, made_,
               static_cast<std::uint32_t>(longer != nullptr ? 1 : 0), static_cast<std::uint32_t>(share_bits),
               batch.windows, *slice, launcher_->counters());
    (void)sweep.run({kernel, 1});
  }
  std::vector<std::uint64_t> made(items);
  compute.read(made_, made.data(), sizeof(std::uint64_t) * items);
  for (std::uint64_t item = 0; item < items; ++item) {
    const std::uint64_t first = (longer != nullptr ? (*longer)[item] : item) << share_bits;
    const std::uint64_t count = std::min(std::uint64_t(1) << share_bits, chunks_of(batch, chunks.bits) - first);
    stage_.counts.tested += count;
    for (std::uint64_t i = made[item]; i < count; ++i) {
      const auto start = start_at(*batch.plan, batch.first_window + ((first + i) << chunks.bits));
      compute.write(chunks.starts, start.data(), sizeof start, sizeof start * ((item << share_bits) + i));
    }
  }
}

} // namespace tmd::engine::phase
