#include "engine/launcher.hpp"

#include "job/pieces.hpp"

#include <algorithm>

namespace tmd {

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

Launcher::Launcher(const opencl::DeviceDescription& device, std::uint32_t capacity)
    : compute_(device), capacity_(capacity), counters_(compute_.allocate(counter_count * sizeof(std::uint32_t))) {}

opencl::Kernel& Launcher::build(const std::string& file, const std::string& name,
                                const std::vector<opencl::Macro>& macros, bool used, std::string_view options) {
  const KernelKey key{name, opencl::build_options(macros)};
  auto found = kernels_.find(key);
  if (found == kernels_.end())
    found = kernels_.emplace(key, compute_.kernel(file, name, macros, options)).first;
  if (used)
    used_kernels_.insert(*found);
  return found->second;
}

void Launcher::sweep(Stage& stage, std::uint64_t first, std::uint64_t count, std::uint64_t kept_per_item,
                     const std::function<Launch(std::uint64_t, std::uint32_t)>& prepare,
                     const std::function<void(const Outcome&)>& consume,
                     const std::function<void(std::uint64_t)>& too_many) {
  // The counters and the kernels' indices have 32 bits.
  const std::uint64_t together = stage.together;
  const std::uint64_t limit = std::max((std::uint64_t(1) << 31) / kept_per_item, together);
  constexpr double forgetting = 0.5;
  std::uint64_t most = limit; // less after an overflow
  while (count > 0) {
    if (interrupted_ && interrupted_())
      throw Interrupted();
    const std::uint64_t fitting = std::max(std::min(stage.sizer.items(), most) / together * together, together);
    const auto items = static_cast<std::uint32_t>(std::min(count, fitting));
    compute_.clear(counters_);
    const Launch launch = prepare(first, items);
    const std::size_t work_items = (items - 1) / launch.items_per_work_item + 1;
    const double seconds = compute_.run(launch.kernel, work_items, stage.work_group_size);
    Outcome outcome{items, {}};
    compute_.read(counters_, outcome.kept.data(), sizeof outcome.kept);
    (counts_.*stage.count).seconds += seconds;
    stage.sizer.observe(items, seconds);
    const std::uint32_t kept = *std::max_element(outcome.kept.begin(), outcome.kept.begin() + stage.lists);
    if (kept > capacity_ && items > together) {
      most = std::max<std::uint64_t>(items / 2, together);
      continue;
    }
    stage.survivor_share += forgetting * (static_cast<double>(kept) / items - stage.survivor_share);
    if (kept > capacity_)
      too_many(first);
    else
      consume(outcome);
    first += items;
    count -= items;
    most = std::min(2 * most, limit);
  }
}

} // namespace tmd
