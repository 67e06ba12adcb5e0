// tmd bench: device micro-benchmarks.
#include "bench.hpp"
#include "job_options.hpp"

#include "support/atomic_file.hpp"
#include "support/gnuplot.hpp"
#include "report/divergence_report.hpp"
#include "device/cpu_modes.hpp"
#include "engine/domains/divergence.hpp"
#include "job/pieces.hpp"

#include <array>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

using Json = nlohmann::ordered_json;

// The first interval that the existence tests serve.
IntervalPlan first_filtered_plan(const SearchJob& job) {
  for (const Piece& piece : find_pieces(*job.function, job.arguments(), job.first, job.last).pieces) {
    Planner planner(ScaledFunction(*job.function, job.grid(), piece), job.plan);
    while (auto plan = planner.next())
      if (plan->method == Method::filtered)
        return *plan;
  }
  throw UsageError("the existence tests serve no part of this range");
}

// Every test by every division strategy, on the same domains.
int bench_phase1(const Arguments& arguments) {
  cxxopts::Options options =
      bench_options("phase1", "Times phase 1 by every existence test and division strategy on one set of domains.");
  auto add = options.add_options();
  add("domains", "domains tested at once, at most", cxxopts::value<std::string>()->default_value("4194304"), "COUNT");
  add("repeats", "runs of which the median counts", cxxopts::value<std::string>()->default_value("5"), "R");
  const auto parsed = parse(options, "bench phase1", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const SearchJob job = make_job(parsed);
  const auto domains =
      static_cast<std::uint64_t>(parse_integer(parsed["domains"].as<std::string>(), "--domains", 1024, 1 << 26));
  const int repeats = parse_integer(parsed["repeats"].as<std::string>(), "--repeats", 1, 1000);
  auto json = open_file(parsed, "json");
  const DeviceChoice choice = choose_device(parsed);
  const opencl::DeviceDescription& device = choice.device;

  fmt::print("phase 1 on {} ({}), {}\n", device.name, device.platform, job.function->name);
  fmt::print("  {:<14}{:<19}{:>4}{:>14}{:>10}{}\n", "test", "division", "N", "domains/s", "ratio",
             device.is_gpu ? "" : fmt::format("  CPU mode: {} asked", to_string(choice.cpu_mode)));
  std::string lines;
  double first_rate = 0;
  for (std::size_t test = 0; test < test_names.size(); ++test) {
    if (job.plan.test && static_cast<std::size_t>(*job.plan.test) != test + 1)
      continue;
    for (std::size_t division = 0; division < division_names.size(); ++division) {
      Tunables tunables = choice.tunables;
      tunables.phase1_division = static_cast<std::int64_t>(division) + 1;
      DeviceSearch search(device, tunables);
      SearchJob variant = job;
      variant.plan.test = static_cast<Test>(test + 1);
      adapt_plan(variant.plan, search);
      const IntervalPlan plan = first_filtered_plan(variant);
      const DomainBatch batch = make_batch(plan, 0, std::min(domains, plan.polynomial->domain_count()));
      const double rate = batch.domain_count() / search.time_phase1(batch, repeats);
      if (first_rate == 0)
        first_rate = rate;
      const auto modes = cpu_modes(choice.cpu_mode, search);
      const std::string in_effect = modes ? modes->rows.front().in_effect : "";
      fmt::print("  {:<14}{:<19}{:>4}{:>14.3e}{:>10.2f}{}{}\n", test_names[test], division_names[division],
                 fmt::format("2^{}", plan.domain_bits), rate, rate / first_rate, modes ? "  " : "", in_effect);
      std::fflush(stdout);
      lines += Json{{"type", "phase1"},
                    {"device", device.name},
                    {"test", test_names[test]},
                    {"division", division_names[division]},
                    {"cpu_mode", modes ? Json{{"asked", to_string(modes->asked)}, {"in_effect", in_effect}} : Json()},
                    {"domain_bits", plan.domain_bits},
                    {"domains", batch.domain_count()},
                    {"domains_per_second", rate}}
                   .dump() +
               "\n";
    }
  }
  if (json)
    json->commit(lines);
  return 0;
}

// Every way to make coefficients, beside the phase-1 test that uses them.
int bench_polynomials(const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  cxxopts::Options options = bench_options(
      "polynomials", "Times the ways to make the domains' coefficients, step by step, beside the test that uses them.");
  options.add_options()("domains", "domains made at once, at most",
                        cxxopts::value<std::string>()->default_value("4194304"), "COUNT");
  const auto parsed = parse(options, "bench polynomials", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  SearchJob job = make_job(parsed);
  const auto wanted =
      static_cast<std::uint64_t>(parse_integer(parsed["domains"].as<std::string>(), "--domains", 1024, 1 << 26));
  auto json = open_file(parsed, "json");
  const DeviceChoice choice = choose_device(parsed);
  const opencl::DeviceDescription& description = choice.device;
  Tunables tunables = choice.tunables;
  constexpr int repeats = 5;
  constexpr double bytes_per_domain = 3 * sizeof(std::uint64_t);
  const auto seconds_since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };

  DeviceSearch device(description, tunables);
  adapt_plan(job.plan, device, Polynomials::hybrid);
  const auto plan_start = Clock::now();
  const IntervalPlan plan = first_filtered_plan(job);
  const double plan_seconds = seconds_since(plan_start);
  const HierarchicalPolynomial& polynomial = *plan.polynomial;
  const std::uint64_t domains = std::min(wanted, polynomial.domain_count());
  const auto host_start = Clock::now();
  const DomainBatch made = make_batch(plan, 0, domains);
  const double host_seconds = seconds_since(host_start);
  const double test_seconds = device.time_phase1(made, repeats);

  fmt::print("coefficients of {} domains of 2^{} arguments on {} ({})\n"
             "  degree {}, {} words walked, {} words of the interval, packets of 2^{} domains\n",
             domains, plan.domain_bits, description.name, description.platform, plan.degree, polynomial.words(),
             polynomial.interval_words(), polynomial.packet_bits());
  std::string lines;
  const auto row = [&](std::string_view step, double seconds, double bytes) {
    fmt::print("  {:<34}{:>12.3e} s{:>12.3e} domains/s{:>9.1f} GB/s{:>8.2f} of phase 1\n", step, seconds,
               static_cast<double>(domains) / seconds, bytes / seconds * 1e-9, seconds / test_seconds);
    lines += Json{{"type", "polynomials"}, {"device", description.name}, {"step", step},
                  {"domains", domains},    {"seconds", seconds},         {"bytes", bytes}}
                 .dump() +
             "\n";
  };
  const double all_bytes = bytes_per_domain * static_cast<double>(domains);
  row("plan of an interval, host", plan_seconds, 0);
  row("coefficients by the host, 1 thread", host_seconds, all_bytes);
  const DomainBatch batch = make_hybrid_batch(plan, 0, domains);
  const auto shift_start = Clock::now();
  std::size_t state_words = 0;
  for (int of_row = 0; of_row < HierarchicalPolynomial::row_count; ++of_row)
    state_words += polynomial.packet_states(of_row, 0, batch.packets).size();
  row("shift to the packets by the host", seconds_since(shift_start), 8 * static_cast<double>(state_words));
  for (const Shift shift : {Shift::host, Shift::device}) {
    tunables.polynomials_shift = static_cast<std::int64_t>(shift);
    DeviceSearch variant(description, tunables);
    row(shift == Shift::host ? "walk on the device" : "shift and walk on the device",
        variant.time_polynomials(batch, repeats), all_bytes);
  }
  row("phase 1, which reads them", test_seconds, 2.0 / 3 * all_bytes);
  for (const Shift shift : {Shift::host, Shift::device}) {
    tunables.polynomials_shift = static_cast<std::int64_t>(shift);
    DeviceSearch variant(description, tunables);
    (void)variant.time_polynomials(batch, 1); // kernels built, memory touched
    const auto timeline = variant.polynomials_timeline(batch);
    fmt::print("  timeline, shift by the {}: milliseconds from the first row's queueing\n", to_string(shift));
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      const auto at = [&](double time) { return 1e3 * (time - timeline.front().queued); };
      fmt::print("    {:<12}queued {:8.3f}  began {:8.3f}  ended {:8.3f}\n",
                 std::array{"lines", "slopes", "curvatures"}.at(i), at(timeline[i].queued), at(timeline[i].started),
                 at(timeline[i].ended));
    }
  }
  if (json)
    json->commit(lines);
  return 0;
}

int bench_divergence(const Arguments& arguments) {
  cxxopts::Options options = bench_options(
      "divergence", "Counts the rounds of the phase-1 test and how long SIMD groups of them wait for their longest.");
  options.add_options()("plot", "draw histograms of the NMDM with gnuplot (SVG)", cxxopts::value<std::string>(),
                        "FILE");
  const auto parsed = parse(options, "bench divergence", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  SearchJob job = make_job(parsed);
  if (!job.plan.test && job.plan.exhaustive_only)
    throw UsageError("the exhaustive search has no existence test whose rounds could be counted");
  auto json = open_file(parsed, "json");
  auto plot = open_file(parsed, "plot");
  if (plot)
    require_gnuplot();
  if (!job.plan.test)
    job.plan.test = Test::regular;
  const DeviceChoice choice = choose_device(parsed);
  DeviceSearch device(choice.device, choice.tunables);
  adapt_plan(job.plan, device);
  const DivergenceStatistics statistics = measure_divergence(job, device);
  const std::string title = fmt::format("{} on [{}, {}), {} test", job.function->name, parsed["from"].as<std::string>(),
                                        parsed["to"].as<std::string>(), to_string(*job.plan.test));
  fmt::print("{}\n{}", title, divergence_table(statistics));
  if (json)
    json->commit(divergence_record(title, to_string(*job.plan.test), statistics));
  if (plot)
    plot->commit(divergence_plot(title, statistics));
  return 0;
}

} // namespace

cxxopts::Options bench_options(const std::string& what, const std::string& description) {
  cxxopts::Options options("tmd bench " + what, description);
  options.custom_help("[FUNCTION] [OPTION ...]");
  add_job_options(options);
  auto add = options.add_options();
  add("json", "write the figures as JSON Lines", cxxopts::value<std::string>(), "FILE");
  add("h,help", "this text");
  return options;
}

int bench(const Arguments& arguments) {
  if (arguments.empty())
    throw UsageError("name what to measure: phase1, polynomials, divergence, wide or division");
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (arguments.front() == "phase1")
    return bench_phase1(rest);
  if (arguments.front() == "polynomials")
    return bench_polynomials(rest);
  if (arguments.front() == "divergence")
    return bench_divergence(rest);
  if (arguments.front() == "wide")
    return bench_wide(rest);
  if (arguments.front() == "division")
    return bench_division(rest);
  if (arguments.front() == "--help" || arguments.front() == "-h") {
    fmt::print("usage: tmd bench phase1|polynomials|divergence|wide FUNCTION --from X --to Y [OPTION ...]\n"
               "       tmd bench division [OPTION ...]\n"
               "`tmd bench phase1 --help` and so on explain each.\n");
    return 0;
  }
  throw UsageError(fmt::format("unknown measurement '{}'; known are phase1, polynomials, divergence, wide and division",
                               arguments.front()));
}

} // namespace tmd::app
