// Plans for the existence tests: methods, sizes, ledgers.
#include "host/engine/domains/tunables.hpp"
#include "unit/engine/domains/plan_exp.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmd::engine::domains {

TEST_CASE("plans: a test that was asked for is used, `auto` takes the cheapest") {
  DomainOptions options;
  for (const auto& [from, to] : {std::pair("1", "2"), std::pair("128", "256")}) {
    options.exhaustive_only = false;
    for (const Test test : {Test::regular, Test::lefevre, Test::lefevre_plain, Test::lefevre_swap}) {
      options.test = test;
      const DomainPlan plan = plan_exp(from, to, options);
      CHECK_FALSE(plan.exhaustive);
      CHECK(plan.test == test);
      CHECK(plan.report().method == to_string(test));
    }
    options.test.reset();
    options.exhaustive_only = true;
    CHECK(plan_exp(from, to, options).exhaustive);
    CHECK(plan_exp(from, to, options).report().method == "exhaustive");
  }
  options.exhaustive_only = false;
  options.test.reset();
  CHECK(plan_exp("1", "2", options).test == Test::lefevre); // costs hardly more than a regular test, which keeps more
  options.costs.set(domain_cost("lefevre"), 1.5);
  const PlannedExp tame = planned_exp("1", "2", options);
  CHECK_FALSE(tame.plan.exhaustive);
  CHECK(tame.plan.test == Test::regular);
  CHECK(price_of(tame.prices, "regular") < price_of(tame.prices, "lefevre"));
  CHECK(price_of(tame.prices, "regular") < price_of(tame.prices, "exhaustive"));
  // Where the curvature is large, domains are small; each method wins with some costs.
  const PlannedExp bent = planned_exp("128", "256", options);
  CHECK(bent.plan.domain_bits < tame.plan.domain_bits);
  CHECK(price_of(bent.prices, "regular") > 10 * price_of(tame.prices, "regular"));
  const auto cheapest = [](const PlannedExp& planned) {
    const double regular = price_of(planned.prices, "regular");
    const double lefevre = price_of(planned.prices, "lefevre");
    const double exhaustive = price_of(planned.prices, "exhaustive");
    const double chosen = planned.plan.exhaustive ? exhaustive : planned.plan.test == Test::regular ? regular : lefevre;
    return chosen == std::min({regular, lefevre, exhaustive});
  };
  CHECK(cheapest(tame));
  CHECK(cheapest(bent));
  options.costs.set(domain_cost("lefevre"), 1);
  const PlannedExp lefevre = planned_exp("128", "256", options);
  CHECK_FALSE(lefevre.plan.exhaustive);
  CHECK(lefevre.plan.test == Test::lefevre);
  CHECK(cheapest(lefevre));
  options.costs.set(domain_cost("argument"), 1e-5);
  const PlannedExp exhaustive = planned_exp("128", "256", options);
  CHECK(exhaustive.plan.exhaustive);
  CHECK(cheapest(exhaustive));
}

TEST_CASE("plans: offsets move N and κ from the planner's choice, as far as the tests filter") {
  for (const auto& [from, to] : {std::pair("1", "2"), std::pair("128", "256")}) {
    DomainOptions options;
    const DomainPlan own = plan_exp(from, to, options);
    for (int offset = -4; offset <= 4; ++offset) {
      INFO("offset " << offset);
      options.split_bits_offset = 0;
      options.domain_bits_offset = offset;
      const DomainPlan moved = plan_exp(from, to, options);
      CHECK_FALSE(moved.exhaustive);
      CHECK(moved.test == own.test);
      CHECK(moved.domain_bits <= own.domain_bits + std::max(offset, 0));
      if (offset <= 0)
        CHECK(moved.domain_bits == std::max(own.domain_bits + offset, fewest_domain_bits));
      else
        CHECK(moved.domain_bits >= own.domain_bits);
      CHECK(moved.ledger.phase1().value() < 0.25);
      CHECK(moved.ledger.phase2().value() < 0.25);
      options.domain_bits_offset = 0;
      options.split_bits_offset = offset;
      const DomainPlan split = plan_exp(from, to, options);
      CHECK(split.domain_bits == own.domain_bits);
      CHECK(split.split_bits == std::clamp(own.split_bits + offset, 1, std::min(most_split_bits, own.domain_bits - 1)));
      CHECK(split.ledger.phase2().value() < 0.25);
    }
    // Values set by the user are kept.
    options.domain_bits = own.domain_bits - 1;
    options.split_bits = 2;
    options.domain_bits_offset = options.split_bits_offset = 2;
    const DomainPlan fixed = plan_exp(from, to, options);
    CHECK(fixed.domain_bits == own.domain_bits - 1);
    CHECK(fixed.split_bits == 2);
    // Offsets do not apply to an exhaustive search.
    options = {};
    options.exhaustive_only = true;
    const DomainPlan all = plan_exp(from, to, options);
    options.domain_bits_offset = -2;
    CHECK(plan_exp(from, to, options).domain_bits == all.domain_bits);
  }
  // The test is kept even if another would be cheaper at the shifted N.
  for (const double cost : {1.02, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5}) {
    DomainOptions options;
    options.costs.set(domain_cost("lefevre"), cost);
    const Test own = plan_exp("128", "256", options).test;
    for (const int offset : {-2, -1, 1, 2}) {
      options.domain_bits_offset = offset;
      CHECK(plan_exp("128", "256", options).test == own);
    }
  }
  DomainOptions options;
  const int own = plan_exp("1", "2", options).domain_bits;
  options.domain_bits_offset = 1;
  CHECK(plan_exp("1", "2", options).domain_bits == own + 1); // there is room for more here
}

TEST_CASE("plans: shorter lengths are in the ledger of their phase") {
  DomainOptions options;
  constexpr int bits = 20;
  options.domain_bits = 10;
  options.split_bits = 3;
  options.test = Test::regular;
  const DomainLedger exact = plan_exp("1", "2", options, bits).ledger;
  options.length_bits1 = 52;
  DomainPlan plan = plan_exp("1", "2", options, bits);
  CHECK(plan.domain_bits == 10);
  CHECK(plan.length_bits1 == 52);
  CHECK(plan.length_bits2 == 64);
  // Rounding a to 52 bits counts at up to 2^10 arguments, rounding b once: 2^−53 each.
  const double first = std::ldexp(1 + 1024.0, -53);
  const double second = std::ldexp(1 + 128.0, -53);
  CHECK(plan.ledger.fixedpoint1.value() - exact.fixedpoint1.value() == doctest::Approx(first));
  CHECK(plan.ledger.fixedpoint1.value() >= first);
  CHECK(plan.ledger.fixedpoint2.value() == exact.fixedpoint2.value());
  options.length_bits2 = 52;
  plan = plan_exp("1", "2", options, bits);
  CHECK(plan.ledger.fixedpoint2.value() - exact.fixedpoint2.value() == doctest::Approx(second));
  CHECK(plan.ledger.fixedpoint2.value() >= second);
  CHECK(plan.ledger.fixedpoint3.value() == exact.fixedpoint3.value());
  CHECK(plan.ledger.phase1().value() > exact.phase1().value());
  CHECK(plan.ledger.phase2().value() > exact.phase2().value());
}

TEST_CASE("plans: a domain's size that was asked for is taken where it serves") {
  for (const int domain_bits : {8, 12, 15}) {
    DomainOptions options;
    options.domain_bits = domain_bits;
    options.split_bits = 4;
    const DomainPlan plan = plan_exp("1", "2", options);
    CHECK_FALSE(plan.exhaustive);
    CHECK(plan.domain_bits == domain_bits);
    CHECK(plan.split_bits == 4);
  }
}

TEST_CASE("plans: the regular test is dear where the function hardly moves") {
  // A domain of 2^22 arguments moves by 2^-12 of a spacing; the test takes its first quotient whole and discards none.
  const PlannedExp slow = planned_exp("0x1p-35", "0x1.001p-35", {});
  CHECK(price_of(slow.prices, "regular") > 100 * price_of(slow.prices, "lefevre"));
  CHECK(slow.plan.test == Test::lefevre);
}

} // namespace tmd::engine::domains
