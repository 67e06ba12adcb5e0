// The claims of lists about themselves, and their contradictions.
#include "host/result/list_claims.hpp"
#include "host/result/case_list.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmd::result {

namespace {

const char* published =
    "# Hard-to-round cases of sinpi, binary64 with arguments of 53 bits, breakpoints: all, values as the "
    "format has them; x >= 0 only: f(-x) = -f(x); 0x0p+0 <= x < 0x1p+0 only: f(x + 1) = -f(x).\n"
    "# Listed from K = 45: 1 of the 523002 that were found from K = 44 on.\n"
    "# [0x0p+0, 0x1.fffffffffffffp-2]: every argument closer than 2^-45 spacings to a breakpoint is "
    "listed, or in a range below\n"
    "0x1p-3\n";

const char* searched = "# Hard-to-round cases of exp on [1, 1+2^-13), binary32 with arguments of 24 bits, breakpoints: "
                       "directed, K = 20.\n# Complete: every argument is listed.\n# 1024 arguments covered; 1 cases, 0 "
                       "exact cases.\n0x1p-3\n";

ListClaims claims_of(const char* text) { return parse_case_list(text, "l").claims; }

std::string refusal(const char* text, SearchSpec spec, const std::vector<std::string>& given,
                    const char* function = "exp") {
  return message_of([&] { Agreement(spec, function, given).adopt(claims_of(text), "l"); });
}

} // namespace

TEST_CASE("lists of searches and published ones say what they are of") {
  const ListClaims page = claims_of(published);
  CHECK(page.function == "sinpi");
  CHECK(page.bits == 45);
  CHECK(page.cases == 1);
  const format::ArgumentSet set(find_format("binary64"), 53);
  CHECK(page.covered(set) == job::Coverage(0, set.parse("0x1p-1", "")));
  const ListClaims list = claims_of(searched);
  CHECK(list.function == "exp");
  CHECK(list.bits == 20);
  const format::ArgumentSet floats(find_format("binary32"), 24);
  CHECK(list.covered(floats).size() == 1024);
  CHECK_FALSE(claims_of("# CORE-MATH's, exp on [1, 2), K = 44\n1\n").is_known());
}

TEST_CASE("what nobody has said is taken from the list") {
  SearchSpec spec;
  Agreement(spec, "exp", {}).adopt(claims_of(searched), "l");
  CHECK(spec.format == "binary32");
  CHECK(spec.argument_precision == 24);
  CHECK(spec.rounding == Rounding::directed);
  CHECK(spec.values == Values::unbounded);
  CHECK(spec.bits == 20);
}

TEST_CASE("contradictions are refused") {
  SearchSpec spec;
  CHECK(refusal(searched, spec, {}, "log") == "l has the cases of exp, not of log");
  CHECK(refusal(searched, spec, {"format"}) == "l is of --format binary32; the command line says otherwise");
  CHECK(refusal(searched, spec, {"rounding"}) == "l is of --rounding directed; the command line says otherwise");
  spec.bits = 19;
  CHECK(refusal(searched, spec, {"bits"}) == "l has the cases from K = 20 on: --bits must be 20 or more, not 19");
  spec.bits = 21;
  CHECK_NOTHROW(Agreement(spec, "exp", {"bits"}).adopt(claims_of(searched), "l"));
}

} // namespace tmd::result
