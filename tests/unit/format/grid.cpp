// The breakpoints of each rounding.
#include "host/format/grid.hpp"
#include "host/error.hpp"

#include <doctest/doctest.h>

using namespace tmd;

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
