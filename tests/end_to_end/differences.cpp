// Every argument by differences on the host, where functions bend too much for tests, against plain enumeration.
#include "end_to_end/enumeration.hpp"
#include "host/engine/differences/engine.hpp"

#include <algorithm>
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

// The run of a polynomial that is used for no other arguments.
std::optional<engine::differences::DifferenceRun> run_alone(const polynomial::ScaledFunction& function, int bits,
                                                            uint128 first, std::uint64_t count) {
  const auto taylor = engine::differences::polynomial_of_runs(function, bits, first, count);
  return taylor ? engine::differences::difference_run(*taylor, bits, first, count) : std::nullopt;
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

TEST_CASE("differences: a case is found wherever in a run it lies, and as the only argument that counts") {
  const Task task = near_pole(0x1.921fb544p+0);
  const polynomial::ScaledFunction function = scaled(task, 30);
  engine::differences::DifferencePlanner planner(function, task.K, task.costs);
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
    for (const std::uint64_t length : {16, 37, 256}) {
      std::uint64_t listed = 0;
      for (std::uint64_t place = 0; place < length; ++place) {
        auto run = run_alone(function, task.K, it - place, length);
        REQUIRE(run);
        std::vector<std::uint64_t> found;
        engine::differences::list_near_integers(run->table, length, run->bound.fixed_point() + 1, it - place, found);
        CHECK(std::is_sorted(found.begin(), found.end()));
        CHECK(std::binary_search(found.begin(), found.end(), it));
        listed += found.size();
      }
      CHECK(listed < length * 4);
    }
}

TEST_CASE("differences: a batch lists what lies near breakpoints, and whatever no polynomial serves") {
  const Task task = near_pole(0x1.921fb54442p+0); // the distance to the pole is 3352 arguments
  const polynomial::ScaledFunction function = scaled(task, 40);
  engine::differences::DifferencePlanner planner(function, task.K, task.costs);
  const auto offer = planner.offer(0, 3344);
  REQUIRE(offer);
  const auto plan = offer->plan();
  std::uint64_t done = 0;
  std::uint64_t listed = 0;
  bool was_given_up = false;
  while (done < plan->count) {
    const auto batch = plan->batch(done);
    const auto& run = dynamic_cast<const engine::HostBatch&>(*batch);
    REQUIRE(run.count() > 0);
    CHECK(std::is_sorted(run.candidates.begin(), run.candidates.end()));
    for (const std::uint64_t index : run.candidates) {
      CHECK(index >= done);
      CHECK(index < done + run.count());
    }
    if (std::isinf(run.max_distance)) { // all of them go to MPFR
      was_given_up = true;
      CHECK(run.candidates.size() == run.count());
    } else {
      CHECK(run.max_distance < 0x1p-10);
      CHECK(run.max_distance > 0x1p-11); // twice ε and more
    }
    listed += run.candidates.size();
    done += run.count();
  }
  CHECK(done == plan->count);
  CHECK(listed < done);
  CHECK(was_given_up);
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

TEST_CASE("differences: a table that has been tampered with does not end where its polynomial does") {
  const Task task = near_pole(0x1.921fb544p+0);
  const polynomial::ScaledFunction function = scaled(task, 30);
  for (std::size_t order = 0; order < 4; ++order) {
    auto run = run_alone(function, task.K, 5000, 256);
    REQUIRE(run);
    REQUIRE(run->table.degree >= 4);
    const number::Bound allowed = run->table.error;
    auto off_at_end = [&] {
      std::vector<std::uint64_t> found;
      engine::differences::list_near_integers(run->table, run->count, run->bound.fixed_point() + 1, 0, found);
      const uint128 off = run->table.row[0] - run->end;
      return std::ldexp(static_cast<double>(std::min(off, -off)), -128);
    };
    engine::differences::DifferenceTable& table = run->table;
    const engine::differences::DifferenceTable good = table;
    CHECK(off_at_end() <= allowed.value());
    table = good;
    table.row.at(order) += uint128(1) << 60;
    CHECK(off_at_end() > allowed.value());
  }
}

} // namespace tmd::test
