// Whole searches of lgamma fraction by fraction, against plain enumeration.
#include "end_to_end/enumeration.hpp"
#include "host/engine/fractions/engine.hpp"
#include "thorough.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace tmd::test {
namespace {

int log_gamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(y, &sign, x, rounding);
}

const Known known_lgamma{"lgamma", log_gamma, nullptr};

// A device with all engines.
std::unique_ptr<searches::Worker> worker_of(const Task& task) {
  engine::EngineSettings settings = task.settings({});
  settings.choices.is_short = true; // so that kernels are built quickly
  return std::make_unique<searches::DeviceWorker>(test_device(), settings);
}

result::SearchResult search_fractions(const Task& task) {
  const std::unique_ptr<searches::Worker> worker = worker_of(task);
  return searches::run_search(task, std::span(&worker, 1), {}, searches::claims_of(task, task.choices, task.kinds));
}

Task task_of(const Range& range, Rounding grid, int bits, std::optional<Exponents> bounds) {
  Task task = make_task(known_lgamma, range, grid, bits);
  set_algorithm(task, "auto");
  task.costs = test_eagerly();
  if (bounds)
    task.values = Values::format;
  return task;
}

// Searches a range with all roundings, or only with this one. Returns the number of arguments that were claimed.
std::uint64_t compare_fractions(const Range& range, int bits, Work& work, std::optional<Exponents> bounds = {},
                                std::optional<Rounding> only = {}) {
  const auto all = enumerate(known_lgamma, {range.q, range.min_exponent}, range.from, range.to, range.p, bits, bounds);
  uint128 claimed = 0;
  for (std::size_t i = 0; i < std::size(grids); ++i) {
    if (only && grids[i] != *only && !tries_all)
      continue;
    const Task task = task_of(range, grids[i], bits, bounds);
    INFO(task.identity());
    const result::SearchResult result = search_fractions(task);
    check_found(task, result, all[i]);
    work.add(result);
    claimed = 0;
    for (const result::FieldReport& report : result.fields)
      if (report.field.is_claimed_by(engine::fractions::fractions_method))
        claimed += report.field.arguments.count;
  }
  return static_cast<std::uint64_t>(claimed);
}

} // namespace

TEST_CASE("fractions: whole binades of short formats, with all roundings") {
  Work work;
  CHECK(compare_fractions({"p8", 8, -1022, 8, -0x1p+6, -0x1p+3}, 3, work) > 200);
  std::size_t turn = 0;
  for (const int exponent : {6, 7, 9})
    for (const int extra : {0, 1}) {
      const double from = -std::ldexp(2.0, exponent);
      CHECK(compare_fractions({"p11", 11, -1022, 11 + extra, from, from / 2}, 5, work, {},
                              grids[turn++ % std::size(grids)]) > 900);
    }
  CHECK(compare_fractions({"p13", 13, -1022, 13, -0x1.234p+7, -0x1.7fp+5}, 6, work) > 2000); // cut units at both ends
  CHECK(compare_fractions({"p16", 16, -1022, 16, -0x1p+12, -0x1p+11}, 8, work, {}, Rounding::all) > 32000);
  CHECK(compare_fractions({"binary16", 11, -14, 11, -1024, -16}, 5, work, Exponents{-14, 15}) == 5120);
}

TEST_CASE("fractions: a part of a binade of binary64, by the wide test") {
  Work work;
  CHECK(compare_fractions({"binary64", 53, -1022, 53, -0x1.0000000002p+48, -0x1p+48}, 9, work) > 8000);
  work.check_wide();
}

} // namespace tmd::test
