// Ranges in which one binade determines the cases of all, against plain enumeration.
#include "end_to_end/subjects.hpp"
#include "host/result/expand.hpp"
#include "thorough.hpp"

#include <algorithm>
#include <random>

namespace tmd::test {
namespace {

constexpr std::string_view beside_lines[] = {"asinpi",  "atanpi", "erf",   "exp2m1", "exp10m1", "log2p1",
                                             "log10p1", "sinpi",  "tanpi", "tgamma", "y1"};

// The result of run_search(), with the ranges that are known beforehand. Cuts the whole job, or only `whole`.
result::SearchResult search_beside(const Task& task, const job::Coverage& whole) {
  searches::SearchHooks hooks;
  const std::unique_ptr<searches::Worker> first = usual_device().worker(task);
  hooks.proven = searches::ranges_beside_leading_term(task, whole, std::span(&first, 1), {});
  CHECK(hooks.proven.size() == (whole.contains(-1) ? 2 : 1));
  return run_search_on(task, usual_device().worker(task), hooks);
}

uint128 in_ranges(const result::SearchResult& result) {
  uint128 sum = 0;
  for (const job::RegimeRange& range : result.regimes)
    sum += range.regime.some ? range.cases() : 0;
  return sum;
}

} // namespace

TEST_CASE("leading term: all of bfloat16 near 0, on the grids in turn and of both signs") {
  constexpr int p = 8;
  constexpr int bits = 4;
  const Format format = find_format("bfloat16");
  std::size_t turn = 0;
  for (const Subject& subject : subjects()) {
    const Known& f = subject.function;
    if (std::find(std::begin(beside_lines), std::end(beside_lines), f.name) == std::end(beside_lines))
      continue;
    INFO(std::string(f.name));
    ++turn;
    const Numbers numbers{p, format.min_exponent};
    const double from = f.name == std::string_view("y1") ? numbers.next(0) : -0x1p-20;
    Task task = make_task(f, {"bfloat16", p, format.min_exponent, p, from, 0x1p-20}, Rounding::all, bits);
    const auto expected =
        enumerate(f, numbers, from, 0x1p-20, p, bits, Exponents{format.min_exponent, format.max_exponent});
    task.values = Values::format;
    for (std::size_t i = 0; i < std::size(grids); ++i) {
      if (!is_tried(grids[i], turn))
        continue;
      task.rounding = grids[i];
      result::SearchResult result = search_beside(task, task.range());
      const uint128 ranged = in_ranges(result);
      const uint128 all = ranged + result.cases.size();
      CHECK((ranged > 0 || grids[i] != Rounding::all));
      result::expand(task, result);
      CHECK(result.cases.size() == all);
      check_found(task, result, expected[i]);
    }
  }
}

TEST_CASE("leading term: slices of binary32, cut as all arguments near 0 are") {
  constexpr int p = 24;
  constexpr int bits = 12;
  const Format format = find_format("binary32");
  const Numbers numbers{p, format.min_exponent};
  std::mt19937_64 random(48);
  for (const Subject& subject : subjects()) {
    const Known& f = subject.function;
    if (f.name != std::string_view("tgamma") && f.name != std::string_view("erf"))
      continue;
    INFO(std::string(f.name));
    Task task = make_task(f, {"binary32", p, format.min_exponent, p, -0x1p-20, 0x1p-20}, Rounding::all, bits);
    task.values = Values::format;
    const job::Coverage whole = task.range();
    searches::SearchHooks hooks;
    const std::unique_ptr<searches::Worker> worker = usual_device().worker(task);
    hooks.proven = searches::ranges_beside_leading_term(task, whole, std::span(&worker, 1), {});
    REQUIRE(hooks.proven.size() == 2);
    const format::ArgumentSet::Rank length = tries_all ? 1 << 12 : 1 << 11;
    for (int i = 0; i < (tries_all ? 16 : 8); ++i) {
      const job::RankInterval& ranks = hooks.proven[static_cast<std::size_t>(i % 2)].ranks;
      const format::ArgumentSet::Rank binade = format::ArgumentSet::Rank(1) << (p - 1);
      auto middle = ranks.first + static_cast<format::ArgumentSet::Rank>(
                                      random() % static_cast<std::uint64_t>(ranks.last - ranks.first));
      if (i % 3 == 0)
        middle = middle / binade * binade;
      if (i % 8 == 7) // where the range ends
        middle = i % 2 == 0 ? ranks.first : ranks.last;
      // Each of tgamma takes seconds: one anywhere, one at a border, one at an end.
      if (!tries_all && f.name == std::string_view("tgamma") && i != 2 && i != 3 && i != 7)
        continue;
      Task slice = task;
      slice.first = middle - length / 2;
      slice.last = middle + length / 2;
      hooks.cut_range = {task.first, task.last};
      result::SearchResult result = run_search_on(slice, usual_device().worker(slice), hooks);
      CHECK(std::any_of(result.regimes.begin(), result.regimes.end(),
                        [](const job::RegimeRange& one) { return one.regime.some != nullptr; }));
      result::expand(slice, result);
      const double from = to_double(slice.arguments().at(slice.first));
      const double to = numbers.next(to_double(slice.arguments().at(slice.last - 1)));
      check_found(slice, result,
                  enumerate(f, numbers, from, to, p, bits, Exponents{format.min_exponent, format.max_exponent})[0]);
    }
  }
}

} // namespace tmd::test
