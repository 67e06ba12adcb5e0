// How a search is made, as far as whoever asks for it may choose. None of it changes what is found.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tmd {

// How survivors are compacted; `automatic` goes by the share that survived before.
enum class Compaction { automatic, atomic, scan };
inline constexpr std::array<std::string_view, 3> compaction_names{"auto", "atomic", "scan"};
[[nodiscard]] constexpr std::string_view to_string(Compaction compaction) {
  return compaction_names[static_cast<unsigned>(compaction)];
}

// A kernel for each phase, or one for all.
enum class Deployment { three, one };
inline constexpr std::array<std::string_view, 2> deployment_names{"three", "one"};
[[nodiscard]] constexpr std::string_view to_string(Deployment deployment) {
  return deployment_names[static_cast<unsigned>(deployment)];
}

// Where the domains' coefficients are made: by the host, or by the device, which shifts the interval's polynomial to
// its packets itself.
enum class Polynomials { automatic, host, hybrid };
inline constexpr std::array<std::string_view, 3> polynomials_names{"auto", "host", "hybrid"};
[[nodiscard]] constexpr std::string_view to_string(Polynomials polynomials) {
  return polynomials_names[static_cast<unsigned>(polynomials)];
}

// How a CPU's OpenCL runtime uses SIMD units. It is asked for through the runtimes' own environment variables, which
// they read at the first OpenCL call of the process: a mode belongs to a process. `automatic` leaves the variables
// alone, and a variable that is set already stays.
enum class CpuMode { automatic, scalar, vector };
inline constexpr std::array<std::string_view, 3> cpu_mode_names{"auto", "scalar", "vector"};
[[nodiscard]] constexpr std::string_view to_string(CpuMode mode) { return cpu_mode_names[static_cast<unsigned>(mode)]; }

struct Choices {
  std::string algorithm = "auto"; // "auto", or one of an engine's
  std::optional<int> domain_bits; // log2 of the arguments in a domain, or in a group of the wide test, at most
  std::optional<int> split_bits;  // log2 of the sub-domains in a domain
  Polynomials polynomials = Polynomials::automatic;
  Deployment deployment = Deployment::three;
  Compaction compaction = Compaction::automatic;
  bool check_all_polynomials = false; // of those that the device makes; else a sample
  bool test_all_kernels = false;      // in self-tests, also those that are not used; else each when it is first used
  // Not chosen: a search sets these two itself.
  bool on_gpu = false;   // a GPU takes part
  bool is_short = false; // the search may be through before kernels would have been compiled well
};

} // namespace tmd
