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

// The number of items for a launch of about a given device time, learnt from earlier launches.
class LaunchSizer {
public:
  LaunchSizer(std::uint64_t first, double seconds) : items_(first), seconds_(seconds) {}
  [[nodiscard]] std::uint64_t items() const { return items_; }
  // Records a launch of `items` that took `seconds` while `sharing` launches (this one included) ran; the target time
  // is multiplied by `sharing`. The size grows at most fourfold, so that one lucky launch does not lead to a long one.
  void observe(std::uint64_t items, double seconds, unsigned sharing = 1);

private:
  std::uint64_t items_;
  double seconds_;
};

// A stage in its launches: its counts and its lists.
struct LaunchedStage {
  Stage counts;
  std::size_t work_group_size;
  LaunchSizer sizer;
  opencl::Buffer kept;       // the list of survivors, allocated when first needed
  double survivor_share = 0; // survivors over items tested, a running mean in which the latest launch counts half
  std::size_t lists = 1;     // lists that its kernel fills, each with a counter of its own and the same capacity
  // A launch begins at a multiple of this many items and has at least so many, except at the end; if so few keep more
  // than there is room for, they are run one by one.
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

// Builds kernels when they are first needed, and runs them. The engines of a device share one. Throws DeviceError if
// the device fails.
class Launcher {
public:
  // The counters of a launch.
  struct Counters {
    std::array<std::uint32_t, 3> count{}; // entries of each list, for kernels that have it
    std::array<std::uint32_t, 2> sum{};   // sums of the entries of the first two
    std::uint32_t read_sum = 0;           // sum of the entries that it has read from a list
  };
  // As in cl_kernels/common/evidence_numbers.clh; engine/domains/reference.cpp asserts it.
  static constexpr std::size_t evidence_slots = 64;
  static constexpr std::size_t evidence_stride = 32;
  static constexpr std::size_t counter_count = (evidence_slots + 1) * evidence_stride;

  // capacity: of each list of survivors.
  Launcher(const opencl::DeviceDescription& device, std::uint32_t capacity);

  // A launcher of the same device for another thread: with its own queue, kernels and counters, but the same programs
  // and the same list of used kernels.
  [[nodiscard]] std::shared_ptr<Launcher> another() const;

  // The kernel `name` of a file for a stage, built if it is new. `options`: the compiler's own, beside the macros.
  [[nodiscard]] opencl::Kernel& build(std::string_view stage, const std::string& file, const std::string& name,
                                      std::vector<opencl::Macro> macros, std::string_view options = {});

  // The compiler's option that limits the registers of a work-item; empty if it has none, or for 0.
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
  // The kernels that searches have used; not those of self-tests and traces, which build other ones.
  [[nodiscard]] std::map<std::string, UsedKernel> kernels_used() const;
  // RAII: while it lives, kernels that are built count as used by no search.
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

  // Allocates a list of a stage, with `bytes` for each element of the capacity.
  void allocate_list(opencl::Buffer& list, std::size_t bytes) const {
    if (list.bytes() == 0)
      list = compute_.allocate(bytes * capacity_);
  }
  // Appends the entries that a launch kept, in its first or its second list, to a list on the host; returns the list's
  // size before. Throws FaultError if these are not the entries that the kernel has written.
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

  // Items of a launch, with a ticket that no other launch has, so that results of one cannot pass for another's.
  [[nodiscard]] kernel_layout::launch_slice next_slice(std::uint64_t first, std::uint32_t count) {
    return {first, count, 0x9e3779b9U * ++launches_, capacity_, 0};
  }

  // RAII token: the queue counts as busy while any token for it is alive.
  class BusyQueue;

  class Launch;

  // Launches a kernel over `count` items. Its last parameters, after the arguments, are the slice and the counters.
  // name: the stage's; it must outlive the launch.
  template <typename... Arguments>
  [[nodiscard]] Launch start(ReadyKernel ready, std::string_view name, std::uint32_t count, std::size_t work_group_size,
                             const Arguments&... arguments);

  static constexpr std::string_view list_fault =
      "the entries of a list are not those that its kernel answers for, or it has not done all its work";
  // From now on kernels are built without evidence, and none is checked: to measure its cost, never for a search.
  void ask_no_evidence() { asks_evidence_ = false; }
  // The exception for a fault of this device.
  [[nodiscard]] FaultError fault(std::string_view what) const;

  // `interrupt` is called before every launch of a sweep; Interrupted is thrown when it returns true.
  void set_interrupt(const Interrupt& interrupt) { interrupt_ = interrupt; }

  // The device's time, shared among all its launchers. Launches of self-tests belong to no stage.
  [[nodiscard]] DeviceTime& device_time() { return shared_->time; }

  [[nodiscard]] opencl::Compute& compute() { return compute_; }
  [[nodiscard]] const opencl::Compute& compute() const { return compute_; }
  [[nodiscard]] const opencl::DeviceDescription& device() const { return compute_.device(); }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] const opencl::Buffer& counters() const { return counters_; }

private:
  friend class Sweep;

  // State that the launchers of a device share.
  struct Shared {
    std::mutex mutex;
    std::map<std::string, UsedKernel> used; // by stage, file, name and options
    std::atomic<unsigned> busy = 0;         // queues with running launches
    DeviceTime time;
  };

  Launcher(opencl::Compute compute, std::uint32_t capacity, std::shared_ptr<Shared> shared);

  [[nodiscard]] std::shared_ptr<BusyQueue> busy_queue();
  // The activity of its thread when it waits for nothing.
  [[nodiscard]] IdleReason doing() const { return unrecorded_ > 0 ? IdleReason::self_tests : IdleReason::host; }
  void add_evidence_to(std::vector<opencl::Macro>& macros) const;
  // Starts a launch whose arguments are set, with cleared counters.
  [[nodiscard]] Launch started(const ReadyKernel& ready, std::string_view name,
                               const kernel_layout::launch_slice& slice, std::size_t work_group_size);
  [[nodiscard]] Counters counters_of(const std::vector<std::uint32_t>& words, std::string_view kernel,
                                     const kernel_layout::launch_slice& slice) const;

  opencl::Compute compute_;
  std::uint32_t capacity_;
  opencl::Buffer counters_;                       // of all launches: each is read before the next begins
  std::map<std::string, opencl::Kernel> kernels_; // by file, name and options
  std::shared_ptr<Shared> shared_;
  std::weak_ptr<BusyQueue> busy_; // expires with the last launch
  int unrecorded_ = 0;
  std::uint32_t launches_ = 0;
  bool asks_evidence_ = true;
  Interrupt interrupt_;
};

// A running launch. The destructor waits for its end.
class Launcher::Launch {
public:
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  Launch(Launch&& other) noexcept = default;
  Launch& operator=(Launch&&) = delete;
  ~Launch();

  // Waits for its end and returns its counters. Throws FaultError unless all its items were finished, in this very
  // launch; if its first list is not empty, that shows when the list is read.
  [[nodiscard]] Counters finish();
  [[nodiscard]] const opencl::Event& event() const { return kernel_; }
  [[nodiscard]] double seconds() const { return seconds_; }   // the device's time, once it has ended
  [[nodiscard]] unsigned sharing() const { return sharing_; } // queues of the device that were busy then

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
  std::unique_ptr<std::vector<std::uint32_t>> words_; // written by the device; null when it has ended
  double seconds_ = 0;
  std::shared_ptr<BusyQueue> busy_;
  unsigned sharing_ = 1;
  std::unique_ptr<DeviceTime::Running> running_; // null when it has ended
};

template <typename... Arguments>
Launcher::Launch Launcher::start(ReadyKernel ready, std::string_view name, std::uint32_t count,
                                 std::size_t work_group_size, const Arguments&... arguments) {
  const kernel_layout::launch_slice slice = next_slice(0, count);
  ready.kernel.set(arguments..., slice, counters_);
  compute_.clear(counters_);
  return started(ready, name, slice, work_group_size);
}

// Takes the items first … first + count − 1 of a stage through launches:
//
//   for (Sweep sweep(launcher, stage, 0, items); const auto slice = sweep.next();) {
//     … set the kernel's arguments, the last two *slice and the launcher's counters …
//     if (const auto kept = sweep.run(kernel))
//       … take the (*kept)[0] entries in stage.kept …
//     else if (sweep.overflowed())
//       … search the slice otherwise …
//   }
//
// A launch that keeps more than there is room for is run again in halves, so that nothing is ever lost. If even a
// single item cannot overflow, the last branch may be left out: next() throws when it would have been needed.
class Sweep {
public:
  // kept_per_item: most entries that an item keeps in a list, or adds to its counter once that is full. read_sum: the
  // sum of the entries that all items together read from a list; not compared if not known.
  Sweep(Launcher& launcher, LaunchedStage& stage, std::uint64_t first, std::uint64_t count,
        std::uint64_t kept_per_item = 1, std::optional<std::uint32_t> read_sum = {});

  // The next slice to launch; nothing when all is done. Throws Interrupted when the launcher's interrupt returns true,
  // DeviceError if the last slice overflowed and overflowed() was not called, for its survivors would be lost; and
  // FaultError if all is done and other entries were read than had been written.
  [[nodiscard]] std::optional<kernel_layout::launch_slice> next();

  // Launches the slice and waits. Returns the counters; nothing if more was kept than the capacity. Then the slice
  // comes again in halves, unless it cannot be halved: see overflowed(). Throws FaultError unless the kernel has
  // finished exactly the slice's items.
  [[nodiscard]] std::optional<Launcher::Counters> run(const ReadyKernel& ready) {
    start(ready);
    return finish();
  }
  // The two steps of run().
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
  std::uint64_t limit_;          // most items of a launch: counters and indices have 32 bits
  std::uint64_t most_;           // less after an overflow
  std::uint32_t one_by_one_ = 0; // items to run one by one, for together they had no room
  kernel_layout::launch_slice slice_{};
  std::optional<Launcher::Launch> launch_;
  std::optional<std::uint32_t> read_sum_; // sum of the entries still to be read
  bool overflowed_ = false;
  bool asked_ = false; // whether overflowed() was called
};

} // namespace tmd::engine
