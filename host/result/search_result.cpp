#include "result/search_result.hpp"

#include <algorithm>

namespace tmd {

void SearchResult::add(const std::vector<Case>& found) {
  for (const Case& one : found)
    switch (one.kind) {
    case Case::Kind::hard:
      cases.push_back(one);
      break;
    case Case::Kind::exact:
      exact.push_back(one);
      break;
    case Case::Kind::undecided:
      undecided.push_back(one);
      break;
    }
}

void SearchResult::sort() {
  const auto by_argument = [](const Case& left, const Case& right) { return compare(left.x, right.x) < 0; };
  std::sort(cases.begin(), cases.end(), is_harder);
  std::sort(exact.begin(), exact.end(), by_argument);
  std::sort(undecided.begin(), undecided.end(), by_argument);
  join(regimes);
}

uint128 SearchResult::arguments_of_regimes(bool cases) const {
  uint128 sum = 0;
  for (const RegimeRange& range : regimes)
    sum += range.regime.rule.has_value() == cases ? range.size() : 0;
  return sum;
}

void record(FieldReport& report, const PartResult& part) {
  report.direct_arguments += part.direct;
  if (!part.plan)
    return;
  report.intervals += part.intervals;
  if (part.plan->ledger.empty() && part.plan->method.empty()) // in MPFR
    return;
  if (!report.has_plan())
    report.prices = part.prices;
  report.methods[std::string(part.plan->method)] += part.intervals;
  report.plan.merge(*part.plan);
}

} // namespace tmd
