// The stages of a search on a device: their counts and times. Reports, records and comparisons know stages only by what
// is in this file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tmd::engine {

// One step of an engine. The texts live as long as the program.
struct Stage {
  std::string_view name;  // name in records: "phase1"; no two stages of all engines share one
  std::string_view title; // name in tables: "phase 1"
  std::string_view unit;  // plural of the tested items: "sub-domains"
  std::string_view key;   // key of their number in records: "domains"
  bool filters = true;    // else it makes something for other stages, and `kept` means nothing
  std::uint64_t tested = 0;
  std::uint64_t kept = 0;
  double seconds = 0;          // device time
  bool counts_planted = false; // the tested items are planted cases
  bool of_host = false;        // the seconds are the host's

  // Takes the counts of the stage with this name in `stages`; zeros if there is none.
  void reset_to(const std::vector<Stage>& stages);
};

using Stages = std::vector<Stage>;

// Adds up stage by stage; a stage that `sum` lacks is appended.
void add(Stages& sum, const Stages& more);
// The time of all stages, and the part that is the device's.
[[nodiscard]] double seconds_of(const Stages& stages);
[[nodiscard]] double device_seconds_of(const Stages& stages);
// The stage of that name; an empty one if there is none.
[[nodiscard]] Stage stage(const Stages& stages, std::string_view name);

} // namespace tmd::engine
