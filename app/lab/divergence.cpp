// tmd-lab divergence: rounds of the phase-1 test, and what SIMD groups lose by waiting.
#include "app/lab/domains.hpp"
#include "app/lab/lab.hpp"

#include "app/lab/divergence_report.hpp"
#include "app/lab/divergence_statistics.hpp"
#include "app/standard_streams.hpp"
#include "support/atomic_file.hpp"

#include <fmt/format.h>

namespace tmd::app {

int run_divergence(const Arguments& arguments) {
  cxxopts::Options options = lab_options(
      "divergence",
      "Counts the rounds of the phase-1 test and how long SIMD groups of them wait for their longest: the\nNMDM, the "
      "normalized mean deviation to the maximum.",
      test_options(std::string(engine::domains::to_string(engine::domains::Test::regular))));
  const auto parsed = parse_measurement(options, "divergence", arguments);
  if (!parsed)
    return 0;
  const request::SearchRequest asked = parse_search_options(*parsed);
  const engine::domains::Test test = test_asked(asked.spec).value_or(engine::domains::Test::regular);
  auto json = open_file(*parsed, "json");
  print_no_tables_beside({&json});
  const run::DeviceChoice choice = device_to_measure(asked.spec);
  engine::domains::DomainSearch device(choice.device, choice.tunables);
  engine::EngineSettings settings = run::engine_settings(asked, choice, print_remark);
  settings.choices.polynomials = Polynomials::host;
  engine::domains::DomainOptions domain = engine::domains::domain_options(settings);
  domain.test = test;
  const DivergenceStatistics statistics = measure_divergence(asked.job, domain, device);
  const std::string title = fmt::format("{} on [{}, {}), {} test", asked.job.function->name, asked.from, asked.to,
                                        engine::domains::to_string(test));
  if (json)
    json->commit(divergence_record(title, engine::domains::to_string(test), choice.kernels, statistics));
  fmt::print("{}\n{}", title, divergence_table(statistics));
  return 0;
}

} // namespace tmd::app
