// Plans for the wide test.
#include "host/engine/domains/plan.hpp"
#include "host/engine/wide/batch.hpp"
#include "host/engine/wide/plan.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

using namespace tmd;

namespace {

ScaledFunction scaled(const char* function, const char* from, const char* to) {
  const ArgumentSet set(find_format("binary64"), 53);
  const Function& f = find_function(function);
  const Piece piece = find_pieces(f, set, set.parse(from, ""), set.parse(to, "")).at(0);
  return {f, {Rounding::all, 53}, piece};
}

} // namespace

TEST_CASE("plans: intervals of the wide test, and groups as asked for") {
  const ArgumentSet set(find_format("binary64"), 53);
  const Function& f = find_function("exp");
  const Piece piece = find_pieces(f, set, set.parse("1", ""), set.parse("1.25", "")).at(0);
  const ScaledFunction function(f, {Rounding::all, 53}, piece);
  constexpr int bits = 44;
  const WideOptions options;
  WidePlanner planner(function, bits, options);
  const auto first = planner.plan(0, piece.count);
  REQUIRE(first);
  const WidePlan own = *first;
  CHECK(own.count > longest_interval);
  CHECK(own.count <= longest_wide_interval);
  CHECK(own.sub_bits() == own.parameters.polynomial->sub_bits());
  CHECK(own.sub_interval_count() == ((own.count - 1) >> own.sub_bits()) + 1);
  CHECK(own.ledger.test().value() <= own.parameters.error);
  CHECK(can_filter(own.ledger.test()));
  CHECK(can_filter(own.ledger.check()));
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
    CHECK(batch.first_sub_interval == 1);
    CHECK(batch.sub_intervals >= 1);
    CHECK(batch.sub_intervals <= (std::uint64_t(1) << 31 >> groups_bits));
    CHECK(batch.argument_limit == (std::uint64_t(batch.sub_intervals) << plan.sub_bits()));
  }
}

TEST_CASE("plans: where slopes hardly vary, groups are of the cheapest of all sizes, each tried in full") {
  constexpr int bits = 44;
  for (const std::string from : {"0x1p-5", "0x1p-9", "0x1p-20", "0x1p-22", "0x1p-30"}) {
    CAPTURE(from);
    const ScaledFunction function = scaled("exp", from.c_str(), "1");
    for (int place = 0; place < 8; ++place) {
      const auto taylor =
          taylor_polynomial(function, uint128(place) << 42, std::uint64_t(1) << 40, Bound::power_of_two(-52), 12, 128);
      REQUIRE(taylor);
      double least = std::numeric_limits<double>::infinity();
      int group_bits = 0;
      for (int asked = 7; asked < 32; ++asked) {
        WideOptions options;
        options.group_bits = asked;
        const WideChoice choice = choose_wide(*taylor, bits, options);
        if (choice.cost < least && choice.group_bits == asked) {
          least = choice.cost;
          group_bits = asked;
        }
      }
      const WideChoice own = choose_wide(*taylor, bits, {});
      CHECK(own.group_bits == group_bits);
      CHECK(own.cost == least);
    }
  }
}

TEST_CASE("plans: where slopes are a fair sample, chance does not choose among sizes of groups") {
  const ScaledFunction function = scaled("cbrt", "1", "2");
  WidePlanner planner(function, 44, {});
  const auto first = planner.plan(0, std::uint64_t(1) << 46);
  REQUIRE(first);
  for (uint128 at = first->count; at < uint128(1) << 50; at += first->count) {
    const auto plan = planner.plan(at, first->count);
    REQUIRE(plan);
    CHECK(plan->group_bits() == first->group_bits());
  }
}

TEST_CASE("plans: groups that would be refused for their many members are not taken because they are large") {
  const ScaledFunction function = scaled("exp", "0x1p-25", "0x1p-24");
  const auto plan = WidePlanner(function, 44, {}).plan(0, std::uint64_t(1) << 46);
  REQUIRE(plan);
  CHECK(plan->group_bits() < 20);
  CHECK(expectation_of(function, *plan, 64).refused == 0);
}
