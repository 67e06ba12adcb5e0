// Lists that lie in a file as far as memory is not to hold them.
#include "host/support/scratch_list.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace tmd;

TEST_CASE("a list in a file gives what it was given, in its order, as often as it is read") {
  struct Element {
    std::size_t number;
    char letter;
    bool operator==(const Element&) const = default;
  };
  for (const std::size_t in_memory : {1U, 2U, 7U, 100U})
    for (const std::size_t count : {0U, 1U, 2U, 6U, 7U, 8U, 14U, 99U, 100U, 101U}) {
      ScratchList<Element> list(in_memory);
      std::vector<Element> expected;
      for (std::size_t i = 0; i < count; ++i) {
        expected.push_back({i * i, static_cast<char>('a' + i % 26)});
        list.push_back(expected.back());
      }
      CHECK(list.size() == count);
      CHECK(list.empty() == (count == 0));
      for (int time = 0; time < 2; ++time)
        CHECK(std::vector<Element>(list.begin(), list.end()) == expected);
      // Two that read at once are at places of their own, and a copy goes its own way.
      auto copy = list;
      copy.push_back({1, 'x'});
      auto slow = list.begin();
      for (auto fast = list.begin(); fast != list.end(); ++fast, ++slow)
        CHECK(*fast == *slow);
      CHECK(slow == list.end());
      list.push_back({2, 'y'});
      CHECK(std::vector<Element>(copy.begin(), copy.end()).back() == Element{1, 'x'});
      CHECK(std::vector<Element>(list.begin(), list.end()).back() == Element{2, 'y'});
      CHECK(list.size() == copy.size());
    }
}
