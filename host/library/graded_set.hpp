// Chooses a set of arguments of a given size for testing a function: cases of a list, numbers where something changes,
// and for the rest equally many arguments of every binade and every degree of hardness, chosen by a seed. Uniformly
// random arguments hardly ever lie within 2^-20 of a breakpoint, and lists of the hardest cases have no others; in
// between, bounds of fast paths tend to be too small.
#pragma once

#include "function/function.hpp"
#include "job/stretch.hpp"
#include "library/encodings.hpp"
#include "library/samples.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tmd::library {

inline constexpr int least_graded_bits = 10;

struct GradedRequest {
  const function::Function* function = nullptr;
  Format format;
  std::optional<job::RankInterval> ranks; // only numbers of these ranks; empty: all of the format
  std::size_t count = 0;
  std::uint64_t seed = 0;
  std::vector<Code> listed; // the first ones are taken, for a quarter of the set at most
};

struct GradedSet {
  std::vector<Code> arguments; // increasing; fewer than requested if no more were found
  std::size_t listed = 0;
  std::size_t fixed = 0;               // arguments where something changes (Strata::fixed())
  std::vector<std::size_t> by_bits;    // for the others: how many lie within 2^-bits, and not within 2^-(bits + 1)
  std::size_t binades = 0;             // binades of the others
  std::size_t binades_of_function = 0; // binades of the function that were searched
};

// Throws UsageError if the function has no values in the range.
[[nodiscard]] GradedSet graded_set(const GradedRequest& request);

} // namespace tmd::library
