// Lists of cases that are longer than their room in memory.
#include "host/result/cases.hpp"
#include "host/support/write_error.hpp"

#include "host/number/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace tmd;

bool is_same(const Case& left, const Case& right) {
  return left.x == right.x && left.bits == right.bits && left.breakpoint == right.breakpoint && left.kind == right.kind;
}

bool is_same(const Cases& list, const std::vector<Case>& expected) {
  return list.size() == expected.size() &&
         std::equal(list.begin(), Cases::end(), expected.begin(),
                    [](const Case& one, const Case& other) { return is_same(one, other); });
}

// Of all signs, exponents and kinds, significands of up to 113 bits, and some of the same bits.
std::vector<Case> random_cases(std::size_t count) {
  Random random(7);
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

Cases list_of(const std::vector<Case>& cases, CaseOrder order, std::size_t most_in_memory) {
  Cases list(order, {most_in_memory, nullptr});
  for (const Case& one : cases)
    list.push_back(one);
  list.sort();
  return list;
}

constexpr CaseOrder orders[] = {CaseOrder::hardest, CaseOrder::argument};

} // namespace

TEST_CASE("cases come in their order, however many of them are in memory") {
  const std::vector<Case> cases = random_cases(3000);
  for (const CaseOrder order : orders)
    for (const std::size_t most :
         {1, 2, 7, 513, 2999, 3000, 100000}) { // with 1 and 7 more runs than are merged at once
      const Cases list = list_of(cases, order, most);
      CHECK(is_same(list, sorted(cases, order)));
      CHECK(is_same(list.front(), sorted(cases, order).front()));
      for (const CaseOrder other : orders)
        CHECK(is_same(list.in(other), sorted(cases, other)));
    }
}

TEST_CASE("lists of cases are put together, and copies do not change with them") {
  const std::vector<Case> cases = random_cases(2000);
  for (const CaseOrder order : orders)
    for (const auto& [first_room, second_room] :
         {std::pair(10, 10), std::pair(5000, 5000), std::pair(10, 5000), std::pair(5000, 10)}) {
      const std::span all = cases;
      const auto first = std::vector<Case>(all.begin(), all.begin() + 700);
      Cases list = list_of(first, order, static_cast<std::size_t>(first_room));
      const Cases copy = list;
      list.add(list_of({all.begin() + 700, all.begin() + 1500}, order, static_cast<std::size_t>(second_room)));
      list.add(list_of({all.begin() + 1500, all.end()}, CaseOrder::argument, static_cast<std::size_t>(second_room)));
      list.sort();
      CHECK(is_same(list, sorted(cases, order)));
      CHECK(is_same(copy, sorted(first, order)));
      list.clear();
      CHECK(list.empty());
      CHECK(list.begin() == Cases::end());
      list = first;
      CHECK(is_same(list, sorted(first, order)));
    }
}

TEST_CASE("lists that share a file do not write into each other's runs") {
  const std::vector<Case> cases = random_cases(2000);
  const auto file = std::make_shared<ScratchFile>();
  Findings one({3, file});
  Findings other({5, file});
  for (std::size_t i = 0; i < cases.size(); ++i)
    (i % 3 == 0 ? one : other).add(cases[i]);
  one.add(std::move(other));
  one.sort();
  const auto of_kind = [&](Case::Kind kind, CaseOrder order) {
    std::vector<Case> some = cases;
    std::erase_if(some, [&](const Case& each) { return each.kind != kind; });
    return sorted(some, order);
  };
  CHECK(is_same(one.cases, of_kind(Case::Kind::hard, CaseOrder::hardest)));
  CHECK(is_same(one.exact, of_kind(Case::Kind::exact, CaseOrder::argument)));
  CHECK(is_same(one.undecided, of_kind(Case::Kind::undecided, CaseOrder::argument)));
}

TEST_CASE("where no temporary file can be made, a sentence names its folder") {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/proc", 1);
  const std::vector<Case> cases = random_cases(10);
  CHECK(is_same(list_of(cases, CaseOrder::hardest, 10), sorted(cases, CaseOrder::hardest))); // none is needed
  CHECK_THROWS_WITH_AS((void)list_of(cases, CaseOrder::hardest, 9), doctest::Contains("temporary file in '/proc'"),
                       WriteError);
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", kept.c_str(), 1);
}
