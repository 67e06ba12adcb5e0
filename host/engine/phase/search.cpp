#include "engine/phase/search.hpp"

#include "engine/phase/reference.hpp"
#include "error.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::uint64_t first_groups = 256;
constexpr std::uint64_t first_chunks = std::uint64_t(1) << 8;
constexpr std::int64_t plain_work_group_size = 32;
constexpr int plain_bits = 50;
// So that small batches share buffers: of one that takes the place of another, Oclgrind believes that it is not
// written.
constexpr std::size_t fewest_bytes = std::size_t(1) << 16;

std::uint64_t chunks_of(const PhaseBatch& batch) { return ((batch.windows - 1) >> batch.parameters.chunk_bits) + 1; }

void reserve(opencl::Compute& compute, opencl::Buffer& buffer, std::size_t bytes) {
  if (bytes <= buffer.bytes())
    return;
  buffer = {}; // free the old one first
  buffer = compute.allocate(std::max(bytes, fewest_bytes));
}

template <typename T> void upload_to(opencl::Compute& compute, opencl::Buffer& buffer, std::span<const T> values) {
  reserve(compute, buffer, values.size_bytes());
  compute.write(buffer, values.data(), values.size_bytes());
}

} // namespace

PhaseSearch::PhaseSearch(std::shared_ptr<Launcher> launcher, const Tunables& tunables)
    : launcher_(std::move(launcher)),
      starts_(phase_stages[0], plain_work_group_size, first_groups, tunables.launch_milliseconds),
      walk_(phase_stages[1], tunables.phase_work_group_size, first_chunks, tunables.launch_milliseconds),
      again_(phase_stages[2], plain_work_group_size, first_chunks, tunables.launch_milliseconds),
      host_(phase_stages[3]) {
  walk_.lists = 2;
  again_.lists = 2;
}

Stages PhaseSearch::stages() const { return {starts_.counts, walk_.counts, again_.counts, host_}; }

void PhaseSearch::reset_stages() {
  for (LaunchedStage* stage : {&starts_, &walk_, &again_})
    stage->counts.reset_to({});
  host_.reset_to({});
}

BatchResult PhaseSearch::result(const PhaseBatch& batch, const Interrupt& interrupt) {
  reset_stages();
  BatchResult result;
  result.candidates = search(batch, interrupt);
  result.stages = stages();
  if (!has_listed_)
    result.reach = batch.reach;
  return result;
}

std::vector<std::uint64_t> PhaseSearch::search(const PhaseBatch& batch, const Interrupt& interrupt) {
  if (batch.plan->zone->is_direct)
    return batch.plan->direct_arguments();
  std::vector<std::uint64_t> result;
  if (batch.windows == 0)
    return result;
  const Stretch& arguments = batch.plan->field->arguments();
  for (const std::int64_t m : walk(batch, false, interrupt)) {
    const auto significand = static_cast<std::uint64_t>(m < 0 ? -m : m);
    if (significand >= arguments.first && significand - arguments.first < arguments.count)
      result.push_back(static_cast<std::uint64_t>(significand - arguments.first));
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<std::int64_t> PhaseSearch::walk(const PhaseBatch& batch, bool robust, const Interrupt& interrupt) {
  found_.clear();
  has_listed_ = false;
  refused_chunks_.clear();
  launcher_->set_interrupt(interrupt);
  launcher_->allocate_list(walk_.kept, sizeof(std::uint64_t));
  launcher_->allocate_list(refused_, sizeof(std::uint64_t));
  upload(batch);
  make_starts(batch);
  if (!robust)
    walk_chunks(batch, walk_, false, nullptr);
  else
    walk_chunks(batch, again_, true, nullptr);
  if (!robust && !refused_chunks_.empty()) {
    const std::vector<std::uint64_t> again = std::exchange(refused_chunks_, {});
    walk_chunks(batch, again_, true, &again);
  }
  walk_on_the_host(batch);
  std::vector<std::int64_t> result(found_.size());
  std::transform(found_.begin(), found_.end(), result.begin(),
                 [](std::uint64_t m) { return static_cast<std::int64_t>(m); });
  return result;
}

void PhaseSearch::upload(const PhaseBatch& batch) {
  opencl::Compute& compute = launcher_->compute();
  upload_to(compute, parameters_, std::span(&batch.parameters, 1));
  upload_to(compute, tables_, std::span(batch.tables));
  upload_to(compute, group_starts_, std::span(batch.starts));
  reserve(compute, chunk_starts_, sizeof(std::uint64_t) * phase::start_words * chunks_of(batch));
  reserve(compute, made_, sizeof(std::uint64_t) * (batch.starts.size() / phase::start_words));
}

// Where a group's chunks could not all be begun on the device, the host begins the rest.
void PhaseSearch::make_starts(const PhaseBatch& batch) {
  const std::uint64_t groups = batch.starts.size() / phase::start_words;
  for (Sweep sweep(*launcher_, starts_, 0, groups); const auto slice = sweep.next();) {
    opencl::Kernel& kernel = launcher_->build(starts_.counts.name, "phase/starts.cl", "phase_starts", {});
    kernel.set(parameters_, tables_, group_starts_, static_cast<std::uint32_t>(slice->first), slice->count,
               batch.windows, chunk_starts_, made_, slice->ticket, launcher_->counters());
    (void)sweep.run({kernel, 1});
  }
  std::vector<std::uint64_t> made(groups);
  launcher_->compute().read(made_, made.data(), sizeof(std::uint64_t) * groups);
  const int chunk_bits = static_cast<int>(batch.parameters.chunk_bits);
  const std::uint64_t in_group = std::uint64_t(1) << (batch.parameters.group_bits - batch.parameters.chunk_bits);
  for (std::uint64_t group = 0; group < groups; ++group) {
    const std::uint64_t end = std::min((group + 1) * in_group, chunks_of(batch));
    for (std::uint64_t chunk = group * in_group + made[group]; chunk < end; ++chunk) {
      const auto start = batch.plan->start_at(batch.first_window + (chunk << chunk_bits));
      launcher_->compute().write(chunk_starts_, start.data(), sizeof start, sizeof start * chunk);
    }
  }
  starts_.counts.tested += chunks_of(batch);
}

// All chunks of a batch, or those that are listed.
void PhaseSearch::walk_chunks(const PhaseBatch& batch, LaunchedStage& stage, bool robust,
                              const std::vector<std::uint64_t>* listed) {
  constexpr std::uint64_t most_held = 8; // what one item may add to a counter once its list is full (append.clh)
  std::optional<std::uint32_t> read_sum;
  if (listed != nullptr) {
    read_sum = 0;
    for (const std::uint64_t chunk : *listed)
      *read_sum += Launcher::entry_sum(chunk);
    upload_to(launcher_->compute(), listed_, std::span(*listed));
  } else {
    reserve(launcher_->compute(), listed_, sizeof(std::uint64_t));
  }
  const std::uint64_t chunks = listed != nullptr ? listed->size() : chunks_of(batch);
  const auto windows_of = [&](std::uint64_t chunk) {
    const std::uint64_t in_chunk = std::uint64_t(1) << batch.parameters.chunk_bits;
    return std::min(in_chunk, batch.windows - chunk * in_chunk);
  };
  for (Sweep sweep(*launcher_, stage, 0, chunks, most_held, read_sum); const auto slice = sweep.next();) {
    opencl::Kernel& kernel =
        launcher_->build(stage.counts.name, "phase/walk.cl", "phase_walk",
                         {{"TMD_UNIT_BITS", robust ? phase::robust_bits : plain_bits, phase::robust_bits, plain_bits}});
    kernel.set(parameters_, tables_, chunk_starts_, listed_, static_cast<std::uint32_t>(listed != nullptr ? 1 : 0),
               static_cast<std::uint32_t>(slice->first), slice->count, batch.windows, walk_.kept, refused_,
               launcher_->capacity(), slice->ticket, launcher_->counters());
    const auto chunk_at = [&](std::uint64_t i) { return listed != nullptr ? (*listed)[i] : i; };
    if (const auto kept = sweep.run({kernel, 1})) {
      for (std::uint64_t i = slice->first; i < slice->first + slice->count; ++i)
        stage.counts.tested += windows_of(chunk_at(i));
      stage.counts.kept += kept->count[0];
      launcher_->append_kept(walk_.kept, *kept, found_);
      launcher_->append_kept(refused_, *kept, refused_chunks_, 1);
    } else if (sweep.overflowed()) {
      refused_chunks_.push_back(chunk_at(slice->first));
    }
  }
}

void PhaseSearch::walk_on_the_host(const PhaseBatch& batch) {
  constexpr std::uint64_t most_listed = std::uint64_t(1) << 24;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::int64_t> found;
  for (const std::uint64_t chunk : refused_chunks_) {
    const std::uint64_t first = chunk << batch.parameters.chunk_bits;
    const std::uint64_t end = std::min(first + (std::uint64_t(1) << batch.parameters.chunk_bits), batch.windows);
    for (std::uint64_t window = first; window < end; ++window) {
      ++host_.tested;
      if (walk_window_on_host(batch, window, found))
        continue;
      const Stretch& arguments = batch.plan->field->arguments();
      if (static_cast<double>(arguments.count) * 4 * batch.plan->half_width > static_cast<double>(most_listed))
        throw DeviceError("a window of the phase walk can be neither walked nor listed");
      has_listed_ = true;
      for (const std::uint64_t index : batch.plan->arguments_in(batch.first_window + window))
        found.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(arguments.first) + index));
    }
  }
  host_.kept += found.size();
  host_.seconds += seconds_since(start);
  for (const std::int64_t m : found)
    found_.push_back(static_cast<std::uint64_t>(m));
}

} // namespace tmd
