// Batches of the wide test that are joined and searched together.
#include "host/engine/wide/batch.hpp"
#include "host/engine/wide/engine.hpp"
#include "host/engine/wide/plan.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace tmd::engine::wide {

namespace {

constexpr int precision = 53;
constexpr int bits = 44;

std::vector<polynomial::ScaledFunction> pieces_of(const char* function, const char* from, const char* to) {
  const format::ArgumentSet set(find_format("binary64"), precision);
  const function::Function& f = function::find_function(function);
  std::vector<polynomial::ScaledFunction> result;
  for (const job::Piece& piece : job::find_pieces(f, set, set.parse(from, ""), set.parse(to, "")))
    result.emplace_back(f, format::BreakpointGrid{Rounding::all, precision}, piece);
  return result;
}

// Options as for GPUs.
WideOptions joining() {
  WideOptions options;
  options.joins_batches = true;
  options.costs.set(device::shared_cost("interval"), 5e7);
  options.costs.set(device::shared_cost("confirmation"), 1e5);
  return options;
}

WideBatch batch_of(const polynomial::ScaledFunction& function, std::uint64_t first, std::uint64_t count,
                   const WideOptions& options = joining(), std::uint64_t most_sub_intervals = 1 << 20) {
  const auto plan = WidePlanner(function, bits, options, most_sub_intervals).plan(first, count);
  REQUIRE(plan);
  REQUIRE(plan->count == count);
  plan->batch_sub_intervals = most_sub_intervals;
  return make_wide_batch(*plan, 0, plan->sub_interval_count());
}

// Each bound of `all` holds for `one`, too.
bool hold_for(const WideParameters& all, const WideParameters& one) {
  return all.have_sizes_of(one) && all.error >= one.error && all.error_alone >= one.error_alone &&
         all.curvature >= one.curvature && all.offset >= one.offset && all.max_distance >= one.max_distance &&
         all.most_lines >= one.most_lines && all.seam_value >= one.seam_value && all.seam_slope >= one.seam_slope;
}

} // namespace

TEST_CASE("batches: short intervals of a few sizes are joined, with bounds that hold for each of them") {
  const std::vector<polynomial::ScaledFunction> functions = pieces_of("sin", "1", "8");
  REQUIRE(functions.size() > 2);
  std::vector<WideBatch> apart;
  for (std::size_t i = 0; i < 12; ++i) {
    // their last sub-intervals reach beyond the arguments
    const std::uint64_t count = (std::uint64_t(1) << (6 + 2 * i)) + i;
    apart.push_back(batch_of(functions.at(i % 3), 1000 * i, count));
    CHECK(apart.back().argument_limit == count);
  }
  WideBatch joined = apart.front();
  std::vector<std::size_t> taken_in{0};
  for (std::size_t i = 1; i < apart.size(); ++i)
    if (joined.join(apart[i]))
      taken_in.push_back(i);
  CHECK(taken_in.size() > 3);
  REQUIRE(joined.runs.size() == taken_in.size());
  std::uint64_t sub_intervals = 0;
  std::size_t sources = 0;
  for (std::size_t i = 0; i < taken_in.size(); ++i) {
    const WideBatch& own = apart[taken_in[i]];
    CHECK(hold_for(joined.parameters, own.parameters));
    const WideBatch::Run& run = joined.runs[i];
    CHECK(run.begin == sub_intervals << own.parameters.sub_bits);
    CHECK(run.count == own.argument_limit);
    CHECK(run.first_argument == own.first_argument);
    for (const WideSource& source : own.sources) {
      const WideSource& there = joined.sources.at(sources++);
      CHECK(there.polynomial == source.polynomial);
      CHECK(there.first == source.first);
      CHECK(there.count == source.count);
    }
    sub_intervals += own.sub_intervals;
  }
  CHECK(sources == joined.sources.size());
  CHECK(sub_intervals == joined.sub_intervals);
  CHECK(joined.argument_limit == joined.runs.back().begin + joined.runs.back().count);
}

TEST_CASE("batches: what does not fit together is not joined, and nothing has changed then") {
  const std::vector<polynomial::ScaledFunction> functions = pieces_of("sin", "1", "8");
  constexpr std::uint64_t count = 1 << 20;
  const WideBatch batch = batch_of(functions[0], 0, count);
  const WideBatch other = batch_of(functions[0], count, count);
  {
    WideBatch both = batch;
    REQUIRE(both.join(other));
    CHECK_FALSE(WideBatch(batch).join(both)); // a batch that has been joined already
  }
  const auto refused = [&](const std::function<void(WideBatch&, WideBatch&)>& change) {
    WideBatch left = batch;
    WideBatch right = other;
    change(left, right);
    const auto sub_intervals = left.sub_intervals;
    const auto limit = left.argument_limit;
    const bool was_joined = left.join(right);
    return !was_joined && left.runs.empty() && left.sub_intervals == sub_intervals && left.argument_limit == limit &&
           left.sources.size() == batch.sources.size();
  };
  CHECK_FALSE(refused([](WideBatch&, WideBatch&) {}));
  CHECK(refused([](WideBatch&, WideBatch& right) { ++right.parameters.group_bits; }));
  CHECK(refused([](WideBatch&, WideBatch& right) { --right.parameters.sub_bits; }));
  CHECK(refused([](WideBatch&, WideBatch& right) { ++right.parameters.part_bits; }));
  CHECK(refused([](WideBatch&, WideBatch& right) { right.parameters.epsilon *= 2; }));
  CHECK(refused([](WideBatch&, WideBatch& right) { right.parameters.unfiltered_lines = 3; }));
  CHECK(refused([](WideBatch&, WideBatch& right) { right.parameters.denominator_limit *= 2; }));
  CHECK(refused([](WideBatch&, WideBatch& right) { right.parameters.error = 0.1F; })); // it has many more candidates
  CHECK(refused([](WideBatch& left, WideBatch& right) {
    left.most_sub_intervals = std::uint64_t(left.sub_intervals) + right.sub_intervals - 1;
  }));
  CHECK(refused([](WideBatch&, WideBatch& right) { right.sub_intervals = 1U << 30; })); // groups beyond 32 bits
  CHECK(refused([](WideBatch& left, WideBatch& right) { // a sub-interval's groups for one argument
    for (WideBatch* one : {&left, &right}) {
      one->parameters.sub_bits = 30;
      one->parameters.group_bits = 7;
    }
    left.argument_limit = (std::uint64_t(left.sub_intervals - 1) << 30) + 1;
  }));
}

TEST_CASE("batches: what was found goes to the run that it lies in, and none of it to two") {
  WideBatch batch;
  batch.first_argument = 50;
  batch.argument_limit = 1000;
  CHECK(indices_by_run(batch, {0, 7, 999}) == std::vector<std::vector<std::uint64_t>>{{50, 57, 1049}});
  batch.parameters.sub_bits = 10;
  batch.runs = {{0, 1000, 50}, {1024, 1, 0}, {2048, 1024, 7}};
  batch.argument_limit = 3072;
  CHECK(indices_by_run(batch, {0, 999, 1000, 1023, 1024, 1025, 2047, 2048, 3071}) ==
        std::vector<std::vector<std::uint64_t>>{{50, 1049}, {0}, {7, 1030}});
  CHECK(indices_by_run(batch, {}) == std::vector<std::vector<std::uint64_t>>(3));
  // An engine attributes candidates to the joined batches.
  WideEngine engine({}, 1, [](const WideBatch&, const Interrupt&) {
    BatchResult result;
    result.candidates = {3, 1024, 2050};
    return result;
  });
  const BatchResult result = engine.search(batch, [] { return false; });
  CHECK(result.candidates == std::vector<std::uint64_t>{53});
  CHECK(result.of_joined == std::vector<std::vector<std::uint64_t>>{{0}, {9}});
}

TEST_CASE("plans: intervals that are little work have one of a few sizes where batches are joined, others their own") {
  const polynomial::ScaledFunction function = pieces_of("sin", "1", "1.5").front();
  WideOptions alone = joining();
  alone.joins_batches = false;
  for (int count_bits = 6; count_bits <= 46; ++count_bits) {
    CAPTURE(count_bits);
    const std::uint64_t count = (std::uint64_t(1) << count_bits) - 3;
    const auto plan = WidePlanner(function, bits, joining()).plan(12345, count);
    const auto own = WidePlanner(function, bits, alone).plan(12345, count);
    REQUIRE(plan);
    REQUIRE(own);
    CHECK_FALSE(own->choice.is_common);
    const double work = plan->choice.cost * static_cast<double>(count);
    if (plan->choice.is_common) {
      CHECK(work <= joining().costs[device::shared_cost("interval")] / 16);
      CHECK(plan->sub_bits() == plan->group_bits() + 8);
      CHECK(plan->group_bits() % 6 == 0);
      CHECK(plan->ledger.test().value() <= plan->parameters.error);
    } else {
      CHECK(plan->group_bits() == own->group_bits());
      CHECK(plan->sub_bits() == own->sub_bits());
      CHECK(plan->choice.denominator_limit == own->choice.denominator_limit);
    }
    CHECK((count_bits > 36 || plan->choice.is_common));
    CHECK((count_bits < 44 || !plan->choice.is_common));
    const auto offer = WidePlanner(function, bits, joining()).offer(12345, count);
    CHECK((offer->interval_share < 1) == plan->choice.is_common);
  }
  // A requested size is used for all.
  WideOptions asked = joining();
  asked.group_bits = 9;
  CHECK(WidePlanner(function, bits, asked).plan(12345, 1000)->group_bits() == 9);
}

TEST_CASE("plans: where intervals are little work they are longer, as far as the device has words for them") {
  std::array<std::uint64_t, 2> intervals{};
  for (const bool joins : {false, true}) {
    WideOptions options = joining();
    options.joins_batches = joins;
    int degree = 0;
    const polynomial::ScaledFunction function = pieces_of("tgamma", "-0x1.40004p+4", "-0x1.40002p+4").front();
    WidePlanner planner(function, bits, options);
    const auto all = static_cast<std::uint64_t>(function.piece().count);
    for (std::uint64_t done = 0; done < all;) {
      const auto offer = planner.offer(done, all - done);
      REQUIRE(offer);
      const auto plan = offer->plan();
      REQUIRE(plan);
      const auto& wide = dynamic_cast<const WidePlan&>(*plan);
      for (const WideSource& source : wide.sources)
        CHECK(source.polynomial->words() <= most_coefficient_words);
      intervals.at(joins ? 1 : 0) += wide.intervals;
      degree = std::max(degree, wide.greatest_degree);
      done += wide.count;
    }
    CHECK(degree == (joins ? 16 : 12));
  }
  CHECK(2 * intervals[1] < intervals[0]);
}

} // namespace tmd::engine::wide
