// The existence tests on a device: coefficients, phases, candidates.
#pragma once

#include "device/tunables.hpp"
#include "engine/domains/batch.hpp"
#include "engine/domains/device_coefficients.hpp"
#include "engine/domains/test_kernels.hpp"
#include "engine/launcher.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tmd::engine::domains {

// Searches batches on one device, with three kernels between which the grid is rebuilt from the number of survivors, or
// with one. Every survivor is counted; a launch whose survivors exceed the capacity is run again in halves, so none is
// lost. Kernels are built and memory is allocated when first needed. Automatic compaction is that of the tunables.
// Throws DeviceError if the device fails.
class DomainSearch {
public:
  DomainSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables,
               Deployment deployment = Deployment::three, Compaction compaction = Compaction::automatic);
  // A search with a launcher of its own.
  DomainSearch(const opencl::DeviceDescription& device, const device::Tunables& tunables,
               Deployment deployment = Deployment::three, Compaction compaction = Compaction::automatic);
  DomainSearch(const DomainSearch&) = delete;
  DomainSearch& operator=(const DomainSearch&) = delete;
  ~DomainSearch() = default;

  // The candidates of a batch, sorted: arguments, counted from the batch's first. `interrupt` is called before every
  // launch; Interrupted is thrown when it returns true. A trace is filled by the three kernels only. `behind`: domains
  // with coefficients and the same parameters, which are searched and counted as if they followed the batch's;
  // candidates behind its last argument are then listed, too.
  [[nodiscard]] std::vector<std::uint64_t> search(const DomainBatch& batch, PhaseTrace* trace = nullptr,
                                                  const Interrupt& interrupt = {}, const DomainBatch* behind = nullptr);

  // Searches as the next batch will be searched, without counting or learning anything.
  [[nodiscard]] std::vector<std::uint64_t> try_out(const DomainBatch& batch, PhaseTrace& trace,
                                                   const Interrupt& interrupt);

  [[nodiscard]] DeviceCoefficients& coefficients() { return coefficients_; }
  [[nodiscard]] const DeviceCoefficients& coefficients() const { return coefficients_; }
  [[nodiscard]] TestKernels& kernels() { return kernels_; }
  // Begins to build the kernels of a test.
  void build_ahead(Test test) { kernels_.build_ahead(test, phase1_, phase2_); }

  // Work since construction or the last reset.
  [[nodiscard]] Stages stages() const;
  void reset_stages(const Stages& stages = {});
  // Compacts another way from now on, and forgets the survivors' share.
  void set_compaction(Compaction compaction);

  [[nodiscard]] const opencl::DeviceDescription& device() const { return launcher_->device(); }
  [[nodiscard]] const std::shared_ptr<Launcher>& launcher() const { return launcher_; }
  [[nodiscard]] const device::Tunables& tunables() const { return kernels_.tunables(); }
  [[nodiscard]] Deployment deployment() const { return deployment_; }
  [[nodiscard]] Compaction compaction() const { return kernels_.compaction(); }

private:
  // Number of domains to search, with those behind the batch's own.
  [[nodiscard]] std::uint64_t all_domains(const DomainBatch& batch) const;
  void phase1(const DomainBatch& batch, std::uint64_t first, std::uint64_t count);
  void phase2(const DomainBatch& batch, const Launcher::Counters& survivors);
  void phase3(const DomainBatch& batch, std::uint64_t sub_domains, std::optional<std::uint32_t> sum);
  void phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits,
                   std::optional<std::uint32_t> read_sum);
  void all_phases(const DomainBatch& batch);
  void trace_domains(const DomainBatch& batch, const Launcher::Counters& kept);
  void trace_sub_domains(const DomainBatch& batch, const Launcher::Counters& kept);

  std::shared_ptr<Launcher> launcher_;
  Deployment deployment_;
  DeviceCoefficients coefficients_;
  TestKernels kernels_;
  LaunchedStage phase1_;
  LaunchedStage phase2_;
  LaunchedStage phase3_;
  LaunchedStage one_;                   // all phases in one kernel, which keeps what phase 3 keeps
  const DomainBatch* behind_ = nullptr; // domains behind the batch that is being searched
  std::vector<std::uint64_t> candidates_;
  PhaseTrace* trace_ = nullptr;
};

} // namespace tmd::engine::domains
