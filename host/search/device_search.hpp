// The phases of a search on a device.
#pragma once

#include "opencl/compute.hpp"
#include "search/batch.hpp"
#include "search/pieces.hpp"
#include "search/tunables.hpp"
#include "search/variant.hpp"

#include <array>
#include <functional>
#include <map>
#include <tuple>
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

// Searches batches on one device, with three kernels between which the grid is rebuilt from the number of survivors, or
// with one. Every survivor is counted; a launch whose survivors exceed the capacity is run again in halves, so none is
// lost. Kernels are built when first needed. Automatic compaction is what the tunables say. Throws DeviceError when the
// device fails.
class DeviceSearch {
public:
  DeviceSearch(const opencl::DeviceDescription& device, const Tunables& tunables,
               Deployment deployment = Deployment::three, Compaction compaction = Compaction::automatic);

  // The candidates of a batch, sorted: arguments, counted from the batch's first. `interrupted` is asked before every
  // launch; Interrupted is thrown when it says so. A trace is filled by the three kernels only.
  [[nodiscard]] std::vector<std::uint64_t> search(const DomainBatch& batch, PhaseTrace* trace = nullptr,
                                                  const std::function<bool()>& interrupted = {});

  // Rounds of the phase-1 test's main loop, for every domain of the batch.
  [[nodiscard]] std::vector<std::uint32_t> rounds(const DomainBatch& batch);

  // Device time of phase 1 alone on a batch, in seconds: the median of `repeats` runs after one that is not counted.
  // Tests fewer domains, and scales up, where all would take longer than about `patience` seconds.
  [[nodiscard]] double time_phase1(const DomainBatch& batch, int repeats, double patience = 2);

  // Device time for making a hybrid batch's coefficients, in seconds: the median of `repeats` runs after one.
  [[nodiscard]] double time_polynomials(const DomainBatch& batch, int repeats);
  // When the kernels of the three rows were queued, began and ended: how host and device overlap.
  [[nodiscard]] std::vector<opencl::Compute::Timeline> polynomials_timeline(const DomainBatch& batch);

  // How many of the coefficients that the device makes are compared with the host's, bit for bit: some domains of some
  // batches, or all. A difference throws SoundnessError.
  void check_all_polynomials(bool all) { check_all_polynomials_ = all; }

  // Domains that a batch may have: the tunable, or less where the device has little memory.
  [[nodiscard]] std::uint64_t batch_domains() const;

  // Work since construction or the last reset.
  [[nodiscard]] const PhaseCounts& counts() const { return counts_; }
  void reset_counts(const PhaseCounts& counts = {}) { counts_ = counts; }
  // Compacts another way from now on; what is known of the survivors' share is forgotten.
  void set_compaction(Compaction compaction);

  [[nodiscard]] const opencl::DeviceDescription& device() const { return compute_.device(); }
  [[nodiscard]] const Tunables& tunables() const { return tunables_; }
  [[nodiscard]] Deployment deployment() const { return deployment_; }
  [[nodiscard]] Compaction compaction() const { return compaction_; }

  using KernelKey = std::tuple<std::string, std::string>; // name and build options
  // The kernels that searches without a trace, and timings, have needed so far.
  [[nodiscard]] const std::map<KernelKey, opencl::Kernel>& kernels_used() const { return used_kernels_; }

private:
  // What the phases have in common to be run in launches.
  struct Stage {
    PhaseCount PhaseCounts::*count;
    std::size_t work_group_size;
    LaunchSizer sizer;
    opencl::Buffer kept;
    double survivor_share = 0; // of the launches so far, the latest counting most
  };
  // A kernel with its arguments set.
  struct Launch {
    opencl::Kernel kernel;
    std::size_t items_per_work_item;
  };
  struct Outcome {
    std::uint32_t tested;
    std::uint32_t kept;
  };

  // Runs items first … first + count − 1 of a stage in launches; an item keeps kept_per_item at most. prepare(first,
  // count) returns the kernel with its arguments set; consume(outcome) takes what a launch kept; too_many(first)
  // answers for a single item that keeps more than the capacity.
  void sweep(Stage& stage, std::uint64_t first, std::uint64_t count, std::uint64_t kept_per_item,
             const std::function<Launch(std::uint64_t, std::uint32_t)>& prepare,
             const std::function<void(const Outcome&)>& consume,
             const std::function<void(std::uint64_t)>& too_many = {});
  void phase1(const DomainBatch& batch, std::uint64_t first, std::uint64_t count);
  void phase2(const DomainBatch& batch, std::uint32_t survivors);
  void phase3(const DomainBatch& batch, std::uint64_t sub_domains);
  void phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits);
  void all_phases(const DomainBatch& batch);
  void take_candidates(const Stage& stage, std::uint32_t kept);
  // Appends what a launch kept to a list on the host; returns the list's size before.
  template <typename T> std::size_t append_kept(const Stage& stage, std::uint32_t kept, std::vector<T>& list);

  // Brings a batch's coefficients to the device, from the host or made there.
  void load(const DomainBatch& batch);
  void make_polynomials(const DomainBatch& batch);
  void finish_polynomials();
  void check_polynomials(const DomainBatch& batch);
  [[nodiscard]] std::uint32_t packets_of(const DomainBatch& batch) const {
    return batch.polynomial ? batch.packets : 1;
  }
  [[nodiscard]] std::uint32_t packet_bits_of(const DomainBatch& batch) const {
    return batch.polynomial ? static_cast<std::uint32_t>(batch.polynomial->packet_bits()) : 0;
  }
  // A test of phase 1 or 2, or both in one kernel, ready for `set`; compacted: the stage it fills, null for none.
  [[nodiscard]] Launch test_kernel(const std::string& name, Test test, const Stage* compacted);
  [[nodiscard]] opencl::Kernel& build(const std::string& file, const std::string& name,
                                      const std::vector<opencl::Macro>& macros);
  [[nodiscard]] int compaction_of(const Stage& stage) const;

  opencl::Compute compute_;
  Tunables tunables_;
  Deployment deployment_;
  Compaction compaction_;
  std::uint32_t capacity_;
  std::map<KernelKey, opencl::Kernel> kernels_;
  std::map<KernelKey, opencl::Kernel> used_kernels_;
  Stage phase1_;
  Stage phase2_;
  Stage phase3_;
  Stage one_;
  opencl::Buffer lines_;
  opencl::Buffer slopes_;
  opencl::Buffer curvatures_;
  // Of the packets, or the interval's coefficients; a buffer a row.
  std::array<opencl::Buffer, HierarchicalPolynomial::row_count> states_;
  bool sub_groups_build_ = true; // until they do not
  bool check_all_polynomials_ = false;
  std::uint64_t made_batches_ = 0;
  std::vector<opencl::Event> making_;               // kernels of make_polynomials() on their way,
  std::vector<std::vector<std::uint64_t>> uploads_; // and what they are given
  opencl::Buffer counters_;                         // kept; for `one` also the survivors of phases 1 and 2
  PhaseCounts counts_;
  std::vector<std::uint64_t> candidates_;
  PhaseTrace* trace_ = nullptr;
  std::function<bool()> interrupted_;
};

} // namespace tmd
