// The wide test on a device: groups, their candidates, and refused groups.
#pragma once

#include "device/tunables.hpp"
#include "engine/launcher.hpp"
#include "engine/wide/batch.hpp"
#include "engine/wide/constants.hpp"
#include "engine/wide/records.hpp"
#include "engine/wide/tunables.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::engine::wide {

// Compiler's options for the kernel that tests groups.
[[nodiscard]] std::string wide_groups_options(const Launcher& launcher, const device::Tunables& tunables);

// Searches sub-intervals of an interval: makes their polynomials, tests group by group, and decides candidates one by
// one. Refused groups are tested in parts, and a part that is refused again argument by argument. All survivors are
// counted, and a launch that keeps more than the capacity is run again in halves. Kernels are built and memory is
// allocated when first needed. Throws DeviceError if the device fails.
class WideSearch {
public:
  // Compaction is a scan or atomic; `automatic`: as the tunables say.
  WideSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  // A search with a launcher of its own.
  WideSearch(const opencl::DeviceDescription& device, const device::Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  WideSearch(const WideSearch&) = delete;
  WideSearch& operator=(const WideSearch&) = delete;
  ~WideSearch() = default;

  // Selects unoptimized kernels (quick to compile, several times slower) or optimized ones from now on.
  void build_quickly(bool quickly) { quickly_ = quickly; }
  [[nodiscard]] bool builds_quickly() const { return quickly_; }
  // Compiler's options for kernels without special ones.
  [[nodiscard]] std::string build_options() const { return with_haste({}); }

  // Begins to build, on other threads, the kernels of every batch; and those for refused parts, which most large
  // searches need.
  void build_ahead();
  void build_refused_ahead();

  // The arguments of a batch that are close to a breakpoint, sorted, counted from the batch's first. `interrupt` is
  // called before every launch; Interrupted is thrown when it returns true. With `refused`, the numbers of refused
  // parts are appended there, counted from the batch's first, and nothing more is done with them.
  [[nodiscard]] std::vector<std::uint64_t> search(const WideBatch& batch, const Interrupt& interrupt = {},
                                                  std::vector<std::uint64_t>* refused = nullptr);

  // The records, for callers that have other ones searched with a batch's, or instead of them
  // (engine/wide/plants.hpp); their kernels are built with build_options().
  [[nodiscard]] WideRecords& records() { return records_; }
  // The places among the arguments of all records that are close to a breakpoint, sorted.
  [[nodiscard]] std::vector<std::uint64_t> search_records(const WideBatch& batch,
                                                          std::vector<std::uint64_t>* refused = nullptr);

  // Most sub-intervals of a batch: those that fit into the memory of the tunable's domains, or less if the device has
  // little.
  [[nodiscard]] std::uint64_t batch_sub_intervals() const;

  // Work since construction or the last reset.
  [[nodiscard]] Stages stages() const;
  void reset_stages(const Stages& stages = {});

  [[nodiscard]] const opencl::DeviceDescription& device() const { return launcher_->device(); }
  [[nodiscard]] const std::shared_ptr<Launcher>& launcher() const { return launcher_; }
  [[nodiscard]] const device::Tunables& tunables() const { return tunables_; }

private:
  void test_groups(const WideBatch& batch, std::vector<std::uint64_t>* refused);
  void keep(const WideBatch& batch, const Launcher::Counters& kept, Stage& counts);
  // sum: of the list's entries, as the kernel that wrote them has it.
  void check_candidates(const WideBatch& batch, std::uint32_t count, std::uint32_t sum);
  void test_parts(const WideBatch& batch, std::uint32_t count, std::uint32_t sum);
  void every_argument(const WideBatch& batch, int bits, std::uint32_t count, std::uint32_t sum);
  void every_argument_at(const WideBatch& batch, int bits, std::uint64_t first);
  void runs(const WideBatch& batch, int bits, std::uint64_t first, std::uint64_t count, int run_bits,
            std::optional<std::uint32_t> read_sum);
  [[nodiscard]] std::string with_haste(std::string options) const;
  [[nodiscard]] opencl::Kernel& build(const LaunchedStage& stage, const char* program, const char* name,
                                      const std::vector<opencl::Macro>& macros = {}, std::string_view options = {});
  [[nodiscard]] std::vector<opencl::Macro> test_macros() const;
  [[nodiscard]] std::vector<opencl::Macro> group_macros() const;
  [[nodiscard]] bool sorts() const;

  std::shared_ptr<Launcher> launcher_;
  const device::Tunables tunables_;
  Compaction compaction_;
  std::atomic<bool> quickly_ = false; // read by threads that build ahead
  WideRecords records_;
  LaunchedStage groups_;
  LaunchedStage parts_;
  LaunchedStage again_;
  LaunchedStage check_;
  opencl::Buffer found_;   // candidates of groups and parts: arguments
  opencl::Buffer refused_; // numbers of refused parts
  opencl::Buffer swept_;   // first arguments of parts refused again
  std::vector<std::uint64_t> candidates_;
};

} // namespace tmd::engine::wide
