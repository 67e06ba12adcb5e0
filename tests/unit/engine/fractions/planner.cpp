// Plans of fractions without any other engine: MPFR is to decide each argument but the poles, and each once.
#include "host/engine/fractions/planner.hpp"
#include "host/engine/fractions/engine.hpp"
#include "host/function/catalogue.hpp"
#include "tmd/format.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

namespace tmd::engine::fractions {

TEST_CASE("fractions: plans and batches list each argument that is no pole, each once") {
  job::Job job;
  job.function = &function::find_function("lgamma");
  job.format = find_format("p14");
  job.argument_precision = 14;
  job.K = 5;
  const job::Stretch stretch{true, -5, (1 << 13) + (3 << 5), 100 << 5}; // 100 units, 32 fractions
  const auto field = fractions_engine.claim(job, {}, stretch);
  REQUIRE(field);
  REQUIRE(field->arguments.count == stretch.count);
  FractionEngine engine({}, {});
  const std::unique_ptr<Planner> planner = engine.planner(job, *field);
  REQUIRE(planner);
  std::vector<std::uint64_t> listed;
  const auto search = [&](const Plan& plan) {
    for (std::uint64_t done = 0; done < plan.count;) {
      const std::unique_ptr<Batch> batch = plan.batch(done);
      REQUIRE(batch->count() > 0);
      REQUIRE(batch->count() <= plan.count - done);
      done += batch->count();
      const BatchResult found = engine.search(*batch, {});
      // The arguments belong to the batch's part of the coordinate.
      for (const std::uint64_t index : found.candidates) {
        CHECK(field->claim()->place_of(index) >= plan.first);
        CHECK(field->claim()->place_of(index) < plan.first + plan.count);
      }
      listed.insert(listed.end(), found.candidates.begin(), found.candidates.end());
    }
  };
  for (uint128 first = 0; first < field->extent();) {
    const std::unique_ptr<Plan> plan = planner->offer(first, field->extent() - first)->plan();
    REQUIRE(plan);
    CHECK(plan->first == first);
    first += plan->count;
    search(*plan);
    CHECK(plan->count <= field->extent() - plan->first);
    // Batches that begin within it, in its first and in later sections.
    for (const std::uint64_t done : {1, 31, 32, 250, 999})
      if (done < plan->count) {
        const std::unique_ptr<Batch> batch = plan->batch(done);
        CHECK(batch->count() == plan->count - done);
        std::set<uint128> places;
        for (const std::uint64_t index : engine.search(*batch, {}).candidates)
          places.insert(field->claim()->place_of(index));
        const uint128 begin = plan->first + done;
        const uint128 end = std::min<uint128>(plan->first + plan->count, 31 * 100); // poles are behind
        CHECK(places.size() == (begin < end ? end - begin : 0));
        CHECK((places.empty() || (*places.begin() == begin && *places.rbegin() == end - 1)));
      }
  }
  // A plan that is to be short, across the end of a fraction.
  const std::unique_ptr<Plan> some = planner->offer(95, 20)->plan();
  CHECK(some->count == 20);
  std::sort(listed.begin(), listed.end());
  std::vector<std::uint64_t> expected;
  for (std::uint64_t index = 0; index < stretch.count; ++index)
    if (index % 32 != 0)
      expected.push_back(index);
  CHECK(listed == expected);
}

} // namespace tmd::engine::fractions
