#include "engine/stage.hpp"

#include <algorithm>

namespace tmd::engine {

void Stage::reset_to(const std::vector<Stage>& stages) {
  const Stage known = stage(stages, name);
  tested = known.tested;
  kept = known.kept;
  seconds = known.seconds;
}

void add(Stages& sum, const Stages& more) {
  for (const Stage& one : more) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const Stage& other) { return other.name == one.name; });
    if (same == sum.end()) {
      sum.push_back(one);
      continue;
    }
    same->tested += one.tested;
    same->kept += one.kept;
    same->seconds += one.seconds;
  }
}

double seconds_of(const Stages& stages) {
  double sum = 0;
  for (const Stage& one : stages)
    sum += one.seconds;
  return sum;
}

double device_seconds_of(const Stages& stages) {
  double sum = 0;
  for (const Stage& one : stages)
    sum += one.of_host ? 0 : one.seconds;
  return sum;
}

Stage stage(const Stages& stages, std::string_view name) {
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const Stage& one) { return one.name == name; });
  return found != stages.end() ? *found : Stage{name, name, "", "tested", true};
}

} // namespace tmd::engine
