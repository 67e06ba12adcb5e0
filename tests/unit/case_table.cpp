// The table of a search's cases, whole and cut short.
#include "report/report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace tmd::test {

TEST_CASE("a table that is cut short says how much is left out") {
  constexpr std::size_t cases = 250;
  constexpr std::size_t most = 100;
  result::SearchResult result;
  for (std::size_t i = 0; i < cases; ++i) {
    result.cases.push_back({{false, uint128(i + 1), 0}, 50, Breakpoint::midpoint, Case::Kind::hard});
    result.undecided.push_back({{false, uint128(i + 1), 0}, 0, Breakpoint::midpoint, Case::Kind::undecided});
  }
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  CHECK(lines(report::case_table(result)) == 1 + 2 * cases);
  const std::string cut = report::case_table(result, {.most = most});
  CHECK(lines(cut) == 1 + 2 * (most + 1));
  CHECK(cut.find("...  150 more\n") != std::string::npos);
  CHECK(report::case_table(result, {.most = cases}) == report::case_table(result));
  CHECK(report::case_table(result, {.most = 0}).empty());
}

TEST_CASE("a table shows all cases, the first where a file has them, so many as are asked for, or none") {
  SearchSpec spec;
  CHECK(report::cases_to_show(spec, "").most == report::CasesToShow{}.most);
  CHECK(report::cases_to_show(spec, "log10.wc").most == 20);
  CHECK(report::cases_to_show(spec, "log10.wc").others_in == "log10.wc");
  spec.show = 3;
  CHECK(report::cases_to_show(spec, "log10.wc").most == 3);
  spec.quiet = true;
  CHECK(report::cases_to_show(spec, "").most == 0);
}

} // namespace tmd::test
