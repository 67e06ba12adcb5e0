// tmd bench: device micro-benchmarks.
#include "bench.hpp"

#include "error.hpp"

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
