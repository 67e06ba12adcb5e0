// The same search by several devices, tests, CPU modes and deployments: what each gave, and how they compare.
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

// NMDM by SIMD width of one `tmd-lab divergence --json`. Throws DeviceError when the text has no
// complete record.
[[nodiscard]] std::map<unsigned, double> read_divergence_record(std::string_view lines);

struct ComparisonCell {
  enum class State { waiting, done, failed, differing };

  std::size_t device = 0; // position in Comparison::devices
  std::string algorithm;
  std::string cpu_mode; // as asked for
  std::string deployment;
  State state = State::waiting;
  std::string failure; // a sentence, where it failed or found other cases than the first
  std::vector<result::RecordedSearch> runs;

  // The run whose device time is the median. Only for a cell that is done.
  [[nodiscard]] const result::RecordedSearch& median() const;
  // Its device time.
  [[nodiscard]] double device_seconds() const { return engine::seconds_of(median().summary->stages); }
};

struct Comparison {
  std::string job; // in words
  opencl::KernelUse kernels;
  std::vector<ComparedDevice> devices;
  std::vector<ComparisonCell> cells;
  std::map<std::string, std::map<unsigned, double>> nmdm; // by algorithm and SIMD width

  // Takes a run into a cell. One that found other cases than the comparison's first makes the cell differ.
  void add(std::size_t cell, result::RecordedSearch run);
  [[nodiscard]] std::size_t count(ComparisonCell::State state) const;
  // Of the cells that are done, the one with the least device time: of all, or of one device.
  [[nodiscard]] const ComparisonCell* fastest(std::optional<std::size_t> device = {}) const;
  // How often a cell's device time fits into that of the slowest.
  [[nodiscard]] double ratio(const ComparisonCell& cell) const;
  // How much faster than Lefèvre's test, all else alike (seed 004, figures 5.1 and 5.2); nothing without one.
  [[nodiscard]] std::optional<double> gain(const ComparisonCell& cell) const;
  // Of the cell's test in groups of its device's SIMD width.
  [[nodiscard]] std::optional<double> nmdm_of(const ComparisonCell& cell) const;
  // Arguments per second of device time.
  [[nodiscard]] static double rate(const ComparisonCell& cell);
  // "device 1, lefevre, CPU mode vector, deployment three".
  [[nodiscard]] std::string describe(const ComparisonCell& cell) const;
};

} // namespace tmd::report
