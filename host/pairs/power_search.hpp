// Searches pairs by boxes on devices: some threads of the host plan units of lines ahead of the devices, others confirm
// candidates by MPFR and Arb.
#pragma once

#include "engine/boxes/search.hpp"
#include "pairs/findings.hpp"
#include "pairs/power_lines.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace tmd::pairs {

// What was done in some lines, or in several parts together.
struct PowerWork {
  PairFindings found;
  std::array<uint128, engine::boxes::tile_kinds> pairs{}; // numbers of pairs, by the kind of their tile
  std::uint64_t planted = 0;                              // pairs planted, all of which the device found
  engine::Stages stages = {};
  double seconds = 0; // device time

  void add(PowerWork other);
};

struct PowerPart {
  std::uint64_t first = 0; // the lines
  std::uint64_t last = 0;
  std::size_t device = 0;
  double cost = 0; // the unit's estimate, in that of a box
  PowerWork work;
};

struct PowerHooks {
  std::function<void(PowerPart)> searched; // called by one thread at a time; an exception from it ends the search
  // Called by one thread at a time, too, when a device has failed; the other devices do its work.
  std::function<void(std::size_t device, const std::string& why)> failed = [](std::size_t, const std::string&) {};
  engine::Interrupt interrupted = {};
  std::function<void(std::size_t)> counted; // called by any thread with the number of a unit's candidates so far
};

// The next unit to be searched; nothing if none is left. Called by several threads, and may wait.
using NextUnit = std::function<std::optional<PowerUnit>()>;

// Searches the units that next() gives, in no particular order. The calling thread drives the first device, further
// threads the others. Returns whether all were searched; after an interrupt they may not be. Throws DeviceError when
// all devices have failed, UsageError if a plan is refused, what the hooks throw, and FaultError when a device has
// given evidence of wrong results; `lost` is then called with its number.
[[nodiscard]] bool search_power_units(const PairJob& job, const PowerLines& lines, const NextUnit& next,
                                      std::span<engine::boxes::BoxSearch* const> devices, unsigned threads,
                                      const PowerHooks& hooks, const std::function<void(std::size_t)>& lost,
                                      const engine::boxes::BoxOptions& options = {});
// The same for these units.
[[nodiscard]] bool search_power_units(const PairJob& job, const PowerLines& lines, std::span<const PowerUnit> units,
                                      std::span<engine::boxes::BoxSearch* const> devices, unsigned threads,
                                      const PowerHooks& hooks, const std::function<void(std::size_t)>& lost,
                                      const engine::boxes::BoxOptions& options = {});

// The cases of planned rectangles that a device has searched.
[[nodiscard]] PairFindings judge_powers(const PairJob& job, std::span<const engine::boxes::PowerRectangle> rectangles,
                                        const engine::boxes::PlannedPairs& planned,
                                        std::span<const engine::boxes::PairCandidate> candidates);
// The number of cases next to 1 in a rectangle whose values are on one side of 1.
[[nodiscard]] uint128 count_cases_at_one(const PairJob& job, const engine::boxes::PowerRectangle& rectangle);

} // namespace tmd::pairs
