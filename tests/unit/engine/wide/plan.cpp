// Plans for the wide test.
#include "host/engine/domains/plan.hpp"
#include "host/engine/wide/batch.hpp"
#include "host/engine/wide/plan.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tmd::engine::wide {

namespace {

polynomial::ScaledFunction scaled(const char* function, const char* from, const char* to) {
  const format::ArgumentSet set(find_format("binary64"), 53);
  const function::Function& f = function::find_function(function);
  const job::Piece piece = job::find_pieces(f, set, set.parse(from, ""), set.parse(to, "")).at(0);
  return {f, {Rounding::all, 53}, piece};
}

} // namespace

TEST_CASE("plans: intervals of the wide test, and groups as asked for") {
  const format::ArgumentSet set(find_format("binary64"), 53);
  const function::Function& f = function::find_function("exp");
  const job::Piece piece = job::find_pieces(f, set, set.parse("1", ""), set.parse("1.25", "")).at(0);
  const polynomial::ScaledFunction function(f, {Rounding::all, 53}, piece);
  constexpr int bits = 44;
  const WideOptions options;
  WidePlanner planner(function, bits, options);
  const auto first = planner.plan(0, piece.count);
  REQUIRE(first);
  const WidePlan own = *first;
  CHECK(own.count > domains::longest_interval);
  CHECK(own.count <= longest_wide_interval);
  CHECK(own.sub_bits() == own.sources.at(0).polynomial->sub_bits());
  CHECK(own.sub_interval_count() == ((own.count - 1) >> own.sub_bits()) + 1);
  CHECK(own.ledger.test().value() <= own.parameters.error);
  CHECK(number::can_filter(own.ledger.test()));
  CHECK(number::can_filter(own.ledger.check()));
  for (const std::uint64_t most : {32ULL, 1000ULL, 1ULL << 20, (1ULL << 39) + 1}) {
    const auto plan = planner.plan(12345, most);
    REQUIRE(plan);
    CHECK(plan->first == 12345);
    CHECK(plan->count == most);
  }
  CHECK(planner.plan(7, piece.count - 7)->count == own.count);
  for (const int offset : {-4, -1, 1}) {
    WideOptions moved = options;
    moved.group_bits_offset = offset;
    CHECK(WidePlanner(function, bits, moved).plan(0, piece.count)->group_bits() == own.group_bits() + offset);
  }
  for (const int group_bits : {7, 12, 16}) {
    WideOptions asked = options;
    asked.group_bits = group_bits;
    const WidePlan plan = *WidePlanner(function, bits, asked).plan(0, piece.count);
    CHECK(plan.group_bits() == group_bits);
    // The kernels count groups with 32 bits, however many there are.
    const int groups_bits = plan.sub_bits() - group_bits;
    const WideBatch batch = make_wide_batch(plan, 1, plan.sub_interval_count() - 1);
    CHECK(batch.sources.at(0).first == 1);
    CHECK(batch.sub_intervals >= 1);
    CHECK(batch.sub_intervals <= (std::uint64_t(1) << 31 >> groups_bits));
    CHECK(batch.argument_limit == (std::uint64_t(batch.sub_intervals) << plan.sub_bits()));
  }
}

TEST_CASE("plans: parts of one have its batches") {
  const polynomial::ScaledFunction function = scaled("exp", "1", "1.25");
  WideOptions options;
  options.group_bits = 12;
  const auto whole = WidePlanner(function, 44, options, 3).plan(0, (std::uint64_t(1) << 40) + 12345);
  REQUIRE(whole);
  const std::uint64_t unit = std::uint64_t(1) << whole->sub_bits();
  REQUIRE(whole->sub_interval_count() > 10);
  CHECK_FALSE(whole->part(unit + 1, unit)); // the end lies within a sub-interval
  struct SubInterval {
    std::uint64_t number; // a number in the polynomial's interval
    uint128 first;
    std::uint64_t count;
    bool operator==(const SubInterval&) const = default;
  };
  const auto add = [&](const Plan& plan, std::vector<SubInterval>& to) {
    for (std::uint64_t done = 0; done < plan.count;) {
      const auto made = plan.batch(done);
      const auto& batch = dynamic_cast<const WideBatch&>(*made);
      std::uint64_t left = batch.count();
      for (const WideSource& source : batch.sources)
        for (std::uint64_t i = 0; i < source.count; ++i) {
          to.push_back({source.first + i, batch.first_argument + (batch.count() - left), std::min(left, unit)});
          left -= std::min(left, unit);
        }
      CHECK(left == 0);
      done += batch.count();
    }
  };
  std::vector<SubInterval> expected;
  add(*whole, expected);
  for (const std::uint64_t cut : {unit, 5 * unit, whole->count / unit * unit}) {
    const auto first = whole->part(0, cut);
    const auto rest = whole->part(cut, whole->count - cut);
    REQUIRE(first);
    REQUIRE(rest);
    CHECK(rest->first == whole->first + cut);
    CHECK(first->intervals + rest->intervals == whole->intervals);
    std::vector<SubInterval> found;
    add(*first, found);
    add(*rest, found);
    CHECK(found == expected);
  }
  const auto within = whole->part(0, unit / 2 + 1); // the requested part of its only sub-interval
  REQUIRE(within);
  CHECK(within->batch(0)->count() == unit / 2 + 1);
}

TEST_CASE("plans: an interval of little work has what is expected to be the best size, without trying all") {
  const polynomial::ScaledFunction function = scaled("log", "0x1.0000006a00001p+0", "0x1.0000007p+0");
  const auto taylor =
      polynomial::taylor_polynomial(function, 0, std::uint64_t(1) << 21, number::Bound::power_of_two(-48), 12, 128);
  REQUIRE(taylor);
  WideOptions options;
  const WideChoice choice = choose_wide(*taylor, 40, options);
  CHECK(choice.cost * static_cast<double>(taylor->count) < options.costs[device::shared_cost("interval")] / 10);
  // One group cannot hold the whole interval: its parts would be searched argument by argument.
  CHECK(choice.group_bits < 18);
}

TEST_CASE("plans: where slopes hardly vary, groups are of a size that costs as the cheapest of all, tried in full") {
  constexpr int bits = 44;
  for (const std::string from : {"0x1p-5", "0x1p-9", "0x1p-20", "0x1p-22", "0x1p-30"}) {
    CAPTURE(from);
    const polynomial::ScaledFunction function = scaled("exp", from.c_str(), "1");
    for (int place = 0; place < 8; ++place) {
      const auto taylor = polynomial::taylor_polynomial(function, uint128(place) << 42, std::uint64_t(1) << 40,
                                                        number::Bound::power_of_two(-52), 12, 128);
      REQUIRE(taylor);
      double least = std::numeric_limits<double>::infinity();
      for (int asked = 7; asked < 32; ++asked) {
        WideOptions options;
        options.group_bits = asked;
        const WideChoice choice = choose_wide(*taylor, bits, options);
        if (choice.group_bits == asked)
          least = std::min(least, choice.cost);
      }
      const WideChoice own = choose_wide(*taylor, bits, {});
      CHECK(own.cost >= least);
      CHECK(own.cost <= 1.05 * least); // a few groups have decided which sizes to try in full
    }
  }
}

TEST_CASE("plans: groups that would be refused are told by what their parts cost") {
  const polynomial::ScaledFunction function = scaled("log2", "0x1.0010b15effdc8p+0", "0x1.0010b55effdc8p+0");
  const auto taylor =
      polynomial::taylor_polynomial(function, 0, std::uint64_t(1) << 30, number::Bound::power_of_two(-52), 12, 128);
  REQUIRE(taylor);
  WideOptions options; // with costs as measured on a CPU, by which parts are cheap
  options.costs.set(wide_cost("wide.candidate"), 5.77);
  options.costs.set(wide_cost("wide.part"), 3.39);
  options.costs.set(device::shared_cost("interval"), 2000);
  // With groups of 2^27 most parts, of 2^21 arguments, would have some 50,000 candidates, and others nothing else.
  CHECK(choose_wide(*taylor, 38, options).group_bits < 20);

  options.group_bits = 27;
  const WideChoice choice = choose_wide(*taylor, 38, options);
  REQUIRE(choice.group_bits == 27);
  // A device had 24.2 million candidates in such groups, and evaluated 131,072 runs of 2^8 arguments in parts.
  const double expected = (24.2e6 + 131072 * 256) * options.costs[wide_cost("wide.candidate")];
  const double cost = choice.cost * static_cast<double>(taylor->count);
  CHECK(cost > 0.7 * expected);
  CHECK(cost < 1.5 * expected);
}

TEST_CASE("plans: where slopes are a fair sample, chance does not choose among sizes of groups") {
  const polynomial::ScaledFunction function = scaled("cbrt", "1", "2");
  WidePlanner planner(function, 44, {});
  const auto first = planner.plan(0, std::uint64_t(1) << 46);
  REQUIRE(first);
  for (uint128 at = first->count; at < uint128(1) << 50; at += first->count) {
    const auto plan = planner.plan(at, first->count);
    REQUIRE(plan);
    CHECK(plan->group_bits() == first->group_bits());
  }
}

TEST_CASE("plans: groups whose classes are crowded are as large as others, with a chord for each line") {
  const polynomial::ScaledFunction function = scaled("exp", "0x1p-25", "0x1p-24");
  const auto plan = WidePlanner(function, 44, {}).plan(0, std::uint64_t(1) << 46);
  REQUIRE(plan);
  CHECK(plan->group_bits() > 24);
  const WideExpectation expected = expectation_of(function, *plan, 64);
  CHECK(expected.chords > 4);
  CHECK(expected.chords >= expected.lines);
  CHECK(expected.parts < 0.1);
}

TEST_CASE("plans: intervals that follow each other and are alike become one plan") {
  constexpr int bits = 44;
  const polynomial::ScaledFunction function = scaled("cbrt", "1", "2");
  const uint128 end = (uint128(1) << 50) + 12345;
  WideOptions options;
  std::uint64_t apart = 0; // plans of one interval each
  {
    WidePlanner planner(function, bits, options);
    for (uint128 at = 0; at < end; ++apart)
      at += planner.plan(at, end - at)->count;
  }
  REQUIRE(apart > 10);
  for (const double interval : {1e5, 1e8, 1e12}) {
    options.costs.set(device::shared_cost("interval"), interval);
    WidePlanner planner(function, bits, options, 5000);
    std::uint64_t plans = 0;
    std::uint64_t most_joined = 0;
    std::size_t wrong = 0;
    for (uint128 at = 0; at < end; ++plans) {
      const auto offer = planner.offer(at, end - at);
      REQUIRE(offer);
      const auto made = offer->plan();
      const auto& plan = dynamic_cast<const WidePlan&>(*made);
      wrong += plan.first != at || plan.intervals != plan.sources.size() || plan.count > end - at;
      most_joined = std::max(most_joined, plan.intervals);
      std::uint64_t sub_intervals = 0;
      for (const WideSource& source : plan.sources) {
        // Bounds of the single interval hold with the joined ones, too.
        const uint128 first = at + (uint128(sub_intervals) << plan.sub_bits());
        const bool is_last = &source == &plan.sources.back();
        const std::uint64_t count =
            is_last ? plan.count - (sub_intervals << plan.sub_bits()) : source.count << plan.sub_bits();
        const auto alone = WidePlanner(function, bits, options).plan(first, count);
        REQUIRE(alone);
        const WideParameters& one = alone->parameters;
        const WideParameters& all = plan.parameters;
        wrong += source.first != 0 || source.polynomial->sub_bits() != plan.sub_bits() ||
                 source.polynomial->group_bits() != plan.group_bits();
        wrong += source.polynomial->coefficient_error().value() > plan.ledger.coefficients.value() ||
                 source.polynomial->beyond().value() > plan.ledger.subinterval.value() ||
                 source.polynomial->high().value() > plan.ledger.high.value() ||
                 source.polynomial->group_error().value() > plan.ledger.group.value() ||
                 source.polynomial->curvature().value() > all.curvature;
        wrong += one.epsilon != all.epsilon;
        sub_intervals += source.count;
      }
      wrong += sub_intervals != plan.sub_interval_count();
      // Batches cover all arguments, with each sub-interval once, from its own interval.
      std::uint64_t done = 0;
      std::vector<std::uint64_t> of_source(plan.sources.size());
      while (done < plan.count) {
        const auto batch = plan.batch(done);
        const auto& groups = dynamic_cast<const WideBatch&>(*batch);
        wrong += groups.first_argument != at + done || groups.count() == 0;
        std::uint64_t in_sources = 0;
        for (const WideSource& source : groups.sources) {
          const auto which = static_cast<std::size_t>(
              std::find_if(plan.sources.begin(), plan.sources.end(),
                           [&](const WideSource& all) { return all.polynomial == source.polynomial; }) -
              plan.sources.begin());
          REQUIRE(which < plan.sources.size());
          wrong += source.first != of_source[which];
          of_source[which] += source.count;
          in_sources += source.count;
        }
        wrong += in_sources != groups.sub_intervals || groups.sub_intervals > 5000;
        done += groups.count();
      }
      wrong += done != plan.count;
      for (std::size_t i = 0; i < plan.sources.size(); ++i)
        wrong += of_source[i] != plan.sources[i].count;
      at += plan.count;
    }
    CAPTURE(interval);
    CHECK(wrong == 0);
    if (interval == 1e5)
      CHECK(most_joined == 1);
    else if (interval == 1e12)
      CHECK(plans < apart / 4);
    else
      CHECK((plans < apart && most_joined > 1 && most_joined < 64));
  }
}

TEST_CASE("plans: intervals that are not alike, or would not filter together, stay apart") {
  const polynomial::ScaledFunction function = scaled("cbrt", "1", "2");
  constexpr std::uint64_t count = std::uint64_t(1) << 40;
  WidePlanner planner(function, 44, {});
  const auto of = [&](uint128 first) { return planner.plan(first, count); };
  const auto plan = of(2 * count);
  const auto next = of(3 * count);
  REQUIRE(plan);
  REQUIRE(next);
  const auto changed = [&](const auto& change) {
    WidePlan other = *next;
    change(other);
    WidePlan joined = *plan;
    const bool appended = joined.append(other);
    CHECK((joined.sources.size() == 2) == appended);
    CHECK((joined.count == 2 * count) == appended);
    return appended;
  };
  CHECK(changed([](WidePlan&) {}));
  CHECK(!changed([](WidePlan& other) { ++other.choice.group_bits; }));
  CHECK(!changed([](WidePlan& other) { --other.choice.sub_bits; }));
  CHECK(!changed([](WidePlan& other) { other.choice.denominator_limit *= 1.5; }));
  CHECK(!changed([](WidePlan& other) { other.choice.cost /= 1.5; }));
  CHECK(!changed([](WidePlan& other) { other.ledger.high = number::Bound::power_of_two(-2); }));
  CHECK(!changed([](WidePlan& other) { other.curvature = number::Bound::power_of_two(30); }));
}

} // namespace tmd::engine::wide
