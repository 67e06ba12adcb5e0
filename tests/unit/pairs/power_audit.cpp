// Audits of x^y: a case that one of the two searches lacks is noticed.
#include "host/pairs/power_audit.hpp"
#include "host/pairs/pair_search.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace tmd::pairs {

TEST_CASE("audits of x^y notice what one of two searches lacks") {
  const PairJob job{function::find_pair_function("pow"), {"6 bits", 6, -10, 11}, Rounding::all, 5};
  const PowerLines lines(job);
  const std::vector<PairCase> cases = search_every_pair(job, 2).cases;
  const job::Coverage half(0, int128(lines.size() / 2));
  constexpr std::uint64_t count = 5000;
  AuditedPairs audit = decide_random_pairs(job, lines, half, count, 0, 2, 1, {});
  CHECK(bool(audit.report.arguments == count));
  CHECK(audit.report.cases == audit.cases.size());
  // Chance gives 1/16 of the pairs with values that are numbers of the format, which are about half.
  CHECK(audit.cases.size() > 50);
  CHECK(audit.cases.size() < 400);
  CHECK(std::all_of(audit.cases.begin(), audit.cases.end(),
                    [&](const PairCase& one) { return half.contains(int128(lines.line_of(one.operands))); }));
  const auto nothing = [](const Operands&) { return false; };
  CHECK_NOTHROW(require_same_cases(job, cases, audit, nothing));

  std::vector<PairCase> lacking = cases;
  const Operands operands = audit.cases[audit.cases.size() / 2].operands;
  std::erase_if(lacking, [&](const PairCase& one) { return one.operands == operands; });
  CHECK_THROWS_WITH_AS(require_same_cases(job, lacking, audit, nothing),
                       doctest::Contains(("has missed: " + to_text(operands)).c_str()), SoundnessError);

  audit.cases = cases;
  const auto all = [](const Operands&) { return true; };
  CHECK_NOTHROW(require_same_cases(job, cases, audit, all));
  std::erase_if(audit.cases, [&](const PairCase& one) { return one.operands == operands; });
  CHECK_NOTHROW(require_same_cases(job, cases, audit, nothing));
  CHECK_THROWS_WITH_AS(require_same_cases(job, cases, audit, all),
                       doctest::Contains(("has found: " + to_text(operands)).c_str()), SoundnessError);

  CHECK(bool(decide_random_pairs(job, lines, half, count, 0, 2, 1, [] { return true; }).report.arguments == 0));
}

} // namespace tmd::pairs
