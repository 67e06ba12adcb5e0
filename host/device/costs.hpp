// What the planner weighs plans with: how long things take on a device and its host, relative to one regular existence
// test on that device. Results do not depend on them, only speed. One table, from which profiles are read and written.
#pragma once

#include "opencl/device.hpp"

#include <array>
#include <string_view>

namespace tmd {

struct Tunables;

struct Costs {
  double polynomial = 0.25;         // one domain's coefficients, made by the device
  double polynomial_by_host = 0.25; // the same, made by the host
  double lefevre = 1.05;            // one Lefèvre test
  double argument = 0.01;           // evaluating one argument in phase 3
  double confirmation = 200;        // confirming one candidate in MPFR
  double interval = 1e5;            // planning an interval, and its launches
  double wide_group = 1.5;          // the wide test: beginning with a group,
  double wide_line = 0.1;           // each of its lines,
  double wide_filtered_line = 0.04; // or of those that the filter has looked at before,
  double wide_candidate = 3;        // each of its candidates,
  double wide_part = 20;            // each part of a group that it refuses

  bool operator==(const Costs&) const = default;
};

struct Cost {
  std::string_view name;
  double Costs::*value;
};

inline constexpr std::array<Cost, 11> cost_table{{{"polynomial", &Costs::polynomial},
                                                  {"polynomial-by-host", &Costs::polynomial_by_host},
                                                  {"lefevre", &Costs::lefevre},
                                                  {"argument", &Costs::argument},
                                                  {"confirmation", &Costs::confirmation},
                                                  {"interval", &Costs::interval},
                                                  {"wide.group", &Costs::wide_group},
                                                  {"wide.line", &Costs::wide_line},
                                                  {"wide.filtered-line", &Costs::wide_filtered_line},
                                                  {"wide.candidate", &Costs::wide_candidate},
                                                  {"wide.part", &Costs::wide_part}}};

// The costs of a device that nobody has measured, with these tunables.
[[nodiscard]] Costs default_costs(const opencl::DeviceDescription& device, const Tunables& tunables);

// Sets one cost by its name. Throws UsageError for an unknown name, or a value that is not positive and finite.
void set_cost(Costs& costs, std::string_view name, double value);

} // namespace tmd
