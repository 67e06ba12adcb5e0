// Merged parts, some of which state only the number of exact cases.
#include "host/result/merge.hpp"
#include "host/result/json_lines.hpp"
#include "host/result/recorded_search.hpp"
#include "host/result/result_check.hpp"
#include "tmd/error.hpp"
#include "unit/message_of.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>

namespace tmd::result {

namespace {

constexpr int whole_size = 1000; // arguments of the whole range

job::Job sqrt_job(int first, int last) {
  job::Job job;
  job.function = &function::find_function("sqrt");
  job.format = find_format("binary64");
  const format::ArgumentSet::Rank one = job.arguments().parse("1", "");
  job.first = one + first;
  job.last = one + last;
  return job;
}

// Every tenth argument is an exact case; the first so many of them are listed.
MergePart sqrt_part(const std::string& name, int first, int last, std::size_t listed) {
  const job::Job job = sqrt_job(first, last);
  MergePart part{name, {{"0.2.0", "0123456789ab", {"0123456789abcdef", false}}}, {nullptr, job}, {}, {}};
  part.result.covered = job.range();
  part.result.exact = Cases(CaseOrder::argument, listed);
  for (int i = (first + 9) / 10 * 10; i < last; i += 10)
    part.result.exact.push_back({sqrt_job(0, whole_size).arguments().at(job.first - first + i), INFINITY,
                                 Breakpoint::representable, Case::Kind::exact});
  part.result.sort();
  return part;
}

bool tells(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

constexpr std::size_t listing_all = Cases::no_limit;

} // namespace

TEST_CASE("merge: exact cases that are only counted are counted once") {
  Merge merge;
  merge.add(sqrt_part("left", 0, 500, 20));
  merge.add(sqrt_part("right", 500, whole_size, listing_all));
  const SearchResult result = merge.result();
  CHECK(result.exact.size() == 100);
  CHECK(result.exact.unlisted() == 30);

  Merge other; // before the last listed one, all exact cases are known
  other.add(sqrt_part("left", 0, 500, listing_all));
  other.add(sqrt_part("over", 400, whole_size, 15));
  CHECK(other.result().exact.size() == 100);

  Merge bad;
  bad.add(sqrt_part("left", 0, 500, listing_all));
  CHECK(tells(message_of([&] { bad.add(sqrt_part("over", 300, whole_size, 15)); }),
              "but only counts the exact cases there"));
}

TEST_CASE("merge: exact cases that both list are compared") {
  Merge merge;
  merge.add(sqrt_part("left", 0, 500, 20));
  MergePart wrong = sqrt_part("again", 0, 300, listing_all);
  wrong.result.exact = std::vector<Case>(wrong.result.exact.begin() + 1, wrong.result.exact.end());
  CHECK_THROWS_AS(merge.add(wrong), SoundnessError);
  Merge right; // after the last listed one, nobody knows them
  right.add(sqrt_part("left", 0, 500, 20));
  CHECK_NOTHROW(right.add(sqrt_part("again", 0, 500, listing_all)));
  CHECK(right.result().exact.size() == 50);
}

TEST_CASE("merge: a range of exact cases says the same as a list of them") {
  const auto listed = [](int step) {
    MergePart part{
        "listed", {{"0.2.0", "0123456789ab", {"0123456789abcdef", false}}}, {nullptr, sqrt_job(0, 500)}, {}, {}};
    part.result.covered = part.owned.job.range();
    for (int i = 0; i < 500; i += step)
      part.result.exact.push_back({part.owned.job.arguments().at(part.owned.job.first + i), INFINITY,
                                   Breakpoint::representable, Case::Kind::exact});
    part.result.sort();
    return part;
  };
  MergePart ranged = listed(1);
  const job::Job& job = ranged.owned.job;
  ranged.result.exact.clear();
  ranged.result.regimes = {{{job.first, job.last}, {{}, true}}};
  const Case exact{job.arguments().at(job.first), INFINITY, Breakpoint::representable, Case::Kind::exact};
  CHECK(ranged.result.knows(job, exact));
  CHECK_FALSE(listed(1).result.knows(job, exact));
  for (const bool is_first : {false, true}) {
    const auto add_both = [&](const MergePart& other) {
      Merge merge;
      merge.add(is_first ? ranged : other);
      merge.add(is_first ? other : ranged);
      return merge.result();
    };
    const SearchResult both = add_both(listed(1));
    CHECK(both.exact.size() + static_cast<std::size_t>(both.exact_of_regimes()) == 500);
    CHECK_THROWS_AS(add_both(listed(2)), SoundnessError);
    MergePart first_only = listed(1); // and the number of the others
    first_only.result.exact = Cases(CaseOrder::argument, 20);
    for (const Case& one : listed(1).result.exact)
      first_only.result.exact.push_back(one);
    first_only.result.sort();
    if (!is_first)
      CHECK_NOTHROW(add_both(first_only));
    MergePart none = listed(1);
    none.result.exact.clear();
    none.result.regimes = {{{job.first, job.last}, {}}};
    CHECK_THROWS_AS(add_both(none), SoundnessError);
  }
}

TEST_CASE("records say how many exact cases are listed, and by which rule there are others") {
  const MergePart whole = sqrt_part("whole", 0, whole_size, 20);
  const job::Job& job = whole.owned.job;
  const std::string text = json_lines(job, some_run(), whole.result);
  CHECK(tells(text, R"("exact":"100",)"));
  CHECK(tells(text, R"("exact_listed":20,"exact_rule":"x = y^2 for a dyadic number y")"));
  const RecordedSearch file = read_search(recognize(support::source_of(text), "name"));
  CHECK_FALSE(file.lists_exact());
  CHECK(check_counts(file).empty());
  CHECK(to_search_result(file).exact.size() == 100);
  CHECK(read_complete_search(recognize(support::source_of(text), "name")).summary->exact == 100);
  const std::string lacking = text.substr(0, text.find("{\"type\":\"exact\"")) +
                              text.substr(text.find('\n', text.find("{\"type\":\"exact\"")) + 1);
  CHECK_FALSE(check_counts(read_search(recognize(support::source_of(lacking), "name"))).empty());
}

} // namespace tmd::result
