// tmd bench: device micro-benchmarks.
#include "bench.hpp"
#include "engine/domains/tunables.hpp"

#include "opencl/device.hpp"
#include "tmd/error.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

cxxopts::Options bench_options(const std::string& what, const std::string& description) {
  cxxopts::Options options("tmd bench " + what, description);
  options.custom_help("[FUNCTION] [OPTION ...]");
  add_search_options(options);
  auto add = options.add_options();
  add("json", "write the figures as JSON Lines", cxxopts::value<std::string>(), "FILE");
  add("h,help", "this text");
  return options;
}

DeviceChoice device_to_measure(const SearchSpec& spec) {
  DeviceChoice choice = choose_device(spec);
  choice.device = opencl::with_shared_context(std::move(choice.device));
  return choice;
}

void add_repeats(cxxopts::Options& options) {
  options.add_options()("repeats", "runs of which the median counts", cxxopts::value<std::string>()->default_value("5"),
                        "R");
}

int repeats_of(const cxxopts::ParseResult& parsed) {
  return parse_integer(parsed["repeats"].as<std::string>(), "--repeats", 1, 1000);
}

int bench(const Arguments& arguments) {
  if (arguments.empty())
    throw UsageError("name what to measure: phase1, polynomials, divergence, wide, phase, division or dispatch");
  if (arguments.front() == "--help" || arguments.front() == "-h") {
    fmt::print("usage: tmd bench phase1|polynomials|divergence|wide|phase FUNCTION --from X --to Y [OPTION ...]\n"
               "       tmd bench division|dispatch [OPTION ...]\n"
               "`tmd bench phase1 --help` and so on explain each.\n");
    return 0;
  }
  constexpr std::array<int (*)(const Arguments&), measurement_names.size()> measurements{
      bench_phase1, bench_polynomials, bench_divergence, bench_wide, bench_phase, bench_division, bench_dispatch};
  return measurements.at(find_name("measurement", arguments.front(), measurement_names))(
      {arguments.begin() + 1, arguments.end()});
}

} // namespace tmd::app
