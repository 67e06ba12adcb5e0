// Searches by roots, where a function hardly moves beside a line, against plain enumeration.
#include "end_to_end/enumeration.hpp"
#include "host/engine/roots/engine.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace tmd::test {
namespace {

const Known known_atan{"atan", mpfr_atan, std::atan};

std::uint64_t roots_of(const result::SearchResult& result) {
  return engine::stage(result.stages, engine::roots::roots_stages[0].name).tested;
}

} // namespace

TEST_CASE("roots: whole binades of functions near 1, and near lines, are searched as enumeration finds them") {
  struct {
    const Known* f;
    double from;
    double to;
    int bits;
  } const searches[] = {{&known_exp, 0x1p-22, 0x1p-12, 16}, {&known_exp, -0x1p-12, -0x1p-22, 16},
                        {&known_cos, 0x1p-11, 0x1p-7, 16},  {&known_cos, -0x1p-8, -0x1p-10, 12},
                        {&known_sin, 0x1p-8, 0x1p-5, 14},   {&known_expm1, 0x1p-17, 0x1p-11, 15},
                        {&known_atan, -0x1p-6, -0x1p-8, 14}};
  for (const auto& [f, from, to, bits] : searches)
    for (const Rounding grid : grids) {
      Task task = make_task(*f, {"p20", 20, -1022, 20, from, to}, grid, bits);
      INFO(task.identity());
      const result::SearchResult result = search_by(std::make_unique<engine::roots::RootEngine>(task.costs), task);
      check_found(task, result, enumerate_fast(*f, {20, -1022}, from, to, 20, grid, bits));
      CHECK(roots_of(result) > 5);
      CHECK(result.direct < task.size() / 2);
      CHECK(result.candidates < task.size() / 4);
    }
}

TEST_CASE("roots: a batch lists every argument that is near enough, wherever it begins and ends") {
  const Task task = make_task(known_exp, {"p24", 24, -1022, 24, 0x1p-14, 0x1p-13}, Rounding::all, 10);
  const job::Stretch stretch = job::stretches(task.arguments(), task.first, task.last).front();
  const format::BreakpointGrid grid = task.grid();
  const polynomial::ScaledFunction function(*task.function, grid, {stretch, false, 0});
  engine::roots::RootPlanner planner(function, grid, task.K, task.costs);
  number::ArbVector value(1);
  std::uint64_t all_near = 0;
  for (const std::uint64_t first : {0ULL, 1ULL, 123456ULL, 4000001ULL})
    for (const std::uint64_t count : {4096ULL, 5000ULL, 100'000ULL}) {
      const auto offer = planner.offer(first, count);
      REQUIRE(offer);
      const auto plan = offer->plan();
      REQUIRE(plan->count <= count);
      std::vector<std::uint64_t> listed;
      for (std::uint64_t done = 0; done < plan->count;) {
        const auto batch = plan->batch(done);
        const auto& roots = dynamic_cast<const engine::roots::RootBatch&>(*batch);
        REQUIRE(roots.count() > 0);
        listed.insert(listed.end(), roots.candidates.begin(), roots.candidates.end());
        done += roots.count();
      }
      CHECK(std::is_sorted(listed.begin(), listed.end()));
      std::uint64_t near = 0;
      std::uint64_t missed = 0;
      for (std::uint64_t i = first; i < first + plan->count; ++i) {
        number::Arb index;
        number::set(index, uint128(i));
        function.series(value.data(), index, 1, 200);
        const double f = arf_get_d(arb_midref(value[0]), ARF_RND_NEAR) - 0x1p24; // of values from 1 on: exact
        if (std::fabs(f - std::rint(f)) < 0x1p-10 * (1 - 0x1p-20)) {
          ++near;
          missed += std::binary_search(listed.begin(), listed.end(), i) ? 0 : 1;
        }
      }
      INFO(first, " ", count);
      CHECK(missed == 0);
      CHECK(listed.size() < 20 * near + 100);
      all_near += near;
    }
  CHECK(all_near > 10);
}

TEST_CASE("roots: functions that move as others do are left to the tests") {
  for (const Known* f : {&known_exp, &known_sin}) {
    const Task task = make_task(*f, {"p24", 24, -1022, 24, 1, 1.5}, Rounding::all, 10);
    const job::Stretch stretch = job::stretches(task.arguments(), task.first, task.last).front();
    engine::roots::RootPlanner planner(
        polynomial::ScaledFunction(*task.function, task.grid(), {stretch, false, f == &known_sin ? -1 : 1}),
        task.grid(), task.K, task.costs);
    CHECK(planner.offer(0, stretch.count) == nullptr);
    CHECK(planner.offer(12345, 1 << 20) == nullptr);
  }
}

} // namespace tmd::test
