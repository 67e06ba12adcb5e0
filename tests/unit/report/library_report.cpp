// Errors of a library, in the form for people.
#include "host/report/library_report.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace tmd::report {

TEST_CASE("errors have the digits that tell them from halves of an ulp, and their sign") {
  CHECK(error_text(-1.855) == "-1.855");
  CHECK(error_text(0.6667) == "0.6667");
  CHECK(error_text(0.50000000000000485) == "0.50000000000000488");
  CHECK(error_text(0.5) == "0.5");
  CHECK(error_text(-1) == "-1");
  CHECK(error_text(0.9999999) == "0.9999999");
  CHECK(error_text(1e-300) == "1e-300");
  CHECK(error_text(0) == "0");
  CHECK(error_text(std::numeric_limits<double>::infinity()) == "inf");
}

} // namespace tmd::report
