// The predicted cost of a search, and its division into shards.
#include "host/search/workload.hpp"
#include "host/engine/planning.hpp"
#include "host/engine/registry.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"
#include "host/search/expectation.hpp"
#include "tmd/error.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace tmd::searches {

namespace {

const std::vector<job::Job> jobs{
    job_on("exp", "binary64", "1", "2"), job_on("log", "binary64", "0x1p-1074", "0x1p+1000"),
    job_on("sin", "binary32", "-100", "1000"), job_on("cbrt", "binary16", "-60000", "60000"),
    job_on("exp", "binary64", "0x1p-1074", "1")};

double cost_of(const std::vector<Work>& work, format::ArgumentSet::Rank first, format::ArgumentSet::Rank last) {
  double sum = 0;
  for (const Work& one : work) {
    const auto from = std::max(first, one.ranks.first);
    const auto to = std::min(last, one.ranks.last);
    if (from < to)
      sum += one.cost * static_cast<double>(to - from) / static_cast<double>(one.ranks.last - one.ranks.first);
  }
  return sum;
}

} // namespace

TEST_CASE("the work is of the job, in order, and every part of it costs something") {
  for (const job::Job& job : jobs) {
    const std::vector<Work> work = predicted_work(job, false, usual_settings());
    REQUIRE_FALSE(work.empty());
    format::ArgumentSet::Rank before = job.first;
    for (const Work& one : work) {
      CHECK(one.ranks.first >= before);
      CHECK(one.ranks.last > one.ranks.first);
      CHECK(one.cost > 0);
      before = one.ranks.last;
    }
    CHECK(before <= job.last);
  }
  // exp below 2^-60 is proven without a device.
  const std::vector<Work> work = predicted_work(jobs[4], false, usual_settings());
  CHECK(work.front().ranks.first > jobs[4].arguments().parse("0x1p-100", ""));
}

TEST_CASE("the work costs about what the plans of all of it do") {
  const engine::EngineSettings settings = usual_settings();
  std::vector<std::unique_ptr<engine::Engine>> engines;
  for (const engine::EngineKind* kind : engine::engines())
    if (kind->open_to_plan != nullptr)
      engines.push_back(kind->open_to_plan(settings));
  // Fields next to a branch point, next to poles, and with short pieces between long ones.
  for (const job::Job& job :
       {job_on("acos", "binary64", "0x1p-1", "1"), job_on("lgamma", "binary64", "-1501", "-1500"),
        job_on("log1p", "binary64", "-0x1.fffffffffffffp-1", "-0x1p-1"), job_on("log1p", "binary64", "0x1p-30", "1")}) {
    CAPTURE(job.identity());
    double planned = 0;
    for (const job::Cut& cut : job::cut_all(*job.function, job.arguments(), job.first, job.last)) {
      engine::FieldPlanner planner(engines, job, engine::Field::of(cut), false, settings.costs);
      for (uint128 done = 0; cut.values && done < cut.arguments.count;) {
        const engine::Interval interval = planner.at(done, cut.arguments.count - done);
        planned += interval.cost * static_cast<double>(interval.count);
        done += interval.count;
      }
    }
    const double predicted = cost_of(predicted_work(job, false, settings), job.first, job.last);
    CAPTURE(planned);
    CAPTURE(predicted);
    CHECK(predicted > planned / 2.5);
    CHECK(predicted < planned * 2.5);
  }
}

TEST_CASE("shards have all of the job, none is empty, and they cost the same") {
  for (const job::Job& job : jobs) {
    const std::vector<Work> work = predicted_work(job, false, usual_settings());
    const double all = cost_of(work, job.first, job.last);
    double most = 0; // the cost of one argument, or of an indivisible claim
    for (const Work& one : work)
      most = std::max(most, one.claimed ? one.cost : one.cost / static_cast<double>(one.ranks.last - one.ranks.first));
    for (const int count : {1, 2, 3, 7, 100, 1000}) {
      const auto borders = shard_borders(job, work, count);
      REQUIRE(borders.size() == static_cast<std::size_t>(count) + 1);
      CHECK(borders.front() == job.first);
      CHECK(borders.back() == job.last);
      CHECK(std::adjacent_find(borders.begin(), borders.end(), std::greater_equal<>()) == borders.end());
      for (std::size_t i = 0; i + 1 < borders.size(); ++i)
        CHECK(std::fabs(cost_of(work, borders[i], borders[i + 1]) - all / count) <= 1e-6 * all / count + 2 * most);
    }
  }
}

TEST_CASE("shards do not cut what is claimed, as long as there are enough claims") {
  const job::Job job = job_on("tan", "p40", "0x1p+20", "0x1p+90"); // 70 binades
  const std::vector<Work> work = predicted_work(job, false, usual_settings());
  REQUIRE(work.size() == 70);
  for (const int count : {2, 7, 23}) {
    const auto borders = shard_borders(job, work, count);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      CHECK(borders[i] < borders[i + 1]);
      CHECK(std::any_of(work.begin(), work.end(), [&](const Work& one) { return one.ranks.first == borders[i]; }));
      CHECK(std::fabs(cost_of(work, borders[i], borders[i + 1]) - 70.0 / count * work.front().cost) <=
            1.01 * work.front().cost);
    }
  }
  for (const int count : {200, 233}) { // more shards than claims: none has next to nothing
    const auto borders = shard_borders(job, work, count);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      CHECK(cost_of(work, borders[i], borders[i + 1]) * count > 0.5 * 70 * work.front().cost);
  }
}

TEST_CASE("what a survey finds to be searched is the work, however many pieces it has") {
  const job::Job job = job_on("sin", "binary64", "0x1p-30", "0x1p+10"); // the upper binades have hundreds of pieces
  const Survey before = survey(job, true, {}, {});
  uint128 arguments = 0;
  for (const job::Stretch& stretch : before.to_search)
    arguments += stretch.count;
  CHECK(arguments == before.rest);
  uint128 worked = 0;
  for (const Work& one : predicted_work(job, before.to_search, usual_settings())) {
    CHECK(std::isfinite(one.cost));
    worked += static_cast<uint128>(one.ranks.last - one.ranks.first);
  }
  CHECK(worked == before.rest);
}

TEST_CASE("a survey leaves out whole binades of values beyond the format, though one enclosure cannot tell") {
  job::Job job = job_on("pown:1024", "binary64", "0x1p-3", "0x1p+9"); // only next to 1 are values numbers of the format
  job.values = Values::format;
  const Survey found = survey(job, true, {}, {});
  CHECK(found.rest <= uint128(2) << 53);
  CHECK(found.rest > uint128(1) << 52);
  CHECK(found.rest + found.none + found.exact + found.all_cases == job.range().size());
}

TEST_CASE("of many binades only some are looked at, and the others cost what these tell") {
  const job::Job job = job_on("log", "binary64", "0x1p-228", "0x1p-100");
  const std::vector<Work> work = predicted_work(job, false, usual_settings());
  CHECK(std::count_if(work.begin(), work.end(), [](const Work& one) { return !one.is_looked_at; }) > 64);
  const std::vector<job::Stretch> all = job::stretches(job.arguments(), job.first, job.last);
  REQUIRE(all.size() == 128);
  double looked_at = 0; // of a half, each is looked at
  for (const auto& half : {std::span(all).first(64), std::span(all).last(64)})
    for (const Work& one : predicted_work(job, half, usual_settings())) {
      CHECK(one.is_looked_at);
      looked_at += one.cost;
    }
  CHECK(cost_of(work, job.first, job.last) == doctest::Approx(looked_at).epsilon(0.3));
}

TEST_CASE("a dear binade in the middle of many is no example for the others") {
  const auto cost_on = [](const char* first, const char* last) {
    const job::Job job = job_on("log", "binary64", first, last);
    return cost_of(predicted_work(job, false, usual_settings()), job.first, job.last);
  };
  const job::Job job = job_on("log", "binary64", "0x1p-500", "0x1p+500"); // log has its zero at 1
  const std::vector<Work> work = predicted_work(job, false, usual_settings());
  CHECK(cost_of(work, job.first, job.last) ==
        doctest::Approx(cost_on("0x1p-500", "0x1p-3") + cost_on("0x1p-3", "0x1p+3") + cost_on("0x1p+3", "0x1p+500"))
            .epsilon(0.2));
  CHECK(std::count_if(work.begin(), work.end(), [](const Work& one) { return one.examples != nullptr; }) < 8);
}

TEST_CASE("as many shards as arguments, and no more") {
  const job::Job job = job_on("exp", "binary16", "1", "0x1.1p+0");
  const std::vector<Work> work = predicted_work(job, false, usual_settings());
  const auto count = static_cast<int>(job.size());
  REQUIRE(count == 64);
  const auto borders = shard_borders(job, work, count);
  for (int i = 0; i <= count; ++i)
    CHECK(borders[static_cast<std::size_t>(i)] == job.first + i);
  CHECK_THROWS_AS((void)shard_borders(job, work, count + 1), UsageError);
  // If nothing is to be searched, shards have equal numbers of arguments.
  const auto equal = shard_borders(job, {}, 4);
  CHECK(equal ==
        std::vector<format::ArgumentSet::Rank>{job.first, job.first + 16, job.first + 32, job.first + 48, job.last});
}

TEST_CASE("shards of a range with gaps: each has arguments, and all of them have all") {
  job::Job job;
  job.function = &function::find_function("recip");
  job.format = find_format("binary16");
  job.argument_precision = job.format.precision;
  job.values = Values::format;
  job.K = 10;
  job.by_scaling = true;
  job.first = 0;
  job.last = job.arguments().end();
  const job::Coverage range = job.range();
  REQUIRE(range.intervals().size() > 1);
  for (const int count : {1, 3, 500}) {
    const auto borders = shard_borders(job, predicted_work(job, true, {}), count);
    REQUIRE(borders.size() == static_cast<std::size_t>(count) + 1);
    CHECK(borders.front() == job.first);
    CHECK(borders.back() == job.last);
    job::Coverage all;
    std::size_t without = 0;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      job::Job shard = job;
      shard.first = borders[i];
      shard.last = borders[i + 1];
      without += shard.range().empty() ? 1 : 0;
      all.add(shard.range());
    }
    CHECK(without == 0);
    CHECK(all == range);
  }
}

} // namespace tmd::searches
