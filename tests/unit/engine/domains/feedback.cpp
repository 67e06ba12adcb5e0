// Observed survivors, compared with expected ones.
#include "host/engine/domains/feedback.hpp"
#include "host/engine/domains/tunables.hpp"
#include "unit/engine/domains/plan_exp.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>

namespace tmd::engine::domains {

TEST_CASE("survivors seen correct those expected") {
  SurvivorFeedback feedback;
  for (const Test test : {Test::regular, Test::lefevre, Test::lefevre_plain, Test::lefevre_swap})
    CHECK(feedback.factor(test) == 1);
  feedback.observe(Test::regular, 0.01, 100000, 999); // too few to count
  feedback.observe(Test::regular, 1.0, 100000, 50000);
  CHECK(feedback.factor(Test::regular) == 1);
  // Three times as many survivors as the model predicts; batches planned before the first was observed change nothing.
  for (int i = 0; i < 4; ++i) {
    feedback.observe(Test::regular, 0.01, 1000000, 30000);
    CHECK(feedback.factor(Test::regular) == doctest::Approx(3));
  }
  const DomainOptions plain;
  DomainOptions corrected;
  corrected.feedback = std::make_shared<SurvivorFeedback>();
  const double share = plan_exp("1", "2", plain).survivor_share;
  corrected.feedback->observe(Test::regular, share, 1000000, static_cast<std::uint64_t>(1.1e6 * share));
  const PlannedExp planned = planned_exp("1", "2", corrected);
  CHECK(planned.plan.survivor_share == share); // reports leave out the correction
  CHECK(price_of(planned.prices, "regular") > price_of(planned_exp("1", "2", plain).prices, "regular"));
  CHECK(feedback.factor(Test::lefevre) == 1);
  // A search uses one form of Lefèvre's test; its feedback is that of all forms.
  feedback.observe(Test::lefevre_swap, 0.04, 1000000, 20000);
  CHECK(feedback.factor(Test::lefevre) == doctest::Approx(0.5));
  CHECK(feedback.factor(Test::lefevre_plain) == doctest::Approx(0.5));
  for (int i = 0; i < 3; ++i)
    feedback.observe(Test::regular, 0.001, 1000000, 900000);
  CHECK(feedback.factor(Test::regular) == 10);
  for (int i = 0; i < 3; ++i)
    feedback.observe(Test::regular, 0.9, 10000000, 1000);
  CHECK(feedback.factor(Test::regular) == doctest::Approx(0.1));
}

TEST_CASE("plans: survivors that were not expected make `auto` change its mind") {
  DomainOptions options;
  options.costs.set(domain_cost("lefevre"), 1.5);
  const DomainPlan before = plan_exp("1", "2", options);
  REQUIRE(before.test == Test::regular);
  options.feedback = std::make_shared<SurvivorFeedback>();
  CHECK(plan_exp("1", "2", options).survivor_share == before.survivor_share); // no correction at first
  for (int i = 0; i < 3; ++i)
    options.feedback->observe(Test::regular, 0.001, 1000000, 900000);
  for (int i = 0; i < 3; ++i)
    options.feedback->observe(Test::lefevre, 0.9, 10000000, 1000);
  const DomainPlan after = plan_exp("1", "2", options);
  CHECK_FALSE(after.exhaustive);
  CHECK(after.test == Test::lefevre);
}

} // namespace tmd::engine::domains
