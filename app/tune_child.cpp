#include "tune_child.hpp"

#include "interrupt.hpp"
#include "run_child.hpp"

#include "engine/registry.hpp"
#include "tmd/error.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tmd::app {

tune::Settings values_of(const device::Tunables& tunables) {
  tune::Settings values;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    values[std::string(tunable.name)] = device::to_string(tunable, tunables[tunable]);
  return values;
}

tune::ChildSearch tuning_child(const tune::TuningDescription& tuning, SearchSpec spec, double patience) {
  constexpr std::string_view building = "building kernel"; // beginning of such a failure's text
  tune::Settings tunables(spec.tunables.begin(), spec.tunables.end());
  tunables.insert(tuning.default_values.begin(), tuning.default_values.end()); // values that are set stay
  spec.tunables.assign(tunables.begin(), tunables.end());
  spec.devices = {std::to_string(tuning.device.index)};
  spec.cpu_mode = tuning.cpu_mode;
  spec.foreign_kernels = tuning.kernels.foreign;
  ChildEnd end = run_search({spec}, patience, interrupted);
  if (end.kind == ChildEnd::Kind::interrupted || interrupted())
    throw Interrupted();
  tune::State state = tune::State::runtime;
  if (end.has_ended())
    state = tune::State::ok;
  else if (end.kind == ChildEnd::Kind::timed_out)
    state = tune::State::timeout;
  else if (end.kind == ChildEnd::Kind::exited && end.number == static_cast<int>(Status::unsound))
    state = tune::State::incorrect;
  else if (end.sentence().starts_with(building))
    state = tune::State::compile;
  return {state, std::move(end.records), end.has_ended() ? "" : end.sentence()};
}

} // namespace tmd::app
