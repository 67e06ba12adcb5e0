// Sums of stages, and stages by name.
#include "host/engine/stage.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace tmd::engine {

namespace {

constexpr Stage first{"first", "first stage", "things", "things", true, 10, 4, 0.5};
constexpr Stage second{"second", "second stage", "others", "others", false, 3, 0, 0.25};

} // namespace

TEST_CASE("stages add up by their names") {
  Stages sum{first};
  add(sum, {second, first});
  REQUIRE(sum.size() == 2);
  CHECK(sum[0].name == "first");
  CHECK(sum[0].tested == 20);
  CHECK(sum[0].kept == 8);
  CHECK(sum[0].seconds == 1);
  CHECK(sum[1].name == "second"); // a stage that was not there is appended
  CHECK(sum[1].tested == 3);
  CHECK_FALSE(sum[1].filters);
  CHECK(sum[1].unit == "others");
  add(sum, {});
  CHECK(sum.size() == 2);
  CHECK(seconds_of(sum) == 1.25);
  CHECK(seconds_of({}) == 0);
}

TEST_CASE("a stage by its name; one in which nothing was done where there is none") {
  const Stages stages{first, second};
  CHECK(stage(stages, "second").tested == 3);
  CHECK(stage(stages, "second").title == "second stage");
  const Stage missing = stage(stages, "third");
  CHECK(missing.name == "third");
  CHECK(missing.tested == 0);
  CHECK(missing.kept == 0);
  CHECK(missing.seconds == 0);
}

TEST_CASE("a stage is reset to what stages have of it") {
  Stage counts = second;
  counts.tested = 99;
  counts.reset_to({first, second});
  CHECK(counts.tested == 3);
  CHECK(counts.seconds == 0.25);
  CHECK(counts.title == "second stage");
  counts.reset_to({first});
  CHECK(counts.tested == 0);
  CHECK(counts.kept == 0);
  CHECK(counts.seconds == 0);
  CHECK(counts.unit == "others"); // the description is kept
  CHECK_FALSE(counts.filters);
}

} // namespace tmd::engine
