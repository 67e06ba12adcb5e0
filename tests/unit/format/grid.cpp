// The breakpoints of each rounding.
#include "host/format/grid.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

namespace tmd::format {

TEST_CASE("breakpoint grids") {
  CHECK(parse_rounding("nearest") == Rounding::nearest);
  CHECK(parse_rounding("directed") == Rounding::directed);
  CHECK(parse_rounding("all") == Rounding::all);
  CHECK_THROWS_AS((void)parse_rounding("up"), UsageError);
  // In [2^3, 2^4) with 53 bits the ulp is 2^−49.
  CHECK(BreakpointGrid{Rounding::directed, 53}.spacing_exponent(3) == -49);
  CHECK(BreakpointGrid{Rounding::nearest, 53}.spacing_exponent(3) == -49);
  CHECK(BreakpointGrid{Rounding::all, 53}.spacing_exponent(3) == -50);
  CHECK(BreakpointGrid{Rounding::nearest, 53}.shifted());
  CHECK_FALSE(BreakpointGrid{Rounding::directed, 53}.shifted());
  CHECK_FALSE(BreakpointGrid{Rounding::all, 53}.shifted());
  CHECK(BreakpointGrid{Rounding::all, 53}.kind(true) == Breakpoint::midpoint);
  CHECK(BreakpointGrid{Rounding::all, 53}.kind(false) == Breakpoint::representable);
  for (const bool odd : {false, true}) {
    CHECK(BreakpointGrid{Rounding::nearest, 53}.kind(odd) == Breakpoint::midpoint);
    CHECK(BreakpointGrid{Rounding::directed, 53}.kind(odd) == Breakpoint::representable);
  }
}

TEST_CASE("breakpoint grids of a format: subnormal values, the last breakpoint") {
  CHECK(parse_values("format") == Values::format);
  CHECK(parse_values("unbounded") == Values::unbounded);
  CHECK_THROWS_AS((void)parse_values("bounded"), UsageError);
  const BreakpointGrid unbounded{Rounding::all, 11};
  CHECK_FALSE(unbounded.is_bounded());
  CHECK(unbounded.spacing_exponent(-20) == -31);
  for (const int g : {-100000, -20, 15, 16, 100000}) {
    CHECK(unbounded.reaches(g, 6));
    CHECK(unbounded.is_within(g, 13));
  }
  // binary16: least number 2^−24, least midpoint 2^−25.
  const BreakpointGrid all{Rounding::all, 11, -14, 15};
  CHECK(all.is_bounded());
  CHECK(all.spacing_exponent(-13) == -24);
  for (const int g : {-14, -15, -30})
    CHECK(all.spacing_exponent(g) == -25);
  CHECK(all.least_spacing_exponent() == -25);
  CHECK(all.number_bits() == 12);
  CHECK(all.reaches(15, 6));
  CHECK_FALSE(all.reaches(16, 6));
  CHECK(all.is_within(15, 12)); // the midpoint above the greatest number
  CHECK_FALSE(all.is_within(15, 13));
  CHECK_FALSE(all.is_within(16, 12)); // it lies beyond, whatever its number
  CHECK(all.is_within(14, 13));       // the least breakpoint of the binade above
  CHECK(all.reaches(-26, 6));         // values from half the least midpoint on
  CHECK_FALSE(all.reaches(-27, 6));
  const BreakpointGrid directed{Rounding::directed, 11, -14, 15};
  CHECK(directed.number_bits() == 11);
  CHECK(directed.reaches(-25, 6));
  CHECK_FALSE(directed.reaches(-26, 6));
  // Below the first midpoint, 2^−25, the distance is at most 1/2: with K = 1 every value is a case.
  const BreakpointGrid nearest{Rounding::nearest, 11, -14, 15};
  CHECK(nearest.reaches(-26, 2));
  CHECK_FALSE(nearest.reaches(-27, 2));
  CHECK(nearest.reaches(-1000, 1));
}

} // namespace tmd::format
