// CORE-MATH's lists.
#include "host/result/wc.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace tmd;

TEST_CASE(".wc: comments, then one hex float a line, hardest first") {
  const Job job = some_job();
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
