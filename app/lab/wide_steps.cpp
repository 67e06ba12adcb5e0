#include "app/lab/wide_steps.hpp"

#include "app/lab/production.hpp"
#include "support/statistics.hpp"

#include <vector>

namespace tmd {

namespace {

constexpr std::string_view stage_name = "bench";
constexpr std::size_t plain_work_group_size = 64;

// Makes the records of a batch's sub-intervals.
opencl::Buffer records_of(engine::Launcher& launcher, const engine::wide::WideBatch& batch) {
  const std::vector<std::uint64_t> words = engine::wide::source_words_of(batch);
  opencl::Compute& compute = launcher.compute();
  const opencl::Buffer sources = compute.allocate(sizeof(std::uint64_t) * words.size());
  compute.write(sources, words.data(), sources.bytes());
  opencl::Buffer records = compute.allocate(sizeof(engine::wide::SubIntervalRecord) * batch.sub_intervals);
  const engine::wide::WideShift shift = engine::wide::wide_shift(engine::wide::coefficient_words_of(batch));
  (void)launcher
      .start({launcher.build(stage_name, shift.program, "wide_shift", shift.macros)}, stage_name, batch.sub_intervals,
             plain_work_group_size, sources, records, engine::wide::kernel_parameters(batch))
      .finish();
  return records;
}

} // namespace

std::array<double, wide_step_names.size()> seconds_of_wide_steps(const opencl::DeviceDescription& device,
                                                                 const device::Tunables& tunables,
                                                                 const engine::wide::WidePlan& plan,
                                                                 std::uint64_t sub_intervals, int repeats) {
  engine::Launcher launcher(device, 1);
  const engine::wide::WideBatch batch = engine::wide::make_wide_batch(plan, 0, sub_intervals);
  const opencl::Buffer records = records_of(launcher, batch);
  const std::uint32_t count = batch.sub_intervals << (batch.parameters.sub_bits - batch.parameters.group_bits);
  const std::int64_t width = std::int64_t(1) << tunables[engine::wide::wide_tunable("wide.vector-width")];
  const std::int64_t items = tunables[engine::wide::wide_tunable("wide.items")];
  const auto work_group_size = static_cast<std::size_t>(tunables[engine::wide::wide_tunable("wide.work-group-size")]);
  const opencl::Buffer made =
      launcher.compute().allocate(sizeof(std::uint32_t) * (std::size_t(count) / width + 2 * work_group_size));
  std::array<double, wide_step_names.size()> result{};
  for (std::size_t step = 0; step < result.size(); ++step) {
    opencl::Kernel& kernel =
        launcher.build(stage_name, "bench/wide_steps.cl", "wide_steps",
                       {{"TMD_WIDE_STEP", static_cast<std::int64_t>(step) + 1, 1, wide_step_names.size()},
                        engine::wide::wide_reciprocals(device),
                        {"TMD_VECTOR_WIDTH", width, 1, 16},
                        {"TMD_SORTED", 0, 0, 0},
                        {"TMD_ITEMS_PER_WORK_ITEM", items, 1, 4096},
                        {"TMD_COMPACTION", engine::by_atomics, engine::by_atomics, engine::by_atomics}},
                       engine::wide::wide_groups_options(launcher, tunables));
    std::vector<double> seconds;
    for (int repeat = 0; repeat <= repeats; ++repeat) { // in the first launch, runtimes still build
      auto launch = launcher.start({kernel, static_cast<std::size_t>(items * width)}, stage_name, count,
                                   work_group_size, records, made, engine::wide::kernel_parameters(batch));
      (void)launch.finish();
      if (repeat > 0)
        seconds.push_back(launch.seconds() / count);
    }
    result[step] = support::median(std::move(seconds));
  }
  return result;
}

} // namespace tmd
