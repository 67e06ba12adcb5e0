#include "pairs/findings.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tmd::pairs {

namespace {

bool is_less(const Operands& left, const Operands& right) {
  const int order = compare(left[0], right[0]);
  return order != 0 ? order < 0 : compare(left[1], right[1]) < 0;
}

} // namespace

void PairFindings::look_at(const Operands& operands, uint128 pairs, bool in_family) {
  ++candidates_;
  const std::optional<Case> found = confirm_pair(job_, operands);
  if (!found)
    return;
  if (found->kind == Case::Kind::exact)
    ++exact_;
  else if (found->kind == Case::Kind::undecided)
    undecided_.push_back(operands);
  else if (in_family)
    ++family_;
  else
    cases_.push_back({operands, *found, pairs});
}

void PairFindings::look_at(const Ratio& ratio, bool in_family) {
  if (const uint128 pairs = pairs_of(ratio, job_.format); pairs > 0)
    look_at(operands_of(ratio, job_.format), pairs, in_family);
}

// If the nearest breakpoint is the next power of two, the greatest pair does not have it: it is beyond all numbers.
void PairFindings::look_at(const Legs& legs, bool in_family) {
  const uint128 pairs = pairs_of(legs, job_.format);
  if (pairs == 0)
    return;
  const std::size_t before = cases_.size();
  look_at(operands_of(legs, job_.format), pairs, in_family);
  if (cases_.size() > before && pairs > 1 && !confirm_pair(job_, greatest_operands_of(legs, job_.format)))
    cases_.back().pairs = pairs - 1;
}

void PairFindings::add_cases(std::vector<PairCase> cases) {
  std::move(cases.begin(), cases.end(), std::back_inserter(cases_));
}

void PairFindings::add_undecided(std::vector<Operands> undecided) {
  std::move(undecided.begin(), undecided.end(), std::back_inserter(undecided_));
}

void PairFindings::add(PairFindings other) {
  add_cases(std::move(other.cases_));
  add_undecided(std::move(other.undecided_));
  exact_ += other.exact_;
  family_ += other.family_;
  tested_ += other.tested_;
  candidates_ += other.candidates_;
}

PairResult PairFindings::result() && {
  std::sort(cases_.begin(), cases_.end(),
            [](const PairCase& left, const PairCase& right) { return is_harder(left, right); });
  PairResult result;
  result.cases = std::move(cases_);
  std::sort(undecided_.begin(), undecided_.end(), is_less);
  result.undecided = std::move(undecided_);
  result.families = {{true, job_.function->exact_cases, exact_},
                     {false, family_rule(*job_.function, job_.format), family_}};
  result.tested = tested_;
  result.candidates = candidates_;
  return result;
}

} // namespace tmd::pairs
