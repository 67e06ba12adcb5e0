// How launches are sized and checked: their length is learnt from earlier ones. Each leaves counters: how many entries
// it kept, and sums that prove that all of its items were done and its list was read as it was written.
#include "engine/launcher.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine {

void LaunchSizer::observe(std::uint64_t items, double seconds, unsigned sharing) {
  if (items == 0)
    return;
  const double target = sharing * seconds_;
  const double fitting = static_cast<double>(items) * target / std::max(seconds, 1e-9);
  if (fitting < static_cast<double>(items_)) {
    // A launch far shorter than the target says little, and one that others have held up says nothing.
    if (seconds > (sharing > 1 ? target : target / 8))
      items_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fitting));
  } else if (items == items_) {
    items_ = static_cast<std::uint64_t>(std::min(fitting, 4.0 * static_cast<double>(items_)));
  }
}

Launcher::Launcher(opencl::Compute compute, std::uint32_t capacity, std::shared_ptr<Shared> shared)
    : compute_(std::move(compute)), capacity_(capacity),
      counters_(compute_.allocate(sizeof(std::uint32_t) * counter_count)), shared_(std::move(shared)) {}

Launcher::Launcher(const opencl::DeviceDescription& device, std::uint32_t capacity)
    : Launcher(opencl::Compute(device), capacity, std::make_shared<Shared>()) {}

std::shared_ptr<Launcher> Launcher::another() const {
  std::shared_ptr<Launcher> result(new Launcher(compute_.with_another_queue(), capacity_, shared_));
  result->asks_evidence_ = asks_evidence_;
  return result;
}

class Launcher::BusyQueue {
public:
  explicit BusyQueue(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) { ++shared_->busy; }
  BusyQueue(const BusyQueue&) = delete;
  BusyQueue& operator=(const BusyQueue&) = delete;
  ~BusyQueue() { --shared_->busy; }

private:
  std::shared_ptr<Shared> shared_;
};

std::shared_ptr<Launcher::BusyQueue> Launcher::busy_queue() {
  auto busy = busy_.lock();
  if (!busy)
    busy_ = busy = std::make_shared<BusyQueue>(shared_);
  return busy;
}

std::map<std::string, Launcher::UsedKernel> Launcher::kernels_used() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->used;
}

// The macros if no evidence is asked for.
void Launcher::add_evidence_to(std::vector<opencl::Macro>& macros) const {
  if (!asks_evidence_)
    macros.push_back({"TMD_EVIDENCE", 0, 0, 1});
}

void Launcher::build_ahead(const std::string& file, std::vector<opencl::Macro> macros, std::string_view options) {
  add_evidence_to(macros);
  compute_.build_ahead(file, macros, options);
}

opencl::Kernel& Launcher::build(std::string_view stage, const std::string& file, const std::string& name,
                                std::vector<opencl::Macro> macros, std::string_view options) {
  add_evidence_to(macros);
  const std::string all_options = fmt::format("{} {}", opencl::build_options(macros), options);
  const std::string key = fmt::format("{} {} {}", file, name, all_options);
  auto found = kernels_.find(key);
  if (found == kernels_.end()) {
    const DeviceTime::At waiting(device_time(), doing(), IdleReason::kernels);
    found = kernels_.emplace(key, compute_.kernel(file, name, macros, options)).first;
  }
  if (unrecorded_ == 0) {
    const std::lock_guard lock(shared_->mutex);
    shared_->used.try_emplace(fmt::format("{} {}", stage, key),
                              UsedKernel{std::string(stage), name, all_options, found->second});
  }
  return found->second;
}

std::string Launcher::register_limit(std::int64_t registers) const {
  return registers > 0 && device().has_extension("cl_nv_compiler_options")
             ? fmt::format("-cl-nv-maxrregcount={}", registers)
             : std::string();
}

FaultError Launcher::fault(std::string_view what) const {
  return FaultError(
      fmt::format("device {} ({}): {}; its results cannot be trusted", device().index, device().name, what));
}

Launcher::Counters Launcher::counters_of(const std::vector<std::uint32_t>& words, std::string_view kernel,
                                         const kernel_layout::launch_slice& slice) const {
  Counters result;
  std::copy_n(words.begin(), result.count.size(), result.count.begin());
  for (std::size_t at = evidence_stride; at < words.size(); at += evidence_stride) {
    result.sum[0] += words[at];
    result.sum[1] += words[at + 1];
    result.read_sum += words[at + 2];
  }
  const std::uint32_t end = slice.ticket + slice.count;
  result.sum[0] -= end * end - slice.ticket * slice.ticket; // Σ 2·(p + ticket) + 1 over 0 ≤ p < count
  if (asks_evidence_ && result.count[0] == 0 && result.sum[0] != 0)
    throw fault(fmt::format("kernel {} does not answer for the {} items that it was to do", kernel, slice.count));
  return result;
}

Launcher::Launch Launcher::started(const ReadyKernel& ready, std::string_view name,
                                   const kernel_layout::launch_slice& slice, std::size_t work_group_size) {
  Launch launch(*this, name, slice);
  launch.sharing_ = shared_->busy;
  launch.kernel_ = compute_.start(ready.kernel, (slice.count - 1) / ready.items_per_work_item + 1, work_group_size);
  auto words = std::make_unique<std::vector<std::uint32_t>>(counter_count);
  launch.reading_ = compute_.read_later(counters_, words->data(), counters_.bytes(), launch.kernel_);
  launch.words_ = std::move(words);
  return launch;
}

Launcher::Counters Launcher::Launch::finish() {
  opencl::Compute& compute = launcher_->compute_;
  (void)compute.finish(reading_);
  const auto words = std::move(words_);
  const opencl::ActiveTime active = compute.finish(kernel_);
  seconds_ = active.seconds();
  running_->end(launcher_->unrecorded_ > 0 ? std::string_view() : name_, active.begin, active.end);
  running_.reset();
  sharing_ = std::max(sharing_, launcher_->shared_->busy.load());
  busy_.reset();
  return launcher_->counters_of(*words, name_, slice_);
}

Launcher::Launch::~Launch() {
  if (words_ == nullptr)
    return;
  try {
    (void)launcher_->compute_.finish(reading_);
  } catch (const Error&) { // the error that has ended the search is reported; here only the device must have finished
  }
}

Sweep::Sweep(Launcher& launcher, LaunchedStage& stage, std::uint64_t first, std::uint64_t count,
             std::uint64_t kept_per_item, std::optional<std::uint32_t> read_sum)
    : launcher_(launcher), stage_(stage), first_(first), count_(count),
      limit_(std::max<std::uint64_t>((std::uint64_t(1) << 31) / kept_per_item, stage.together)), most_(limit_),
      read_sum_(read_sum) {}

// The number of items whose survivors would fit, by the share of earlier ones: a launch that keeps more is wasted.
std::uint64_t Sweep::with_room() const {
  constexpr double more = 1.25;
  const double room = launcher_.capacity_ / (more * stage_.survivor_share); // infinite if nothing was kept
  return room < static_cast<double>(limit_) ? static_cast<std::uint64_t>(room) : limit_;
}

std::optional<kernel_layout::launch_slice> Sweep::next() {
  if (overflowed_ && !asked_)
    throw DeviceError("a launch has counted more than its items can keep");
  if (count_ == 0) {
    if (launcher_.asks_evidence_ && read_sum_.value_or(0) != 0)
      throw launcher_.fault(fmt::format("{}: {}", stage_.counts.name, Launcher::list_fault));
    return std::nullopt;
  }
  if (launcher_.interrupt_ && launcher_.interrupt_())
    throw Interrupted();
  const std::uint64_t together = stage_.together;
  const std::uint64_t fitting =
      one_by_one_ > 0 ? 1
                      : std::max(std::min({stage_.sizer.items(), most_, with_room()}) / together * together, together);
  slice_ = launcher_.next_slice(first_, static_cast<std::uint32_t>(std::min(count_, fitting)));
  overflowed_ = false;
  asked_ = false;
  launcher_.compute_.clear(launcher_.counters_);
  return slice_;
}

void Sweep::start(const ReadyKernel& ready) {
  launch_.emplace(launcher_.started(ready, stage_.counts.name, slice_, stage_.work_group_size));
}

std::optional<Launcher::Counters> Sweep::finish() {
  constexpr double forgetting = 0.5;
  const Launcher::Counters counters = launch_->finish();
  const double seconds = launch_->seconds();
  const unsigned sharing = launch_->sharing();
  launch_.reset();
  stage_.counts.seconds += seconds;
  stage_.sizer.observe(slice_.count, seconds, sharing);
  const std::uint32_t kept =
      *std::max_element(counters.count.begin(), counters.count.begin() + static_cast<std::ptrdiff_t>(stage_.lists));
  const bool fits = kept <= launcher_.capacity_;
  if (!fits && slice_.count > 1) {
    stage_.survivor_share = std::max(stage_.survivor_share, static_cast<double>(kept) / slice_.count);
    most_ = std::max<std::uint64_t>(slice_.count / 2, stage_.together);
    one_by_one_ = slice_.count <= stage_.together ? slice_.count : 0;
    return std::nullopt;
  }
  one_by_one_ -= std::min(one_by_one_, slice_.count);
  stage_.survivor_share += forgetting * (static_cast<double>(kept) / slice_.count - stage_.survivor_share);
  if (read_sum_)
    *read_sum_ -= counters.read_sum;
  first_ += slice_.count;
  count_ -= slice_.count;
  most_ = std::min(2 * most_, limit_);
  overflowed_ = !fits;
  return fits ? std::optional(counters) : std::nullopt;
}

} // namespace tmd::engine
