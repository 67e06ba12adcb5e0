// The coefficients of a batch's domains on a device.
#pragma once

#include "device/tunables.hpp"
#include "engine/domains/batch.hpp"
#include "engine/domains/hierarchical.hpp"
#include "engine/launcher.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tmd::engine::domains {

// The stages of DomainSearch, in order.
inline constexpr std::array<Stage, 4> domain_stages{
    {{"polynomials_on_device", "  on device", "domains", "domains", false},
     {"phase1", "phase 1", "domains", "domains"},
     {"phase2", "phase 2", "sub-domains", "domains"},
     {"phase3", "phase 3", "sub-domains", "domains"}}};

// Size of the first launch, before anything is known of the device: some milliseconds on one CPU core.
inline constexpr std::uint64_t first_tests = std::uint64_t(1) << 15;

// Coefficients that the host has written, or that the device has made of a polynomial.
class DeviceCoefficients {
public:
  DeviceCoefficients(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables);

  // Most domains of a batch: the tunable, or less if the device has little memory.
  [[nodiscard]] std::uint64_t most_domains() const;
  // Begins to build the kernels that make a batch's coefficients.
  void build_ahead(const DomainBatch& batch);

  // Brings the coefficients of a batch to the device, and those of `behind` behind them. Kernels that make them may
  // still run then: what is launched next sees their results.
  void load(const DomainBatch& batch, const DomainBatch* behind = nullptr);
  // Waits for these kernels, and counts their time and work.
  void finish();
  // Waits for them, for the device may still be reading what was uploaded.
  void abandon();

  // Whether all coefficients that the device makes are compared with the host's, bit for bit, or only some domains of
  // some batches. A difference throws FaultError.
  void check_all(bool all) { check_all_ = all; }

  // The coefficients of a domain, by its place in the polynomial, of the batch that has been loaded.
  struct OfDomain {
    std::uint64_t line = 0;
    std::uint64_t slope = 0;
    std::int64_t curvature = 0;
    [[nodiscard]] bool operator==(const OfDomain& other) const = default;
  };
  [[nodiscard]] OfDomain read(const DomainBatch& batch, std::uint32_t domain);

  // Device time for making a hybrid batch's coefficients, in seconds: the median of `repeats` runs after one that is
  // not counted.
  [[nodiscard]] double time(const DomainBatch& batch, int repeats);

  [[nodiscard]] const opencl::Buffer& lines() const { return lines_; }
  [[nodiscard]] const opencl::Buffer& slopes() const { return slopes_; }
  [[nodiscard]] const opencl::Buffer& curvatures() const { return curvatures_; }
  [[nodiscard]] const Stage& counts() const { return stage_.counts; }
  void reset_counts(const Stages& stages) { stage_.counts.reset_to(stages); }

private:
  [[nodiscard]] opencl::Compute& compute() { return launcher_->compute(); }
  [[nodiscard]] std::vector<opencl::Macro> macros(const HierarchicalPolynomial& polynomial, int row) const;
  void make(const DomainBatch& batch);
  void check(const DomainBatch& batch);

  std::shared_ptr<Launcher> launcher_;
  const std::uint64_t asked_domains_;
  const std::int64_t lanes_; // lanes of explicit vectors; several threads read it
  LaunchedStage stage_;
  opencl::Buffer lines_;
  opencl::Buffer slopes_;
  opencl::Buffer curvatures_;
  // Coefficients of the packets, or of the interval; one buffer a row.
  std::array<opencl::Buffer, HierarchicalPolynomial::row_count> row_coefficients_;
  bool check_all_ = false;
  std::uint64_t made_batches_ = 0;
  std::vector<std::vector<std::uint64_t>> uploads_; // coefficients by row, while the device reads them
  std::vector<Launcher::Launch> making_;            // running kernels of make()
};

} // namespace tmd::engine::domains
