// The identity of jobs, and their equality.
#include "host/job/job.hpp"
#include "tmd/error.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tmd::job {

TEST_CASE("a range outside the function's domain is refused, its end is not") {
  Job job = some_job();
  job.function = &function::find_function("log");
  CHECK_NOTHROW(check_domain(job));
  job.first = 1;
  CHECK_NOTHROW(check_domain(job));
  for (const int first : {0, -5}) {
    job.first = first;
    CHECK_THROWS_AS(check_domain(job), UsageError);
  }
  job.last = -2;
  CHECK_THROWS_AS(check_domain(job), UsageError);
  job.function = &function::find_function("sin");
  CHECK_NOTHROW(check_domain(job));
}

TEST_CASE("a job's identity differs when any member does") {
  const Job job = some_job();
  CHECK(job.identity() == "exp on [0x1p+0, 0x1p+1), p = 53, e = -1022 to 1023, q = 53, all, K = 44");
  std::set<std::string> identities{job.identity()};
  const std::vector<std::function<void(Job&)>> changes{
      [](Job& other) { other.function = &function::find_function("exp2"); },
      [](Job& other) { other.format.precision = 52; },
      [](Job& other) { other.format.min_exponent = -1021; },
      [](Job& other) { other.format.max_exponent = 1022; },
      [](Job& other) { other.argument_precision = 54; },
      [](Job& other) { other.rounding = Rounding::directed; },
      [](Job& other) { other.rounding = Rounding::nearest; },
      [](Job& other) { other.values = Values::format; },
      [](Job& other) { other.K = 45; },
      [](Job& other) { ++other.first; },
      [](Job& other) { --other.last; }};
  for (const auto& change : changes) {
    Job other = job;
    change(other);
    CHECK(identities.insert(other.identity()).second);
  }
  // The same numbers under another name are the same job.
  Job renamed = job;
  renamed.format = find_format("p53");
  CHECK(renamed.identity() == job.identity());
}

TEST_CASE("a job's size and range") {
  Job job = some_job();
  CHECK(job.size() == uint128(1) << 52);
  CHECK(job.range() == Coverage(job.first, job.last));
  CHECK(job.grid().precision == 53);
  job.first = -job.last;
  CHECK(job.size() == 2 * static_cast<uint128>(job.last));
}

TEST_CASE("the arguments of a domain") {
  const format::ArgumentSet arguments(find_format("binary16"), 11);
  const auto largest = arguments.end() - 1;
  const auto one = arguments.parse("1", "");
  const auto ranks = [&](const char* function) {
    return ranks_in_domain(function::find_function(function).domain, arguments);
  };
  CHECK(ranks("exp") == RankInterval{-largest, largest + 1});
  CHECK(ranks("log") == RankInterval{1, largest + 1});
  CHECK(ranks("sqrt") == RankInterval{0, largest + 1});
  CHECK(ranks("asin") == RankInterval{-one, one + 1});
  CHECK(ranks("atanh") == RankInterval{1 - one, one});
  CHECK(ranks("acosh") == RankInterval{one, largest + 1});
}

} // namespace tmd::job
