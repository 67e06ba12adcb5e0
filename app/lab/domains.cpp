#include "app/lab/domains.hpp"

#include "app/lab/production.hpp"
#include "job/pieces.hpp"
#include "tmd/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

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

} // namespace tmd::app
