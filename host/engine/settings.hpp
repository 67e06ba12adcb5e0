// How a search is made: what the user chooses, and what is fitted to the device. None of it changes what is found.
#pragma once

#include "device/costs.hpp"
#include "device/tunables.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tmd {

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

// What the user chooses.
struct Choices {
  std::string algorithm = "auto"; // "auto", or one of an engine's
  std::optional<int> domain_bits; // log2 of the arguments in a domain, or in a group of the wide test, at most
  std::optional<int> split_bits;  // log2 of the sub-domains in a domain
  Polynomials polynomials = Polynomials::automatic;
  Deployment deployment = Deployment::three;
  Compaction compaction = Compaction::automatic;
  bool check_all_polynomials = false; // of those that the device makes; else a sample
  bool test_all_kernels = false;      // in self-tests, also those that are not used; else each when it is first used
  bool on_gpu = false;                // not chosen, but known: a GPU takes part;
  bool is_short = false;              // the search may be through before kernels would have been compiled well
};

// What an engine is opened with.
struct EngineSettings {
  Choices choices;   // `polynomials` decided
  Tunables tunables; // of the device
  Costs costs;
  unsigned host_threads = 1;     // that make polynomials and confirm
  unsigned planning_threads = 1; // that plan ahead of the device, and as many that confirm behind it
  // Gets a warning, a sentence for the user, when a device lacks what a setting needs and does without. May be empty.
  std::function<void(const std::string& sentence)> warn = {};
};

} // namespace tmd
