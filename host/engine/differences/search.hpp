// Differences on a device: the starts of a batch's runs, and the walks through them.
#pragma once

#include "device/tunables.hpp"
#include "engine/differences/plan.hpp"
#include "engine/launcher.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tmd::engine::differences {

inline constexpr std::array<Stage, 1> differences_stages{
    {{.name = "differences", .title = "differences", .unit = "arguments", .key = "arguments"}}};

// The candidates of a batch: for each of its stretches places in it, sorted.
using DifferencePlaces = std::vector<std::vector<std::uint64_t>>;

// What the device should find, by integers of any size. Throws SoundnessError if a run does not end where the next one
// starts.
[[nodiscard]] DifferencePlaces search_on_host(const DifferenceBatch& batch);

// Throws DeviceError if the device fails. Of each batch one run is compared with the host's, of the first one many:
// FaultError, if they differ or if a run does not end where the next one starts.
class DifferenceSearch {
public:
  DifferenceSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables);

  // `interrupt` is called before every launch; Interrupted is thrown when it returns true.
  [[nodiscard]] DifferencePlaces search(const DifferenceBatch& batch, const Interrupt& interrupt = {});

  // Work since construction or the last reset.
  [[nodiscard]] const Stage& stage() const { return walk_.counts; }
  void reset_stage() { walk_.counts.reset_to({}); }

private:
  void make_starts(const DifferenceBatch& batch, std::uint32_t runs);
  [[nodiscard]] std::vector<std::uint64_t> walk(const DifferenceBatch& batch, std::uint32_t runs);
  void check(const DifferenceBatch& batch, const DifferencePlaces& found);

  std::shared_ptr<Launcher> launcher_;
  LaunchedStage walk_;
  opencl::Buffer stretches_;
  opencl::Buffer words_;
  opencl::Buffer rows_;
  bool is_new_ = true;
};

} // namespace tmd::engine::differences
