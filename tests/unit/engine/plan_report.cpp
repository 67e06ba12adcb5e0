// Reports of plans, merged.
#include "host/engine/plan_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace tmd::engine {

TEST_CASE("plan reports: facts become ranges, bounds the greater ones") {
  PlanReport report{"regular",
                    {{"degree", "degree", false, 5, 5}, {"size", "N =", true, 12, 12}},
                    {{"epsilon", number::Bound::power_of_two(-44)},
                     {"high", number::Bound()},
                     {"sum", number::Bound::power_of_two(-44), true}},
                    {"a note"}};
  const PlanReport other{
      "wide",
      {{"size", "N =", true, 15, 15}, {"degree", "degree", false, 3, 4}, {"new", "new", false, 7, 7}},
      {{"high", number::Bound::power_of_two(-50)},
       {"epsilon", number::Bound::power_of_two(-45)},
       {"term", number::Bound::power_of_two(-60)},
       {"other_sum", number::Bound::power_of_two(-30), true}},
      {"a note", "another"}};
  report.merge(other);
  CHECK(report.method == "regular");
  REQUIRE(report.facts.size() == 3);
  CHECK(report.facts[0].name == "degree");
  CHECK(report.facts[0].least == 3);
  CHECK(report.facts[0].greatest == 5);
  CHECK(report.facts[1].least == 12);
  CHECK(report.facts[1].greatest == 15);
  CHECK(report.facts[1].is_log2);
  CHECK(report.facts[2].name == "new");
  CHECK(report.facts[2].least == 7);
  std::string names;
  for (const LedgerLine& line : report.ledger)
    names += std::string(line.name) + " ";
  CHECK(names == "epsilon high term sum other_sum ");           // terms come before sums
  CHECK(report.ledger[0].bound.log2() == doctest::Approx(-44)); // the smaller one changes nothing
  CHECK(report.ledger[1].bound.log2() == doctest::Approx(-50));
  CHECK(report.notes == std::vector<std::string>{"a note", "another"});
}

TEST_CASE("plan reports: merged in any order, bounds only grow and ranges only widen") {
  std::mt19937_64 random(23);
  for (int round = 0; round < 100; ++round) {
    std::vector<PlanReport> all;
    int least = 1000;
    int greatest = -1000;
    double most = 0;
    for (int i = 0; i < 8; ++i) {
      const int value = static_cast<int>(random() % 40) - 20;
      const number::Bound bound(random() % 1000000);
      all.push_back({"m", {{"f", "f", false, value, value}}, {{"t", bound}}, {}});
      least = std::min(least, value);
      greatest = std::max(greatest, value);
      most = std::max(most, bound.value());
    }
    PlanReport merged = all[0];
    for (const PlanReport& one : all) {
      const PlanReport before = merged;
      merged.merge(one);
      CHECK_FALSE(merged.ledger[0].bound < before.ledger[0].bound);
      CHECK_FALSE(merged.ledger[0].bound < one.ledger[0].bound);
      CHECK(merged.facts[0].least <= before.facts[0].least);
      CHECK(merged.facts[0].greatest >= before.facts[0].greatest);
    }
    CHECK(merged.facts[0].least == least);
    CHECK(merged.facts[0].greatest == greatest);
    CHECK(merged.ledger[0].bound.value() == most);
    std::shuffle(all.begin(), all.end(), random);
    PlanReport again;
    for (const PlanReport& one : all)
      again.merge(one);
    CHECK(again.facts[0].least == least);
    CHECK(again.ledger[0].bound.value() == most);
    // An empty report adds nothing.
    again.merge({});
    CHECK(again.facts.size() == 1);
    CHECK(again.ledger.size() == 1);
  }
}

TEST_CASE("prices by method") {
  const Prices prices{{"regular", 0.5}, {"lefevre", 2}};
  CHECK(price_of(prices, "regular") == 0.5);
  CHECK(price_of(prices, "lefevre") == 2);
  CHECK(std::isinf(price_of(prices, "wide")));
  CHECK(std::isinf(price_of({}, "regular")));
}

} // namespace tmd::engine
