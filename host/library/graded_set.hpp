// A set of arguments at which to test a function, of a size that is asked for: cases of a list, numbers at which
// something changes, and for the rest arguments of every binade and every degree of hardness alike, chosen by a seed.
// Uniformly random arguments have hardly any that lies within 2^-20 of a breakpoint, a list of the hardest cases has
// no others; what lies between is where bounds of fast paths are too small.
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
  std::optional<job::RankInterval> ranks; // numbers of these; without, all that the format has
  std::size_t count = 0;
  std::uint64_t seed = 0;
  std::vector<Code> listed; // of these a quarter of the set at most, the first ones
};

struct GradedSet {
  std::vector<Code> arguments; // increasing; fewer than were asked for where no more were found
  std::size_t listed = 0;
  std::size_t fixed = 0;               // at which something changes (Strata::fixed())
  std::vector<std::size_t> by_bits;    // of the others: how many lie within 2^-bits, and not 2^-(bits + 1)
  std::size_t binades = 0;             // of these
  std::size_t binades_of_function = 0; // in which it was looked
};

// Throws UsageError where the function has no values in the range.
[[nodiscard]] GradedSet graded_set(const GradedRequest& request);

} // namespace tmd::library
