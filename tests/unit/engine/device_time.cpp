// The division of a device's time, with made-up launches.
#include "host/engine/device_time.hpp"

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace tmd::engine {

namespace {

constexpr std::uint64_t tick = 1'000'000'000;

double share_of(const StageSeconds& all, const char* stage) {
  const auto found = all.find(stage);
  return found != all.end() ? found->second : 0;
}

} // namespace

TEST_CASE("each instant of a device is shared among the launches that are active in it") {
  SharedTime time;
  const auto a = time.begin();
  const auto b = time.begin();
  const auto c = time.begin();
  SUBCASE("one after the other, with a gap") {
    time.end(a, "groups", 0, 2 * tick);
    time.end(b, "check", 2 * tick, 3 * tick);
    time.end(c, "groups", 5 * tick, 6 * tick);
    const StageSeconds shares = time.take();
    CHECK(share_of(shares, "groups") == doctest::Approx(3));
    CHECK(share_of(shares, "check") == doctest::Approx(1));
  }
  SUBCASE("nested, and told of in another order") {
    time.end(b, "check", 2 * tick, 4 * tick);
    CHECK(time.take().empty()); // others may have been active at that time
    time.end(a, "groups", 0, 10 * tick);
    CHECK(time.take().empty());
    time.end(c, "polynomials", 3 * tick, 4 * tick); // it ends when the second does
    const StageSeconds shares = time.take();
    CHECK(share_of(shares, "groups") == doctest::Approx(8 + 0.5 + 1.0 / 3));
    CHECK(share_of(shares, "check") == doctest::Approx(0.5 + 1.0 / 3));
    CHECK(share_of(shares, "polynomials") == doctest::Approx(1.0 / 3));
  }
  SUBCASE("two of a stage") {
    time.end(a, "groups", 0, 2 * tick);
    time.end(b, "groups", 0, 2 * tick);
    time.end(c, "check", tick, 2 * tick);
    const StageSeconds shares = time.take();
    CHECK(share_of(shares, "groups") == doctest::Approx(1 + 2.0 / 3));
    CHECK(share_of(shares, "check") == doctest::Approx(1.0 / 3));
  }
  SUBCASE("one that fails, and one that is said to end before it begins, have no part") {
    time.drop(a);
    time.end(b, "check", 3 * tick, 2 * tick);
    time.end(c, "groups", 0, tick);
    const StageSeconds shares = time.take();
    CHECK(shares.size() == 1);
    CHECK(share_of(shares, "groups") == doctest::Approx(1));
  }
}

TEST_CASE("time is shared out as soon as no launch on its way can have been active in it") {
  SharedTime time;
  const auto a = time.begin();
  time.end(a, "groups", tick, 3 * tick);
  CHECK(share_of(time.take(), "groups") == doctest::Approx(2));
  const auto b = time.begin(); // not before 3 s
  const auto c = time.begin();
  time.end(c, "check", 4 * tick, 5 * tick);
  CHECK(time.take().empty());
  const auto d = time.begin(); // not before 5 s
  time.end(b, "groups", 3 * tick, 6 * tick);
  const StageSeconds until_5 = time.take();
  CHECK(share_of(until_5, "groups") == doctest::Approx(1.5));
  CHECK(share_of(until_5, "check") == doctest::Approx(0.5));
  time.end(d, "check", 2 * tick, 6 * tick); // times of a clock that goes back are ignored: from 5 s on
  const StageSeconds rest = time.take();
  CHECK(share_of(rest, "groups") == doctest::Approx(0.5));
  CHECK(share_of(rest, "check") == doctest::Approx(0.5));
}

TEST_CASE("a launch that does not end holds up no more than some thousands, and all still add up") {
  SharedTime time;
  const auto stuck = time.begin();
  constexpr std::uint64_t launches = 10000;
  double sum = 0;
  for (std::uint64_t i = 0; i < launches; ++i) {
    time.end(time.begin(), "groups", i * tick, (i + 1) * tick);
    for (const auto& [stage, shared] : time.take())
      sum += shared;
  }
  CHECK(sum > launches / 2.0);
  time.end(stuck, "check", 0, launches * tick);
  const StageSeconds rest = time.take();
  CHECK(share_of(rest, "check") > 0);
  CHECK(sum + share_of(rest, "groups") + share_of(rest, "check") == doctest::Approx(launches));
}

TEST_CASE("while nothing is launched, the time goes to what the queues' threads wait for") {
  using Seconds = std::chrono::seconds;
  const IdleTime::Instant start{};
  const auto at = [&](int seconds) { return start + Seconds(seconds); };
  IdleTime time;
  time.move(IdleReason::other, IdleReason::host, at(0));
  time.plan(2, at(0));
  time.move(IdleReason::host, IdleReason::polynomials, at(1)); // the host needs 1 s
  time.move(IdleReason::polynomials, IdleReason::host, at(4)); // polynomials need 3 s
  time.move(IdleReason::host, IdleReason::kernels, at(4));
  time.move(IdleReason::other, IdleReason::host, at(4)); // a second queue takes part
  time.move(IdleReason::host, IdleReason::polynomials, at(4));
  time.launched(at(6)); // 2 s, of which each queue gets one
  time.move(IdleReason::kernels, IdleReason::host, at(7));
  time.launched(at(7));
  time.ended(at(8));
  time.ended(at(9));
  time.move(IdleReason::host, IdleReason::polynomials, at(9));
  time.plan(-2, at(10)); // 1 s more for polynomials
  const Idle idle = time.take(at(15));
  CHECK(idle[IdleReason::host] == 1);
  CHECK(idle[IdleReason::kernels] == 1);
  CHECK(idle[IdleReason::polynomials] == 5);
  CHECK(idle[IdleReason::parts] == 5);
  CHECK(idle.seconds() == 12);
  CHECK(time.take(at(15)).seconds() == 0);
}

TEST_CASE("what launches of self-tests take is no stage's") {
  DeviceTime time;
  DeviceTime::Running test(time);
  DeviceTime::Running search(time);
  test.end("", 0, 2 * tick);
  search.end("groups", tick, 2 * tick);
  const DeviceTime::Taken taken = time.take();
  CHECK(taken.stages.size() == 1);
  CHECK(share_of(taken.stages, "groups") == doctest::Approx(0.5));
  CHECK(taken.idle[IdleReason::self_tests] == doctest::Approx(1.5));
}

} // namespace tmd::engine
