// Every function of the catalogue: whole searches over ranges of binary16 against plain enumeration.
#include "end_to_end/subjects.hpp"
#include "thorough.hpp"

#include <set>
#include <string>

namespace tmd::test {

TEST_CASE("every function of the catalogue: searches are enumerations") {
  const int bits = tries_all ? 5 : 7;
  std::set<std::string> missing;
  for (const function::Function& function : function::functions())
    missing.insert(function.name);
  Work work;
  std::size_t turn = 0;
  for (const Subject& subject : subjects()) {
    INFO(std::string(subject.function.name));
    ++turn;
    missing.erase(subject.function.name);
    const std::uint64_t pieces_before = work.pieces;
    for (const auto& [from, to] : subject.ranges) {
      for (const int q : {11, 12}) {
        if (q == 12 && !tries_all && from != subject.ranges.back().first)
          continue;
        const Range range{"binary16", 11, -14, q, from, to};
        const auto all = enumerate(subject.function, {q, -14}, from, to, 11, bits);
        CHECK(all.front().found.size() < all.front().arguments);
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (q == 12 && !is_tried(grids[i], turn))
            continue;
          Task task = make_task(subject.function, range, grids[i], bits);
          task.costs = test_eagerly();
          const result::SearchResult result = run_search_on(task, host_worker(task, 64));
          work.add(result);
          INFO(task.identity());
          check_found(task, result, all[i]);
          if (i == 0 && q == 11)
            check_found(task, run_search_on(task, wide_host_worker(task, 8)), all[i]);
        }
      }
    }
    CHECK(work.pieces > pieces_before);
  }
  CHECK(missing.empty());
  work.check();
}

TEST_CASE("every function of the catalogue on a device: some thousand arguments of 24 bits") {
  Work work;
  for (const Subject& subject : subjects()) {
    INFO(std::string(subject.function.name));
    const Numbers numbers{24, -1022};
    const auto& [first, last] = subject.ranges.back();
    const double from = first + 0.375 * (last - first);
    const double to = from + 4000 * numbers.spacing(from);
    const Enumeration expected = enumerate(subject.function, numbers, from, to, 24, 8).front();
    const Task task = widely(make_task(subject.function, {"p24", 24, -1022, 24, from, to}, Rounding::all, 8));
    const std::uint64_t pieces_before = work.pieces;
    compare(task, usual_device(), expected, work);
    CHECK(work.pieces > pieces_before);
  }
  work.check_wide();
}

} // namespace tmd::test
