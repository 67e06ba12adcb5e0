// Names, tunables and statistics of the variants, and the planner's choice between them.
#include "host/error.hpp"
#include "host/engine/domains/divergence.hpp"
#include "host/job/pieces.hpp"
#include "host/engine/domains/plan.hpp"
#include "host/search/search.hpp"
#include "host/device/tunables.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace tmd;

namespace {

// The first plan for exp on one binade of binary64 arguments.
IntervalPlan plan_exp(const char* from, const char* to, const PlanOptions& options) {
  const ArgumentSet set(find_format("binary64"), 53);
  const Function& f = find_function("exp");
  const Pieces pieces = find_pieces(f, set, set.parse(from, ""), set.parse(to, ""));
  const auto plan = Planner(ScaledFunction(f, {Rounding::all, 53}, pieces.pieces.at(0)), options).next();
  REQUIRE(plan);
  return *plan;
}

template <typename Action> std::string message_of(const Action& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  FAIL("no UsageError");
  return {};
}

} // namespace

TEST_CASE("names are found by position; unknown ones are answered with the list") {
  for (std::size_t i = 0; i < division_names.size(); ++i) {
    CHECK(find_name("division", division_names[i], division_names) == i);
    CHECK(to_string(static_cast<Division>(i + 1)) == division_names[i]);
  }
  for (std::size_t i = 0; i < test_names.size(); ++i) {
    CHECK(to_string(static_cast<Test>(i + 1)) == test_names[i]);
    CHECK(find_name("algorithm", test_names[i], algorithm_names) == i + 1); // after `auto`
  }
  CHECK(to_string(Compaction::scan) == "scan");
  CHECK(to_string(Deployment::one) == "one");
  for (const char* bad : {"", "Native", "nativ", "native "}) {
    const std::string message = message_of([&] { (void)find_name("division", bad, division_names); });
    CHECK(message.find("division '" + std::string(bad) + "'") != std::string::npos);
    for (const std::string_view name : division_names)
      CHECK(message.find(name) != std::string::npos);
  }
  for (std::size_t i = 0; i < division_names.size(); ++i)
    CHECK(length_bits(static_cast<Division>(i + 1)) == (i < 4 ? 64 : 52));
}

TEST_CASE("tunables are set by name, number or value's name, within their range") {
  Tunables tunables;
  for (const Tunable& tunable : tunable_table) {
    INFO(tunable.name);
    for (const std::int64_t value : {tunable.least, tunable.greatest}) {
      const std::string text = to_string(tunable, value);
      CHECK_NOTHROW(set_tunable(tunables, tunable.name, text));
      CHECK(tunables.*tunable.value == value);
    }
    for (const std::string& bad :
         {std::to_string(tunable.least - 1), std::to_string(tunable.greatest + 1), std::string(), std::string("x"),
          std::string("3x"), std::string("3.5"), std::string(" 3"), std::string("99999999999999999999")}) {
      CHECK_THROWS_AS(set_tunable(tunables, tunable.name, bad), UsageError);
      CHECK(tunables.*tunable.value == tunable.greatest); // as it was
    }
    const Tunables defaults;
    CHECK(defaults.*tunable.value >= tunable.least);
    CHECK(defaults.*tunable.value <= tunable.greatest);
    if (!tunable.names.empty())
      CHECK(tunable.names.size() == static_cast<std::size_t>(tunable.greatest - tunable.least + 1));
  }
  set_tunable(tunables, "phase2.division", "double");
  CHECK(tunables.phase2_division == static_cast<std::int64_t>(Division::double_lengths));
  set_tunable(tunables, "phase1.logms", "17");
  CHECK(tunables.phase1_logms == 17);
  CHECK(message_of([&] { set_tunable(tunables, "phase4.items", "1"); }).find("phase4.items") != std::string::npos);
  CHECK(message_of([&] { set_tunable(tunables, "phase1.logms", "65"); }).find("from 0 to 64") != std::string::npos);
  CHECK(message_of([&] { set_tunable(tunables, "phase1.division", "9"); }).find("reciprocal") != std::string::npos);
}

TEST_CASE("algorithms by name") {
  PlanOptions plan;
  for (std::size_t i = 0; i < test_names.size(); ++i) {
    plan.exhaustive_only = true;
    set_algorithm(plan, test_names[i]);
    REQUIRE(plan.test);
    CHECK(*plan.test == static_cast<Test>(i + 1));
    CHECK_FALSE(plan.exhaustive_only);
  }
  set_algorithm(plan, "exhaustive");
  CHECK(plan.exhaustive_only);
  CHECK_FALSE(plan.test);
  CHECK(plan.wide == WideUse::never);
  set_algorithm(plan, "wide");
  CHECK(plan.wide == WideUse::always);
  CHECK_FALSE(plan.exhaustive_only);
  CHECK_FALSE(plan.test);
  set_algorithm(plan, "regular");
  CHECK(plan.wide == WideUse::never);
  set_algorithm(plan, "auto");
  CHECK(plan.wide == WideUse::when_cheaper);
  CHECK_FALSE(plan.exhaustive_only);
  CHECK_FALSE(plan.test);
  for (const char* bad : {"", "Regular", "lefèvre", "lefevre-", "direct"})
    CHECK_THROWS_AS(set_algorithm(plan, bad), UsageError);
}

TEST_CASE("divergence of given rounds") {
  DivergenceCounter counter;
  CHECK(counter.statistics().tests == 0);
  CHECK(counter.statistics().mean == 0);
  // Eight alike; then one long among short; then an incomplete group.
  counter.add({4, 4, 4, 4, 4, 4, 4, 4, /**/ 1, 1, 1, 1, 1, 1, 1, 9, /**/ 2, 20, 2});
  DivergenceStatistics statistics = counter.statistics();
  CHECK(statistics.tests == 19);
  CHECK(statistics.least == 1);
  CHECK(statistics.greatest == 20);
  CHECK(statistics.mean == doctest::Approx(72.0 / 19));
  CHECK(statistics.nmdm[0] == doctest::Approx((0.0 + (1 - 2.0 / 9)) / 2));
  CHECK(statistics.nmdm[1] == doctest::Approx(1 - 3.0 / 9));
  CHECK(statistics.nmdm[2] == 0);
  CHECK(statistics.histogram[0][0] == 1);
  CHECK(statistics.histogram[0][77] == 1);
  CHECK(statistics.histogram[1][66] == 1);
  // A second set: groups begin anew.
  std::vector<std::uint32_t> half(64, 3);
  std::fill(half.begin(), half.begin() + 32, 1);
  counter.add(half);
  counter.add({});
  statistics = counter.statistics();
  CHECK(statistics.tests == 83);
  CHECK(statistics.nmdm[0] == doctest::Approx((1 - 2.0 / 9) / 10));
  CHECK(statistics.nmdm[1] == doctest::Approx((1 - 3.0 / 9) / 5));
  CHECK(statistics.nmdm[2] == 0); // two groups, each of one kind
  CHECK(statistics.nmdm[3] == doctest::Approx(1 - 2.0 / 3));
  CHECK(statistics.histogram[2][0] == 2);
  CHECK(statistics.histogram[3][33] == 1);
}

// b itself may be a hit: then Lefèvre's test answers before its first round.
TEST_CASE("divergence of groups without a round") {
  DivergenceCounter counter;
  counter.add(std::vector<std::uint32_t>(8, 0));
  const DivergenceStatistics statistics = counter.statistics();
  CHECK(statistics.least == 0);
  CHECK(statistics.greatest == 0);
  CHECK(statistics.nmdm[0] == 0);
  CHECK(statistics.histogram[0][0] == 1);
}

TEST_CASE("survivors seen correct those expected") {
  SurvivorFeedback feedback;
  for (const Test test : {Test::regular, Test::lefevre, Test::lefevre_plain, Test::lefevre_swap})
    CHECK(feedback.factor(test) == 1);
  feedback.observe(Test::regular, 0.01, 100000, 999); // too few to tell
  feedback.observe(Test::regular, 1.0, 100000, 50000);
  CHECK(feedback.factor(Test::regular) == 1);
  // Three times as many as the model says; batches that were planned before the first one was seen change nothing.
  for (int i = 0; i < 4; ++i) {
    feedback.observe(Test::regular, 0.01, 1000000, 30000);
    CHECK(feedback.factor(Test::regular) == doctest::Approx(3));
  }
  const PlanOptions plain;
  PlanOptions corrected;
  corrected.feedback = std::make_shared<SurvivorFeedback>();
  const double share = plan_exp("1", "2", plain).survivor_share;
  corrected.feedback->observe(Test::regular, share, 1000000, static_cast<std::uint64_t>(1.1e6 * share));
  const IntervalPlan plan = plan_exp("1", "2", corrected);
  CHECK(plan.survivor_share == share); // what is observed is told without the correction
  CHECK(plan.costs.regular > plan_exp("1", "2", plain).costs.regular);
  CHECK(feedback.factor(Test::lefevre) == 1);
  // The forms of Lefèvre's test keep the same domains.
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

TEST_CASE("plans: a test that was asked for is used, `auto` takes the cheapest") {
  PlanOptions options;
  options.bits = 44;
  for (const auto& [from, to] : {std::pair("1", "2"), std::pair("128", "256")}) {
    for (const std::string_view name : test_names) {
      set_algorithm(options, name);
      const IntervalPlan plan = plan_exp(from, to, options);
      CHECK(plan.method == Method::filtered);
      CHECK(plan.test == *options.test);
    }
    set_algorithm(options, "exhaustive");
    CHECK(plan_exp(from, to, options).method == Method::exhaustive);
  }
  // The wide test, of which no group is longer than was asked for.
  set_algorithm(options, "wide");
  CHECK(plan_exp("1", "2", options).method == Method::wide);
  options.domain_bits = 12;
  CHECK(plan_exp("1", "2", options).domain_bits == 12);
  options.domain_bits.reset();
  set_algorithm(options, "auto");
  const IntervalPlan widest = plan_exp("1", "2", options);
  CHECK(widest.method == Method::wide);
  CHECK(widest.costs.wide < widest.costs.regular); // why
  CHECK(widest.costs.wide < widest.costs.exhaustive);
  options.costs.wide_group = 1e9;
  const IntervalPlan dear = plan_exp("1", "2", options);
  CHECK(dear.method == Method::filtered);
  CHECK(dear.costs.wide > dear.costs.regular);
  options.wide = WideUse::always;
  CHECK(plan_exp("1", "2", options).method == Method::wide);
  options.costs = {};
  options.wide = WideUse::never;
  const IntervalPlan tame = plan_exp("1", "2", options);
  CHECK(tame.method == Method::filtered);
  CHECK(tame.test == Test::regular);
  CHECK(tame.costs.regular < tame.costs.lefevre);
  CHECK(tame.costs.regular < tame.costs.exhaustive);
  // Where the curvature is large, domains are small, and each method has costs under which it wins.
  const IntervalPlan bent = plan_exp("128", "256", options);
  CHECK(bent.domain_bits < tame.domain_bits);
  CHECK(bent.costs.regular > 10 * tame.costs.regular);
  const auto cheapest = [](const IntervalPlan& plan) {
    const PredictedCosts& costs = plan.costs;
    const double chosen = plan.method == Method::exhaustive ? costs.exhaustive
                          : plan.test == Test::regular      ? costs.regular
                                                            : costs.lefevre;
    return chosen == std::min({costs.regular, costs.lefevre, costs.exhaustive});
  };
  CHECK(cheapest(tame));
  CHECK(cheapest(bent));
  options.costs.lefevre = 1; // as dear as a regular one, which keeps more
  const IntervalPlan lefevre = plan_exp("128", "256", options);
  CHECK(lefevre.method == Method::filtered);
  CHECK(lefevre.test == Test::lefevre);
  CHECK(cheapest(lefevre));
  options.costs.argument = 1e-5;
  const IntervalPlan exhaustive = plan_exp("128", "256", options);
  CHECK(exhaustive.method == Method::exhaustive);
  CHECK(cheapest(exhaustive));
}

TEST_CASE("plans: survivors that were not expected make `auto` change its mind") {
  PlanOptions options;
  options.bits = 44;
  const IntervalPlan before = plan_exp("1", "2", options);
  REQUIRE(before.test == Test::regular);
  options.feedback = std::make_shared<SurvivorFeedback>();
  CHECK(plan_exp("1", "2", options).survivor_share == before.survivor_share); // neutral at first
  for (int i = 0; i < 3; ++i)
    options.feedback->observe(Test::regular, 0.001, 1000000, 900000);
  for (int i = 0; i < 3; ++i)
    options.feedback->observe(Test::lefevre, 0.9, 10000000, 1000);
  const IntervalPlan after = plan_exp("1", "2", options);
  CHECK(after.method == Method::filtered);
  CHECK(after.test == Test::lefevre);
}

TEST_CASE("plans: offsets move N and κ from the planner's choice, as far as the tests filter") {
  for (const auto& [from, to] : {std::pair("1", "2"), std::pair("128", "256")}) {
    PlanOptions options;
    options.bits = 44;
    const IntervalPlan own = plan_exp(from, to, options);
    for (int offset = -4; offset <= 4; ++offset) {
      INFO("offset " << offset);
      options.split_bits_offset = 0;
      options.domain_bits_offset = offset;
      const IntervalPlan moved = plan_exp(from, to, options);
      CHECK(moved.method == Method::filtered);
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
      const IntervalPlan split = plan_exp(from, to, options);
      CHECK(split.domain_bits == own.domain_bits);
      CHECK(split.split_bits == std::clamp(own.split_bits + offset, 1, std::min(most_split_bits, own.domain_bits - 1)));
      CHECK(split.ledger.phase2().value() < 0.25);
    }
    // What the user fixes stays.
    options.domain_bits = own.domain_bits - 1;
    options.split_bits = 2;
    options.domain_bits_offset = options.split_bits_offset = 2;
    const IntervalPlan fixed = plan_exp(from, to, options);
    CHECK(fixed.domain_bits == own.domain_bits - 1);
    CHECK(fixed.split_bits == 2);
    // The offsets are none of an exhaustive search's business.
    options = {};
    options.bits = 44;
    set_algorithm(options, "exhaustive");
    const IntervalPlan all = plan_exp(from, to, options);
    options.domain_bits_offset = -2;
    CHECK(plan_exp(from, to, options).domain_bits == all.domain_bits);
  }
  // The test stays also where another would be cheaper at the moved N.
  for (const double cost : {1.02, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5}) {
    PlanOptions options;
    options.bits = 44;
    options.costs.lefevre = cost;
    const Test own = plan_exp("128", "256", options).test;
    for (const int offset : {-2, -1, 1, 2}) {
      options.domain_bits_offset = offset;
      CHECK(plan_exp("128", "256", options).test == own);
    }
  }
  PlanOptions options;
  options.bits = 44;
  const int own = plan_exp("1", "2", options).domain_bits;
  options.domain_bits_offset = 1;
  CHECK(plan_exp("1", "2", options).domain_bits == own + 1); // there is room here
}

TEST_CASE("plans: an interval anywhere in a piece, no longer than asked for") {
  const ArgumentSet set(find_format("binary64"), 53);
  const Function& f = find_function("exp");
  const Pieces pieces = find_pieces(f, set, set.parse("1", ""), set.parse("1.25", ""));
  REQUIRE(pieces.pieces.size() == 1);
  PlanOptions options;
  Planner planner(ScaledFunction(f, {Rounding::all, 53}, pieces.pieces[0]), options);
  const std::uint64_t whole = planner.at(0, pieces.pieces[0].count).count;
  CHECK(whole == longest_interval);
  for (const std::uint64_t most : {1ULL, 31ULL, 1000ULL, 1ULL << 20, (1ULL << 39) + 1}) {
    const IntervalPlan plan = planner.at(12345, most);
    CHECK(plan.first == 12345);
    CHECK(plan.count <= most);
    CHECK(plan.count > 0);
    CHECK((most < 1000 || plan.count == most));
  }
  // A short one says nothing of how long they can be.
  CHECK(planner.at(7, pieces.pieces[0].count - 7).count == whole);
  // The ordinary sequence goes on beside it.
  CHECK(planner.next()->first == 0);
  CHECK(planner.next()->first == whole);
}

TEST_CASE("plans: intervals of the wide test, and groups as asked for") {
  const ArgumentSet set(find_format("binary64"), 53);
  const Function& f = find_function("exp");
  const Pieces pieces = find_pieces(f, set, set.parse("1", ""), set.parse("1.25", ""));
  const ScaledFunction function(f, {Rounding::all, 53}, pieces.pieces.at(0));
  PlanOptions options;
  options.wide = WideUse::always;
  Planner planner(function, options);
  const IntervalPlan own = planner.at(0, pieces.pieces[0].count);
  REQUIRE(own.method == Method::wide);
  CHECK(own.count > longest_interval);
  CHECK(own.count <= longest_wide_interval);
  CHECK(own.unit_bits() == own.wide.polynomial->sub_bits());
  CHECK(own.domain_count() == ((own.count - 1) >> own.unit_bits()) + 1);
  CHECK(own.ledger.wide().value() <= own.wide.error);
  CHECK(can_filter(own.ledger.wide()));
  CHECK(can_filter(own.ledger.wide_check()));
  for (const std::uint64_t most : {32ULL, 1000ULL, 1ULL << 20, (1ULL << 39) + 1}) {
    const IntervalPlan plan = planner.at(12345, most);
    CHECK(plan.method == Method::wide);
    CHECK(plan.first == 12345);
    CHECK(plan.count == most);
  }
  CHECK(planner.at(7, pieces.pieces[0].count - 7).count == own.count);
  for (const int offset : {-4, -1, 1}) {
    PlanOptions moved = options;
    moved.wide_group_bits_offset = offset;
    CHECK(Planner(function, moved).next()->domain_bits == own.domain_bits + offset);
  }
  for (const int bits : {7, 12, 16}) {
    PlanOptions asked = options;
    asked.domain_bits = bits;
    const IntervalPlan plan = *Planner(function, asked).next();
    CHECK(plan.domain_bits == bits);
    // The kernels count groups with 32 bits, however many there are.
    const int groups_bits = plan.unit_bits() - bits;
    const DomainBatch batch = make_wide_batch(plan, 1, plan.domain_count() - 1);
    CHECK(batch.first_sub_interval == 1);
    CHECK(batch.sub_intervals >= 1);
    CHECK(batch.sub_intervals <= (std::uint64_t(1) << 31 >> groups_bits));
    CHECK(batch.parameters.argument_limit == (std::uint64_t(batch.sub_intervals) << plan.unit_bits()));
  }
}

TEST_CASE("plans: shorter lengths are in the ledger of their phase") {
  PlanOptions options;
  options.bits = 20;
  options.domain_bits = 10;
  options.split_bits = 3;
  options.test = Test::regular;
  const Ledger exact = plan_exp("1", "2", options).ledger;
  options.length_bits1 = 52;
  IntervalPlan plan = plan_exp("1", "2", options);
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
  plan = plan_exp("1", "2", options);
  CHECK(plan.ledger.fixedpoint2.value() - exact.fixedpoint2.value() == doctest::Approx(second));
  CHECK(plan.ledger.fixedpoint2.value() >= second);
  CHECK(plan.ledger.fixedpoint3.value() == exact.fixedpoint3.value());
  CHECK(plan.ledger.phase1().value() > exact.phase1().value());
  CHECK(plan.ledger.phase2().value() > exact.phase2().value());
}
