// Launches of a device's kernels, in sizes that fit, with every survivor counted.
#pragma once

#include "engine/device_time.hpp"
#include "engine/engine.hpp"
#include "engine/kernel_layout.hpp"
#include "opencl/compute.hpp"
#include "tmd/error.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tmd::engine {

// Items that fit into one launch of about a given device time, learnt from the launches before.
class LaunchSizer {
public:
  LaunchSizer(std::uint64_t first, double seconds) : items_(first), seconds_(seconds) {}
  [[nodiscard]] std::uint64_t items() const { return items_; }
  // A launch of `items` took that long, while so many launches of the device, itself among them, shared it: by then its
  // seconds are others', too, and may be as many times the target. Grows fourfold at most, so that one lucky launch
  // does not lead to a long one.
  void observe(std::uint64_t items, double seconds, unsigned sharing = 1);

private:
  std::uint64_t items_;
  double seconds_;
};

// A stage as it is launched: what it counts, and what it keeps.
struct LaunchedStage {
  Stage counts;
  std::size_t work_group_size;
  LaunchSizer sizer;
  opencl::Buffer kept;       // the list of what it keeps, allocated when it is first needed
  double survivor_share = 0; // kept of the items tested, a running mean in which the latest launch counts half
  std::size_t lists = 1;     // that its kernel fills, each with a counter of its own and as much room
  // A launch begins at a multiple of so many items and has no fewer but at the end; where so many keep more than there
  // is room for, they come again one by one.
  std::uint32_t together = 1;

  LaunchedStage(const Stage& of, std::int64_t work_items, std::uint64_t first_items, std::int64_t milliseconds)
      : counts(of), work_group_size(static_cast<std::size_t>(work_items)),
        sizer(first_items, 1e-3 * static_cast<double>(milliseconds)) {}
};

// A kernel with its arguments set.
struct ReadyKernel {
  opencl::Kernel kernel;
  std::size_t items_per_work_item = 1;
};

// Builds kernels when they are first needed, and runs them. The engines of a device share one. Throws DeviceError when
// the device fails.
class Launcher {
public:
  // What a launch has counted.
  struct Counters {
    std::array<std::uint32_t, 3> count{}; // entries of each list, as far as kernels have them
    std::array<std::uint32_t, 2> sum{};   // of the entries of the first two
    std::uint32_t read_sum = 0;           // of the entries that it has read from a list
  };
  // As cl_kernels/common/evidence_numbers.clh has them; engine/domains/reference.cpp asserts it.
  static constexpr std::size_t evidence_slots = 64;
  static constexpr std::size_t evidence_stride = 32;
  static constexpr std::size_t counter_count = (evidence_slots + 1) * evidence_stride;

  // capacity: of each list of survivors.
  Launcher(const opencl::DeviceDescription& device, std::uint32_t capacity);

  // Another one of the same device, for another thread: with a queue, kernels and counters of its own, of the same
  // programs. What either has used, both have.
  [[nodiscard]] std::shared_ptr<Launcher> another() const;

  // The kernel `name` of a file for a stage, built when it is new. `options`: the compiler's own, beside the macros.
  [[nodiscard]] opencl::Kernel& build(std::string_view stage, const std::string& file, const std::string& name,
                                      std::vector<opencl::Macro> macros, std::string_view options = {});

  // The compiler's option for kernels with no more registers a work-item; empty where it has none, or for 0.
  [[nodiscard]] std::string register_limit(std::int64_t registers) const;

  // Begins to build the program of such kernels on another thread.
  void build_ahead(const std::string& file, std::vector<opencl::Macro> macros, std::string_view options = {});

  // A kernel that a search has used, and the stage that it was built for.
  struct UsedKernel {
    std::string stage;
    std::string name;
    std::string options;
    opencl::Kernel kernel;
  };
  // Those of searches; of self-tests and traces, which build other kernels too, none.
  [[nodiscard]] std::map<std::string, UsedKernel> kernels_used() const;
  // While it lives, kernels that are built count as used by no search.
  class Unrecorded {
  public:
    explicit Unrecorded(Launcher& launcher)
        : launcher_(launcher), at_(launcher.device_time(), launcher.doing(), IdleReason::self_tests) {
      ++launcher_.unrecorded_;
    }
    Unrecorded(const Unrecorded&) = delete;
    Unrecorded& operator=(const Unrecorded&) = delete;
    ~Unrecorded() { --launcher_.unrecorded_; }

  private:
    Launcher& launcher_;
    DeviceTime::At at_;
  };

  // A list of a stage, of `bytes` for each element of the capacity.
  void allocate_list(opencl::Buffer& list, std::size_t bytes) const {
    if (list.bytes() == 0)
      list = compute_.allocate(bytes * capacity_);
  }
  // Appends what a launch kept, in its first or its second list, to a list on the host; returns the list's size before.
  // Throws FaultError when that is not what the kernel has written.
  template <typename T>
  std::size_t append_kept(const opencl::Buffer& list, const Counters& kept, std::vector<T>& to, std::size_t which = 0) {
    const std::size_t known = to.size();
    to.resize(known + kept.count.at(which));
    compute_.read(list, to.data() + known, sizeof(T) * kept.count.at(which));
    std::uint32_t sum = 0;
    for (std::size_t i = known; i < to.size(); ++i)
      sum += entry_sum(to[i]);
    if (asks_evidence_ && sum != kept.sum.at(which))
      throw fault(list_fault);
    return known;
  }
  // An entry of a list as kernels sum it up.
  [[nodiscard]] static std::uint32_t entry_sum(std::uint64_t entry) {
    return static_cast<std::uint32_t>(entry) + 0x9e3779b1U * static_cast<std::uint32_t>(entry >> 32);
  }

  // Items of a launch, with a ticket that no other launch has, so that none can answer for another.
  [[nodiscard]] kernel_layout::launch_slice next_slice(std::uint64_t first, std::uint32_t count) {
    return {first, count, 0x9e3779b9U * ++launches_, capacity_, 0};
  }

  // That a queue has launches on their way, as long as one of these has it.
  class BusyQueue;

  // A launch on its way. Waits for its end before it goes.
  class Launch {
  public:
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;
    Launch(Launch&& other) noexcept = default;
    Launch& operator=(Launch&&) = delete;
    ~Launch();

    // What it has counted, when it has ended. Throws FaultError unless all its items were finished, in this very
    // launch; where its first list is not empty, that shows when the list is read.
    [[nodiscard]] Counters finish();
    [[nodiscard]] const opencl::Event& event() const { return kernel_; }
    [[nodiscard]] double seconds() const { return seconds_; }   // of the device, once it has ended
    [[nodiscard]] unsigned sharing() const { return sharing_; } // queues of the device that were at work by then

  private:
    friend class Launcher;
    Launch(Launcher& launcher, std::string_view name, const kernel_layout::launch_slice& slice)
        : launcher_(&launcher), name_(name), slice_(slice), busy_(launcher.busy_queue()),
          running_(std::make_unique<DeviceTime::Running>(launcher.device_time())) {}

    Launcher* launcher_;
    std::string_view name_;
    kernel_layout::launch_slice slice_;
    opencl::Event kernel_;
    opencl::Event reading_;
    std::unique_ptr<std::vector<std::uint32_t>> words_; // that the device writes; null when it has ended
    double seconds_ = 0;
    std::shared_ptr<BusyQueue> busy_;
    unsigned sharing_ = 1;
    std::unique_ptr<DeviceTime::Running> running_; // null when it has ended
  };

  // Launches a kernel over `count` items. Its last parameters, behind the arguments, are the slice and the counters.
  // name: the stage's; it must outlive the launch.
  template <typename... Arguments>
  [[nodiscard]] Launch start(ReadyKernel ready, std::string_view name, std::uint32_t count, std::size_t work_group_size,
                             const Arguments&... arguments) {
    const kernel_layout::launch_slice slice = next_slice(0, count);
    ready.kernel.set(arguments..., slice, counters_);
    compute_.clear(counters_);
    return started(ready, name, slice, work_group_size);
  }

  static constexpr std::string_view list_fault =
      "the entries of a list are not those that its kernel answers for, or it has not done all its work";
  // From now on kernels are built that answer for nothing, and nothing is asked: to measure what evidence costs, never
  // for a search.
  void ask_no_evidence() { asks_evidence_ = false; }
  // The sentence for a fault of this device.
  [[nodiscard]] FaultError fault(std::string_view what) const;

  // Asked before every launch of a sweep; Interrupted is thrown when it says so.
  void set_interrupt(const Interrupt& interrupt) { interrupt_ = interrupt; }

  // What the device's time is shared out to, of all its launchers. Launches of self-tests count as no stage's.
  [[nodiscard]] DeviceTime& device_time() { return shared_->time; }

  [[nodiscard]] opencl::Compute& compute() { return compute_; }
  [[nodiscard]] const opencl::Compute& compute() const { return compute_; }
  [[nodiscard]] const opencl::DeviceDescription& device() const { return compute_.device(); }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] const opencl::Buffer& counters() const { return counters_; }

private:
  friend class Sweep;

  // What the launchers of a device have in common.
  struct Shared {
    std::mutex mutex;
    std::map<std::string, UsedKernel> used; // by stage, file, name and options
    std::atomic<unsigned> busy = 0;         // queues with launches on their way
    DeviceTime time;
  };

  Launcher(opencl::Compute compute, std::uint32_t capacity, std::shared_ptr<Shared> shared);

  [[nodiscard]] std::shared_ptr<BusyQueue> busy_queue();
  // What its thread is at, when it waits for nothing.
  [[nodiscard]] IdleReason doing() const { return unrecorded_ > 0 ? IdleReason::self_tests : IdleReason::host; }
  void add_evidence_to(std::vector<opencl::Macro>& macros) const;
  // One whose arguments are set, with counters that have been cleared.
  [[nodiscard]] Launch started(const ReadyKernel& ready, std::string_view name,
                               const kernel_layout::launch_slice& slice, std::size_t work_group_size);
  [[nodiscard]] Counters counters_of(const std::vector<std::uint32_t>& words, std::string_view kernel,
                                     const kernel_layout::launch_slice& slice) const;

  opencl::Compute compute_;
  std::uint32_t capacity_;
  opencl::Buffer counters_;                       // of all launches: each is read before the next begins
  std::map<std::string, opencl::Kernel> kernels_; // by file, name and options
  std::shared_ptr<Shared> shared_;
  std::weak_ptr<BusyQueue> busy_; // while there is one
  int unrecorded_ = 0;
  std::uint32_t launches_ = 0;
  bool asks_evidence_ = true;
  Interrupt interrupt_;
};

// Takes the items first … first + count − 1 of a stage through launches:
//
//   for (Sweep sweep(launcher, stage, 0, items); const auto slice = sweep.next();) {
//     … set the kernel's arguments, the last two *slice and the launcher's counters …
//     if (const auto kept = sweep.run(kernel))
//       … take what (*kept)[0] says is in stage.kept …
//     else if (sweep.overflowed())
//       … search the slice otherwise …
//   }
//
// A launch that keeps more than there is room for comes again in halves, so that nothing is ever lost. Where even a
// single item cannot do so, the last branch may be left out: next() throws when it would have been needed.
class Sweep {
public:
  // An item keeps kept_per_item in a list at most, or adds no more to its counter once it is full. read_sum: of the
  // entries that all items together read from a list; not compared when it is not known.
  Sweep(Launcher& launcher, LaunchedStage& stage, std::uint64_t first, std::uint64_t count,
        std::uint64_t kept_per_item = 1, std::optional<std::uint32_t> read_sum = {});

  // What to launch next; nothing when all is done. Throws Interrupted when the launcher's interrupt says so,
  // DeviceError when the last slice overflowed and nobody asked: its survivors would be lost; and FaultError when all
  // is done and other entries were read than had been written.
  [[nodiscard]] std::optional<kernel_layout::launch_slice> next();

  // Launches the slice and waits. Returns what was kept, as the kernel counted it; nothing when that was more than the
  // capacity. Then the slice comes again in halves, unless it cannot be halved: see overflowed(). Throws FaultError
  // unless the kernel has finished just the slice's items.
  [[nodiscard]] std::optional<Launcher::Counters> run(const ReadyKernel& ready) {
    start(ready);
    return finish();
  }
  // The same in two steps.
  void start(const ReadyKernel& ready);
  [[nodiscard]] std::optional<Launcher::Counters> finish();

  // Whether the last slice, a single item, kept more than the capacity. It is not launched again: the caller must
  // search it otherwise.
  [[nodiscard]] bool overflowed() {
    asked_ = true;
    return overflowed_;
  }

private:
  [[nodiscard]] std::uint64_t with_room() const;

  Launcher& launcher_;
  LaunchedStage& stage_;
  std::uint64_t first_;
  std::uint64_t count_;
  std::uint64_t limit_;          // items in a launch: counters and indices have 32 bits
  std::uint64_t most_;           // less after an overflow
  std::uint32_t one_by_one_ = 0; // items that come by themselves, for together they had no room
  kernel_layout::launch_slice slice_{};
  std::optional<Launcher::Launch> launch_;
  std::optional<std::uint32_t> read_sum_; // that is still to come
  bool overflowed_ = false;
  bool asked_ = false; // whether it has overflowed
};

} // namespace tmd::engine
