// How a search was made, beside the job itself: what a result file says of its origin.
#pragma once

#include "device/tunables.hpp"
#include "engine/cpu_modes.hpp"
#include "function/function.hpp"
#include "job/shard.hpp"
#include "opencl/device.hpp"
#include "result/journal_device.hpp"
#include "result/program.hpp"
#include "tmd/integer.hpp"
#include "tmd/search_spec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmd::result {

// A device of a search, and how it was used.
struct DeviceUse {
  opencl::DeviceDescription device;
  device::Tunables tunables;
  std::string profile;                                      // where the tunables come from
  std::string polynomials;                                  // where its coefficients are made
  std::optional<engine::CpuModes> cpu_modes = std::nullopt; // known when the search has ended
  std::optional<int> rank = std::nullopt;                   // that uses it, in searches over MPI

  // "device 0", or "device 0 of HOST (rank 3)".
  [[nodiscard]] std::string place() const;
};

// Random parts of a search that were searched again in one way, and what was found was the same.
struct AuditReport {
  std::string algorithm;
  std::string way; // "by the wide test"
  uint128 arguments = 0;
  std::uint64_t cases = 0;   // of every kind, in those parts
  std::uint64_t planted = 0; // cases that were planted for the device, which has found them
  double seconds = 0;
  std::uint64_t seed = 0; // of what chose the parts
};

struct RunDescription {
  Program program;
  std::string command; // for people
  SearchSpec request;  // without functions where several results were merged
  std::string from;    // the range as the user wrote it
  std::string to;
  std::vector<DeviceUse> devices; // in the result's order; none where a journal had all
  std::vector<AuditReport> audits = {};
  Symmetry symmetry = Symmetry::none; // for which only x ≥ 0 was searched
  std::optional<job::Shard> shard = std::nullopt;
  std::vector<JournalDevice> earlier = {};  // where a journal had all
  std::vector<Program> other_programs = {}; // which have found some of it
};

} // namespace tmd::result
