#include "app/lab/divergence_statistics.hpp"

#include "app/lab/domains.hpp"
#include "job/pieces.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <numeric>

namespace tmd {

namespace {

constexpr std::uint64_t shortest_step = 32; // no polynomial serves these arguments

} // namespace

void DivergenceCounter::add(const std::vector<std::uint32_t>& rounds) {
  if (rounds.empty())
    return;
  const auto [least, greatest] = std::minmax_element(rounds.begin(), rounds.end());
  sums_.least = sums_.tests == 0 ? *least : std::min(sums_.least, *least);
  sums_.greatest = std::max(sums_.greatest, *greatest);
  sums_.tests += rounds.size();
  sums_.mean += std::accumulate(rounds.begin(), rounds.end(), 0.0);
  for (std::size_t w = 0; w < DivergenceStatistics::widths.size(); ++w) {
    const std::size_t width = DivergenceStatistics::widths[w];
    for (std::size_t first = 0; first + width <= rounds.size(); first += width) {
      const auto* begin = rounds.data() + first;
      const double most = *std::max_element(begin, begin + width);
      // A group of tests that answer before their first round does not diverge.
      const double nmdm =
          most == 0 ? 0 : 1 - std::accumulate(begin, begin + width, 0.0) / static_cast<double>(width) / most;
      sums_.nmdm[w] += nmdm;
      ++groups_[w];
    }
  }
}

DivergenceStatistics DivergenceCounter::statistics() const {
  DivergenceStatistics result = sums_;
  result.mean /= static_cast<double>(std::max<std::uint64_t>(result.tests, 1));
  for (std::size_t w = 0; w < groups_.size(); ++w)
    result.nmdm[w] /= static_cast<double>(std::max<std::uint64_t>(groups_[w], 1));
  return result;
}

DivergenceStatistics measure_divergence(const job::Job& job, const engine::domains::DomainOptions& options,
                                        engine::domains::DomainSearch& device) {
  DivergenceCounter counter;
  const std::uint64_t batch_domains = device.coefficients().most_domains();
  for (const job::Piece& piece : job::find_pieces(*job.function, job.arguments(), job.first, job.last)) {
    engine::domains::DomainPlanner planner(polynomial::ScaledFunction(*job.function, job.grid(), piece), job.K,
                                           options);
    std::uint64_t step = 0;
    for (uint128 first = 0; first < piece.count; first += step) {
      const auto plan = planner.plan(first, piece.count - first);
      step = plan ? plan->count : shortest_step;
      const std::uint64_t domains = plan && !plan->exhaustive ? plan->domain_count() : 0;
      for (std::uint64_t done = 0; done < domains; done += batch_domains)
        counter.add(
            app::rounds(device, engine::domains::make_batch(*plan, done, std::min(batch_domains, domains - done))));
    }
  }
  DivergenceStatistics statistics = counter.statistics();
  if (statistics.tests == 0)
    throw UsageError("the existence tests serve no part of this range");
  return statistics;
}

} // namespace tmd
