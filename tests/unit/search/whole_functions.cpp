// The survey of a whole function, before its search: no argument may be left out as one that no engine can search.
#include "host/request/command.hpp"
#include "host/request/resolve.hpp"
#include "host/run/estimate.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmd::run {

TEST_CASE("of whole functions of binary64 nothing is left out") {
  for (const std::string function :
       {"acos",  "acosh",  "acospi", "asin",  "asinh", "asinpi",  "atan",  "atanh", "atanpi",
        "cbrt",  "cos",    "cosh",   "cospi", "erf",   "erfc",    "exp",   "exp10", "exp10m1",
        "exp2",  "exp2m1", "expm1",  "log",   "log10", "log10p1", "log1p", "log2",  "log2p1",
        "recip", "rsqrt",  "sin",    "sinh",  "sinpi", "sqrt",    "tan",   "tanh",  "tanpi"}) {
    CAPTURE(function);
    const request::SearchRequest request = request::resolve(request::spec_of_command("tmd search " + function));
    REQUIRE(request.leaves_out);
    CHECK(survey_of(request).left_out == 0);
  }
}

} // namespace tmd::run
