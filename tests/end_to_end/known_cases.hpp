// Cases that others have found, and searches around them.
#pragma once

#include "end_to_end/workers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tmd::test {

// Cases from the lists of CORE-MATH: bits as doc/theory/method.md defines them, grid `all`.
struct KnownCase {
  const char* function;
  double x;
  double bits;
};

inline format::ArgumentSet::Rank rank_of(const job::Job& job, double x) {
  char text[64];
  (void)std::snprintf(text, sizeof text, "%a", x);
  return job.arguments().parse(text, "x");
}

// A range that reaches this many arguments to both sides of the case; the end is excluded.
inline Task task_around(const KnownCase& known, int128 before, int128 behind, int bits = 49) {
  Task task;
  task.function = &function::find_function(known.function);
  task.format = find_format("binary64");
  task.K = bits;
  const auto rank = rank_of(task, known.x);
  task.first = rank - before;
  task.last = rank + behind;
  return task;
}

// The list begins with the case, which is in it once.
inline bool has(const result::SearchResult& result, const KnownCase& known) {
  return result.cases.size() >= 1 && to_double(result.cases.front().x) == known.x &&
         std::fabs(result.cases.front().bits - known.bits) < 6e-5 &&
         std::count_if(result.cases.begin(), result.cases.end(),
                       [&](const Case& c) { return to_double(c.x) == known.x; }) == 1;
}

} // namespace tmd::test
