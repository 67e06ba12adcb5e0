// tmd-lab polynomials: every way to make the domains' coefficients, beside the test that uses them.
#include "app/lab/domains.hpp"
#include "app/lab/lab.hpp"

#include "app/lab/production.hpp"
#include "app/standard_streams.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

int run_polynomials(const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  cxxopts::Options options = lab_options(
      "polynomials", "Times the ways to make the domains' coefficients, step by step, beside the test that uses them.",
      test_options(std::string(engine::domains::to_string(engine::domains::Test::regular))));
  add_domains(options);
  const auto parsed = parse_measurement(options, "polynomials", arguments);
  if (!parsed)
    return 0;
  const request::SearchRequest asked = parse_search_options(*parsed);
  const job::Job& job = asked.job;
  const engine::domains::Test test = test_asked(asked.spec).value_or(engine::domains::Test::regular);
  const std::uint64_t wanted = domains_of(*parsed);
  auto json = open_file(*parsed, "json");
  print_no_tables_beside({&json});
  const run::DeviceChoice choice = device_to_measure(asked.spec);
  const opencl::DeviceDescription& description = choice.device;
  constexpr int repeats = 5;
  constexpr double bytes_per_domain = 3 * sizeof(std::uint64_t);

  engine::domains::DomainSearch device(description, choice.tunables);
  engine::EngineSettings settings = run::engine_settings(asked, choice, print_remark);
  settings.choices.polynomials = Polynomials::hybrid;
  engine::domains::DomainOptions domain = engine::domains::domain_options(settings);
  domain.test = test;
  const auto plan_start = Clock::now();
  const auto made_plan = first_filtered_plan(job, domain);
  const engine::domains::DomainPlan& plan = *made_plan;
  const double plan_seconds = support::seconds_since(plan_start);
  const engine::domains::HierarchicalPolynomial& polynomial = *plan.polynomial;
  const std::uint64_t domains = std::min(wanted, polynomial.domain_count());
  const auto host_start = Clock::now();
  const engine::domains::DomainBatch made = engine::domains::make_batch(plan, 0, domains);
  const double host_seconds = support::seconds_since(host_start);
  const double test_seconds = time_phase1(device, made, repeats);

  fmt::print("coefficients of {} domains of 2^{} arguments on {} ({})\n"
             "  degree {}, {} words walked, {} words of the interval, packets of 2^{} domains\n",
             domains, plan.domain_bits, description.name, description.platform, plan.degree, polynomial.words(),
             polynomial.interval_words(), polynomial.packet_bits());
  flush_output();
  std::string lines;
  const auto row = [&](std::string_view step, double seconds, double bytes) {
    fmt::print("  {:<34}{:>12.3e} s{:>12.3e} domains/s{:>9.1f} GB/s{:>8.2f} of phase 1\n", step, seconds,
               static_cast<double>(domains) / seconds, bytes / seconds * 1e-9, seconds / test_seconds);
    lines += result::record_line(result::first_record(
        "polynomials", result::running_program(choice.kernels),
        {{"device", description.name}, {"step", step}, {"domains", domains}, {"seconds", seconds}, {"bytes", bytes}}));
  };
  const double all_bytes = bytes_per_domain * static_cast<double>(domains);
  row("plan of an interval, host", plan_seconds, 0);
  row("coefficients by the host, 1 thread", host_seconds, all_bytes);
  const engine::domains::DomainBatch batch = engine::domains::make_hybrid_batch(plan, 0, domains);
  row("shift and walk on the device", device.coefficients().time(batch, repeats), all_bytes);
  row("phase 1, which reads them", test_seconds, 2.0 / 3 * all_bytes);
  if (json)
    json->commit(lines);
  return 0;
}

} // namespace tmd::app
