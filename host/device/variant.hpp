// The variants of a search that can be chosen: by the user, by a profile, or by the planner.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tmd {

// Existence tests; the numbers are TMD_ALGORITHM's in cl_kernels/domains/existence.clh.
enum class Test { regular = 1, lefevre = 2, lefevre_plain = 3, lefevre_swap = 4 };
inline constexpr std::array<std::string_view, 4> test_names{"regular", "lefevre", "lefevre-plain", "lefevre-swap"};

// Division strategies; the numbers are TMD_DIVISION's in cl_kernels/domains/division.clh.
enum class Division { native = 1, subtract, hybrid, reciprocal, double_lengths, double_reciprocal };
inline constexpr std::array<std::string_view, 6> division_names{"native",     "subtract", "hybrid",
                                                                "reciprocal", "double",   "double-reciprocal"};

// Bits after the binary point of the lengths that a strategy computes with.
[[nodiscard]] constexpr int length_bits(Division division) {
  return division == Division::double_lengths || division == Division::double_reciprocal ? 52 : 64;
}

// Whether the test has a form in explicit vectors.
[[nodiscard]] constexpr bool comes_in_vectors(Test test, Division division) {
  return (test == Test::regular || test == Test::lefevre) && length_bits(division) == 52;
}

// Whether an algorithm does, or may choose what does: all but the papers' forms of Lefèvre's test.
[[nodiscard]] constexpr bool comes_in_vectors(std::string_view algorithm) {
  for (std::size_t i = 0; i < test_names.size(); ++i)
    if (test_names[i] == algorithm)
      return comes_in_vectors(static_cast<Test>(i + 1), Division::double_lengths);
  return true;
}

// How the wide test computes roots and quotients; the numbers are those of TMD_ROOT and TMD_RECIPROCAL in
// cl_kernels/wide/lines.clh.
enum class Root { sqrt = 1, rsqrt };
inline constexpr std::array<std::string_view, 2> root_names{"sqrt", "rsqrt"};
enum class Reciprocal { divide = 1, reciprocal };
inline constexpr std::array<std::string_view, 2> reciprocal_names{"divide", "reciprocal"};

// In which order a work-group's work-items take groups in the wide test: as they stand, or by how many lines they have.
enum class Order { given = 1, by_lines };
inline constexpr std::array<std::string_view, 2> order_names{"given", "by-lines"};

// How survivors are compacted; `automatic` goes by the share that survived before.
enum class Compaction { automatic, atomic, scan };
inline constexpr std::array<std::string_view, 3> compaction_names{"auto", "atomic", "scan"};

// Whether a CPU's runtime may vectorize a kernel by itself.
enum class Vectorizer { off, on };
inline constexpr std::array<std::string_view, 2> vectorizer_names{"off", "on"};

// A kernel for each phase, or one for all.
enum class Deployment { three, one };
inline constexpr std::array<std::string_view, 2> deployment_names{"three", "one"};

// Where the domains' coefficients are made: by the host, or by the device, which then shifts the interval's polynomial
// to its packets itself or is given the packets' beginnings by the host.
enum class Polynomials { automatic, host, hybrid };
inline constexpr std::array<std::string_view, 3> polynomials_names{"auto", "host", "hybrid"};
enum class Shift { host = 1, device };
inline constexpr std::array<std::string_view, 2> shift_names{"host", "device"};

[[nodiscard]] constexpr std::string_view to_string(Test test) { return test_names[static_cast<unsigned>(test) - 1]; }
[[nodiscard]] constexpr std::string_view to_string(Division division) {
  return division_names[static_cast<unsigned>(division) - 1];
}
[[nodiscard]] constexpr std::string_view to_string(Compaction compaction) {
  return compaction_names[static_cast<unsigned>(compaction)];
}
[[nodiscard]] constexpr std::string_view to_string(Deployment deployment) {
  return deployment_names[static_cast<unsigned>(deployment)];
}

[[nodiscard]] constexpr std::string_view to_string(Shift shift) {
  return shift_names[static_cast<unsigned>(shift) - 1];
}
[[nodiscard]] constexpr std::string_view to_string(Polynomials polynomials) {
  return polynomials_names[static_cast<unsigned>(polynomials)];
}

// The position of `wanted` among `names`. Throws UsageError, naming `what` and listing the names, when it is none of
// them.
[[nodiscard]] std::size_t find_name(std::string_view what, std::string_view wanted,
                                    std::span<const std::string_view> names);

} // namespace tmd
