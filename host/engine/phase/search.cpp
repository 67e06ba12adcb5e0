// How groups of windows are walked: the device computes the starts of their chunks first. Chunks that floats refuse are
// walked again in short parts, and parts that are refused again are walked on the host.
#include "engine/phase/search.hpp"

#include "engine/phase/groups.hpp"
#include "engine/phase/reference.hpp"
#include "engine/phase/tunables.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::phase {

namespace {

constexpr std::uint64_t first_chunks = std::uint64_t(1) << 8;
constexpr std::int64_t plain_work_group_size = 32;
constexpr int plain_bits = 50;
constexpr const char* walk_program = "phase/walk.cl";

// log2 of the windows of the parts in which refused chunks are walked: short, since a work-item takes some 50 µs a
// window there, and the host walks what is refused again.
constexpr int most_part_bits = 5;

} // namespace

std::string phase_walk_options(const Launcher& launcher, const device::Tunables& tunables) {
  return fmt::format("{} {}", phase_float_options, launcher.register_limit(tunables[phase_tunable("phase.registers")]));
}

std::vector<opencl::Macro> PhaseSearch::walk_macros(const PhaseBatch& batch, bool robust) const {
  std::vector<opencl::Macro> macros = phase_macros(batch, tunables_);
  macros.push_back({"TMD_UNIT_BITS", robust ? layout::robust_bits : plain_bits, layout::robust_bits, plain_bits});
  return macros;
}

void PhaseSearch::build_ahead(const PhaseBatch& batch) const {
  starts_.build_ahead(batch);
  for (const bool robust : {false, true})
    launcher_->build_ahead(walk_program, walk_macros(batch, robust), phase_walk_options(*launcher_, tunables_));
}

PhaseSearch::PhaseSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables)
    : launcher_(std::move(launcher)), tunables_(tunables), starts_(launcher_, tunables),
      walk_(phase_stages[1], tunables[phase_tunable("phase.work-group-size")], first_chunks,
            tunables[device::shared_tunable("launch-milliseconds")]),
      again_(phase_stages[2], plain_work_group_size, first_chunks,
             tunables[device::shared_tunable("launch-milliseconds")]),
      host_(phase_stages[3]) {
  walk_.lists = 2;
  again_.lists = 2;
}

Stages PhaseSearch::stages() const { return {starts_.counts(), walk_.counts, again_.counts, host_}; }

void PhaseSearch::reset_stages() {
  starts_.reset_counts();
  for (LaunchedStage* stage : {&walk_, &again_})
    stage->counts.reset_to({});
  host_.reset_to({});
}

BatchResult PhaseSearch::result(const PhaseBatch& batch, const Interrupt& interrupt) {
  reset_stages();
  BatchResult result;
  Indices found = search(batch, interrupt);
  result.candidates = std::move(found.front());
  if (batch.plan->field->others() > 0)
    result.of_companions.assign(std::make_move_iterator(found.begin() + 1), std::make_move_iterator(found.end()));
  else
    result.of_companions.assign(batch.plan->field->companions(), result.candidates);
  result.stages = stages();
  if (!has_listed_ && !batch.plan->is_told_in_part())
    result.max_distance = batch.max_distance;
  return result;
}

PhaseSearch::Indices PhaseSearch::search(const PhaseBatch& batch, const Interrupt& interrupt) {
  const PhaseField& field = *batch.plan->field;
  Indices result(field.others() + 1);
  if (batch.plan->is_listed)
    for (std::size_t owner = 0; owner < result.size(); ++owner)
      result[owner] = batch.plan->owned(batch.plan->all_arguments(field.has_other_phases(owner)), owner);
  if (batch.windows == 0)
    return result;
  for (const PhasePoint& point : walk(batch, false, interrupt))
    if (const auto argument = batch.plan->argument_of(point))
      result[argument->owner].push_back(argument->index);
  for (std::vector<std::uint64_t>& indices : result) {
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  }
  return result;
}

std::vector<PhasePoint> PhaseSearch::walk(const PhaseBatch& batch, bool robust, const Interrupt& interrupt) {
  found_.clear();
  has_listed_ = false;
  overflowed_ = 0;
  refused_chunks_.clear();
  launcher_->set_interrupt(interrupt);
  launcher_->allocate_list(walk_.kept, sizeof(std::uint64_t));
  launcher_->allocate_list(refused_, sizeof(std::uint64_t));
  starts_.make_all(batch, whole_);
  if (!robust) {
    walk_chunks(batch, whole_, walk_, false);
  } else {
    refused_chunks_.resize(whole_.count);
    std::iota(refused_chunks_.begin(), refused_chunks_.end(), 0);
  }
  if (!refused_chunks_.empty()) {
    walk_again(batch);
    walk_on_the_host(batch, interrupt);
  }
  std::vector<PhasePoint> result;
  result.reserve(found_.size());
  for (const std::uint64_t entry : found_)
    batch.plan->add_points(entry, batch, result);
  return result;
}

// Walks refused chunks in parts; the parts that are refused again replace the chunks.
void PhaseSearch::walk_again(const PhaseBatch& batch) {
  constexpr std::size_t most_at_once = std::size_t(1) << 13; // the starts of their parts take 60 MB
  const std::vector<std::uint64_t> refused = std::exchange(refused_chunks_, {});
  starts_.upload(batch, std::min(whole_.bits, most_part_bits), parts_);
  const int share_bits = whole_.bits - parts_.bits;
  std::vector<std::uint64_t>& parts = parts_.listed.emplace();
  for (auto first = refused.begin(); first != refused.end();) {
    const auto last = first + std::min<std::ptrdiff_t>(most_at_once, refused.end() - first);
    const std::vector<std::uint64_t> chunks(first, last);
    parts.clear();
    for (const std::uint64_t chunk : chunks)
      for (std::uint64_t part = 0; part < std::uint64_t(1) << share_bits; ++part)
        parts.push_back((chunk << share_bits) + part);
    parts_.count = parts.size();
    starts_.make_parts(batch, whole_, chunks, parts_);
    walk_chunks(batch, parts_, again_, true);
    first = last;
  }
}

void PhaseSearch::walk_chunks(const PhaseBatch& batch, const Chunks& chunks, LaunchedStage& stage, bool robust) {
  constexpr std::uint64_t most_held = 8; // most that an item adds to a counter once its list is full (append.clh)
  const std::vector<std::uint64_t>* listed = chunks.listed ? &*chunks.listed : nullptr;
  const auto windows_of = [&](std::uint64_t chunk) {
    const std::uint64_t in_chunk = std::uint64_t(1) << chunks.bits;
    return std::min(in_chunk, batch.windows - std::min(batch.windows, chunk * in_chunk));
  };
  const std::optional<std::uint32_t> read_sum = starts_.upload_list(listed);
  const std::vector<opencl::Macro> macros = walk_macros(batch, robust);
  const std::string options = phase_walk_options(*launcher_, tunables_);
  for (Sweep sweep(*launcher_, stage, 0, chunks.count, most_held, read_sum); const auto slice = sweep.next();) {
    opencl::Kernel& kernel = launcher_->build(stage.counts.name, walk_program, "phase_walk", macros, options);
    kernel.set(chunks.parameters, starts_.tables(), chunks.starts, starts_.listed(), walk_.kept, refused_,
               static_cast<std::uint32_t>(listed != nullptr ? 1 : 0), batch.windows, *slice, launcher_->counters());
    const auto chunk_at = [&](std::uint64_t i) { return listed != nullptr ? (*listed)[i] : i; };
    if (const auto kept = sweep.run({kernel, 1})) {
      for (std::uint64_t i = slice->first; i < slice->first + slice->count; ++i)
        stage.counts.tested += windows_of(chunk_at(i));
      stage.counts.kept += kept->count[0];
      launcher_->append_kept(walk_.kept, *kept, found_);
      launcher_->append_kept(refused_, *kept, refused_chunks_, 1);
    } else if (sweep.overflowed()) {
      ++overflowed_;
      refused_chunks_.push_back(chunk_at(slice->first));
    }
  }
}

void PhaseSearch::walk_on_the_host(const PhaseBatch& batch, const Interrupt& interrupt) {
  constexpr double most_of_window = 4;       // arguments that MPFR decides while the host walks a window
  constexpr double most_of_several = 0x1p24; // arguments that are listed together,
  constexpr double most_of_one = 0x1p26;     // and those of one window: of exp in binary80 of_window is 2^24.4
  const auto start = std::chrono::steady_clock::now();
  const PhaseField& field = *batch.plan->field;
  const double of_window =
      static_cast<double>(field.span()) * 4 * batch.plan->half_width / std::ldexp(fmpz_get_d(field.end()), -phase_bits);
  const auto most_windows = static_cast<std::uint64_t>(std::min(most_of_several / of_window, 0x1p62));
  const bool lists = of_window <= most_of_window;
  std::vector<PhasePoint> found;
  std::sort(refused_chunks_.begin(), refused_chunks_.end());
  for (auto part = refused_chunks_.begin(); part != refused_chunks_.end();) {
    if (interrupt && interrupt())
      throw Interrupted();
    // If there are fewer arguments than windows, those of neighbouring parts are listed together.
    const std::uint64_t first = *part << parts_.bits;
    std::uint64_t end = first;
    do {
      end = std::min((*part++ + 1) << parts_.bits, batch.windows);
    } while (lists && part != refused_chunks_.end() && *part << parts_.bits == end && end - first < most_windows / 2);
    host_.tested += end - first;
    if (lists) {
      has_listed_ = true;
      for (std::size_t owner = 0; owner <= field.others(); ++owner)
        for (const std::uint64_t index : batch.plan->owned(
                 batch.plan->arguments_in(batch.first_window + first, end - first, field.has_other_phases(owner)),
                 owner))
          found.push_back(batch.plan->point_of({index, owner}));
      continue;
    }
    for (std::uint64_t window = first; window < end; ++window) {
      if (walk_window_on_host(batch, window, found))
        continue;
      if (of_window > most_of_one)
        throw DeviceError("a window of the phase walk can be neither walked nor listed");
      has_listed_ = true;
      for (const PhaseArgument& argument : near_integers(batch, window))
        found.push_back(batch.plan->point_of(argument));
    }
  }
  host_.kept += found.size();
  host_.seconds += support::seconds_since(start);
  for (const PhasePoint& point : found)
    found_.push_back(batch.plan->entry_of(point));
}

} // namespace tmd::engine::phase
