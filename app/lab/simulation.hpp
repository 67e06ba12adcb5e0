// A search by very many devices on a clock of its own: the dispatcher, the messages and the journal are those of real
// searches, and the devices are only rates. It shows how well rank 0 keeps so many busy.
#pragma once

#include "app/lab/production.hpp"
#include "job/job.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace tmd::cluster {

struct Simulation {
  job::Job job;
  std::vector<engine::Field> fields; // to be searched
  std::vector<double> rates;         // of each device: arguments per second, on average over the range
  // Relative costs of arguments, in equal shares of the range; empty: all arguments cost the same.
  std::vector<double> costs;
  double jitter = 0.1;    // greatest relative deviation of a part's time
  double overhead = 1e-3; // seconds that each part costs its device, however short it is
  double latency = 1e-4;  // seconds that a message takes
  std::size_t losses = 0; // number of devices that fail, at random moments
  std::uint64_t seed = 1;
  std::optional<double> service; // seconds that rank 0 takes for a message; without it, they are measured here
  std::filesystem::path journal; // file that is written; the caller removes it
};

struct SimulatedSearch {
  double seconds = 0;  // on the simulated clock, from the first message to the last
  double ideal = 0;    // seconds that the devices would take if none ever waited
  double idle = 0;     // share of the devices' time that they wait
  double end_game = 0; // seconds from the moment when the first device gets nothing more to the end
  double busy = 0;     // measured processor seconds of rank 0
  std::uint64_t parts = 0;
  std::uint64_t messages = 0; // number that rank 0 receives
  std::uint64_t records = 0;  // number in the journal

  [[nodiscard]] double efficiency() const { return ideal / seconds; }
};

// Throws SoundnessError if the dispatcher has not had every argument searched exactly once, and UsageError if the
// journal cannot be written.
[[nodiscard]] SimulatedSearch simulate(const Simulation& simulation);

} // namespace tmd::cluster
