// The choices of how a search is made. None of them changes its findings.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tmd {

// How survivors are compacted; `automatic` decides by the previous share of survivors.
enum class Compaction { automatic, atomic, scan };
inline constexpr std::array<std::string_view, 3> compaction_names{"auto", "atomic", "scan"};
[[nodiscard]] constexpr std::string_view to_string(Compaction compaction) {
  return compaction_names[static_cast<unsigned>(compaction)];
}

// One kernel for each phase, or one for all.
enum class Deployment { three, one };
inline constexpr std::array<std::string_view, 2> deployment_names{"three", "one"};
[[nodiscard]] constexpr std::string_view to_string(Deployment deployment) {
  return deployment_names[static_cast<unsigned>(deployment)];
}

// Who computes the domains' coefficients: the host, or the device, which shifts the interval's polynomial to its
// packets.
enum class Polynomials { automatic, host, hybrid };
inline constexpr std::array<std::string_view, 3> polynomials_names{"auto", "host", "hybrid"};
[[nodiscard]] constexpr std::string_view to_string(Polynomials polynomials) {
  return polynomials_names[static_cast<unsigned>(polynomials)];
}

// How a CPU's OpenCL runtime uses SIMD units. It is set by the runtimes' own environment variables, which they read at
// the first OpenCL call, so a mode belongs to a process. `automatic` leaves the variables alone, and variables that are
// set already stay.
enum class CpuMode { automatic, scalar, vector };
inline constexpr std::array<std::string_view, 3> cpu_mode_names{"auto", "scalar", "vector"};
[[nodiscard]] constexpr std::string_view to_string(CpuMode mode) { return cpu_mode_names[static_cast<unsigned>(mode)]; }

struct Choices {
  std::string algorithm = "auto"; // "auto", or one of an engine's algorithms
  std::optional<int> domain_bits; // log2 of the arguments in a domain; in a group of the wide test, a maximum
  std::optional<int> split_bits;  // log2 of the sub-domains in a domain
  Polynomials polynomials = Polynomials::automatic;
  Deployment deployment = Deployment::three;
  Compaction compaction = Compaction::automatic;
  bool check_all_polynomials = false; // of the device's polynomials; otherwise a sample
  bool test_all_kernels = false;      // in self-tests, even unused ones; otherwise each is tested before its first use
  // The search itself sets the following three.
  bool on_gpu = false;       // whether a GPU takes part
  bool is_short = false;     // whether the search may end before kernels could be compiled well
  bool joins_claims = false; // whether one work may serve several claims
};

} // namespace tmd
