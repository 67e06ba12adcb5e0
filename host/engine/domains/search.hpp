// The phases of a search on a device.
#pragma once

#include "opencl/compute.hpp"
#include "engine/domains/batch.hpp"
#include "engine/launcher.hpp"
#include "job/pieces.hpp"
#include "device/tunables.hpp"
#include "device/variant.hpp"
#include "engine/wide/search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace tmd {

// Searches batches on one device, with three kernels between which the grid is rebuilt from the number of survivors, or
// with one. Every survivor is counted; a launch whose survivors exceed the capacity is run again in halves, so none is
// lost. Kernels are built when first needed. Automatic compaction is what the tunables say. Throws DeviceError when the
// device fails.
class DeviceSearch {
public:
  DeviceSearch(const opencl::DeviceDescription& device, const Tunables& tunables,
               Deployment deployment = Deployment::three, Compaction compaction = Compaction::automatic);
  DeviceSearch(const DeviceSearch&) = delete;
  DeviceSearch& operator=(const DeviceSearch&) = delete;

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
  // batches, or all; of the wide test a sub-interval of each batch, or all. A difference throws SoundnessError.
  void check_all_polynomials(bool all) { check_all_polynomials_ = all; }

  // Domains that a batch may have: the tunable, or less where the device has little memory.
  [[nodiscard]] std::uint64_t batch_domains() const;
  // Sub-intervals that a batch of the wide test may have: in the memory of fewer domains.
  [[nodiscard]] std::uint64_t batch_sub_intervals() const {
    return std::max<std::uint64_t>(1, batch_domains() / domains_per_sub_interval);
  }

  // Work since construction or the last reset.
  [[nodiscard]] const PhaseCounts& counts() const { return launcher_.counts(); }
  void reset_counts(const PhaseCounts& counts = {}) { launcher_.counts() = counts; }
  // Compacts another way from now on; what is known of the survivors' share is forgotten.
  void set_compaction(Compaction compaction);

  [[nodiscard]] const opencl::DeviceDescription& device() const { return launcher_.device(); }
  [[nodiscard]] const Tunables& tunables() const { return tunables_; }
  [[nodiscard]] Deployment deployment() const { return deployment_; }
  [[nodiscard]] Compaction compaction() const { return compaction_; }

  // The kernels that searches without a trace, and timings, have needed so far.
  [[nodiscard]] const std::map<Launcher::KernelKey, opencl::Kernel>& kernels_used() const {
    return launcher_.kernels_used();
  }

private:
  static constexpr std::uint64_t domains_per_sub_interval = 64;
  using Launch = Launcher::Launch;
  using Outcome = Launcher::Outcome;

  void phase1(const DomainBatch& batch, std::uint64_t first, std::uint64_t count);
  void phase2(const DomainBatch& batch, std::uint32_t survivors);
  void phase3(const DomainBatch& batch, std::uint64_t sub_domains);
  void phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits);
  void all_phases(const DomainBatch& batch);
  void take_candidates(const Stage& stage, std::uint32_t kept);

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

  Tunables tunables_;
  Launcher launcher_;
  opencl::Compute& compute_;
  Deployment deployment_;
  Compaction compaction_;
  std::uint32_t capacity_;
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
  std::unique_ptr<WideSearch> wide_;                // once there is such a batch
  std::vector<std::uint64_t> candidates_;
  PhaseTrace* trace_ = nullptr;
};

} // namespace tmd
