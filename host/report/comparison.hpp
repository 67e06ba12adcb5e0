// Compares the same search by several devices, tests, CPU modes and deployments.
#pragma once

#include "opencl/kernel_files.hpp"
#include "result/recorded_search.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::report {

struct ComparedDevice {
  std::size_t index = 0; // as --device takes it
  std::string name;
  std::string platform;
  std::string device_class;
  std::string driver;
  unsigned simd_width = 1;
};

// NMDM by SIMD width from `tmd-lab divergence --json`. Throws DeviceError if the text has no complete record.
[[nodiscard]] std::map<unsigned, double> read_divergence_record(std::string_view lines);

struct ComparisonCell {
  enum class State { waiting, done, failed, differing };

  std::size_t device = 0; // position in Comparison::devices
  std::string algorithm;
  std::string cpu_mode; // the requested mode
  std::string deployment;
  State state = State::waiting;
  std::string failure; // a sentence, if it failed or found other cases than the first cell
  std::vector<result::RecordedSearch> runs;

  // The run whose device time is the median. Requires a complete cell.
  [[nodiscard]] const result::RecordedSearch& median() const;
  // The device time of that run.
  [[nodiscard]] double device_seconds() const { return engine::seconds_of(median().summary->stages); }
};

struct Comparison {
  std::string job; // description for people
  opencl::KernelUse kernels;
  std::vector<ComparedDevice> devices;
  std::vector<ComparisonCell> cells;
  std::map<std::string, std::map<unsigned, double>> nmdm; // by algorithm and SIMD width

  // Adds a run to a cell. If it found other cases than the comparison's first run, the cell is marked as different.
  void add(std::size_t cell, result::RecordedSearch run);
  [[nodiscard]] std::size_t count(ComparisonCell::State state) const;
  // The complete cell with the least device time, of all or of one device.
  [[nodiscard]] const ComparisonCell* fastest(std::optional<std::size_t> device = {}) const;
  // The device time of the slowest cell divided by that of this cell.
  [[nodiscard]] double ratio(const ComparisonCell& cell) const;
  // The speed relative to Lefèvre's test with all else equal (seed 004, figures 5.1 and 5.2); nothing without such a
  // cell.
  [[nodiscard]] std::optional<double> gain(const ComparisonCell& cell) const;
  // NMDM of the cell's test for groups of its device's SIMD width.
  [[nodiscard]] std::optional<double> nmdm_of(const ComparisonCell& cell) const;
  // Arguments per second of device time.
  [[nodiscard]] static double rate(const ComparisonCell& cell);
  // "device 1, lefevre, CPU mode vector, deployment three".
  [[nodiscard]] std::string describe(const ComparisonCell& cell) const;
};

} // namespace tmd::report
