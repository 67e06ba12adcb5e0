// The stages of a search on a device: what each has tested, what it has kept, and how long it took. Reports, records
// and comparisons know stages only by what stands here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tmd::engine {

// One step of an engine. The texts live as long as the program.
struct Stage {
  std::string_view name;  // of its record: "phase1"; no two stages of all engines share one
  std::string_view title; // in tables: "phase 1"
  std::string_view unit;  // of what is tested: "sub-domains"
  std::string_view key;   // of their number in records: "domains"
  bool filters = true;    // else it makes something for other stages, and `kept` says nothing
  std::uint64_t tested = 0;
  std::uint64_t kept = 0;
  double seconds = 0;          // of the device
  bool counts_planted = false; // what it has tested are cases that were planted for the device to find
  bool of_host = false;        // the seconds are the host's

  // Counts as the stage of this name among `stages` has them; nothing where there is none.
  void reset_to(const std::vector<Stage>& stages);
};

using Stages = std::vector<Stage>;

// Adds up stage by stage; a stage that `sum` has not is appended.
void add(Stages& sum, const Stages& more);
// The time for all of them, and what of it is the device's.
[[nodiscard]] double seconds_of(const Stages& stages);
[[nodiscard]] double device_seconds_of(const Stages& stages);
// The stage of that name; one in which nothing was done where there is none.
[[nodiscard]] Stage stage(const Stages& stages, std::string_view name);

} // namespace tmd::engine
