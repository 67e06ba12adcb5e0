#include "app/lab/phase_steps.hpp"

#include "app/lab/production.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tmd {

namespace {

template <typename T> opencl::Buffer buffer_with(opencl::Compute& compute, const std::vector<T>& values) {
  opencl::Buffer buffer = compute.allocate(sizeof(T) * values.size());
  compute.write(buffer, values.data(), buffer.bytes());
  return buffer;
}

// Makes the starts of all chunks of a batch.
std::vector<std::uint64_t> starts_of(const engine::phase::PhaseBatch& batch) {
  std::vector<std::uint64_t> made;
  std::vector<std::uint64_t> starts = engine::phase::starts_on_host(batch, made);
  const std::uint64_t in_group = std::uint64_t(1) << (batch.parameters.group_bits - batch.parameters.chunk_bits);
  for (std::uint64_t chunk = 0; chunk < starts.size() / engine::phase::layout::start_words; ++chunk)
    if (chunk % in_group >= made.at(chunk / in_group)) {
      const auto start =
          engine::phase::start_at(*batch.plan, batch.first_window + (chunk << batch.parameters.chunk_bits));
      std::copy(start.begin(), start.end(),
                starts.begin() + static_cast<std::ptrdiff_t>(chunk * engine::phase::layout::start_words));
    }
  return starts;
}

} // namespace

std::array<double, phase_step_names.size()> seconds_of_phase_steps(const opencl::DeviceDescription& device,
                                                                   const device::Tunables& tunables,
                                                                   const engine::phase::PhaseBatch& batch,
                                                                   int repeats) {
  constexpr std::string_view stage_name = "bench";
  engine::Launcher launcher(device, 1);
  opencl::Compute& compute = launcher.compute();
  const auto chunks = static_cast<std::uint32_t>(batch.windows >> batch.parameters.chunk_bits);
  const opencl::Buffer parameters = buffer_with(compute, std::vector{batch.parameters});
  const opencl::Buffer tables = buffer_with(compute, batch.tables);
  const opencl::Buffer starts = buffer_with(compute, starts_of(batch));
  const opencl::Buffer made = compute.allocate(sizeof(std::uint32_t) * chunks);
  std::array<double, phase_step_names.size()> result{};
  for (std::size_t step = 0; step < result.size(); ++step) {
    std::vector<opencl::Macro> macros = engine::phase::phase_macros(batch, tunables);
    macros.push_back({"TMD_PHASE_STEP", static_cast<std::int64_t>(step) + 1, 1, phase_step_names.size()});
    opencl::Kernel& kernel = launcher.build(stage_name, "bench/phase_steps.cl", "phase_steps", macros,
                                            engine::phase::phase_walk_options(launcher, tunables));
    std::vector<double> seconds;
    for (int repeat = 0; repeat <= repeats; ++repeat) { // in the first launch, runtimes still build
      auto launch =
          launcher.start({kernel}, stage_name, chunks,
                         static_cast<std::size_t>(tunables[engine::phase::phase_tunable("phase.work-group-size")]),
                         parameters, tables, starts, made);
      (void)launch.finish();
      if (repeat > 0)
        seconds.push_back(launch.seconds() / static_cast<double>(std::uint64_t(chunks) << batch.parameters.chunk_bits));
    }
    result.at(step) = support::median(std::move(seconds));
  }
  return result;
}

} // namespace tmd
