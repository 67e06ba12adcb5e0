#include "engine/plan_report.hpp"

#include <algorithm>

namespace tmd::engine {

double price_of(const Prices& prices, std::string_view method) {
  const auto found =
      std::find_if(prices.begin(), prices.end(), [&](const Price& price) { return price.method == method; });
  return found != prices.end() ? found->cost : std::numeric_limits<double>::infinity();
}

void PlanReport::merge(const PlanReport& other) {
  for (const PlanFact& fact : other.facts) {
    const auto same =
        std::find_if(facts.begin(), facts.end(), [&](const PlanFact& known) { return known.name == fact.name; });
    if (same == facts.end()) {
      facts.push_back(fact);
      continue;
    }
    same->least = std::min(same->least, fact.least);
    same->greatest = std::max(same->greatest, fact.greatest);
  }
  for (const LedgerLine& line : other.ledger) {
    const auto same =
        std::find_if(ledger.begin(), ledger.end(), [&](const LedgerLine& known) { return known.name == line.name; });
    if (same != ledger.end())
      same->bound = number::max(same->bound, line.bound);
    else // terms come before sums
      ledger.insert(line.is_sum ? ledger.end()
                                : std::find_if(ledger.begin(), ledger.end(),
                                               [](const LedgerLine& known) { return known.is_sum; }),
                    line);
  }
  for (const std::string& note : other.notes)
    if (std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.push_back(note);
}

} // namespace tmd::engine
