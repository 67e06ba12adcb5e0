// Trials as JSON.
#include "tune/trial.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace tmd::tune;
using Json = nlohmann::ordered_json;

TEST_CASE("trials from others are checked") {
  const Settings default_values{{"phase1.items", "1"}, {"phase1.logms", "3"}};
  Trial trial;
  trial.settings = {{"phase1.logms", "7"}};
  trial.seconds = {{Part::whole, 2}};
  trial.ratios = {{Part::whole, 0.5}};
  const Json good = to_json(trial, default_values);
  REQUIRE(read_trial(good, default_values));
  CHECK(read_trial(good, default_values)->settings == trial.settings);
  CHECK(read_trial(good, default_values)->ratios == trial.ratios);
  for (const char* member : {"type", "part", "state", "seconds", "ratios", "tunables"}) {
    Json bad = good;
    bad.erase(member);
    CHECK_FALSE(read_trial(bad, default_values));
    bad[member] = 3;
    CHECK_FALSE(read_trial(bad, default_values));
  }
  Json bad = good;
  bad["ratios"]["whole"] = -1;
  CHECK_FALSE(read_trial(bad, default_values));
  bad = good;
  bad["tunables"]["phase1.nothing"] = "0"; // for instance, of another version
  CHECK_FALSE(read_trial(bad, default_values));
  CHECK_FALSE(read_trial(Json(), default_values));
}
