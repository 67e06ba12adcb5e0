// CORE-MATH's lists.
#include "host/result/wc.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace tmd::result {

TEST_CASE(".wc: comments, then one hex float a line, hardest first") {
  const job::Job job = some_job();
  std::istringstream text(wc_file(job, some_run(), some_result(job)));
  std::vector<std::string> numbers;
  std::size_t comments = 0;
  for (std::string line; std::getline(text, line);)
    if (line.rfind('#', 0) == 0) {
      ++comments;
      CHECK(numbers.empty());
    } else {
      numbers.push_back(line);
    }
  CHECK(comments >= 2);
  CHECK(numbers == std::vector<std::string>{"0x1.aca7ae8da5a7bp+0", "0x1.8p+0"});
}

TEST_CASE(".wc: cases by argument, where that is asked for") {
  const job::Job job = some_job();
  const std::string text = wc_file(job, some_run(), some_result(job), CaseOrder::argument);
  CHECK(text.find("\n0x1.8p+0\n0x1.aca7ae8da5a7bp+0\n") != std::string::npos);
}

TEST_CASE(".wc: exact cases are comments, a thousand of them") {
  const job::Job job = some_job();
  SearchResult result = some_result(job);
  CHECK(wc_file(job, some_run(), result).find("\n# Exact: -0x1.4p+0\n") != std::string::npos);
  result.exact = std::vector<Case>(1000, result.exact.front());
  CHECK(wc_file(job, some_run(), result).find(" more\n") == std::string::npos);
  result.exact = std::vector<Case>(1003, result.exact.front());
  const std::string text = wc_file(job, some_run(), result);
  CHECK(text.find(", 1003 exact cases.\n") != std::string::npos);
  CHECK(text.find("\n# Exact: 3 more; all where x = 0\n") != std::string::npos);
  std::size_t named = 0;
  for (std::size_t at = text.find("# Exact: -"); at != std::string::npos; at = text.find("# Exact: -", at + 1))
    ++named;
  CHECK(named == 1000);
}

} // namespace tmd::result
