// Arguments at which published code of lgamma and tgamma needs an exception, each found by a search around it.
#include "end_to_end/enumeration.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>

namespace tmd::test {

TEST_CASE("gamma: exceptional arguments of binary64 are found, with their bits") {
  std::ifstream list(std::filesystem::path(TMD_TEST_DATA) / "reference" / "gamma_exceptions.tsv");
  int entries = 0;
  for (std::string line; std::getline(list, line);) {
    std::istringstream fields(line);
    std::string function;
    std::string x;
    std::string bits;
    std::string breakpoint;
    fields >> function >> x >> bits >> breakpoint;
    if (function != "lgamma" && function != "tgamma")
      continue; // the list's head
    INFO(function, " ", x);
    Task task;
    task.function = &function::find_function(function);
    task.format = find_format("binary64");
    const format::ArgumentSet::Rank rank = task.arguments().parse(x, "x");
    task.first = rank - (1 << 12) - 5;
    task.last = rank + (1 << 12);
    task.K = 43; // one of them has 43.4
    set_algorithm(task, "auto");
    const result::SearchResult result = usual_device().run(task);
    const auto found = std::find_if(result.cases.begin(), result.cases.end(),
                                    [&](const Case& one) { return task.arguments().rank(one.x) == rank; });
    REQUIRE(found != result.cases.end());
    CHECK(fmt::format("{:.4f}", found->bits) == bits);
    CHECK(to_string(found->breakpoint) == breakpoint);
    ++entries;
  }
  CHECK(entries == 50);
}

} // namespace tmd::test
