// Lists of cases in their order, and lists that hold only the first of many.
#include "host/result/cases.hpp"
#include "host/number/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tmd::result {
namespace {

bool is_same(const std::vector<Case>& list, const std::vector<Case>& expected) {
  return std::equal(list.begin(), list.end(), expected.begin(), expected.end(),
                    [](const Case& left, const Case& right) {
                      return left.x == right.x && left.bits == right.bits && left.breakpoint == right.breakpoint &&
                             left.kind == right.kind;
                    });
}

// Cases of all signs, exponents and kinds, with significands of up to 113 bits, some with equal bits.
std::vector<Case> random_cases(std::size_t count) {
  number::Random random(7);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t choice = random.below(1 << 16);
    Case one;
    one.x = {(choice & 1) != 0, uint128(random.below(1ULL << 49)) << 64 | random.below(~0ULL),
             static_cast<int>(choice % 2200) - 1100};
    one.bits = (choice & 6) == 0 ? HUGE_VAL : 20 + static_cast<double>(choice % 64);
    one.breakpoint = (choice & 8) != 0 ? Breakpoint::midpoint : Breakpoint::representable;
    one.kind = static_cast<Case::Kind>(choice % 3);
    cases.push_back(one);
  }
  return cases;
}

std::vector<Case> sorted(std::vector<Case> cases, CaseOrder order) {
  std::sort(cases.begin(), cases.end(), [order](const Case& left, const Case& right) {
    return order == CaseOrder::hardest ? is_harder(left, right) : compare(left.x, right.x) < 0;
  });
  return cases;
}

constexpr CaseOrder orders[] = {CaseOrder::hardest, CaseOrder::argument};

} // namespace

TEST_CASE("cases come in their order, and lists of them are put together") {
  const std::vector<Case> cases = random_cases(3000);
  for (const CaseOrder order : orders) {
    Cases list(order);
    list = std::vector<Case>(cases.begin(), cases.begin() + 700);
    const Cases copy = list;
    Cases others(CaseOrder::argument);
    others = std::vector<Case>(cases.begin() + 700, cases.end());
    list.add(std::move(others));
    list.sort();
    CHECK(is_same(list.to_vector(), sorted(cases, order)));
    CHECK(copy.size() == 700);
    for (const CaseOrder other : orders)
      CHECK(is_same(list.in(other), sorted(cases, other)));
    list.clear();
    CHECK(list.empty());
  }
}

TEST_CASE("of more cases than a list holds it has the first, however they come, and counts the others") {
  const std::vector<Case> cases = random_cases(3000);
  for (const CaseOrder order : orders)
    for (const std::size_t most : {1, 7, 1499, 2999, 3000, 5000}) {
      Cases one(order, most);
      Cases other(order, most);
      for (std::size_t i = 0; i < cases.size(); ++i)
        (i % 3 == 0 ? one : other).push_back(cases[i]);
      one.add(std::move(other));
      one.sort();
      std::vector<Case> first = sorted(cases, order);
      first.resize(std::min(most, first.size()));
      CHECK(is_same(one.to_vector(), first));
      CHECK(one.size() == cases.size());
      CHECK(one.unlisted() == cases.size() - first.size());
    }
}

TEST_CASE("findings are listed by their kind") {
  const std::vector<Case> cases = random_cases(2000);
  Findings findings;
  findings.add(cases);
  findings.sort();
  const auto of_kind = [&](Case::Kind kind, CaseOrder order) {
    std::vector<Case> some = cases;
    std::erase_if(some, [&](const Case& each) { return each.kind != kind; });
    return sorted(some, order);
  };
  CHECK(is_same(findings.cases.to_vector(), of_kind(Case::Kind::hard, CaseOrder::hardest)));
  CHECK(is_same(findings.exact.to_vector(), of_kind(Case::Kind::exact, CaseOrder::argument)));
  CHECK(is_same(findings.undecided.to_vector(), of_kind(Case::Kind::undecided, CaseOrder::argument)));
}

} // namespace tmd::result
