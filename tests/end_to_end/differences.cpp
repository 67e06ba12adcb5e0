// Every argument by differences, where functions bend too much for tests, against plain enumeration.
#include "end_to_end/enumeration.hpp"
#include "host/engine/differences/engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace tmd::test {
namespace {

const Known known_acos{"acos", mpfr_acos, std::acos};
const Known known_atanh{"atanh", mpfr_atanh, std::atanh};

polynomial::ScaledFunction scaled(const Task& task, int value_exponent) {
  const job::Stretch stretch = job::stretches(task.arguments(), task.first, task.last).front();
  return {*task.function, task.grid(), {stretch, false, value_exponent}};
}

// tan towards π/2 grows to 2^50.
Task near_pole(double from) {
  return make_task(known_tan, {"binary64", 53, -1022, 53, from, 0x1.921fb54442d1p+0}, Rounding::all, 12);
}

std::optional<engine::differences::DifferenceStretch> stretch_of(const polynomial::ScaledFunction& function, int K,
                                                                 uint128 first, std::uint64_t count) {
  const auto taylor = engine::differences::polynomial_of_runs(function, K, first, count);
  return taylor ? engine::differences::difference_stretch(*taylor, K) : std::nullopt;
}

} // namespace

TEST_CASE("differences: functions near poles, branch points and elsewhere are searched as enumeration finds them") {
  struct {
    const Known* f;
    double from;
    double to;
    int bits;
  } const searches[] = {{&known_tan, 1.5, 0x1.921f8p+0, 8},
                        {&known_tan, -0x1.921f8p+0, -1.5, 8},
                        {&known_acos, 0.9375, 1, 8},
                        {&known_acos, -1, -0.9375, 10},
                        {&known_atanh, 0.96875, 0x1.ffffp-1, 9},
                        {&known_exp, 1, 1.0625, 8},
                        {&known_sin, 3, 3.25, 7}};
  for (const auto& [f, from, to, bits] : searches)
    for (const Rounding grid : grids) {
      Task task = make_task(*f, {"p20", 20, -1022, 20, from, to}, grid, bits);
      INFO(task.identity());
      const result::SearchResult result =
          search_by(std::make_unique<engine::differences::DifferenceEngine>(task.costs), task);
      check_found(task, result, enumerate_fast(*f, {20, -1022}, from, to, 20, grid, bits));
      CHECK(engine::stage(result.stages, "differences").tested > task.size() * 3 / 4);
      CHECK(result.direct < task.size() / 4);
      CHECK(result.candidates < task.size() / 16);
    }
}

TEST_CASE("differences: a case is found wherever in a stretch it lies, and as the only argument that counts") {
  const Task task = near_pole(0x1.921fb544p+0);
  const polynomial::ScaledFunction function = scaled(task, 30);
  // Arguments within ε of a breakpoint, by Arb.
  number::ArbVector value(1);
  std::vector<std::uint64_t> near;
  constexpr std::uint64_t from = 5000;
  for (std::uint64_t i = from; near.size() < 5 && i < from + 100'000; ++i) {
    number::Arb index;
    number::set(index, uint128(i));
    function.series(value.data(), index, 1, 300);
    number::Integer nearest;
    arf_get_fmpz(nearest, arb_midref(value[0]), ARF_RND_NEAR);
    arb_sub_fmpz(value[0], value[0], nearest, 300);
    if (std::fabs(arf_get_d(arb_midref(value[0]), ARF_RND_NEAR)) < 0x1p-12 * (1 - 0x1p-20))
      near.push_back(i);
  }
  REQUIRE(near.size() == 5);
  for (const std::uint64_t it : near)
    for (const std::uint64_t length : {16, 37, 256, 4096}) {
      std::uint64_t listed = 0;
      std::uint64_t looked_at = 0;
      for (std::uint64_t place = 0; place < length; place += 1 + length / 256, ++looked_at) {
        engine::differences::DifferenceBatch batch;
        batch.stretches.push_back(stretch_of(function, task.K, it - place, length).value());
        CHECK(batch.stretches.front().count == length);
        const std::vector<std::uint64_t> found = engine::differences::search_on_host(batch).front();
        CHECK(std::is_sorted(found.begin(), found.end()));
        CHECK(std::binary_search(found.begin(), found.end(), place));
        listed += found.size();
      }
      CHECK(listed < looked_at * (3 + length / 512));
    }
}

TEST_CASE("differences: batches list whatever no polynomial serves, and all others are in stretches") {
  const Task task = near_pole(0x1.921fb54442p+0); // the distance to the pole is 3352 arguments
  const polynomial::ScaledFunction function = scaled(task, 40);
  engine::differences::DifferencePlanner planner(function, task.K, task.costs);
  const auto offer = planner.offer(0, 3344);
  REQUIRE(offer);
  const auto plan = offer->plan();
  std::uint64_t unserved = 0;
  for (std::uint64_t done = 0; done < plan->count;) {
    const auto batch = plan->batch(done);
    const auto& differences = dynamic_cast<const engine::differences::DifferenceBatch&>(*batch);
    REQUIRE(batch->count() > 0);
    std::uint64_t next = done;
    for (const auto& stretch : differences.stretches) {
      CHECK(stretch.first == next);
      next += stretch.count;
    }
    for (const std::uint64_t index : differences.unserved)
      CHECK(index == next++);
    unserved += differences.unserved.size();
    CHECK((differences.stretches.empty() || differences.unserved.empty()));
    CHECK(std::isinf(differences.max_distance()) == differences.stretches.empty());
    if (!differences.stretches.empty()) {
      CHECK(differences.max_distance() < 0x1p-10);
      CHECK(differences.max_distance() > 0x1p-11); // twice ε and more
    }
    done += batch->count();
    CHECK(next == done);
  }
  CHECK(unserved > 0);
  CHECK(unserved < 1000);
}

TEST_CASE("differences: the list of every degree is that of sums in integers of any size") {
  std::mt19937_64 random(42);
  for (int degree = 0; degree <= engine::differences::DifferenceTable::most_degree; ++degree)
    for (int sample = 0; sample < 20; ++sample) {
      engine::differences::DifferenceTable table;
      table.degree = degree;
      for (int order = 0; order <= degree; ++order)
        table.row.at(static_cast<std::size_t>(order)) = uint128(random()) << 64 | random();
      if (sample == 0)
        table.row[0] = 0;
      const std::uint64_t tolerance = sample == 0 ? 1 : random() >> (1 + sample);
      constexpr std::uint64_t count = 200;
      const auto value_at = [&](std::uint64_t i) { // The sum Σ C(i, order)·row[order] modulo 2^128.
        number::Integer sum;
        for (int order = 0; order <= degree; ++order) {
          number::Integer term;
          number::Integer entry;
          fmpz_bin_uiui(term, i, static_cast<ulong>(order));
          number::set(entry, table.row.at(static_cast<std::size_t>(order)));
          fmpz_addmul(sum, term, entry);
        }
        std::array<std::uint64_t, 2> words{};
        number::write_words(sum, 2, words.data());
        return uint128(words[0]) << 64 | words[1];
      };
      std::vector<std::uint64_t> expected;
      for (std::uint64_t i = 0; i < count; ++i) {
        const uint128 value = value_at(i);
        const std::uint64_t high = static_cast<std::uint64_t>(value >> 64);
        const std::uint64_t floor_off = std::min(high, ~high + 1); // below the integer: rounded away from it
        if (floor_off <= tolerance)
          expected.push_back(i + 1000);
      }
      const uint128 end = value_at(count);
      std::vector<std::uint64_t> found;
      engine::differences::list_near_integers(table, count, tolerance, 1000, found);
      INFO(degree, " ", sample);
      CHECK(found == expected);
      CHECK((table.row[0] == end));
    }
}

TEST_CASE("differences: runs of a stretch end where the next ones start, and no farther off than what is allowed") {
  const Task task = near_pole(0x1.921fb544p+0);
  const polynomial::ScaledFunction function = scaled(task, 30);
  const auto stretch = stretch_of(function, task.K, 5000, 10'000).value();
  REQUIRE(stretch.runs() > 4);
  const auto polynomial = engine::differences::polynomial_of_runs(function, task.K, stretch.first, stretch.count);
  std::vector<std::uint64_t> near;
  for (std::uint64_t run = 0; run < stretch.runs(); ++run) {
    CHECK(stretch.walk(run, 1, stretch.seam_tolerance(), near));
    // The value behind the run, from the polynomial.
    engine::differences::DifferenceTable table = stretch.start(run);
    list_near_integers(table, stretch.length(run), 1, 0, near);
    number::Arb end;
    polynomial.value().evaluate(end, (run << stretch.run_bits) + stretch.length(run), 400);
    number::Integer scaled_end;
    arb_mul_2exp_si(end, end, 128);
    arf_get_fmpz(scaled_end, mid(end), ARF_RND_FLOOR);
    std::array<std::uint64_t, 2> words{};
    number::write_words(scaled_end, 2, words.data());
    const uint128 off = table.row[0] - (uint128(words[0]) << 64 | words[1]);
    CHECK(std::ldexp(static_cast<double>(std::min(off, -off)), -128) <= stretch.rounding.value());
  }
}

TEST_CASE("differences: batches that are joined keep their candidates apart") {
  const Task task = near_pole(0x1.921fb544p+0);
  const polynomial::ScaledFunction function = scaled(task, 30);
  engine::differences::DifferenceEngine engine(task.costs);
  std::vector<engine::differences::DifferenceBatch> batches(3);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    batches[i].stretches.push_back(stretch_of(function, task.K, 5000 + 100'000 * i, 4096).value());
    batches[i].arguments = 4096;
  }
  engine::differences::DifferenceBatch all = batches[0];
  CHECK(all.join(batches[1]));
  CHECK(all.join(batches[2]));
  const engine::BatchResult together = engine.search(all, {});
  REQUIRE(together.of_joined.size() == 2);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const engine::BatchResult alone = engine.search(batches[i], {});
    CHECK_FALSE(alone.candidates.empty());
    CHECK((i == 0 ? together.candidates : together.of_joined[i - 1]) == alone.candidates);
  }
  engine::differences::DifferenceBatch unserved;
  unserved.unserved = {7};
  CHECK_FALSE(all.join(unserved));
  CHECK_FALSE(unserved.join(all));
}

} // namespace tmd::test
