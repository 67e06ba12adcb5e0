#include "search/phases.hpp"

#include "error.hpp"

#include <algorithm>

namespace tmd {

namespace {

constexpr std::int64_t regular = 1;
constexpr std::int64_t atomic_compaction = 1;
// First launches, before anything is known of the device: some milliseconds on one CPU core.
constexpr std::uint64_t first_tests = std::uint64_t(1) << 15;
constexpr std::uint64_t first_runs = std::uint64_t(1) << 12;

std::vector<opencl::Macro> test_macros(std::int64_t logms, std::int64_t items) {
  return {{"TMD_ALGORITHM", regular, regular, regular},
          {"TMD_LOGMS", logms, 0, 64},
          {"TMD_COMPACTION", atomic_compaction, atomic_compaction, atomic_compaction},
          {"TMD_ITEMS_PER_WORK_ITEM", items, 1, 4096}};
}

} // namespace

void LaunchSizer::observe(std::uint64_t items, double seconds) {
  if (items == 0)
    return;
  const double fitting = static_cast<double>(items) * seconds_ / std::max(seconds, 1e-9);
  if (fitting < static_cast<double>(items_)) {
    if (seconds > seconds_ / 8) // a launch far shorter than the target says little
      items_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fitting));
  } else if (items == items_) {
    items_ = static_cast<std::uint64_t>(std::min(fitting, 4.0 * static_cast<double>(items_)));
  }
}

ThreePhases::ThreePhases(const opencl::DeviceDescription& device, const Tunables& tunables)
    : compute_(device), tunables_(tunables), capacity_(static_cast<std::uint32_t>(tunables.survivor_capacity)),
      phase1_{compute_.kernel("phase1.cl", "phase1",
                              test_macros(tunables.phase1_logms, tunables.phase1_items_per_work_item)),
              compute_.allocate(sizeof(std::uint32_t) * capacity_),
              LaunchSizer(first_tests, 1e-3 * static_cast<double>(tunables.launch_milliseconds)),
              static_cast<std::size_t>(tunables.phase1_work_group_size),
              static_cast<std::size_t>(tunables.phase1_items_per_work_item),
              &PhaseCounts::phase1},
      phase2_{compute_.kernel("phase2.cl", "phase2",
                              test_macros(tunables.phase2_logms, tunables.phase2_items_per_work_item)),
              compute_.allocate(sizeof(std::uint32_t) * capacity_),
              LaunchSizer(first_tests, 1e-3 * static_cast<double>(tunables.launch_milliseconds)),
              static_cast<std::size_t>(tunables.phase2_work_group_size),
              static_cast<std::size_t>(tunables.phase2_items_per_work_item),
              &PhaseCounts::phase2},
      phase3_{compute_.kernel("phase3.cl", "phase3",
                              std::vector<opencl::Macro>{
                                  {"TMD_COMPACTION", atomic_compaction, atomic_compaction, atomic_compaction}}),
              compute_.allocate(sizeof(std::uint64_t) * capacity_),
              LaunchSizer(first_runs, 1e-3 * static_cast<double>(tunables.launch_milliseconds)),
              static_cast<std::size_t>(tunables.phase3_work_group_size),
              1,
              &PhaseCounts::phase3},
      counter_(compute_.allocate(sizeof(std::uint32_t))) {}

std::vector<std::uint64_t> ThreePhases::search(const DomainBatch& batch, PhaseTrace* trace,
                                               const std::function<bool()>& interrupted) {
  const std::size_t bytes = sizeof(std::uint64_t) * batch.domain_count();
  if (bytes > lines_.bytes()) {
    const std::size_t size =
        std::max(bytes, std::min(2 * lines_.bytes(), sizeof(std::uint64_t) *
                                                         static_cast<std::size_t>(tunables_.batch_domains)));
    for (opencl::Buffer* buffer : {&lines_, &slopes_, &curvatures_})
      *buffer = compute_.allocate(size);
  }
  compute_.write(lines_, batch.lines.data(), bytes);
  compute_.write(slopes_, batch.slopes.data(), bytes);
  compute_.write(curvatures_, batch.curvatures.data(), bytes);

  candidates_.clear();
  trace_ = trace;
  interrupted_ = interrupted;
  if (batch.parameters.method == Method::three_phases)
    phase1(batch);
  else
    phase3(batch, batch.domain_count());
  std::sort(candidates_.begin(), candidates_.end());
  if (trace != nullptr) {
    std::sort(trace->domains.begin(), trace->domains.end());
    std::sort(trace->sub_domains.begin(), trace->sub_domains.end());
  }
  return std::move(candidates_);
}

void ThreePhases::sweep(Stage& stage, std::uint64_t first, std::uint64_t count, std::uint32_t kept_per_item,
                        const std::function<void(std::uint64_t, std::uint32_t)>& set_arguments,
                        const std::function<void(std::uint32_t, std::uint32_t)>& consume,
                        const std::function<void(std::uint64_t)>& too_many) {
  PhaseCount& work = counts_.*stage.count;
  // The counter and the kernels' indices have 32 bits.
  const std::uint64_t limit = (std::uint64_t(1) << 31) / kept_per_item;
  std::uint64_t most = limit; // less after an overflow
  while (count > 0) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    const auto items = static_cast<std::uint32_t>(std::min({count, stage.sizer.items(), most}));
    std::uint32_t kept = 0;
    compute_.write(counter_, &kept, sizeof kept);
    set_arguments(first, items);
    const std::size_t work_items = (items + stage.items_per_work_item - 1) / stage.items_per_work_item;
    const double seconds = compute_.run(stage.kernel, work_items, stage.work_group_size);
    compute_.read(counter_, &kept, sizeof kept);
    work.seconds += seconds;
    stage.sizer.observe(items, seconds);
    if (kept > capacity_ && items > 1) {
      most = items / 2;
      continue;
    }
    if (kept > capacity_)
      too_many(first);
    else
      consume(items, kept);
    first += items;
    count -= items;
    most = std::min(2 * most, limit);
  }
}

void ThreePhases::phase1(const DomainBatch& batch) {
  const BatchParameters& p = batch.parameters;
  sweep(
      phase1_, 0, batch.domain_count(), 1,
      [&](std::uint64_t first, std::uint32_t count) {
        phase1_.kernel.set(lines_, slopes_, static_cast<std::uint32_t>(first), count,
                           std::uint64_t(1) << p.domain_bits, p.offset1, phase1_.kept, capacity_, counter_);
      },
      [&](std::uint32_t tested, std::uint32_t survivors) {
        counts_.phase1.tested += tested;
        counts_.phase1.survivors += survivors;
        if (trace_ != nullptr) {
          const std::size_t known = trace_->domains.size();
          trace_->domains.resize(known + survivors);
          compute_.read(phase1_.kept, trace_->domains.data() + known, sizeof(std::uint32_t) * survivors);
        }
        phase2(batch, survivors);
      });
}

void ThreePhases::phase2(const DomainBatch& batch, std::uint32_t survivors) {
  const BatchParameters& p = batch.parameters;
  sweep(
      phase2_, 0, std::uint64_t(survivors) << p.split_bits, 1,
      [&](std::uint64_t first, std::uint32_t count) {
        phase2_.kernel.set(lines_, slopes_, curvatures_, static_cast<std::uint32_t>(p.scale), phase1_.kept,
                           static_cast<std::uint32_t>(first), count, std::uint64_t(1) << p.domain_bits,
                           static_cast<std::uint32_t>(p.split_bits), p.offset2, phase2_.kept, capacity_, counter_);
      },
      [&](std::uint32_t tested, std::uint32_t kept) {
        counts_.phase2.tested += tested;
        counts_.phase2.survivors += kept;
        if (trace_ != nullptr) {
          const std::size_t known = trace_->sub_domains.size();
          trace_->sub_domains.resize(known + kept);
          compute_.read(phase2_.kept, trace_->sub_domains.data() + known, sizeof(std::uint32_t) * kept);
        }
        phase3(batch, kept);
      });
}

void ThreePhases::phase3(const DomainBatch& batch, std::uint64_t sub_domains) {
  const BatchParameters& p = batch.parameters;
  const int sub_bits = p.domain_bits - p.split_bits;
  const int run_bits = std::min(most_run_bits, sub_bits);
  counts_.phase3.tested += sub_domains;
  phase3_runs(batch, 0, sub_domains << (sub_bits - run_bits), run_bits);
}

void ThreePhases::phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits) {
  const BatchParameters& p = batch.parameters;
  const auto run_split_bits = static_cast<std::uint32_t>(p.domain_bits - p.split_bits - run_bits);
  sweep(
      phase3_, first, count, std::uint32_t(1) << run_bits,
      [&](std::uint64_t from, std::uint32_t items) {
        const std::uint32_t all_domains = p.method == Method::exhaustive ? 1 : 0;
        phase3_.kernel.set(lines_, slopes_, curvatures_, static_cast<std::uint32_t>(p.scale), phase2_.kept,
                           all_domains, from, items, std::uint64_t(1) << p.domain_bits,
                           static_cast<std::uint32_t>(p.split_bits), run_split_bits, p.offset3, p.argument_limit,
                           phase3_.kept, capacity_, counter_);
      },
      [&](std::uint32_t, std::uint32_t kept) {
        counts_.phase3.survivors += kept;
        const std::size_t known = candidates_.size();
        candidates_.resize(known + kept);
        compute_.read(phase3_.kept, candidates_.data() + known, sizeof(std::uint64_t) * kept);
      },
      // More candidates in one run than the capacity: the run in halves.
      [&](std::uint64_t run) { phase3_runs(batch, 2 * run, 2, run_bits - 1); });
}

} // namespace tmd
