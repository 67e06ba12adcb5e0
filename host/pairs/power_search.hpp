// x^y on devices: threads of the host plan units of lines ahead of them, and others ask MPFR and Arb for what they
// find.
#pragma once

#include "engine/boxes/search.hpp"
#include "pairs/findings.hpp"
#include "pairs/power_lines.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace tmd::pairs {

// What was done in some lines, or in several parts together.
struct PowerWork {
  PairFindings found;
  std::array<uint128, engine::boxes::tile_kinds> pairs{}; // by what was done with their tiles
  std::uint64_t planted = 0;                              // pairs that the device had to find, and has found
  engine::Stages stages = {};
  double seconds = 0; // of devices

  void add(PowerWork other);
};

struct PowerPart {
  std::uint64_t first = 0; // lines
  std::uint64_t last = 0;
  std::size_t device = 0;
  double boxes = 0; // the unit's estimate
  PowerWork work;
};

struct PowerHooks {
  std::function<void(PowerPart)> searched; // by one thread at a time; what it throws ends the search
  // By one thread at a time, too: a device that has failed, and why; the others do its work.
  std::function<void(std::size_t device, const std::string& why)> failed = [](std::size_t, const std::string&) {};
  engine::Interrupt interrupted = {};
};

// Searches the units, each once and in no order, the first device by the calling thread, the others by threads of their
// own. Returns whether all were searched: not after an interrupt. Throws DeviceError when all devices have failed,
// FaultError, with the number of the device told to `lost`, when one has given evidence that it does not do what it is
// told.
[[nodiscard]] bool search_power_units(const PairJob& job, const PowerLines& lines, std::span<const PowerUnit> units,
                                      std::span<engine::boxes::BoxSearch* const> devices, unsigned threads,
                                      const PowerHooks& hooks, const std::function<void(std::size_t)>& lost,
                                      const engine::boxes::BoxOptions& options = {});

// What is found of planned rectangles once a device has searched them.
[[nodiscard]] PairFindings judge_powers(const PairJob& job, std::span<const engine::boxes::PowerRectangle> rectangles,
                                        const engine::boxes::PlannedPowers& planned,
                                        std::span<const engine::boxes::PowerCandidate> candidates);
// How many pairs of a rectangle whose values are on one side of 1 are cases next to 1.
[[nodiscard]] uint128 count_cases_at_one(const PairJob& job, const engine::boxes::PowerRectangle& rectangle);

} // namespace tmd::pairs
