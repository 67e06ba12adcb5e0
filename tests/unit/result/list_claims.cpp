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

ListClaims claims_of(const std::string& text) { return parse_case_list(text, "l").claims; }

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

TEST_CASE("a heading says of which ranges a list is") {
  const std::string job = "binary64 with arguments of 53 bits, breakpoints: all, values as the format has them, K = 44";
  const auto ranges_of = [&](const std::string& before, const std::string& after) {
    std::string text;
    const ListClaims claims = claims_of("# Hard-to-round cases of " + before + job + after + ".\n1\n");
    for (const ListClaims::Range& range : claims.ranges)
      text += range.first + ":" + range.end + " ";
    if (claims.pair_ranges)
      text += claims.pair_ranges->front() + " " + claims.pair_ranges->back();
    return claims.function + " " + text;
  };
  CHECK(ranges_of("log2 on [0x1p-1074, 0x1p+1024), ", "; 0x1p+0 <= x < 0x1p+1 or 0x1p+4 <= x < 0x1p+5 only: so") ==
        "log2 0x1p+0:0x1p+1 0x1p+4:0x1p+5 ");
  CHECK(ranges_of("exp(x) + 1/x on [1, 2), ", "") == "exp(x) + 1/x 1:2 ");
  CHECK(ranges_of("exp(x)*y, ", ", x from 1 to 2, y from 0x1p+0 to 1.5") == "exp(x)*y 1:2 0x1p+0:1.5");
  CHECK(ranges_of("pow, ", ", x from 1 to 2") == "pow ");
  for (const char* none :
       {"exp", "exp, binary64 with arguments of", "exp with arguments of 53 bits, breakpoints: all",
        "exp, binary64 with arguments of many bits", "exp, binary64 with arguments of 53 bits, K = 5"})
    CHECK_FALSE(claims_of(std::string("# Hard-to-round cases of ") + none + "\n1\n").is_known());
}

TEST_CASE("comments may be long") {
  const std::string many(3000000, '1');
  CHECK_FALSE(claims_of("# Hard-to-round cases of " + many + "\n1\n").is_known());
  for (const std::string& comment :
       {"# Listed from K = " + many + ": 1 of 2", "# " + many + " arguments covered; " + many + " cases",
        "# [" + many + ", 2]: every argument closer than", "# Range [" + many + ", 2]: 5 arguments, every one a case",
        "# Range [1, 2]: " + many + " arguments, every one a case"})
    CHECK(claims_of(searched + comment + "\n0x1p-3\n").function == "exp");
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
