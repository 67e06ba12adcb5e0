// The existence tests on a device: coefficients, phases, candidates.
#pragma once

#include "device/tunables.hpp"
#include "engine/domains/batch.hpp"
#include "engine/domains/hierarchical.hpp"
#include "engine/domains/tunables.hpp"
#include "engine/launcher.hpp"
#include "opencl/compute.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tmd::engine::domains {

// The stages of DomainSearch, in order.
inline constexpr std::array<Stage, 4> domain_stages{
    {{"polynomials_on_device", "  on device", "domains", "domains", false},
     {"phase1", "phase 1", "domains", "domains"},
     {"phase2", "phase 2", "sub-domains", "domains"},
     {"phase3", "phase 3", "sub-domains", "domains"}}};

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

  // The coefficients of the domain at that place of the polynomial, in a batch that has just been searched.
  struct Coefficients {
    std::uint64_t line = 0;
    std::uint64_t slope = 0;
    std::int64_t curvature = 0;
    [[nodiscard]] bool operator==(const Coefficients& other) const = default;
  };
  [[nodiscard]] Coefficients searched_coefficients(const DomainBatch& batch, std::uint32_t domain);

  // Rounds of the phase-1 test's main loop, for every domain of the batch.
  [[nodiscard]] std::vector<std::uint32_t> rounds(const DomainBatch& batch);

  // Device time of phase 1 alone on a batch, in seconds: the median of `repeats` runs after one that is not counted. If
  // all domains would take longer than about `patience` seconds, tests fewer and scales up.
  [[nodiscard]] double time_phase1(const DomainBatch& batch, int repeats, double patience = 2);

  // Device time for making a hybrid batch's coefficients, in seconds: the median of `repeats` runs after one that is
  // not counted.
  [[nodiscard]] double time_polynomials(const DomainBatch& batch, int repeats);

  // Whether all of the coefficients that the device makes are compared with the host's, bit for bit, or only some
  // domains of some batches. A difference throws FaultError.
  void check_all_polynomials(bool all) { check_all_polynomials_ = all; }

  // Begin to build the kernels of a test in every compaction, or those that make a batch's coefficients.
  void build_ahead(Test test);
  void build_polynomials_ahead(const DomainBatch& batch);

  // Most domains of a batch: the tunable, or less if the device has little memory.
  [[nodiscard]] std::uint64_t batch_domains() const;

  // Work since construction or the last reset.
  [[nodiscard]] Stages stages() const;
  void reset_stages(const Stages& stages = {});
  // Divides without FP64 from now on: batches have lengths of 64 bits then.
  void do_without_fp64() { tunables_ = without_fp64(tunables_); }
  // Compacts another way from now on, and forgets the survivors' share.
  void set_compaction(Compaction compaction);
  // Whether a launch has been compacted by scan: `automatic` begins with atomic.
  [[nodiscard]] bool has_scanned() const { return has_scanned_; }

  [[nodiscard]] const opencl::DeviceDescription& device() const { return launcher_->device(); }
  [[nodiscard]] const std::shared_ptr<Launcher>& launcher() const { return launcher_; }
  [[nodiscard]] const device::Tunables& tunables() const { return tunables_; }
  [[nodiscard]] Deployment deployment() const { return deployment_; }
  [[nodiscard]] Compaction compaction() const { return compaction_; }

private:
  // Number of domains to search, with those behind the batch's own.
  [[nodiscard]] std::uint64_t all_domains(const DomainBatch& batch) const;
  [[nodiscard]] layout::domain_parameters kernel_parameters(const DomainBatch& batch) const;
  void phase1(const DomainBatch& batch, std::uint64_t first, std::uint64_t count);
  void phase2(const DomainBatch& batch, const Launcher::Counters& survivors);
  void phase3(const DomainBatch& batch, std::uint64_t sub_domains, std::optional<std::uint32_t> sum);
  void phase3_runs(const DomainBatch& batch, std::uint64_t first, std::uint64_t count, int run_bits,
                   std::optional<std::uint32_t> read_sum);
  void all_phases(const DomainBatch& batch);
  void trace_domains(const DomainBatch& batch, const Launcher::Counters& kept);
  void trace_sub_domains(const DomainBatch& batch, const Launcher::Counters& kept);

  // Brings a batch's coefficients to the device, from the host or made there.
  void load(const DomainBatch& batch);
  void make_polynomials(const DomainBatch& batch);
  void finish_polynomials();
  void abandon_polynomials();
  void check_polynomials(const DomainBatch& batch);
  // A test of phase 1 or 2, or both in one kernel, ready for `set`; compacted: the stage it fills, or null.
  [[nodiscard]] ReadyKernel test_kernel(std::string_view name, Test test, const LaunchedStage* compacted);
  [[nodiscard]] int compaction_of(const LaunchedStage& stage) const;
  [[nodiscard]] int scan() const;
  struct TestProgram {
    std::string file;
    std::vector<opencl::Macro> macros;
    std::int64_t items = 1; // items of a work-item
  };
  // compaction: 0 if it fills no stage.
  [[nodiscard]] TestProgram test_program(std::string_view name, Test test, const LaunchedStage* compacted,
                                         int compaction) const;
  [[nodiscard]] std::vector<opencl::Macro> polynomial_macros(const HierarchicalPolynomial& polynomial, int row) const;

  std::shared_ptr<Launcher> launcher_;
  device::Tunables tunables_;
  opencl::Compute& compute_;
  Deployment deployment_;
  Compaction compaction_;
  const std::int64_t polynomial_lanes_; // lanes of explicit vectors; several threads read it
  LaunchedStage polynomials_;
  LaunchedStage phase1_;
  LaunchedStage phase2_;
  LaunchedStage phase3_;
  LaunchedStage one_; // all phases in one kernel, which keeps what phase 3 keeps
  opencl::Buffer lines_;
  opencl::Buffer slopes_;
  opencl::Buffer curvatures_;
  // Coefficients of the packets, or of the interval; one buffer a row.
  std::array<opencl::Buffer, HierarchicalPolynomial::row_count> row_coefficients_;
  bool sub_groups_build_ = true; // false after a failure
  bool has_scanned_ = false;
  bool check_all_polynomials_ = false;
  std::uint64_t made_batches_ = 0;
  const DomainBatch* behind_ = nullptr;             // domains behind the batch that is being searched
  std::vector<std::vector<std::uint64_t>> uploads_; // coefficients by row, while the device reads them
  std::vector<Launcher::Launch> making_;            // running kernels of make_polynomials()
  std::vector<std::uint64_t> candidates_;
  PhaseTrace* trace_ = nullptr;
};

} // namespace tmd::engine::domains
