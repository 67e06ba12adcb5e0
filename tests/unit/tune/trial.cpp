// Trials as JSON.
#include "tune/trial.hpp"
#include "tune/worker.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace tmd;
using namespace tmd::tune;

TEST_CASE("trials from others are checked") {
  Trial trial;
  const Message good = to_json(trial);
  CHECK(from_json(good, trial));
  for (const char* member : {"type", "part", "state", "seconds", "ratios", "tunables"}) {
    Message bad = good;
    bad.erase(member);
    CHECK_FALSE(from_json(bad, trial));
    bad[member] = 3;
    CHECK_FALSE(from_json(bad, trial));
  }
  Message bad = good;
  bad["seconds"]["whole"] = -1;
  CHECK_FALSE(from_json(bad, trial));
  bad = good;
  bad["tunables"]["phase1.items"] = "0";
  CHECK_FALSE(from_json(bad, trial));
  bad = good;
  bad["tunables"].erase("phase1.items"); // of another version, say
  CHECK_FALSE(from_json(bad, trial));
  CHECK_FALSE(from_json(Message(), trial));
}
