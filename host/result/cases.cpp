#include "result/cases.hpp"

#include <algorithm>
#include <utility>

namespace tmd::result {

namespace {

auto by(CaseOrder order) {
  return [order](const Case& left, const Case& right) {
    return order == CaseOrder::hardest ? is_harder(left, right) : compare(left.x, right.x) < 0;
  };
}

} // namespace

Cases& Cases::operator=(std::span<const Case> cases) {
  clear();
  for (const Case& one : cases)
    push_back(one);
  sort();
  return *this;
}

void Cases::push_back(const Case& one) {
  listed_.push_back(one);
  if (listed_.size() / 2 >= most_listed_)
    cut();
}

void Cases::add(Cases&& others) {
  if (listed_.empty())
    listed_.swap(others.listed_);
  for (const Case& one : others.listed_)
    push_back(one);
  unlisted_ += others.unlisted_;
  others.clear();
}

// Cases beyond the limit are only counted.
void Cases::cut() {
  if (listed_.size() <= most_listed_)
    return;
  const auto limit = listed_.begin() + static_cast<std::ptrdiff_t>(most_listed_);
  std::nth_element(listed_.begin(), limit, listed_.end(), by(order_));
  unlisted_ += static_cast<std::size_t>(listed_.end() - limit);
  listed_.erase(limit, listed_.end());
}

void Cases::sort() {
  cut();
  std::sort(listed_.begin(), listed_.end(), by(order_));
}

void Cases::clear() {
  listed_ = {};
  unlisted_ = 0;
}

std::vector<Case> Cases::in(CaseOrder order) const {
  std::vector<Case> cases = listed_;
  if (order != order_)
    std::sort(cases.begin(), cases.end(), by(order));
  return cases;
}

void Findings::add(const Case& found) {
  switch (found.kind) {
  case Case::Kind::hard:
    cases.push_back(found);
    break;
  case Case::Kind::exact:
    exact.push_back(found);
    break;
  case Case::Kind::undecided:
    undecided.push_back(found);
    break;
  }
}

void Findings::add(std::span<const Case> found) {
  for (const Case& one : found)
    add(one);
}

void Findings::add(Findings&& others) {
  cases.add(std::move(others.cases));
  exact.add(std::move(others.exact));
  undecided.add(std::move(others.undecided));
}

void Findings::sort() {
  cases.sort();
  exact.sort();
  undecided.sort();
}

std::vector<Case> Findings::listed() const {
  std::vector<Case> all;
  for (const Cases* list : {&cases, &exact, &undecided})
    all.insert(all.end(), list->begin(), list->end());
  return all;
}

} // namespace tmd::result
