#include "app/lab/domains.hpp"

#include "app/lab/production.hpp"
#include "job/pieces.hpp"
#include "support/statistics.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

std::size_t work_group_size(const engine::domains::DomainSearch& search) {
  return static_cast<std::size_t>(search.tunables()[engine::domains::domain_tunable("phase1.work-group-size")]);
}

} // namespace

std::map<std::string, std::string> test_options(const std::string& without) {
  return {{"algorithm",
           fmt::format("existence test: {} (default: {})", fmt::join(engine::domains::test_names, ", "), without)},
          {"domain-bits", "log2 of the arguments in a domain (default: chosen)"}};
}

std::optional<engine::domains::Test> test_asked(const SearchSpec& spec) {
  const std::string& name = spec.choices.algorithm;
  if (name == Choices{}.algorithm)
    return std::nullopt;
  return static_cast<engine::domains::Test>(device::find_name("existence test", name, engine::domains::test_names) + 1);
}

void add_domains(cxxopts::Options& options) {
  options.add_options()("domains", "domains at once, at most", cxxopts::value<std::string>()->default_value("4194304"),
                        "COUNT");
}

std::uint64_t domains_of(const cxxopts::ParseResult& parsed) {
  return static_cast<std::uint64_t>(
      request::parse_integer(parsed["domains"].as<std::string>(), "--domains", 1024, 1 << 26));
}

std::unique_ptr<engine::domains::DomainPlan> first_filtered_plan(const job::Job& job,
                                                                 const engine::domains::DomainOptions& options) {
  constexpr std::uint64_t few_arguments = 32; // no polynomial serves these arguments
  for (const job::Piece& piece : job::find_pieces(*job.function, job.arguments(), job.first, job.last)) {
    engine::domains::DomainPlanner planner(polynomial::ScaledFunction(*job.function, job.grid(), piece), job.K,
                                           options);
    std::uint64_t step = 0;
    for (uint128 first = 0; first < piece.count; first += step) {
      auto plan = planner.plan(first, piece.count - first);
      if (plan && !plan->exhaustive)
        return plan;
      step = plan ? plan->count : few_arguments;
    }
  }
  throw UsageError("the existence tests serve no part of this range");
}

std::vector<std::uint32_t> rounds(engine::domains::DomainSearch& search, const engine::domains::DomainBatch& batch) {
  engine::domains::DeviceCoefficients& coefficients = search.coefficients();
  opencl::Compute& compute = search.launcher()->compute();
  coefficients.load(batch);
  std::vector<std::uint32_t> result(batch.domain_count());
  const opencl::Buffer target = compute.allocate(sizeof(std::uint32_t) * result.size());
  opencl::Kernel counting = search.kernels().kernel("rounds", batch.parameters.test, nullptr).kernel;
  counting.set(coefficients.lines(), coefficients.slopes(), batch.domain_count(),
               std::uint64_t(1) << batch.parameters.domain_bits, batch.parameters.offset1, target);
  compute.run(counting, result.size(), work_group_size(search));
  coefficients.finish();
  compute.read(target, result.data(), sizeof(std::uint32_t) * result.size());
  return result;
}

double time_phase1(engine::domains::DomainSearch& search, const engine::domains::DomainBatch& batch, int repeats,
                   double patience) {
  engine::domains::DeviceCoefficients& coefficients = search.coefficients();
  engine::Launcher& launcher = *search.launcher();
  coefficients.load(batch);
  coefficients.finish();
  engine::LaunchedStage stage(engine::domains::domain_stages[1], static_cast<std::int64_t>(work_group_size(search)), 1,
                              1);
  launcher.allocate_list(stage.kept, sizeof(std::uint32_t));
  engine::ReadyKernel test = search.kernels().kernel("phase1", batch.parameters.test, &stage);
  const auto run = [&](std::uint32_t count) {
    launcher.compute().clear(launcher.counters());
    test.kernel.set(coefficients.lines(), coefficients.slopes(), stage.kept, kernel_parameters(batch),
                    launcher.next_slice(0, count), launcher.counters());
    return launcher.compute().run(test.kernel, (count - 1) / test.items_per_work_item + 1, stage.work_group_size);
  };
  // One strategy may be ten thousand times slower than another: a probe comes first.
  std::uint32_t count = std::min<std::uint32_t>(batch.domain_count(), 1024);
  for (double seconds = run(count); count < batch.domain_count() && seconds * 8 < patience / repeats;
       seconds = run(count))
    count = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t(count) * 8, batch.domain_count()));
  std::vector<double> times(static_cast<std::size_t>(repeats));
  for (double& time : times)
    time = run(count);
  return support::median(std::move(times)) * batch.domain_count() / count;
}

} // namespace tmd::app
