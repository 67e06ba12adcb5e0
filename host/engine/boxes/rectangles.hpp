// x^y over whole rectangles of pairs, or cells of a format: all that may be cases, and every pair accounted for.
#pragma once

#include "engine/boxes/plan.hpp"
#include "engine/boxes/search.hpp"
#include "tmd/format.hpp"
#include "tmd/integer.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tmd {

struct PowerFindings {
  struct Candidate {
    std::size_t rectangle = 0; // its number
    PowerPair pair;
    friend auto operator<=>(const Candidate&, const Candidate&) = default; // NOLINT(modernize-use-nullptr): of C++20
  };
  struct Full {
    std::size_t rectangle = 0;
    PowerRectangle pairs;
  };
  std::vector<Candidate> candidates; // sorted; MPFR is to decide
  std::vector<Full> full;            // each pair of these is a case, or exact
  uint128 searched = 0;              // pairs in tiles that were searched,
  uint128 empty = 0;                 // in tiles that have no case by their values,
  uint128 in_full = 0;               // and in full ones: together those of the rectangles
};

// Throws DeviceError when the device fails, and std::logic_error unless the pairs accounted for are those of the
// rectangles.
[[nodiscard]] PowerFindings search_powers(std::span<const PowerRectangle> rectangles, const PowerPlanner& planner,
                                          BoxSearch& device, const Interrupt& interrupt = {});

// The positive numbers of a format as x, those and their opposites as y, subnormal ones among them: a rectangle for
// each pair of exponents and each sign of y.
[[nodiscard]] std::vector<PowerRectangle> power_cells(const Format& format);

} // namespace tmd
