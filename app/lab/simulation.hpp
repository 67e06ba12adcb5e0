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
  std::vector<engine::Field> fields; // what is searched
  std::vector<double> rates;         // of each device, in arguments a second, on average over the range
  // What an argument costs, relative to others, in as many equal shares of the range; none: all cost the same.
  std::vector<double> costs;
  double jitter = 0.1;    // parts take up to so much of their time longer or shorter
  double overhead = 1e-3; // of each part on its device, however short it is, seconds
  double latency = 1e-4;  // of a message, seconds
  std::size_t losses = 0; // devices that are lost on the way, at random moments
  std::uint64_t seed = 1;
  std::optional<double> service; // seconds that rank 0 takes for a message; else what it takes here is measured
  std::filesystem::path journal; // is written; the caller removes it
};

struct SimulatedSearch {
  double seconds = 0;  // on that clock, from the first message to the last
  double ideal = 0;    // what the devices would take if none ever waited
  double idle = 0;     // share of the devices' time in which they wait
  double end_game = 0; // seconds from when the first device gets nothing more to the end
  double busy = 0;     // processor seconds of rank 0, measured
  std::uint64_t parts = 0;
  std::uint64_t messages = 0; // that rank 0 receives
  std::uint64_t records = 0;  // of the journal

  [[nodiscard]] double efficiency() const { return ideal / seconds; }
};

// Throws SoundnessError where the dispatcher has not had every argument searched once, and UsageError where the journal
// cannot be written.
[[nodiscard]] SimulatedSearch simulate(const Simulation& simulation);

} // namespace tmd::cluster
