// The predicted time of a search, by workers that only wait or report a time.
#include "host/search/predicted_time.hpp"
#include "host/support/stopwatch.hpp"
#include "tmd/error.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace tmd::searches {

namespace {

// Searches nothing, and reports the same time for every step of a field's coordinate; one call builds kernels, too.
class SteadyWorker : public Worker {
public:
  explicit SteadyWorker(double seconds, int building = 0, double build_seconds = 0)
      : seconds_(seconds), building_(building), build_seconds_(build_seconds) {}

  void work(const job::Job&, PartExchange& exchange) override {
    double more = ++call_ == building_ ? build_seconds_ : 0;
    while (const auto assignment = exchange.take()) {
      result::PartResult result;
      result.part = assignment->part;
      result.part.count = std::min<uint128>(result.part.count, most_); // as a planner may do
      if (exchange.is_shared())
        exchange.shorten(*assignment, result.part.count);
      result.seconds = seconds_ * static_cast<double>(result.part.count) + std::exchange(more, 0);
      exchange.deliver(result);
    }
  }

private:
  static constexpr uint128 most_ = uint128(1) << 58;
  double seconds_;
  int building_;
  double build_seconds_;
  int call_ = 0;
};

// Searches nothing, in the same time for each argument; calls from one to another build kernels first, for as long as a
// search waits or for some seconds.
class BuildingWorker : public Worker {
public:
  BuildingWorker(double seconds, std::pair<int, int> building, double build_seconds)
      : seconds_(seconds), building_(building), build_seconds_(build_seconds) {}

  void work(const job::Job&, PartExchange& exchange) override {
    ++call_;
    if (call_ >= building_.first && call_ <= building_.second)
      wait(build_seconds_, exchange);
    while (const auto assignment = exchange.take()) {
      result::PartResult result;
      result.part = assignment->part;
      wait(seconds_ * static_cast<double>(result.part.count), exchange);
      exchange.deliver(result);
    }
  }

private:
  static void wait(double seconds, const PartExchange& exchange) {
    const auto begin = std::chrono::steady_clock::now();
    while (support::seconds_since(begin) < seconds) {
      if (exchange.interrupted())
        throw Interrupted();
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(seconds, 0.01)));
    }
  }

  double seconds_;
  std::pair<int, int> building_;
  double build_seconds_;
  int call_ = 0;
};

} // namespace

TEST_CASE("kernels that are built meanwhile do not count") {
  const job::Job job = job_on("exp", "binary64", "1", "1.5");
  const std::vector<Work> work = predicted_work(job, false, usual_settings());
  const auto predicted = [&](std::pair<int, int> building, double build_seconds) {
    std::vector<std::unique_ptr<Worker>> workers;
    workers.push_back(std::make_unique<BuildingWorker>(0.6 / static_cast<double>(job.size()), building, build_seconds));
    const TimePrediction time = predicted_time(job, work, workers, usual_settings().costs, 0.2, {});
    CHECK_FALSE(time.is_least);
    return time.seconds;
  };
  const double without = predicted({0, 0}, 0);
  for (const auto& [first, last, build_seconds] : {std::tuple(1, 2, 1e9), {3, 3, 0.5}}) {
    CAPTURE(first);
    const double with = predicted({first, last}, build_seconds);
    CHECK(with > without / 3);
    CHECK(with < without * 3);
  }
}

TEST_CASE("what is claimed takes as long as parts of its coordinate tell") {
  const job::Job job = job_on("sin", "p40", "0x1p+20", "0x1p+23"); // three binades
  const std::vector<Work> work = predicted_work(job, false, usual_settings());
  REQUIRE(work.size() == 3);
  double steps = 0;
  for (const Work& one : work) {
    REQUIRE(one.claimed);
    CHECK(one.claimed->costs.size() > 1);
    steps += static_cast<double>(one.claimed->field.extent());
  }
  for (const double seconds : {100.0, 1e6}) {
    std::vector<std::unique_ptr<Worker>> workers;
    workers.push_back(std::make_unique<SteadyWorker>(seconds / steps));
    const TimePrediction alone = predicted_time(job, work, workers, usual_settings().costs, 0.01, {});
    CHECK(alone.seconds == doctest::Approx(seconds).epsilon(0.1)); // costs are rounded
    CHECK_FALSE(alone.is_least);
    for (const int building : {1, 2, 3, 4, 5, 6}) {
      CAPTURE(building);
      workers.front() = std::make_unique<SteadyWorker>(seconds / steps, building, 1);
      CHECK(predicted_time(job, work, workers, usual_settings().costs, 0.01, {}).seconds ==
            doctest::Approx(seconds).epsilon(0.1));
    }
    workers.front() = std::make_unique<SteadyWorker>(seconds / steps);
    workers.push_back(std::make_unique<SteadyWorker>(seconds / 3 / steps));
    CHECK(predicted_time(job, work, workers, usual_settings().costs, 0.01, {}).seconds ==
          doctest::Approx(alone.seconds / 4).epsilon(0.01));
  }
}

} // namespace tmd::searches
