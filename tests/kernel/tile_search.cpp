// Expressions of two variables over ranges, on a device: the cases and the number of exact values are those that MPFR
// finds among all pairs, and places that tiles do not serve are refused with a sentence.
#include "device.hpp"
#include "host/pairs/power_search.hpp"
#include "host/pairs/ranges.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

namespace tmd::test {

namespace {

const Format six_bits{"six bits", 6, -6, 7};

pairs::PairJob job_of(const char* text, const char* x, const char* y, const Format& format, Rounding rounding, int K) {
  pairs::PairJob job = pairs::job_over_ranges(text, {x, y}, format, rounding);
  job.K = K;
  return job;
}

pairs::PowerWork search(const pairs::PairJob& job, double boxes_of_unit) {
  engine::boxes::BoxSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 18), 100);
  const std::array<engine::boxes::BoxSearch*, 1> devices{&device};
  const pairs::PowerLines lines(job);
  pairs::PowerWork sum{pairs::PairFindings(job)};
  pairs::PowerHooks hooks;
  hooks.searched = [&](pairs::PowerPart part) { sum.add(std::move(part.work)); };
  const job::Coverage all = pairs::lines_wanted(lines, job);
  const std::vector<pairs::PowerUnit> units = pairs::power_units(lines, all, job, boxes_of_unit);
  const bool is_done = pairs::search_power_units(job, lines, units, devices, 2, hooks, {});
  CHECK(is_done);
  CHECK(std::accumulate(sum.pairs.begin(), sum.pairs.end(), uint128(0)) == lines.pairs(all));
  return sum;
}

pairs::PairFindings each_pair(const pairs::PairJob& job) {
  pairs::PairFindings found(job);
  for (const auto& x : pairs::operands_of_range((*job.ranges)[0], job.format, "--x-range"))
    for (const auto& y : pairs::operands_of_range((*job.ranges)[1], job.format, "--y-range"))
      for (std::uint32_t i = x.range.first; i < x.range.end; ++i)
        for (std::uint32_t j = y.range.first; j < y.range.end; ++j)
          found.look_at({Argument{x.is_negative, i, x.exponent}, Argument{y.is_negative, j, y.exponent}}, 1);
  return found;
}

std::string refusal_of(const char* text, const char* x, const char* y) {
  try {
    (void)search(job_of(text, x, y, find_format("binary32"), Rounding::all, 44), INFINITY);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("tiles: all cases over ranges of a small format, values that are exact, subnormal or 0 among them") {
  struct Ranges {
    const char* text;
    const char* x;
    const char* y;
  };
  for (const Ranges& one : {Ranges{"sqrt(x^2+y^2)", "-2:3", "0.5:6"},
                            {"exp(x)*y", "-4:3", "-0.0078125:2"},
                            {"atan(y/x)", "0.25:3", "-3:4"},
                            {"log(x)+y", "0.5:4", "-1:1"},
                            {"x^y", "0.5:3", "-3:2"},
                            {"(x^3-y)/pi", "-3:3", "1:8"},
                            {"x^(y+1)", "1.5:4", "0.25:2"}})
    for (const Rounding rounding : {Rounding::all, Rounding::nearest, Rounding::directed}) {
      const pairs::PairJob job = job_of(one.text, one.x, one.y, six_bits, rounding, 5);
      pairs::PowerWork work = search(job, 100);
      CHECK(work.planted > 0);
      const pairs::PairResult found = std::move(work.found).result();
      const pairs::PairResult expected = each_pair(job).result();
      INFO(one.text << ": " << expected.cases.size() << " cases");
      CHECK(found.cases.size() == expected.cases.size());
      CHECK(expected.cases.size() > 40);
      std::size_t different = 0;
      for (std::size_t i = 0; i < std::min(found.cases.size(), expected.cases.size()); ++i)
        different += found.cases[i].operands == expected.cases[i].operands ? 0 : 1;
      CHECK(different == 0);
      CHECK(found.families[0].entries == expected.families[0].entries);
      CHECK(found.undecided == expected.undecided);
    }
}

TEST_CASE("tiles: refuse what they do not serve") {
  CHECK(refusal_of("sqrt(x-y)", "1:1+2^-10", "1:1+2^-10").find("cannot be searched next to 0x1.") != std::string::npos);
  CHECK(refusal_of("x+y", "1:2", "1:2").find("it is linear there") != std::string::npos);
  CHECK(refusal_of("x+y", "1:1+2^-13", "1:1+2^-13").empty()); // all are exact
  CHECK(refusal_of("exp(x)*y", "2:1", "1:2").find("--x-range: the range 2:1 is empty") != std::string::npos);
  CHECK(refusal_of("exp(x)*y", "1", "1:2") == "--x-range: '1' is no range FROM:TO");
}

} // namespace tmd::test
