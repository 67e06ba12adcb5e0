// Functions of two variables against MPFR: values at random and special operands, special values as C has them, exact
// values against enumeration.
#include "host/function/pairs.hpp"
#include "host/format/argument.hpp"
#include "host/number/random.hpp"
#include "host/verify/confirm.hpp"
#include "host/verify/rounded_value.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tmd::function {

namespace {

using MpfrPair = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
constexpr mpfr_rnd_t mpfr_directions[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};

struct Reference {
  const char* name;
  MpfrPair evaluate;
};
int mpfr_rootn(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr n, mpfr_rnd_t direction) {
  return mpfr_rootn_si(y, x, mpfr_get_si(n, MPFR_RNDN), direction);
}
// mpfr_compound_si of MPFR up to 4.2.1 misses some exact values.
int mpfr_compoundn(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr n, mpfr_rnd_t direction) {
  number::Mpfr sum(4096);
  mpfr_add_ui(sum, x, 1, MPFR_RNDN); // exact
  if (mpfr_sgn(mpfr_srcptr(sum)) >= 0)
    return mpfr_pow(y, sum, n, direction);
  mpfr_set_nan(y);
  return 0;
}
constexpr Reference references[] = {{"pow", mpfr_pow},         {"powr", mpfr_powr},          {"pown", mpfr_pow},
                                    {"rootn", mpfr_rootn},     {"hypot", mpfr_hypot},        {"atan2", mpfr_atan2},
                                    {"atan2pi", mpfr_atan2pi}, {"compoundn", mpfr_compoundn}};

const PairFunction& function_named(const char* name) {
  const PairFunction* function = find_pair_function(name);
  REQUIRE(function != nullptr);
  return *function;
}

// The value by MPFR, with the format's own exponents, rounded once.
std::string by_mpfr(MpfrPair evaluate, const Format& format, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t direction) {
  const mpfr_exp_t least = mpfr_get_emin();
  const mpfr_exp_t greatest = mpfr_get_emax();
  number::Mpfr result(format.precision);
  mpfr_set_emin(format.min_exponent - format.precision + 2);
  mpfr_set_emax(format.max_exponent + 1);
  const int ternary = evaluate(result, a, b, direction);
  mpfr_subnormalize(result, ternary, direction);
  mpfr_set_emin(least);
  mpfr_set_emax(greatest);
  return verify::to_hex(mpfr_srcptr(result));
}

std::string by_us(const PairFunction& function, const Format& format, mpfr_srcptr a, mpfr_srcptr b,
                  Direction direction) {
  if (const auto special = function.special(a, b))
    return verify::to_hex(mpfr_srcptr(*special));
  const number::Mpfr any(2);
  const auto value = verify::rounded_value(at_operands(function, a, b), format, any);
  REQUIRE(value);
  REQUIRE(value->in(direction));
  return verify::to_hex(mpfr_srcptr(*value->in(direction)));
}

number::Mpfr rounded_up(mpfr_srcptr x) {
  number::Mpfr result(64);
  mpfr_rint(result, x, MPFR_RNDA);
  return result;
}

void compare(const Reference& reference, const Format& format, mpfr_srcptr a, mpfr_srcptr b) {
  if (function_named(reference.name).takes_integer && mpfr_fits_slong_p(b, MPFR_RNDN) != 0 && mpfr_integer_p(b) == 0)
    return compare(reference, format, a, rounded_up(b));
  if (function_named(reference.name).takes_integer && mpfr_fits_slong_p(b, MPFR_RNDN) == 0)
    return;
  // IEEE 754 and C23 have not a number here; MPFR 4.2 has pow's 1.
  if (std::string(reference.name) == "powr" && mpfr_cmp_ui(a, 1) == 0 && mpfr_nan_p(b) != 0)
    return;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    CAPTURE(reference.name);
    CAPTURE(verify::to_hex(a));
    CAPTURE(verify::to_hex(b));
    CAPTURE(to_string(directions.at(i)));
    CHECK(by_us(function_named(reference.name), format, a, b, directions.at(i)) ==
          by_mpfr(reference.evaluate, format, a, b, mpfr_directions[i]));
  }
}

// A random number with any exponent where `spread` is large, at times with few bits, so that there are exact values.
number::Mpfr random_number(number::Random& random, const Format& format, int spread) {
  const bool few = random.below(3) == 0;
  const auto significand = random.below(std::uint64_t{1} << (few ? 3 : format.precision)) + 1;
  const int exponent = static_cast<int>(random.below(2 * static_cast<unsigned>(spread))) - spread;
  return format::to_mpfr(
      Argument{random.below(2) == 1, significand,
               std::max(exponent - bit_length(significand), format.min_exponent - format.precision + 1)});
}

} // namespace

TEST_CASE("values are rounded as MPFR rounds them") {
  number::Random random_of_others(46);
  number::Random random_of_compoundn(47); // MPFR's rootn is wrong at some pairs, which the others do not meet so
  for (const char* name : {"binary16", "binary32", "binary64"}) {
    const Format format = find_format(name);
    for (const Reference& reference : references)
      for (int i = 0; i < 400; ++i) {
        number::Random& random = reference.evaluate == mpfr_compoundn ? random_of_compoundn : random_of_others;
        const int spread = i % 4 == 0 ? format.max_exponent - 1 : i % 4 == 1 ? 40 : 4;
        const number::Mpfr a = random_number(random, format, std::min(spread, format.max_exponent - 1));
        const number::Mpfr b = random_number(random, format, std::min(spread, format.max_exponent - 1));
        compare(reference, format, a, b);
      }
  }
}

TEST_CASE("zeros, infinities, what is not a number, ones, ends of the format: as C23 has them") {
  const Format format = find_format("binary64");
  std::vector<number::Mpfr> numbers;
  for (const char* text : {"0",
                           "-0",
                           "inf",
                           "-inf",
                           "nan",
                           "1",
                           "-1",
                           "2",
                           "-2",
                           "3",
                           "-3",
                           "0.5",
                           "-0.5",
                           "4",
                           "0.25",
                           "0x1p-1074",
                           "-0x1p-1074",
                           "0x1.fffffffffffffp+1023",
                           "-0x1.fffffffffffffp+1023",
                           "0x1p+1023",
                           "0x1.0000000000001p+0",
                           "-0x1.fffffffffffffp-1",
                           "0x1p-1022",
                           "2.5",
                           "-1023",
                           "1024",
                           "-1074",
                           "-1075",
                           "-1076",
                           "0x1.8p-537",
                           "9007199254740993",
                           "9007199254740992"}) {
    numbers.emplace_back(64);
    mpfr_set_str(numbers.back(), text, 0, MPFR_RNDN);
  }
  for (const Reference& reference : references)
    for (const number::Mpfr& a : numbers)
      for (const number::Mpfr& b : numbers)
        compare(reference, format, a, b);
}

TEST_CASE("exact values are those that MPFR finds exact with many bits") {
  number::Mpfr a(16);
  number::Mpfr b(16);
  number::Mpfr value(400);
  for (const Reference& reference : references) {
    const PairFunction& function = function_named(reference.name);
    for (int i = -24; i <= 68; ++i)
      for (int j = -40; j <= 40; ++j) {
        mpfr_set_si_2exp(a, i, -2, MPFR_RNDN);
        mpfr_set_si_2exp(b, j, -3, MPFR_RNDN);
        if (function.special(a, b) || (function.takes_integer && mpfr_integer_p(mpfr_srcptr(b)) == 0))
          continue;
        const bool exact = reference.evaluate(value, a, b, MPFR_RNDN) == 0;
        CAPTURE(reference.name);
        CAPTURE(i);
        CAPTURE(j);
        CHECK((function.exactness(a, b) == Exactness::exact) == exact);
        if (exact)
          CHECK(mpfr_equal_p(mpfr_srcptr(function.value(a, b, 53).lower), mpfr_srcptr(value)) != 0);
      }
  }
}

TEST_CASE("known cases: exact, midpoints, hard ones") {
  const auto found = [](const char* name, const char* first, const char* second) {
    number::Mpfr a(64);
    number::Mpfr b(64);
    mpfr_set_str(a, first, 0, MPFR_RNDN);
    mpfr_set_str(b, second, 0, MPFR_RNDN);
    const Format format = find_format("binary64");
    const format::BreakpointGrid grid{Rounding::all, format.precision, format.min_exponent, format.max_exponent};
    const Function function = at_operands(function_named(name), a, b);
    return verify::Confirmation(function, grid, 0).confirm(Argument{});
  };
  CHECK(found("hypot", "3", "4")->kind == Case::Kind::exact);
  CHECK(found("pow", "0x1.8p+0", "2")->breakpoint == Breakpoint::representable);
  CHECK(found("pow", "4", "-0.5")->kind == Case::Kind::exact);
  CHECK(found("pow", "9007199254740993", "1")->breakpoint == Breakpoint::midpoint);
  CHECK(found("atan2pi", "1", "-1")->kind == Case::Kind::exact);
  CHECK(found("atan2", "1", "1")->kind == Case::Kind::hard);
  const auto near = found("hypot", "1", "0x1p-300"); // 1 + 2^-601
  CHECK(near->kind == Case::Kind::hard);
  CHECK(near->bits > 547);
  CHECK_FALSE(found("pow", "1e300", "1e300")); // the value overflows
}

} // namespace tmd::function
