#include "app/lab/domains.hpp"

#include "app/lab/production.hpp"
#include "job/pieces.hpp"
#include "tmd/error.hpp"

namespace tmd::app {

std::unique_ptr<DomainPlan> first_filtered_plan(const Job& job, const DomainOptions& options) {
  constexpr std::uint64_t few_arguments = 32; // that no polynomial serves
  for (const Piece& piece : find_pieces(*job.function, job.arguments(), job.first, job.last)) {
    DomainPlanner planner(ScaledFunction(*job.function, job.grid(), piece), job.bits, options);
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
