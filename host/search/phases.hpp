// The three phases on a device: three kernels, between which the grid is rebuilt from the number of survivors.
#pragma once

#include "opencl/compute.hpp"
#include "search/batch.hpp"
#include "search/tunables.hpp"

#include <functional>
#include <vector>

namespace tmd {

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

// Thrown out of a search that the user has stopped.
struct Interrupted {};

// Searches batches on one device. Every survivor is counted; a launch whose survivors exceed the capacity is run again in
// halves, so none is lost. Throws DeviceError when the device fails.
class ThreePhases {
public:
  ThreePhases(const opencl::DeviceDescription& device, const Tunables& tunables);

  // The candidates of a batch, sorted: arguments, counted from the batch's first. `interrupted` is asked before every
  // launch; Interrupted is thrown when it says so.
  [[nodiscard]] std::vector<std::uint64_t> search(const DomainBatch& batch, PhaseTrace* trace = nullptr,
                                                  const std::function<bool()>& interrupted = {});

  // Work since construction or the last reset.
  [[nodiscard]] const PhaseCounts& counts() const { return counts_; }
  void reset_counts() { counts_ = {}; }

  [[nodiscard]] const opencl::DeviceDescription& device() const { return compute_.device(); }
  [[nodiscard]] const Tunables& tunables() const { return tunables_; }

private:
  // A phase's kernel with its output list.
  struct Stage {
    opencl::Kernel kernel;
    opencl::Buffer kept;
    LaunchSizer sizer;
    std::size_t work_group_size;
    std::size_t items_per_work_item;
    PhaseCount PhaseCounts::*count;
  };

  // Runs items first … first + count − 1 of a stage in launches; an item keeps kept_per_item at most.
  // set_arguments(first, count) prepares a launch;
  // consume(tested, kept) takes what it kept. too_many(first) answers for a single item that keeps more than the capacity.
  void sweep(Stage& stage, std::uint64_t first, std::uint64_t count, std::uint32_t kept_per_item,
             const std::function<void(std::uint64_t, std::uint32_t)>& set_arguments,
             const std::function<void(std::uint32_t, std::uint32_t)>& consume,
             const std::function<void(std::uint64_t)>& too_many = {});
  void phase1(const DomainBatch& batch);
  void phase2(const DomainBatch& batch, std::uint32_t survivors);
  void phase3(const DomainBatch& batch, std::uint64_t sub_domains);
  void phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits);

  opencl::Compute compute_;
  Tunables tunables_;
  std::uint32_t capacity_;
  Stage phase1_;
  Stage phase2_;
  Stage phase3_;
  opencl::Buffer lines_;
  opencl::Buffer slopes_;
  opencl::Buffer curvatures_;
  opencl::Buffer counter_;
  PhaseCounts counts_;
  std::vector<std::uint64_t> candidates_;
  PhaseTrace* trace_ = nullptr;
  std::function<bool()> interrupted_;
};

} // namespace tmd
