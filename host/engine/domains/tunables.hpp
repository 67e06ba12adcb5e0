// The variants of the existence tests, their tunables and their costs.
#pragma once

#include "device/tuning.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace tmd::engine::domains {

// The existence tests; the numbers are TMD_ALGORITHM's in cl_kernels/domains/existence.clh.
enum class Test { regular = 1, lefevre = 2, lefevre_plain = 3, lefevre_swap = 4 };
inline constexpr std::array<std::string_view, 4> test_names{"regular", "lefevre", "lefevre-plain", "lefevre-swap"};
[[nodiscard]] constexpr std::string_view to_string(Test test) { return test_names[static_cast<unsigned>(test) - 1]; }

// Division strategies; the numbers are TMD_DIVISION's in cl_kernels/domains/division.clh.
enum class Division { native = 1, subtract, hybrid, reciprocal, double_lengths, double_reciprocal };
inline constexpr std::array<std::string_view, 6> division_names{"native",     "subtract", "hybrid",
                                                                "reciprocal", "double",   "double-reciprocal"};
[[nodiscard]] constexpr std::string_view to_string(Division division) {
  return division_names[static_cast<unsigned>(division) - 1];
}

// Bits after the binary point of the lengths that a strategy computes with.
[[nodiscard]] constexpr int length_bits(Division division) {
  return division == Division::double_lengths || division == Division::double_reciprocal ? 52 : 64;
}

// Whether the test has a form in explicit vectors.
[[nodiscard]] constexpr bool comes_in_vectors(Test test, Division division) {
  return (test == Test::regular || test == Test::lefevre) && length_bits(division) == 52;
}

// Whether an algorithm has, or may choose, a test in explicit vectors: all but the papers' forms of Lefèvre's test.
[[nodiscard]] constexpr bool comes_in_vectors(std::string_view algorithm) {
  for (std::size_t i = 0; i < test_names.size(); ++i)
    if (test_names[i] == algorithm)
      return comes_in_vectors(static_cast<Test>(i + 1), Division::double_lengths);
  return true;
}

inline constexpr auto domain_tunables = std::to_array<device::Tunable>({
    {"phase1.work-group-size", 1, 1024, 128, "work-items in a work-group"},
    {"phase1.items", 1, 4096, 1, "domains that a work-item tests"},
    {"phase1.division", 1, 6, static_cast<std::int64_t>(Division::hybrid), "how quotients are computed",
     division_names},
    {"phase1.logms", 0, 64, 3, "hybrid: divide when the quotient is at least 2^LOGMS"},
    {"phase1.vector-width", 0, 4, 0, "lanes, for CPUs; above 1 in regular and lefevre with lengths in double only",
     device::vector_width_names},
    {"phase2.work-group-size", 1, 1024, 128, "work-items in a work-group"},
    {"phase2.items", 1, 4096, 1, "sub-domains that a work-item tests"},
    {"phase2.division", 1, 6, static_cast<std::int64_t>(Division::hybrid), "how quotients are computed",
     division_names},
    {"phase2.logms", 0, 64, 3, "as in phase 1"},
    {"phase2.vector-width", 0, 4, 0, "as in phase 1", device::vector_width_names},
    {"phase3.work-group-size", 1, 1024, 64, "work-items in a work-group"},
    {"polynomials.work-group-size", 1, 1024, 64, "work-items in a work-group"},
    {"polynomials.packet-bits", 4, 16, 8, "log2 of the domains in a hybrid's packet"},
    {"polynomials.vector-width", 0, 4, 0, "lanes, for CPUs", device::vector_width_names},
    {"scan-percent", 0, 100, 20, "share of survivors from which `auto` compacts by scan"},
    {"plan.domain-bits-offset", -4, 4, 0, "added to the planner's log2 of a domain"},
    {"plan.split-bits-offset", -4, 4, 0, "added to the planner's log2 of the sub-domains in a domain"},
});

inline constexpr auto domain_costs = std::to_array<device::Cost>({
    {"polynomial", 0.25},         // one domain's coefficients, made by the device
    {"polynomial-by-host", 0.25}, // one domain's coefficients, made by the host
    {"lefevre", 1.05},            // one Lefèvre test
    {"argument", 0.01},           // evaluating one argument in phase 3
});

[[nodiscard]] consteval const device::Tunable& domain_tunable(std::string_view name) {
  return device::row_named(domain_tunables, name);
}
[[nodiscard]] consteval const device::Cost& domain_cost(std::string_view name) {
  return device::row_named(domain_costs, name);
}

// The tunables with quotients of lengths in double replaced by those of integers.
[[nodiscard]] device::Tunables without_fp64(device::Tunables tunables);

// The tunables for tests without vectors, the papers' forms of Lefèvre's: integer lengths, which suit scalar code
// better, instead of vectors.
[[nodiscard]] device::Tunables without_vectors(device::Tunables tunables);

[[nodiscard]] const device::TuningTable& domain_tuning();

} // namespace tmd::engine::domains
