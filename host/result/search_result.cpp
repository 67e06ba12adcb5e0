#include "result/search_result.hpp"

namespace tmd {

void SearchResult::sort() {
  Findings::sort();
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
