// Launches of a device's kernels, in sizes that fit, with every survivor counted.
#pragma once

#include "opencl/compute.hpp"
#include "engine/domains/batch.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tmd {

// TMD_COMPACTION's numbers in cl_kernels/common/compaction.clh.
inline constexpr int by_atomics = 1;
inline constexpr int by_scan = 2;
inline constexpr int by_sub_groups = 3;

// Items that fit into one launch of about a given device time, learnt from the launches before.
class LaunchSizer {
public:
  LaunchSizer(std::uint64_t first, double seconds) : items_(first), seconds_(seconds) {}
  [[nodiscard]] std::uint64_t items() const { return items_; }
  // A launch of `items` took that long. Grows fourfold at most, so that one lucky launch does not lead to a long one.
  void observe(std::uint64_t items, double seconds);

private:
  std::uint64_t items_;
  double seconds_;
};

// What a kernel is to the launches: where its time is counted, and what it keeps.
struct Stage {
  PhaseCount PhaseCounts::*count;
  std::size_t work_group_size;
  LaunchSizer sizer;
  opencl::Buffer kept;
  double survivor_share = 0;  // of the launches so far, the latest counting most
  std::size_t lists = 1;      // that it keeps what it keeps in, each with its counter and the capacity
  std::uint32_t together = 1; // items that stand together: launches begin at multiples
};

// Builds kernels when they are first needed, and runs items through them. Throws DeviceError when the device fails.
class Launcher {
public:
  static constexpr std::size_t counter_count = 3;
  using Counters = std::array<std::uint32_t, counter_count>;
  using KernelKey = std::tuple<std::string, std::string>; // name and build options
  // A kernel with its arguments set.
  struct Launch {
    opencl::Kernel kernel;
    std::size_t items_per_work_item;
  };
  struct Outcome {
    std::uint32_t tested;
    Counters kept; // as the kernel counted
  };

  // capacity: of each list of survivors.
  Launcher(const opencl::DeviceDescription& device, std::uint32_t capacity);

  // Runs items first … first + count − 1 of a stage in launches; an item keeps kept_per_item in a list at most.
  // prepare(first, count) returns the kernel with its arguments set; consume(outcome) takes what a launch kept;
  // too_many(first) answers for a single item (or those that stand together) that keeps more than the capacity: a
  // launch of more is run again in halves, so that nothing is ever lost.
  void sweep(Stage& stage, std::uint64_t first, std::uint64_t count, std::uint64_t kept_per_item,
             const std::function<Launch(std::uint64_t, std::uint32_t)>& prepare,
             const std::function<void(const Outcome&)>& consume,
             const std::function<void(std::uint64_t)>& too_many = {});

  // A kernel, built when it is new, with the compiler's options beside the macros; `used` adds it to those that
  // kernels_used() names.
  [[nodiscard]] opencl::Kernel& build(const std::string& file, const std::string& name,
                                      const std::vector<opencl::Macro>& macros, bool used = true,
                                      std::string_view options = {});
  [[nodiscard]] const std::map<KernelKey, opencl::Kernel>& kernels_used() const { return used_kernels_; }

  // Appends what a launch kept to a list on the host; returns the list's size before.
  template <typename T> std::size_t append_kept(const Stage& stage, std::uint32_t kept, std::vector<T>& list) {
    const std::size_t known = list.size();
    list.resize(known + kept);
    compute_.read(stage.kept, list.data() + known, sizeof(T) * kept);
    return known;
  }

  // Asked before every launch; Interrupted is thrown when it says so.
  void set_interrupted(const std::function<bool()>& interrupted) { interrupted_ = interrupted; }

  [[nodiscard]] opencl::Compute& compute() { return compute_; }
  [[nodiscard]] const opencl::DeviceDescription& device() const { return compute_.device(); }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] const opencl::Buffer& counters() const { return counters_; }
  [[nodiscard]] PhaseCounts& counts() { return counts_; }
  [[nodiscard]] const PhaseCounts& counts() const { return counts_; }

private:
  opencl::Compute compute_;
  std::uint32_t capacity_;
  opencl::Buffer counters_;
  PhaseCounts counts_;
  std::map<KernelKey, opencl::Kernel> kernels_;
  std::map<KernelKey, opencl::Kernel> used_kernels_;
  std::function<bool()> interrupted_;
};

} // namespace tmd
