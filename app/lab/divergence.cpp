// tmd-lab divergence: rounds of the phase-1 test, and what SIMD groups lose by waiting.
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
      "normalized mean deviation to the maximum.");
  const auto parsed = parse(options, "divergence", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const SearchRequest asked = parse_search_options(parsed);
  auto json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const DeviceChoice choice = device_to_measure(asked.spec);
  DomainSearch device(choice.device, choice.tunables);
  EngineSettings settings = engine_settings(asked, choice, print_remark);
  settings.choices.polynomials = Polynomials::host;
  DomainOptions domain = domain_options(settings);
  if (domain.exhaustive_only)
    throw UsageError("the exhaustive search has no existence test whose rounds could be counted");
  if (!domain.test)
    domain.test = Test::regular;
  const DivergenceStatistics statistics = measure_divergence(asked.job, domain, device);
  const std::string title =
      fmt::format("{} on [{}, {}), {} test", asked.job.function->name, asked.from, asked.to, to_string(*domain.test));
  if (json)
    json->commit(divergence_record(title, to_string(*domain.test), choice.kernels, statistics));
  fmt::print("{}\n{}", title, divergence_table(statistics));
  return 0;
}

} // namespace tmd::app
