// Counts of cases by binade, compared with chance.
#include "host/search/binade_counts.hpp"
#include "host/function/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tmd::searches {

namespace {

job::Job job_of(const char* function, const char* format, const char* from, const char* to, int bits) {
  job::Job job;
  job.function = &function::find_function(function);
  job.format = find_format(format);
  job.argument_precision = job.format.precision;
  job.values = Values::format;
  job.K = bits;
  job.first = job.arguments().parse(from, "");
  job.last = job.arguments().parse(to, "");
  return job;
}

struct Found {
  std::vector<Case> hard;
  std::vector<Case> exact;
};

Found found_by_mpfr(const job::Job& job) {
  Found result;
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  for (auto rank = job.first; rank < job.last; ++rank)
    if (const auto found = confirmation.confirm(job.arguments().at(rank)))
      (found->kind == Case::Kind::hard ? result.hard : result.exact).push_back(*found);
  return result;
}

CountVerdict verdict_of(const job::Job& job, const Found& found, bool are_exact_known = true) {
  const EachArgument exact = [&](const auto& use) {
    for (const Case& one : found.exact)
      use(one.x);
  };
  return count_binades(job, job.range(), found.hard, exact, are_exact_known);
}

} // namespace

TEST_CASE("counts: those of binary32 are as chance would have them, for both kinds and each") {
  const job::Job job = job_of("sin", "binary32", "1023", "1025", 6);
  const Found found = found_by_mpfr(job);
  const CountVerdict verdict = verdict_of(job, found);
  // Two binades, three counts each.
  REQUIRE(verdict.counts.size() == 6);
  CHECK(verdict.unfair == 0);
  CHECK(std::is_sorted(verdict.counts.begin(), verdict.counts.end(),
                       [](const BinadeCount& left, const BinadeCount& right) { return left.p < right.p; }));
  CHECK(verdict.corrected_p() > 0.001);
  std::uint64_t both = 0;
  std::uint64_t each = 0;
  for (const BinadeCount& one : verdict.counts) {
    (one.breakpoint ? each : both) += one.cases;
    const double factor = one.breakpoint ? 1 : 2;
    CHECK(one.expected == doctest::Approx(factor * static_cast<double>(one.arguments.count) / 64));
  }
  CHECK(both == found.hard.size());
  CHECK(each == both);
}

TEST_CASE("counts: a list that has lost or gained many cases, or those of one kind") {
  const job::Job job = job_of("sin", "binary32", "1024", "1026", 5);
  const Found found = found_by_mpfr(job);
  REQUIRE(verdict_of(job, found).corrected_p() > 0.001);
  Found fewer = found;
  fewer.hard.resize(found.hard.size() * 4 / 5);
  CHECK(verdict_of(job, fewer).corrected_p() < 1e-6);
  Found more = found;
  more.hard.insert(more.hard.end(), found.hard.begin(), found.hard.begin() + static_cast<long>(found.hard.size() / 4));
  CHECK(verdict_of(job, more).corrected_p() < 1e-6);
  Found swapped = found;
  for (std::size_t i = 0; i < swapped.hard.size(); i += 4)
    swapped.hard[i].breakpoint = Breakpoint::midpoint;
  const CountVerdict verdict = verdict_of(job, swapped);
  CHECK(verdict.corrected_p() < 1e-6);
  CHECK(verdict.counts.front().breakpoint);
}

TEST_CASE("counts: more cases where a periodic function turns round at a breakpoint") {
  for (const char* name : {"sin", "cos", "tan"})
    for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest}) {
      CAPTURE(name);
      CAPTURE(to_string(rounding));
      job::Job job = job_of(name, "p8", "4", "0x1p+1000", 8);
      job.rounding = rounding;
      double arguments = 0;
      double cases = 0;
      double expected = 0;
      for (const BinadeTally& one : tally_binades(
               job, job.range(), found_by_mpfr(job).hard, [](const auto&) {}, true)) {
        arguments += static_cast<double>(one.arguments.count);
        cases += static_cast<double>(one.cases);
        expected += one.expected(job);
      }
      const double deviation = std::sqrt(expected);
      CHECK(std::fabs(cases - expected) < 4 * deviation);
      const bool turns_at_one = name != std::string("tan") && rounding != Rounding::nearest;
      CHECK((cases - std::ldexp(arguments, 1 - job.K) > 6 * deviation) == turns_at_one);
      CHECK((expected > std::ldexp(arguments, 1 - job.K)) == turns_at_one);
    }
}

TEST_CASE("counts: no fair samples") {
  // Few cases; slopes that hardly vary; values that overflow, repeat themselves, or come in pairs.
  for (const job::Job& job :
       {job_of("exp", "binary32", "1", "0x1.001p+0", 12), job_of("exp", "binary32", "0x1p-20", "0x1.1p-20", 8),
        job_of("exp", "binary16", "8", "16", 3)}) {
    const CountVerdict verdict = verdict_of(job, found_by_mpfr(job));
    CHECK(verdict.counts.empty());
    CHECK(verdict.unfair == 1);
    CHECK(verdict.corrected_p() == 1);
  }
}

TEST_CASE("counts: with many bits, no exact case may be there, nor a case beside") {
  job::Job job = job_of("exp", "binary64", "1.25", "0x1.401p+0", 32);
  job.values = Values::unbounded;
  const Found none;
  CHECK(verdict_of(job, none).counts.size() == 3);
  CHECK(verdict_of(job, none, false).counts.empty());
  // 512 are expected, and none is found.
  CHECK(verdict_of(job, none).corrected_p() < 1e-100);
  Found one;
  one.exact.push_back({job.arguments().at(job.first)});
  CHECK(verdict_of(job, one).counts.empty());
  // Cases crowd beside sqrt(1), even if 1 itself is not searched.
  job::Job crowded = job_of("sqrt", "binary64", "0x1.0000000000001p+0", "0x1.001p+0", 32);
  crowded.values = Values::unbounded;
  CHECK(verdict_of(crowded, none).counts.empty());
}

} // namespace tmd::searches
