// The settings with which an engine is opened: the user's choices, and values for the device.
#pragma once

#include "device/costs.hpp"
#include "device/tunables.hpp"
#include "tmd/choices.hpp"

#include <functional>
#include <string>

namespace tmd::engine {

struct EngineSettings {
  Choices choices;           // with `polynomials` decided
  device::Tunables tunables; // the device's
  device::Costs costs;
  unsigned host_threads = 1;     // threads that make polynomials and confirm
  unsigned planning_threads = 1; // threads that plan ahead of the device; as many confirm behind it
  // Called with a warning, a sentence for the user, if a device lacks something that a setting needs and does without.
  // May be empty.
  std::function<void(const std::string& sentence)> warn = {};
};

} // namespace tmd::engine
