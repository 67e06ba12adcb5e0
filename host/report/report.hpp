// What a search leaves behind: tables for people, CORE-MATH's .wc lists, JSON Lines for programs.
#pragma once

#include "opencl/device.hpp"
#include "device/cpu_modes.hpp"
#include "search/search.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd {

// A device of a search, and how it was used.
struct DeviceUse {
  opencl::DeviceDescription device;
  Tunables tunables;
  std::string profile;                              // where the tunables come from
  std::string polynomials;                          // where its coefficients are made
  std::optional<CpuModes> cpu_modes = std::nullopt; // known when the search has ended
};

// How a search was made, beside the job itself.
struct RunDescription {
  std::string version;
  std::string command; // the command line
  std::string from;    // the range as the user wrote it
  std::string to;
  std::string algorithm; // as asked for
  std::string deployment;
  std::string compaction;
  std::vector<DeviceUse> devices; // at least one, in the result's order
};

// One line: what is searched.
[[nodiscard]] std::string describe(const SearchJob& job, const RunDescription& run);
// The cases, hardest first, one a line under a heading; few exact cases too.
[[nodiscard]] std::string case_table(const SearchResult& result);
// The devices, a line each.
[[nodiscard]] std::string describe_devices(const RunDescription& run);
// Counts and times of polynomials and phases, coverage.
[[nodiscard]] std::string summary_table(const SearchJob& job, const SearchResult& result);
// Of several devices: what each took, and its time. Nothing for one.
[[nodiscard]] std::string device_table(const RunDescription& run, const SearchResult& result);
// Which algorithm how many intervals got, and for a few pieces the expected costs that decided it.
[[nodiscard]] std::string method_table(const SearchResult& result);
// What CPU mode was asked for and what each kernel got; empty where that says nothing.
[[nodiscard]] std::string cpu_mode_table(const std::optional<CpuModes>& modes);
// Every term of the error ledger for every piece, as powers of two.
[[nodiscard]] std::string ledger_table(const SearchResult& result);

// CORE-MATH's list: comments that say how it was made, then one hex float a line, hardest first.
[[nodiscard]] std::string wc_file(const SearchJob& job, const RunDescription& run, const SearchResult& result);
// JSON Lines: a `search` record, one `case` or `exact` record a line, a `summary` record last.
[[nodiscard]] std::string json_lines(const SearchJob& job, const RunDescription& run, const SearchResult& result);

} // namespace tmd
