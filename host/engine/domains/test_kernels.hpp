// The kernels of phases 1 and 2, with the macros and the compaction that the tunables and the device ask for.
#pragma once

#include "device/tunables.hpp"
#include "engine/domains/tunables.hpp"
#include "engine/launcher.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::engine::domains {

// Builds the kernels of the existence tests when they are first needed. Automatic compaction is that of the tunables.
class TestKernels {
public:
  TestKernels(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables, Compaction compaction);

  // The kernel of a test in phase 1 or 2, or in both at once, ready for `set`; compacted: the stage it fills, or null.
  [[nodiscard]] ReadyKernel kernel(std::string_view name, Test test, const LaunchedStage* compacted);
  // Begins to build the kernels of a test in every compaction.
  void build_ahead(Test test, const LaunchedStage& phase1, const LaunchedStage& phase2);

  [[nodiscard]] Compaction compaction() const { return compaction_; }
  void set_compaction(Compaction compaction) { compaction_ = compaction; }
  // How the kernel that fills a stage compacts now, by the stage's share of survivors.
  [[nodiscard]] int compaction_of(const LaunchedStage& stage) const;
  // Whether a launch has been compacted by scan: `automatic` begins with atomic.
  [[nodiscard]] bool has_scanned() const { return has_scanned_; }
  // Divides without FP64 from now on: batches have lengths of 64 bits then.
  void do_without_fp64() { tunables_ = without_fp64(tunables_); }
  [[nodiscard]] const device::Tunables& tunables() const { return tunables_; }

private:
  struct Program {
    std::string file;
    std::vector<opencl::Macro> macros;
    std::int64_t items = 1; // items of a work-item
  };
  // compaction: 0 if it fills no stage.
  [[nodiscard]] Program program(std::string_view name, Test test, const LaunchedStage* compacted, int compaction) const;
  [[nodiscard]] int scan() const;

  std::shared_ptr<Launcher> launcher_;
  device::Tunables tunables_;
  Compaction compaction_;
  bool sub_groups_build_ = true; // false after a failure
  bool has_scanned_ = false;
};

} // namespace tmd::engine::domains
