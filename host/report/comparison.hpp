// The same search by several devices, tests, CPU modes and deployments: what each gave, and how they compare.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

struct ComparedDevice {
  std::size_t index = 0; // as --device takes it
  std::string name;
  std::string platform;
  std::string device_class;
  std::string driver;
  unsigned simd_width = 1;
  std::optional<double> watts; // under load, as the user says
};

// What the records of one `tmd search --json` say. Times in seconds.
struct MeasuredSearch {
  double polynomials = 0; // on the device
  double phase1 = 0;
  double phase2 = 0;
  double phase3 = 0;
  double wide = 0; // the wide test, its check and what it refused
  double wall = 0; // plans, coefficients and confirmation on the host too; no start of the program
  double arguments = 0;
  std::vector<std::string> cases;                     // the case and exact records as they stand
  std::size_t case_count = 0;                         // of case records
  std::map<std::string, std::string> modes_in_effect; // CPU modes by the part of the search, where they are known

  // Of the kernels.
  [[nodiscard]] double device_seconds() const { return polynomials + phase1 + phase2 + phase3 + wide; }
};

// Throws DeviceError when the text is not a search's complete records.
[[nodiscard]] MeasuredSearch read_search_records(std::string_view lines);
// NMDM by SIMD width of one `tmd bench divergence --json`. Throws DeviceError likewise.
[[nodiscard]] std::map<unsigned, double> read_divergence_record(std::string_view lines);

struct ComparisonCell {
  enum class State { waiting, done, failed, differing };

  std::size_t device = 0; // position in Comparison::devices
  std::string algorithm;
  std::string cpu_mode; // as asked for
  std::string deployment;
  State state = State::waiting;
  std::string failure; // a sentence, where it failed or found other cases than the first
  std::vector<MeasuredSearch> runs;

  // The run whose device time is the median. Only for a cell that is done.
  [[nodiscard]] const MeasuredSearch& median() const;
};

struct Comparison {
  std::string job; // in words
  std::vector<ComparedDevice> devices;
  std::vector<ComparisonCell> cells;
  std::map<std::string, std::map<unsigned, double>> nmdm; // by algorithm and SIMD width

  // Takes a run into a cell. One that found other cases than the comparison's first makes the cell differ.
  void add(std::size_t cell, MeasuredSearch run);
  [[nodiscard]] std::size_t count(ComparisonCell::State state) const;
  // Of the cells that are done, the one with the least device time: of all, or of one device.
  [[nodiscard]] const ComparisonCell* fastest(std::optional<std::size_t> device = {}) const;
  // How often a cell's device time fits into that of the slowest.
  [[nodiscard]] double ratio(const ComparisonCell& cell) const;
  // How much faster than Lefèvre's test, all else alike (seed 004, figures 5.1 and 5.2); nothing without one.
  [[nodiscard]] std::optional<double> gain(const ComparisonCell& cell) const;
  // Of the cell's test in groups of its device's SIMD width.
  [[nodiscard]] std::optional<double> nmdm_of(const ComparisonCell& cell) const;
  // Arguments per second of device time, and per joule where the watts are known.
  [[nodiscard]] static double rate(const ComparisonCell& cell);
  [[nodiscard]] std::optional<double> arguments_per_joule(const ComparisonCell& cell) const;
  // "device 1, lefevre, CPU mode vector, deployment three".
  [[nodiscard]] std::string describe(const ComparisonCell& cell) const;
};

} // namespace tmd
