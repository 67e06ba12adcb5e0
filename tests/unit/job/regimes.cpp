// Regimes, in which every argument is a case, or none is, compared with a table that was derived by hand.
#include "host/function/catalogue.hpp"
#include "host/function/expression.hpp"
#include "host/job/regime_finder.hpp"
#include "host/job/regime_joiner.hpp"
#include "host/verify/confirm.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace tmd::job {

namespace {

struct Precision {
  const char* format;
  int bits;
};
constexpr std::array<Precision, 4> precisions{{{"p53", 44}, {"p64", 55}, {"p24", 15}, {"p11", 6}}};

// Binades 2^e: up to `all` every argument is a case; from none_from to none_to none is.
struct Binades {
  int all;
  int none_from;
  int none_to;
};
struct Row {
  std::vector<const char*> functions;
  int sign; // sign of x; 0: both
  std::array<Binades, 4> binades;
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      {{"sin", "sinh", "asin", "asinh"}, 0, {{{-49, -47, -27}, {-60, -58, -33}, {-20, -18, -13}, {-9, -7, -6}}}},
      {{"tan", "tanh", "atan", "atanh"}, 0, {{{-50, -47, -28}, {-61, -58, -33}, {-21, -18, -13}, {-10, -7, -7}}}},
      {{"expm1"}, 1, {{{-99, -96, -55}, {-121, -118, -66}, {-41, -38, -26}, {-19, -16, -13}}}},
      {{"log1p"}, -1, {{{-99, -96, -55}, {-121, -118, -66}, {-41, -38, -26}, {-19, -16, -13}}}},
      {{"expm1"}, -1, {{{-99, -95, -55}, {-121, -117, -66}, {-41, -37, -26}, {-19, -15, -13}}}},
      {{"log1p"}, 1, {{{-99, -95, -55}, {-121, -117, -66}, {-41, -37, -26}, {-19, -15, -13}}}},
      {{"exp"}, 1, {{{-99, -97, -55}, {-121, -119, -66}, {-41, -39, -26}, {-19, -17, -13}}}},
      {{"exp"}, -1, {{{-100, -97, -56}, {-122, -119, -67}, {-42, -39, -27}, {-20, -17, -14}}}},
      {{"exp2"}, 1, {{{-98, -96, -54}, {-120, -118, -65}, {-40, -38, -25}, {-18, -16, -12}}}},
      {{"exp2"}, -1, {{{-99, -97, -55}, {-121, -119, -66}, {-41, -39, -26}, {-19, -17, -13}}}},
      {{"exp10"}, 1, {{{-100, -98, -56}, {-122, -120, -67}, {-42, -40, -27}, {-20, -18, -14}}}},
      {{"exp10"}, -1, {{{-101, -99, -57}, {-123, -121, -68}, {-43, -41, -28}, {-21, -19, -15}}}},
      {{"cos"}, 0, {{{-50, -48, -28}, {-61, -59, -34}, {-21, -19, -14}, {-10, -8, -7}}}},
      {{"cosh"}, 0, {{{-50, -48, -28}, {-61, -59, -33}, {-21, -19, -13}, {-10, -8, -7}}}},
      {{"cospi"}, 0, {{{-52, -50, -30}, {-63, -61, -35}, {-23, -21, -15}, {-12, -10, -9}}}},
      {{"j0"}, 0, {{{-50, -47, -28}, {-61, -58, -33}, {-21, -18, -13}, {-10, -7, -7}}}},
      {{"j1"}, 0, {{{-49, -46, -27}, {-60, -57, -33}, {-20, -17, -13}, {-9, -6, -6}}}},
      {{"erfc"}, 1, {{{-100, -98, -56}, {-122, -120, -67}, {-42, -40, -27}, {-20, -18, -14}}}},
      {{"erfc"}, -1, {{{-99, -97, -55}, {-121, -119, -66}, {-41, -39, -26}, {-19, -17, -13}}}},
      {{"acospi"}, 1, {{{-99, -97, -55}, {-121, -119, -66}, {-41, -39, -26}, {-19, -17, -13}}}},
      {{"acospi"}, -1, {{{-98, -96, -54}, {-120, -118, -65}, {-40, -38, -25}, {-18, -16, -12}}}}};
  return rows;
}

Job job_of(const std::string& function, const std::string& format, int bits, Rounding rounding = Rounding::all,
           Values values = Values::unbounded) {
  Job job;
  job.function = &function::find_function(function);
  job.format = find_format(format);
  job.argument_precision = job.format.precision;
  job.K = bits;
  job.rounding = rounding;
  job.values = values;
  return job;
}

// The range ±[2^exponent, 2^(exponent + 1)).
Stretch binade(const Job& job, int exponent, bool negative = false) {
  const uint128 size = uint128(1) << (job.argument_precision - 1);
  return {negative, exponent - job.argument_precision + 1, size, size};
}

// The regime of a binade as text: "all", "none", or "several".
std::string regime_of(const Job& job, int exponent, bool negative) {
  const std::vector<RegimeStretch> divided = RegimeFinder(job).find(binade(job, exponent, negative));
  if (divided.size() > 1 || !divided.front().regime)
    return "several";
  return divided.front().regime->rule ? "all" : "none";
}

// The job's regimes on [from, to) and the stretches left.
struct Found {
  std::vector<RegimeRange> regimes;
  std::vector<Stretch> rest;
};
Found find_all(Job job, const char* from, const char* to) {
  Found found;
  const format::ArgumentSet arguments = job.arguments();
  RegimeFinder finder(job);
  RegimeJoiner joiner(
      arguments, [&](const RegimeRange& range) { found.regimes.push_back(range); },
      [&](const Stretch& stretch) { found.rest.push_back(stretch); });
  job.first = arguments.parse(from, "from");
  job.last = arguments.parse(to, "to");
  Coverage covered;
  for (const Stretch& stretch : stretches(arguments, job.first, job.last))
    for (const RegimeStretch& one : finder.find(stretch))
      joiner.add(one);
  joiner.close();
  join(found.regimes);
  for (const RegimeRange& range : found.regimes)
    covered.add(range.ranks.first, range.ranks.last);
  for (const Stretch& stretch : found.rest) {
    const RankInterval ranks = ranks_of(arguments, stretch, 0, stretch.count);
    covered.add(ranks.first, ranks.last);
  }
  CHECK(covered == Coverage(job.first, job.last));
  return found;
}

} // namespace

TEST_CASE("regimes: the table of binades near simple functions") {
  for (const Row& row : table())
    for (const char* function : row.functions)
      for (std::size_t i = 0; i < precisions.size(); ++i) {
        const Job job = job_of(function, precisions[i].format, precisions[i].bits);
        for (const bool negative : {false, true}) {
          if ((row.sign > 0 && negative) || (row.sign < 0 && !negative))
            continue;
          const Binades& binades = row.binades[i];
          CAPTURE(function);
          CAPTURE(precisions[i].format);
          CAPTURE(negative);
          for (const int below : {0, 1, 30, 300})
            CHECK(regime_of(job, binades.all - below, negative) == "all");
          for (int e = binades.none_from; e <= binades.none_to; ++e)
            CHECK(regime_of(job, e, negative) == "none");
          CHECK(regime_of(job, binades.none_to + 3, negative) != "none");
        }
      }
}

TEST_CASE("regimes: poles of the gamma functions at all numbers without a fraction") {
  for (const char* name : {"lgamma", "tgamma"})
    for (const bool negative : {true, false}) {
      Job job;
      job.function = &function::find_function(name);
      job.format = find_format("binary64");
      const format::ArgumentSet arguments = job.arguments();
      job.first = arguments.parse(negative ? "-2^60" : "2^51", "");
      job.last = arguments.parse(negative ? "-2^51" : "2^60", "");
      std::vector<RegimeRange> ranges;
      divide(
          job, job.range(), {}, [&](const RegimeRange& range) { ranges.push_back(range); }, [](const Stretch&) {});
      const bool found = std::any_of(ranges.begin(), ranges.end(), [](const auto& one) { return one.regime.is_pole; });
      CHECK(found == negative);
      if (!negative)
        continue;
      REQUIRE(ranges.size() == 1);
      CHECK(ranges.front().ranks == RankInterval{job.first, arguments.parse("-2^52", "") + 1});
    }
}

TEST_CASE("regimes: values of tgamma vanish between poles far left, also at the arguments next to them") {
  for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest}) {
    const Job job = job_of("tgamma", "binary64", 44, rounding, Values::format);
    const Found far = find_all(job, "-0x1.fffffffffffffp+51", "-185");
    CHECK(far.rest.empty());
    CHECK(far.regimes.size() == 1);
    // Next to -181, values are above the first breakpoint.
    uint128 rest = 0;
    for (const Stretch& stretch : find_all(job, "-256", "-181").rest)
      rest += stretch.count;
    CHECK(rest > uint128(1) << 45);
    CHECK(rest < uint128(4) << 45);
  }
  CHECK_FALSE(find_all(job_of("tgamma", "binary64", 44), "-1024", "-512").rest.empty()); // exponents are unbounded
}

TEST_CASE("regimes: no argument of tgamma in ranges without a case is one") {
  for (const char* format : {"binary16", "bfloat16"}) {
    const Job job = job_of("tgamma", format, 3, Rounding::all, Values::format);
    const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
    format::ArgumentSet::Rank looked = 0;
    for (const RegimeRange& range : find_all(job, "-0x1p+12", "-1").regimes)
      for (auto rank = range.ranks.first; !range.regime.is_pole && rank < range.ranks.last; ++rank, ++looked)
        CHECK_FALSE(confirmation.confirm(job.arguments().at(rank)).has_value());
    CHECK((looked > 0) == (std::string(format) == "binary16"));
  }
}

TEST_CASE("regimes: lines through breakpoints are exact, lines beside them are cases") {
  const auto regime = [](const char* text, Rounding rounding = Rounding::all) {
    const auto function = function::function_of(text);
    Job job = job_of("exp", "binary64", 20, rounding);
    job.function = function.get();
    const std::vector<RegimeStretch> divided = RegimeFinder(job).find(binade(job, 0));
    return divided.size() == 1 && divided[0].regime ? *divided[0].regime : Regime{{}, false};
  };
  for (const char* exact : {"x", "-x", "x/4", "1024*x", "x*2^-80"})
    CHECK(regime(exact) == Regime{{}, true});
  CHECK(regime("x", Rounding::directed) == Regime{{}, true});
  CHECK_FALSE(regime("x", Rounding::nearest).is_exact);
  for (const char* other : {"3*x", "x/3", "x+2^-80", "exp(log(x))", "sqrt(x^2)"})
    CHECK_FALSE(regime(other).is_exact);
  CHECK(regime("x+2^-80").rule);
}

TEST_CASE("regimes: where functions saturate") {
  struct Saturation {
    const char* function;
    const char* from;
    const char* to;
    const char* offset;
    Side side;
  };
  // Beyond (p + K + 2)·ln 2/2 = 34.31…, √((p + K + 1)·ln 2) = 8.24…, (p + K + 1)·ln 2 = 67.9….
  for (const Saturation& one : {Saturation{"tanh", "34.5", "0x1p+1024", "0x1p+0", Side::below},
                                Saturation{"tanh", "-0x1.fffffffffffffp+1023", "-34.5", "-0x1p+0", Side::above},
                                Saturation{"erf", "8.25", "0x1p+1024", "0x1p+0", Side::below},
                                Saturation{"erfc", "-0x1.fffffffffffffp+1023", "-8.25", "0x1p+1", Side::below},
                                Saturation{"expm1", "-0x1.fffffffffffffp+1023", "-68", "-0x1p+0", Side::above},
                                Saturation{"atanpi", "0x1p+99", "0x1p+1024", "0x1p-1", Side::below}}) {
    CAPTURE(one.function);
    const Found found = find_all(job_of(one.function, "binary64", 44), one.from, one.to);
    REQUIRE(found.regimes.size() == 1);
    CHECK(found.rest.empty());
    REQUIRE(found.regimes[0].regime.rule);
    const BreakpointRule& rule = *found.regimes[0].regime.rule;
    CHECK(rule.slope == "0x0p+0");
    CHECK(rule.offset == one.offset);
    CHECK(rule.side == one.side);
    CHECK(rule.breakpoint == Breakpoint::representable);
  }
}

TEST_CASE("regimes: constants that are no breakpoint have no cases beside them") {
  CHECK(regime_of(job_of("atan", "binary64", 44), 60, false) == "none");
  CHECK(regime_of(job_of("acos", "binary64", 44), -60, false) == "none");
  CHECK(regime_of(job_of("acos", "p11", 6), -30, false) == "all"); // pi/2 has 6.78 bits
}

TEST_CASE("regimes: binades of x^-700 that overflow have no cases") {
  Job job = job_of("pown:-700", "binary64", 44);
  job.values = Values::format;
  const Found found = find_all(job, "0x1p-400", "0x1p-390");
  CHECK(found.rest.empty());
  REQUIRE(found.regimes.size() == 1);
  CHECK(found.regimes[0].regime == Regime{});
}

TEST_CASE("regimes: next to 0 the side is known however near the values are") {
  struct Beside {
    const char* function;
    const char* slope;
    const char* offset;
    Side left; // of 0
    Side right;
  };
  // At binary80's least numbers some of the differences are 2^-65780 and less.
  for (const Beside& one : {Beside{"exp(x)", "0x0p+0", "0x1p+0", Side::below, Side::above},
                            Beside{"cos(x)", "0x0p+0", "0x1p+0", Side::below, Side::below},
                            Beside{"-cos(x)", "0x0p+0", "-0x1p+0", Side::above, Side::above},
                            Beside{"1+x^4/3", "0x0p+0", "0x1p+0", Side::above, Side::above},
                            Beside{"x+x^2/3", "0x1p+0", "0x0p+0", Side::above, Side::above},
                            Beside{"-2*x-x^2/3", "-0x1p+1", "0x0p+0", Side::below, Side::below},
                            Beside{"x-x^3/3", "0x1p+0", "0x0p+0", Side::above, Side::below},
                            Beside{"atan(x)", "0x1p+0", "0x0p+0", Side::above, Side::below},
                            Beside{"acospi(x)", "0x0p+0", "0x1p-1", Side::above, Side::below},
                            Beside{"tan(x)", "0x1p+0", "0x0p+0", Side::below, Side::above},
                            Beside{"x/4+x^4/3", "0x1p-2", "0x0p+0", Side::above, Side::above}}) {
    CAPTURE(one.function);
    const auto function = function::function_of(one.function);
    Job job = job_of("exp", "binary80", 55);
    job.function = function.get();
    for (const bool right : {false, true}) {
      const Found found =
          right ? find_all(job, "0x1p-16443", "0x1p-16300") : find_all(job, "-0x1p-16300", "-0x1p-16443");
      CHECK(found.rest.empty());
      REQUIRE(found.regimes.size() == 1);
      REQUIRE(found.regimes[0].regime.rule);
      CHECK(*found.regimes[0].regime.rule ==
            BreakpointRule{one.slope, one.offset, right ? one.right : one.left, Breakpoint::representable});
    }
  }
}

TEST_CASE("regimes: all of exp beside 1, and of sin beside x, in one range") {
  const Found exp = find_all(job_of("exp", "binary64", 44), "0x1p-1074", "0x1p-30");
  REQUIRE(!exp.regimes.empty());
  REQUIRE(exp.regimes[0].regime.rule);
  CHECK(*exp.regimes[0].regime.rule == BreakpointRule{"0x0p+0", "0x1p+0", Side::above, Breakpoint::representable});
  CHECK(exp.regimes[0].ranks.first == 1);
  CHECK(to_hex(job_of("exp", "binary64", 44).arguments().at(exp.regimes[0].ranks.last)) == "0x1p-97");
  const Found sin = find_all(job_of("sin", "binary64", 44), "-0x1p-30", "0x1p-30");
  REQUIRE(sin.regimes.size() == 4); // zero is left out
  CHECK(sin.rest.size() == 1);
  for (const std::size_t i : {1U, 2U}) {
    REQUIRE(sin.regimes[i].regime.rule);
    CHECK(*sin.regimes[i].regime.rule ==
          BreakpointRule{"0x1p+0", "0x0p+0", i == 1 ? Side::above : Side::below, Breakpoint::representable});
  }
  CHECK_FALSE(sin.regimes[0].regime.rule);
  CHECK_FALSE(sin.regimes[3].regime.rule);
}

// The border of a range is the last argument that MPFR finds to be a case.
TEST_CASE("regimes: borders are where MPFR finds them, on every grid") {
  for (const char* function : {"sin", "exp", "cosh", "tanh", "log1p"})
    for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest})
      for (const Values values : {Values::unbounded, Values::format}) {
        CAPTURE(function);
        CAPTURE(to_string(rounding));
        const Job job = job_of(function, "binary32", 15, rounding, values);
        const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
        std::size_t looked = 0;
        for (const RegimeRange& range : find_all(job, "0x1p-149", "0x1p-4").regimes)
          for (const auto rank :
               {range.ranks.first, range.ranks.first + 1, range.ranks.last - 2, range.ranks.last - 1}) {
            CHECK(confirmation.confirm(job.arguments().at(rank)).has_value() == range.regime.rule.has_value());
            ++looked;
          }
        CHECK(looked > 0);
      }
}

TEST_CASE("regimes: a generic binade is left whole, by a look at its ends") {
  for (const char* function : {"exp", "sin", "log", "cbrt", "atan"}) {
    const Job job = job_of(function, "binary64", 44);
    const std::vector<RegimeStretch> divided = RegimeFinder(job).find(binade(job, 0));
    REQUIRE(divided.size() == 1);
    CHECK_FALSE(divided[0].regime);
  }
}

TEST_CASE("regimes: values of a format that overflow or vanish have no breakpoints") {
  const Found exp =
      find_all(job_of("exp", "binary64", 44, Rounding::all, Values::format), "-0x1.fffffffffffffp+1023", "0x1p+1024");
  REQUIRE(exp.regimes.size() > 4);
  const format::ArgumentSet arguments = job_of("exp", "binary64", 44).arguments();
  CHECK_FALSE(exp.regimes.front().regime.rule);
  CHECK_FALSE(exp.regimes.back().regime.rule);
  CHECK(exp.regimes.front().ranks.first == 1 - arguments.end());
  CHECK(exp.regimes.back().ranks.last == arguments.end());
  // The last midpoint is the value at log(2^1024 − 2^970).
  CHECK(to_hex(arguments.at(exp.regimes.back().ranks.first)) < "0x1.62e42fefa39fp+9");
  uint128 rest = 0;
  for (const Stretch& stretch : exp.rest)
    rest += stretch.count;
  CHECK(rest < uint128(130) << 52);
}

TEST_CASE("regimes: values overflow also where Arb's ball of them says nothing") {
  for (const char* function : {"exp2", "exp10", "exp2m1", "exp10m1"}) {
    CAPTURE(function);
    const Found found =
        find_all(job_of(function, "binary64", 44, Rounding::all, Values::format), "0x1p+11", "0x1p+1024");
    CHECK(found.rest.empty());
    REQUIRE(found.regimes.size() == 1);
    CHECK_FALSE(found.regimes[0].regime.rule);
  }
}

TEST_CASE("regimes: expressions whose side of a breakpoint nothing decides") {
  struct Open {
    const char* text;
    const char* from;
    const char* to;
  };
  for (const Open& one : std::vector<Open>{
           {"exp(log(x))", "2", "2+2^-8"}, {"-exp(log(x))", "2", "2+2^-8"}, {"exp(log(-x))", "-2-2^-8", "-2"}}) {
    CAPTURE(one.text);
    const function::Function function = function::make_expression(one.text);
    Job job = job_of("exp", "p24", 22);
    job.function = &function;
    const Found found = find_all(job, one.from, one.to);
    CHECK(found.rest.empty());
    REQUIRE(found.regimes.size() == 1);
    REQUIRE(found.regimes[0].regime.rule);
    CHECK(found.regimes[0].regime.rule->side == Side::undecided);
    CHECK(found.regimes[0].regime.rule->breakpoint == Breakpoint::representable);
  }
}

TEST_CASE("regimes: a range is left where values by themselves are known") {
  for (const auto& [text, is_known] : {std::pair("x+exp(-x)", true), std::pair("exp(log(x))", false)}) {
    CAPTURE(text);
    const function::Function function = function::make_expression(text);
    Job job = job_of("exp", "p11", 9);
    job.function = &function;
    const Found found = find_all(job, "0x1p+20", "0x1p+21"); // exp(-2^20) is below 2^-1500000
    CHECK(found.regimes.size() == (is_known ? 0 : 1));
    CHECK(found.rest.size() == (is_known ? 1 : 0));
  }
}

TEST_CASE("regimes: short ones are listed one by one, joined across binades first") {
  std::vector<RegimeRange> regimes;
  std::vector<Stretch> rest;
  const Job job = job_of("exp", "p11", 6);
  RegimeJoiner joiner(
      job.arguments(), [&](const RegimeRange& range) { regimes.push_back(range); },
      [&](const Stretch& stretch) { rest.push_back(stretch); });
  const auto part = [](int unit, uint128 first, uint128 count, bool has) {
    return RegimeStretch{{false, unit, first, count}, has ? std::optional(Regime{}) : std::nullopt};
  };
  joiner.add(part(-10, 1024, 100, true)); // it is too short
  joiner.add(part(-10, 1124, 400, false));
  joiner.add(part(-10, 1524, 524, true)); // it is long enough only together with the next
  joiner.add(part(-9, 1024, 500, true));
  joiner.add(part(-9, 1524, 10, false));
  joiner.close();
  REQUIRE(regimes.size() == 1);
  CHECK(regimes[0].size() == 1024);
  REQUIRE(rest.size() == 2);
  CHECK(rest[0].first == 1024);
  CHECK(rest[0].count == 500);
  CHECK(rest[1].first == 1524);
  CHECK(rest[1].count == 10);
}

TEST_CASE("regimes: what values beside a breakpoint are rounded to") {
  using enum Rounded;
  const auto rounded = [](Side side, Breakpoint breakpoint) {
    const auto values = rounded_values({"", "", side, breakpoint});
    REQUIRE(values);
    return std::array{values->nearest, values->up, values->down};
  };
  CHECK(rounded(Side::above, Breakpoint::representable) == std::array{to_breakpoint, next_above, to_breakpoint});
  CHECK(rounded(Side::below, Breakpoint::representable) == std::array{to_breakpoint, to_breakpoint, next_below});
  CHECK(rounded(Side::above, Breakpoint::midpoint) == std::array{next_above, next_above, next_below});
  CHECK(rounded(Side::below, Breakpoint::midpoint) == std::array{next_below, next_above, next_below});
  CHECK_FALSE(rounded_values({"", "", Side::above, std::nullopt}));
  CHECK_FALSE(rounded_values({"", "", Side::undecided, Breakpoint::representable}));
}

TEST_CASE("regimes: the search for them can be interrupted") {
  const Job job = job_of("sin", "binary64", 44);
  CHECK_THROWS_AS((void)RegimeFinder(job, [] { return true; }).find(binade(job, -40)), Interrupted);
}

TEST_CASE("regimes: values far too small for any format, on every grid") {
  for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest})
    CHECK(regime_of(job_of("exp", "bfloat16", 4, rounding, Values::format), 120, true) == "none");
}

} // namespace tmd::job
