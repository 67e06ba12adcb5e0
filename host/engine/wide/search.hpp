// The wide test on a device: groups, their candidates, and what it refuses.
#pragma once

#include "device/tunables.hpp"
#include "device/variant.hpp"
#include "engine/launcher.hpp"
#include "engine/wide/batch.hpp"
#include "engine/wide/constants.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tmd {

// What the searches below count, in this order.
inline constexpr std::array<Stage, 5> wide_stages{
    {{"wide_polynomials", "  on device", "sub-intervals", "sub-intervals", false},
     {"wide_groups", "wide test", "groups", "groups"},
     {"wide_refused", "  refused", "parts", "parts"},
     {"wide_refused_again", "  again", "runs", "runs"},
     {"wide_check", "  check", "candidates", "candidates"}}};

// Searches sub-intervals of an interval: makes their polynomials, tests group by group, and decides over candidates one
// by one. A group that the test refuses is taken up in parts, and a part that is refused again argument by argument.
// All that is kept is counted, and a launch that keeps more than the capacity is run again in halves. Kernels are built
// and memory is taken when first needed. Throws DeviceError when the device fails.
class WideSearch {
public:
  // Compaction: scan, or else atomic; automatic is what the tunables say.
  WideSearch(std::shared_ptr<Launcher> launcher, const Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  // With a launcher of its own.
  WideSearch(const opencl::DeviceDescription& device, const Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  WideSearch(const WideSearch&) = delete;
  WideSearch& operator=(const WideSearch&) = delete;
  ~WideSearch() = default;

  // The arguments of a batch that are close to a breakpoint, sorted, counted from the batch's first. `interrupt` is
  // asked before every launch; Interrupted is thrown when it says so. With `refused`, groups that are refused are
  // appended there, counted from the batch's first, and nothing more is done with them.
  [[nodiscard]] std::vector<std::uint64_t> search(const WideBatch& batch, const Interrupt& interrupt = {},
                                                  std::vector<std::uint32_t>* refused = nullptr);

  // Whether every polynomial of a batch's sub-intervals is compared with the host's, or only the last. A difference
  // throws SoundnessError.
  void check_all_polynomials(bool all) { check_all_records_ = all; }

  // Sub-intervals that a batch may have: in the memory of the tunable's domains, or less where the device has little.
  [[nodiscard]] std::uint64_t batch_sub_intervals() const;

  // Work since construction or the last reset.
  [[nodiscard]] Stages stages() const;
  void reset_stages(const Stages& stages = {});

  [[nodiscard]] const opencl::DeviceDescription& device() const { return launcher_->device(); }
  [[nodiscard]] const std::shared_ptr<Launcher>& launcher() const { return launcher_; }
  [[nodiscard]] const Tunables& tunables() const { return tunables_; }

private:
  void make_records(const WideBatch& batch);
  void check_records(const WideBatch& batch, std::uint32_t first, std::uint32_t count);
  void test_groups(const WideBatch& batch, std::vector<std::uint32_t>* refused);
  void check_candidates(const WideBatch& batch, std::uint32_t count);
  void test_parts(const WideBatch& batch, std::uint32_t refused_groups);
  void every_argument(const WideBatch& batch, int bits, std::uint32_t count);
  void every_argument_at(const WideBatch& batch, int bits, std::uint64_t first);
  void runs(const WideBatch& batch, int bits, std::uint64_t first, std::uint64_t count, int run_bits);
  [[nodiscard]] std::vector<opencl::Macro> test_macros() const;

  std::shared_ptr<Launcher> launcher_;
  const Tunables tunables_;
  Compaction compaction_;
  bool check_all_records_ = false;
  LaunchedStage polynomials_;
  LaunchedStage groups_;
  LaunchedStage parts_;
  LaunchedStage again_;
  LaunchedStage check_;
  opencl::Buffer coefficients_;
  opencl::Buffer records_; // of the batch's sub-intervals (cl_kernels/wide/polynomial.clh)
  opencl::Buffer found_;   // candidates of groups and parts: arguments
  opencl::Buffer refused_; // groups
  opencl::Buffer swept_;   // parts refused again, by their first arguments
  std::vector<std::uint64_t> candidates_;
};

} // namespace tmd
