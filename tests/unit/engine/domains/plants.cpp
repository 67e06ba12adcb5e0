// Hits planted among the domains of a batch: the tests find them, even if a device makes more domains than the interval
// has.
#include "host/engine/domains/plants.hpp"
#include "host/engine/domains/reference.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace tmd::engine::domains {

TEST_CASE("planted hits: the host finds those in short intervals, of which packets reach far beyond") {
  job::Job job;
  job.function = &function::find_function("cos");
  job.format = find_format("binary64");
  job.argument_precision = 53;
  job.K = 44;
  constexpr uint128 binade = uint128(1) << 52;
  job::PieceCutter cutter(job, {false, -52, binade, binade}, {}); // [1, 2): pieces become short towards π/2
  int short_intervals = 0;
  while (const auto cut = cutter.next()) {
    if (!cut->values || cut->arguments.count > (uint128(1) << 40))
      continue;
    DomainOptions options;
    options.test = Test::regular;
    options.device_makes_polynomials = true;
    options.packets.most_bits = 9;
    DomainPlanner planner(polynomial::ScaledFunction(*job.function, job.grid(), Field::of(*cut).piece()), job.K,
                          options);
    const auto plan = planner.plan(0, cut->arguments.count);
    if (!plan || plan->exhaustive)
      continue;
    const DomainBatch batch = make_hybrid_batch(*plan, 0, std::min<std::uint64_t>(plan->domain_count(), 512));
    short_intervals += batch.domain_count() > plan->domain_count() ? 1 : 0;
    number::Random random(1);
    const PlantedDomains planted = planted_domains(batch, 16, 8, batch.parameters.epsilon, random);
    const auto candidates = search_on_host(planted.batch);
    CHECK(std::includes(candidates.begin(), candidates.end(), planted.hits.begin(), planted.hits.end()));
  }
  CHECK(short_intervals > 5);
}

} // namespace tmd::engine::domains
