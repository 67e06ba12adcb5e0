// tmd-lab phase1: every existence test by every division strategy, on the same domains.
#include "app/lab/domains.hpp"
#include "app/lab/lab.hpp"

#include "app/lab/production.hpp"
#include "app/standard_streams.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

int run_phase1(const Arguments& arguments) {
  cxxopts::Options options =
      lab_options("phase1", "Times phase 1 by every existence test and division strategy on one set of domains.",
                  test_options("all"));
  add_domains(options);
  add_repeats(options);
  const auto parsed = parse_measurement(options, "phase1", arguments);
  if (!parsed)
    return 0;
  const request::SearchRequest asked = parse_search_options(*parsed);
  const job::Job& job = asked.job;
  const std::optional<engine::domains::Test> wanted = test_asked(asked.spec);
  const std::uint64_t domains = domains_of(*parsed);
  const int repeats = repeats_of(*parsed);
  auto json = open_file(*parsed, "json");
  print_no_tables_beside({&json});
  const run::DeviceChoice choice = device_to_measure(asked.spec);
  const opencl::DeviceDescription& device = choice.device;

  fmt::print("phase 1 on {} ({}), {}\n", device.name, device.platform, job.function->name);
  fmt::print("  {:<14}{:<19}{:>4}{:>14}{:>10}{}\n", "test", "division", "N", "domains/s", "ratio",
             device.is_gpu ? "" : fmt::format("  CPU mode: {} asked", to_string(choice.cpu_mode)));
  flush_output();
  std::string lines;
  double first_rate = 0;
  for (const std::string_view test : engine::domains::test_names) {
    if (wanted && test != engine::domains::to_string(*wanted))
      continue;
    for (std::size_t division = 0; division < engine::domains::division_names.size(); ++division) {
      device::Tunables tunables = choice.tunables;
      tunables.set(engine::domains::domain_tunable("phase1.division"), static_cast<std::int64_t>(division) + 1);
      engine::domains::DomainSearch search(device, tunables);
      engine::EngineSettings settings = run::engine_settings(asked, choice, print_remark);
      settings.tunables = tunables;
      settings.choices.algorithm = test;
      settings.choices.polynomials = Polynomials::host;
      const auto plan = first_filtered_plan(job, engine::domains::domain_options(settings));
      const engine::domains::DomainBatch batch =
          engine::domains::make_batch(*plan, 0, std::min(domains, plan->domain_count()));
      const double rate = batch.domain_count() / time_phase1(search, batch, repeats);
      if (first_rate == 0)
        first_rate = rate;
      const auto modes = engine::cpu_modes(choice.cpu_mode, *search.launcher());
      const std::string in_effect = modes ? modes->in_effect("phase1") : "";
      const std::string told = opencl::known_mode(in_effect);
      fmt::print("  {:<14}{:<19}{:>4}{:>14.3e}{:>10.2f}{}{}\n", test, engine::domains::division_names[division],
                 fmt::format("2^{}", plan->domain_bits), rate, rate / first_rate, told.empty() ? "" : "  ", told);
      std::fflush(stdout);
      lines += result::record_line(result::first_record(
          "phase1", result::running_program(choice.kernels),
          {{"device", device.name},
           {"test", test},
           {"division", engine::domains::division_names[division]},
           {"cpu_mode",
            modes ? result::Json{{"asked", to_string(modes->asked)}, {"in_effect", in_effect}} : result::Json()},
           {"domain_bits", plan->domain_bits},
           {"domains", batch.domain_count()},
           {"domains_per_second", rate}}));
    }
  }
  if (json)
    json->commit(lines);
  return 0;
}

} // namespace tmd::app
