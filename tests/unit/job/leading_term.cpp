// Leading terms c·x^n close to f, and the cases that are the same in every binade.
#include "host/job/leading_term.hpp"
#include "host/function/catalogue.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace tmd::job {

namespace {

Job whole_job(const char* function, const char* format, int bits) {
  Job job;
  job.function = &function::find_function(function);
  job.format = find_format(format);
  job.argument_precision = job.format.precision;
  job.K = bits;
  job.values = Values::format;
  job.first = std::max(-job.arguments().end(), ranks_in_domain(job.function->domain, job.arguments()).first);
  job.last = job.arguments().end();
  return job;
}

Case hard(const Job& job, const BesideLeadingTerm& beside, std::uint64_t fraction, double bits) {
  return {job.arguments().at(beside.reference.first + static_cast<format::ArgumentSet::Rank>(fraction)), bits};
}

} // namespace

TEST_CASE("leading term: cases are counted and named by their significands, on either side of 0") {
  const BinadeCases cases{"1/x", 4, {0, 3, 9}};
  CHECK(cases.count({16, 32}) == 3);
  CHECK(cases.count({16, 25}) == 2);
  CHECK(cases.count({17, 19}) == 0);
  CHECK(cases.count({19, 16 + 48}) == 8);
  CHECK(cases.count({20, 20}) == 0);
  CHECK(cases.in({19, 36}) == std::vector<format::ArgumentSet::Rank>{19, 25, 32, 35});
  CHECK(cases.count({-35, -18}) == 4);
  CHECK(cases.in({-35, -18}) == std::vector<format::ArgumentSet::Rank>{-35, -32, -25, -19});
  CHECK(cases.contains(-25));
  CHECK_FALSE(cases.contains(-24));
  CHECK(cases.significands() == std::vector<std::string>{"0x1p+0", "0x1.3p+0", "0x1.9p+0"});
  CHECK(BinadeCases::of("1/x", 5, cases.significands()) == cases);
  for (const auto& wrong : {std::vector<std::string>{"0x1.3p+0", "0x1p+0"}, {"0x1p+1"}, {"0x1.08p+0"}, {"-0x1p+0"}})
    CHECK_THROWS_AS((void)BinadeCases::of("1/x", 5, wrong), UsageError);
}

TEST_CASE("leading term: tgamma lies beside 1/x down to the arguments whose values overflow") {
  const Job job = whole_job("tgamma", "binary64", 44);
  const auto beside = beside_leading_term(job, job.range());
  REQUIRE(beside.has_value());
  CHECK(beside->is_monotone);
  CHECK(beside->has_exact_powers);
  // |Γ(x) − 1/x| is about 0.58, in spacings 0.58·2^(e + 53) beside 2^−e: far below 2^−44 from about 2^−130 on.
  const format::ArgumentSet arguments = job.arguments();
  const auto binade_of = [&](format::ArgumentSet::Rank rank) {
    return std::ilogb(std::stod(to_hex(arguments.at(rank))));
  };
  CHECK(binade_of(beside->reference.first) < -44 - 53 - 20);
  CHECK(binade_of(beside->reference.first) > -160);
  CHECK(beside->ranks.intervals().size() == 2);
  CHECK(binade_of(beside->ranks.intervals().back().first) == -1021);
  CHECK(reference_job(job, *beside).K == 43);

  Job few = job; // a shard of the whole job, or a search by itself
  few.first = arguments.parse("2^-300", "");
  few.last = arguments.parse("2^-299", "");
  CHECK_FALSE(beside_leading_term(few, few.range()).has_value());
  CHECK(beside_leading_term(few, job.range())->reference == beside->reference);
}

// A whole search has 1564 cases from 2^−96 on, 693 from 2^−95 on and 576 from 2^−93 on, where chance gives 512 ± 23.
TEST_CASE("leading term: tgamma has the cases of 1/x, or those next to them, below about 2^−91") {
  const Job job = whole_job("tgamma", "binary64", 44);
  const auto has_them = [&](int exponent) {
    return has_cases_of_leading_term(job, {false, exponent - 52, uint128(1) << 52, uint128(1) << 52});
  };
  CHECK(has_them(-200));
  CHECK(has_them(-96));
  CHECK(has_them(-93));
  CHECK_FALSE(has_them(-90));
  CHECK_FALSE(has_them(-1));
}

TEST_CASE("leading term: not where there is none, or too many cases") {
  for (const Job& job : {whole_job("exp", "binary64", 44), whole_job("lgamma", "binary64", 44),
                         whole_job("tgamma", "binary16", 6), whole_job("tgamma", "binary64", 20)})
    CHECK_FALSE(beside_leading_term(job, job.range()).has_value());
  for (const char* name :
       {"asinpi", "atanpi", "erf", "exp2m1", "exp10m1", "log2p1", "log10p1", "sinpi", "tanpi", "y1"}) {
    const Job job = whole_job(name, "binary64", 44);
    CHECK(beside_leading_term(job, job.range()).has_value());
  }
}

TEST_CASE("leading term: x·y1(x) lies where its enclosures near 0 say, and so does its derivative x·y0(x)") {
  const function::Series& regular = function::find_function("y1").leading_term->regular;
  const auto enclosed = [&](std::optional<int> top) { // on |x| ≤ 2^top, or at 0
    number::Arb ball;
    if (top)
      arb_add_error_2exp_si(ball, *top);
    number::ArbVector coefficients(2);
    regular(coefficients.data(), ball, 2, 200);
    return std::pair(coefficients, arb_is_finite(coefficients[0]) != 0 && arb_is_finite(coefficients[1]) != 0);
  };
  const auto most = [](arb_srcptr value) {
    number::Arb bound;
    arb_get_abs_ubound_arf(number::mid(bound), value, 53);
    return arf_get_d(number::mid(bound), ARF_RND_UP);
  };
  const double at_zero = -2 / std::numbers::pi;
  CHECK(most(enclosed({}).first[1]) == 0);
  CHECK(most(enclosed({}).first[0]) == doctest::Approx(-at_zero).epsilon(1e-15));
  CHECK_FALSE(enclosed(-1).second);
  for (int top = -2; top > -1000; top = top * 3 / 2) {
    CAPTURE(top);
    const auto [coefficients, is_finite] = enclosed(top);
    CHECK(is_finite);
    const double slope = most(coefficients[1]);
    CHECK(slope < 2 * std::fabs(std::ldexp(::y0(std::ldexp(1.0, top)), top))); // the bound is no wider than it must be
    for (int i = 1; i <= 64; ++i) {
      const double x = std::ldexp(i / 64.0, top);
      CHECK(std::fabs(x * ::y0(x)) <= slope * (1 + 1e-14));
      CHECK(std::fabs(x * ::y1(x) - at_zero) <= mag_get_d(arb_radref(coefficients[0])) + 1e-15);
    }
  }
}

TEST_CASE("leading term: cases are told only where they are the same in all binades") {
  const Job job = whole_job("tgamma", "binary64", 44);
  const auto beside = *beside_leading_term(job, job.range());
  format::ArgumentSet::Rank end_of_cases = 0; // compared in magnitude
  bool asks = false;
  const auto told = [&](const std::vector<Case>& found, const BesideLeadingTerm& of) {
    asks = false;
    return ranges_of_binades(job, of, found, [&](format::ArgumentSet::Rank rank) {
      asks = true;
      return rank < end_of_cases && rank > -end_of_cases;
    });
  };
  const std::vector<RegimeRange> ranges =
      told({hard(job, beside, 5, 50), hard(job, beside, 0, 77), hard(job, beside, 7, 43.5)}, beside);
  REQUIRE(ranges.size() == 2);
  CHECK(ranges.front().regime.some->fractions == std::vector<uint128>{0, 5});
  CHECK(ranges.front().regime == ranges.back().regime);
  CHECK(ranges.back().ranks == RankInterval{beside.lowest.first, beside.reference.last});
  CHECK_FALSE(asks);

  // Verdicts at 2^-K, as exactly as bits allow: all binades, none, or those up to some binade, of either sign.
  const format::ArgumentSet::Rank binade = beside.lowest.last - beside.lowest.first;
  for (const double bits : {44 + 0x1p-30, 44 - 0x1p-30}) {
    const std::vector<Case> at_bound{hard(job, beside, 5, bits)};
    end_of_cases = job.last;
    CHECK(told(at_bound, beside).back().ranks.last == beside.reference.last);
    CHECK(asks);
    CHECK(told(at_bound, beside).back().regime.some->fractions == std::vector<uint128>{5});
    end_of_cases = 0;
    CHECK(told(at_bound, beside).back().regime.some->fractions.empty());
    end_of_cases = beside.lowest.first + 100 * binade;
    const std::vector<RegimeRange> lower = told(at_bound, beside);
    REQUIRE(lower.size() == 2);
    CHECK(lower.back().ranks == RankInterval{beside.lowest.first, beside.lowest.first + 100 * binade});
    CHECK(lower.front().ranks.first == 1 - lower.back().ranks.last);
  }

  CHECK(told({hard(job, beside, 5, 77)}, beside).empty()); // it may be a breakpoint in some binades
  Case exact = hard(job, beside, 5, INFINITY);
  exact.kind = Case::Kind::exact;
  CHECK(told({exact}, beside).empty());
  BesideLeadingTerm line = beside; // a line whose values are no powers of two
  line.has_exact_powers = false;
  CHECK(told({hard(job, beside, 0, 77)}, line).empty());
  line = beside; // the side of the leading term is not known
  line.is_monotone = false;
  CHECK(told({hard(job, beside, 0, 77)}, line).empty());
  CHECK(told({hard(job, beside, 5, 44)}, line).empty());
}

} // namespace tmd::job
