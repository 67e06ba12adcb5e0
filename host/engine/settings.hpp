// What an engine is opened with: what the user chooses, and what is fitted to the device.
#pragma once

#include "device/costs.hpp"
#include "device/tunables.hpp"
#include "tmd/choices.hpp"

#include <functional>
#include <string>

namespace tmd::engine {

struct EngineSettings {
  Choices choices;           // `polynomials` decided
  device::Tunables tunables; // of the device
  device::Costs costs;
  unsigned host_threads = 1;     // that make polynomials and confirm
  unsigned planning_threads = 1; // that plan ahead of the device, and as many that confirm behind it
  // Gets a warning, a sentence for the user, when a device lacks what a setting needs and does without. May be empty.
  std::function<void(const std::string& sentence)> warn = {};
};

} // namespace tmd::engine
