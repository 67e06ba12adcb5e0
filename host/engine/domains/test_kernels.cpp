#include "engine/domains/test_kernels.hpp"

#include "engine/compaction.hpp"
#include "engine/domains/device_coefficients.hpp"
#include "engine/domains/tunables.hpp"
#include "tmd/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::engine::domains {

TestKernels::TestKernels(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables, Compaction compaction)
    : launcher_(std::move(launcher)), tunables_(tunables),
      compaction_(compaction == Compaction::automatic
                      ? static_cast<Compaction>(tunables[device::shared_tunable("compaction")])
                      : compaction) {}

// Compaction by sub-group operations if the device has them, else by local memory. A CPU's sub-groups would be made of
// work-items by its vectorizer, which may be off, or useless for explicit vectors.
int TestKernels::compaction_of(const LaunchedStage& stage) const {
  const bool scan = compaction_ == Compaction::scan ||
                    (compaction_ == Compaction::automatic &&
                     100 * stage.survivor_share >= static_cast<double>(tunables_[domain_tunable("scan-percent")]));
  return scan ? this->scan() : by_atomics;
}

int TestKernels::scan() const {
  // cl_khr_subgroups would need a later OpenCL C than 1.2.
  return sub_groups_build_ && !launcher_->device().is_cpu && launcher_->device().has_extension("cl_intel_subgroups")
             ? by_sub_groups
             : by_scan;
}

TestKernels::Program TestKernels::program(std::string_view name, Test test, const LaunchedStage* compacted,
                                          int compaction) const {
  const bool second = name == "phase2";
  const auto of_phase = [&](const device::Tunable& first, const device::Tunable& other) {
    return tunables_[second ? other : first];
  };
  const auto division =
      static_cast<Division>(of_phase(domain_tunable("phase1.division"), domain_tunable("phase2.division")));
  // The seeds' baseline, only for comparison, has a folder of its own.
  const std::string_view folder = name == "one_kernel" ? "domains/baselines/" : "domains/";
  const std::int64_t items = of_phase(domain_tunable("phase1.items"), domain_tunable("phase2.items"));
  Program result{fmt::format("{}{}.cl", folder, name),
                 {{"TMD_ALGORITHM", static_cast<int>(test), 1, test_names.size()},
                  {"TMD_DIVISION", static_cast<std::int64_t>(division), 1, division_names.size()},
                  {"TMD_LOGMS", of_phase(domain_tunable("phase1.logms"), domain_tunable("phase2.logms")), 0, 64},
                  {"TMD_ITEMS_PER_WORK_ITEM", items, 1, 4096}},
                 items};
  if (compacted == nullptr)
    return result;
  const std::int64_t width =
      comes_in_vectors(test, division)
          ? std::int64_t(1) << of_phase(domain_tunable("phase1.vector-width"), domain_tunable("phase2.vector-width"))
          : 1;
  result.macros.push_back({"TMD_VECTOR_WIDTH", width, 1, 16});
  result.macros.push_back({"TMD_COMPACTION", compaction, by_atomics, by_sub_groups});
  result.macros.push_back({"TMD_WORK_GROUP_SIZE", static_cast<std::int64_t>(compacted->work_group_size), 1, 1024});
  result.items *= width;
  return result;
}

ReadyKernel TestKernels::kernel(std::string_view name, Test test, const LaunchedStage* compacted) {
  const int compaction = compacted != nullptr ? compaction_of(*compacted) : 0;
  has_scanned_ = has_scanned_ || compaction > by_atomics;
  const std::string_view stage = compacted != nullptr ? compacted->counts.name : domain_stages[1].name;
  const Program found = program(name, test, compacted, compaction);
  try {
    return {launcher_->build(stage, found.file, std::string(name), found.macros),
            static_cast<std::size_t>(found.items)};
  } catch (const DeviceError&) {
    if (compaction != by_sub_groups)
      throw;
    sub_groups_build_ = false; // some devices report the extension without its functions
    return kernel(name, test, compacted);
  }
}

void TestKernels::build_ahead(Test test, const LaunchedStage& phase1, const LaunchedStage& phase2) {
  launcher_->build_ahead("domains/phase3.cl", {});
  for (const int compaction : {static_cast<int>(by_atomics), scan()})
    for (const auto& [name, stage] : {std::pair("phase1", &phase1), std::pair("phase2", &phase2)}) {
      const Program found = program(name, test, stage, compaction);
      launcher_->build_ahead(found.file, found.macros);
    }
}

} // namespace tmd::engine::domains
