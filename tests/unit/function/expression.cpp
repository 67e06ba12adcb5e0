// Functions made of expressions: enclosures and series against MPFR's own functions at a high precision.
#include "host/function/expression.hpp"
#include "host/function/catalogue.hpp"
#include "host/number/random.hpp"
#include "host/verify/confirm.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tmd::function {

namespace {

// Computes y = f(x) in y's precision, by MPFR alone.
struct Known {
  const char* text;
  double lower; // arguments that are tried
  double upper;
  void (*evaluate)(mpfr_ptr y, mpfr_srcptr x);
};

const std::array<Known, 10> known_functions{{
    {"x-sin(x)", -8, 8,
     [](mpfr_ptr y, mpfr_srcptr x) {
       mpfr_sin(y, x, MPFR_RNDN);
       mpfr_sub(y, x, y, MPFR_RNDN);
     }},
    {"sin(x)/x", 0x1p-10, 8,
     [](mpfr_ptr y, mpfr_srcptr x) {
       mpfr_sin(y, x, MPFR_RNDN);
       mpfr_div(y, y, x, MPFR_RNDN);
     }},
    {"log(1+exp(x))", -20, 20,
     [](mpfr_ptr y, mpfr_srcptr x) {
       mpfr_exp(y, x, MPFR_RNDN);
       mpfr_log1p(y, y, MPFR_RNDN);
     }},
    {"exp(-x^2)", -4, 4,
     [](mpfr_ptr y, mpfr_srcptr x) {
       mpfr_sqr(y, x, MPFR_RNDN);
       mpfr_neg(y, y, MPFR_RNDN);
       mpfr_exp(y, y, MPFR_RNDN);
     }},
    {"x^7", -5, 5, [](mpfr_ptr y, mpfr_srcptr x) { mpfr_pow_ui(y, x, 7, MPFR_RNDN); }},
    {"exp(x)/x", 0.125, 9,
     [](mpfr_ptr y, mpfr_srcptr x) {
       mpfr_exp(y, x, MPFR_RNDN);
       mpfr_div(y, y, x, MPFR_RNDN);
     }},
    {"cbrt(x)^-4", -4, -0.125,
     [](mpfr_ptr y, mpfr_srcptr x) {
       mpfr_cbrt(y, x, MPFR_RNDN);
       mpfr_pow_si(y, y, -4, MPFR_RNDN);
     }},
    {"0.1*x^3-x/3+pi", -3, 3,
     [](mpfr_ptr y, mpfr_srcptr x) {
       number::Mpfr term(mpfr_get_prec(y));
       mpfr_pow_ui(y, x, 3, MPFR_RNDN);
       mpfr_div_ui(y, y, 10, MPFR_RNDN);
       mpfr_div_ui(term, x, 3, MPFR_RNDN);
       mpfr_sub(y, y, term, MPFR_RNDN);
       mpfr_const_pi(term, MPFR_RNDN);
       mpfr_add(y, y, term, MPFR_RNDN);
     }},
    {"-e*exp2(x)*(x-0x1.8p0)", -3, 9,
     [](mpfr_ptr y, mpfr_srcptr x) {
       number::Mpfr term(mpfr_get_prec(y));
       mpfr_ui_pow(y, 2, x, MPFR_RNDN);
       mpfr_set_si(term, 1, MPFR_RNDN);
       mpfr_exp(term, term, MPFR_RNDN);
       mpfr_mul(y, y, term, MPFR_RNDN);
       mpfr_d_sub(term, 1.5, x, MPFR_RNDN);
       mpfr_mul(y, y, term, MPFR_RNDN);
     }},
    {"log(sin(x)^2+1)", -9, 9,
     [](mpfr_ptr y, mpfr_srcptr x) {
       mpfr_sin(y, x, MPFR_RNDN);
       mpfr_sqr(y, y, MPFR_RNDN);
       mpfr_log1p(y, y, MPFR_RNDN);
     }},
}};

constexpr long high_precision = 1200;

number::Mpfr value_of(const Known& known, mpfr_srcptr x) {
  number::Mpfr y(high_precision);
  known.evaluate(y, x);
  return y;
}

// A random number of 20 bits.
double random_number(number::Random& random, const Known& known) {
  const double share = static_cast<double>(random.below(1U << 20U)) / (1U << 20U);
  return std::ldexp(std::rint(std::ldexp(known.lower + share * (known.upper - known.lower), 18)), -18);
}

number::Mpfr to_mpfr(double number) {
  number::Mpfr result(53);
  mpfr_set_d(result, number, MPFR_RNDN);
  return result;
}

// The Taylor coefficient f^(j)(x)/j! by a difference quotient of order j with steps of 2^−100, and its error: that of a
// derivative which is at most some 2^40, and what the differences lose.
void difference_quotient(arb_ptr result, const Known& known, double x, int j) {
  number::Mpfr at(high_precision);
  number::Mpfr step(high_precision);
  mpfr_set_ui_2exp(step, 1, -100, MPFR_RNDN);
  arb_zero(result);
  number::Integer binomial;
  for (int k = 0; k <= j; ++k) { // Σ (−1)^(j−k)·C(j, k)·f(x + k·step)
    mpfr_mul_si(at, step, k, MPFR_RNDN);
    mpfr_add_d(at, at, x, MPFR_RNDN);
    number::Arb value;
    arf_set_mpfr(arb_midref(static_cast<arb_ptr>(value)), value_of(known, at));
    fmpz_bin_uiui(binomial, static_cast<unsigned long>(j), static_cast<unsigned long>(k));
    if ((j - k) % 2 != 0)
      fmpz_neg(binomial, binomial);
    arb_addmul_fmpz(result, value, binomial, high_precision);
  }
  arb_mul_2exp_si(result, result, 100L * j);
  number::Integer factorial;
  fmpz_fac_ui(factorial, static_cast<unsigned long>(j));
  arb_div_fmpz(result, result, factorial, high_precision);
  number::Arb error;
  arb_set_ui(error, 1);
  arb_mul_2exp_si(error, error, j == 0 ? -high_precision + 40 : -50);
  arb_add_error(result, error);
}

ValueEnclosure value_at(const char* text, double x, long precision = 100) {
  return make_expression(text).value(to_mpfr(x), precision);
}

} // namespace

TEST_CASE("expressions: values lie in their enclosures, which close with the precision") {
  number::Random random(3);
  for (const Known& known : known_functions) {
    INFO(known.text);
    const Function f = make_expression(known.text);
    int wrong = 0;
    int wide = 0;
    for (int i = 0; i < 200; ++i) {
      const number::Mpfr x = to_mpfr(random_number(random, known));
      const number::Mpfr y = value_of(known, x);
      for (const long precision : {60L, 130L, 500L}) {
        const ValueEnclosure enclosure = f.value(x, precision);
        // MPFR's value here has errors of its own, behind its last bits.
        number::Mpfr slack(high_precision);
        mpfr_mul_2si(slack, y, 100 - high_precision, MPFR_RNDN);
        mpfr_abs(slack, slack, MPFR_RNDN);
        number::Mpfr below(high_precision);
        number::Mpfr above(high_precision);
        mpfr_add(above, y, slack, MPFR_RNDU);
        mpfr_sub(below, y, slack, MPFR_RNDD);
        wrong += !(mpfr_lessequal_p(enclosure.lower, above) != 0 && mpfr_greaterequal_p(enclosure.upper, below) != 0);
        number::Mpfr width(60);
        mpfr_sub(width, enclosure.upper, enclosure.lower, MPFR_RNDU);
        wide += mpfr_zero_p(width) == 0 && mpfr_get_exp(static_cast<mpfr_srcptr>(width)) > 40 - precision;
      }
    }
    CHECK(wrong == 0);
    CHECK(wide == 0);
  }
}

TEST_CASE("expressions: series hold the Taylor coefficients of every point of a ball") {
  number::Random random(4);
  constexpr int length = 4;
  for (const Known& known : known_functions) {
    INFO(known.text);
    const Function f = make_expression(known.text);
    int wrong = 0;
    int narrow = 0;
    int tested = 0;
    for (int i = 0; i < 60; ++i) {
      const double centre = random_number(random, known);
      const double radius = i % 3 == 0 ? 0 : std::ldexp(std::fabs(centre), -3 - static_cast<int>(random.below(30)));
      const double x = centre + radius * (static_cast<double>(random.below(2001)) / 1000 - 1);
      number::Arb ball;
      number::Arb error;
      arb_set_d(ball, centre);
      arb_set_d(error, radius);
      arb_add_error(ball, error);
      number::ArbVector coefficients(length);
      f.series(coefficients.data(), ball, length, 128);
      for (int j = 0; j < length; ++j) {
        if (arb_is_finite(coefficients[j]) == 0)
          continue;
        ++tested;
        number::Arb expected;
        difference_quotient(expected, known, x, j);
        wrong += arb_overlaps(coefficients[j], expected) == 0;
        if (radius == 0)
          narrow += arb_rel_accuracy_bits(coefficients[j]) >= 60 || arb_contains_zero(coefficients[j]) != 0;
      }
    }
    CHECK(wrong == 0);
    CHECK(tested > 200);
    CHECK(narrow == 80);
  }
}

// x − sin x is x³/6 − …: 400 bits cancel at 2^−200.
TEST_CASE("expressions: what cancels is made up for") {
  const Function f = make_expression("x-sin(x)");
  number::Arb x;
  arb_one(x);
  arb_mul_2exp_si(x, x, -200);
  number::ArbVector coefficients(3);
  f.series(coefficients.data(), x, 3, 100);
  CHECK(arb_rel_accuracy_bits(coefficients[0]) >= 98);
  // A ball of relative radius 2^−12: the plain series over it would hold zero.
  number::Arb radius;
  arb_mul_2exp_si(radius, x, -12);
  arb_add_error(x, radius);
  f.series(coefficients.data(), x, 3, 100);
  CHECK(arb_rel_accuracy_bits(coefficients[0]) >= 8);
}

TEST_CASE("expressions: exact where every operation is, undefined where one is not defined") {
  CHECK(value_at("x^7", 3).is_exact());
  CHECK(mpfr_cmp_ui(value_at("x^7", 3).lower, 2187) == 0);
  CHECK(value_at("exp(x)-exp(x)", 0).is_exact());
  CHECK(!value_at("exp(x)-exp(x)", 1).is_exact());
  CHECK(value_at("cbrt(x^2-1)/4", 3).is_exact());
  CHECK(mpfr_cmp_d(value_at("cbrt(x^2-1)/4", 3).lower, 0.5) == 0);
  CHECK(!value_at("0.1*x", 1).is_exact());
  CHECK(value_at("0.1*x", 5).is_exact());
  CHECK(value_at("0.5*x", 1).is_exact());

  for (const auto& [text, x] : std::vector<std::pair<const char*, double>>{{"1/x", 0},
                                                                           {"x^-2", 0},
                                                                           {"log(x)", 0},
                                                                           {"log(x-1)", 0.5},
                                                                           {"log(-exp(x))", 1},
                                                                           {"x*log(x)", 0},
                                                                           {"(1/x)^0", 0},
                                                                           {"exp(-1/x^2)", 0}}) {
    INFO(text);
    const Function f = make_expression(text);
    CHECK(f.value(to_mpfr(x), 100).is_undefined());
    number::Arb ball;
    arb_set_d(ball, x);
    number::ArbVector coefficients(2);
    f.series(coefficients.data(), ball, 2, 100);
    CHECK(arb_is_finite(coefficients[0]) == 0);
  }
  // Whether 1 − cbrt(x)^3 is zero is not seen.
  const ValueEnclosure nothing = value_at("1/(1-cbrt(x)^3*(1/x))", 3);
  CHECK(mpfr_inf_p(static_cast<mpfr_srcptr>(nothing.lower)) != 0);
  CHECK(mpfr_inf_p(static_cast<mpfr_srcptr>(nothing.upper)) != 0);
}

TEST_CASE("expressions: what overflows stays enclosed") {
  const ValueEnclosure small = value_at("exp(-exp(exp(x)))", 60);
  CHECK(mpfr_sgn(static_cast<mpfr_srcptr>(small.lower)) <= 0);
  CHECK(mpfr_sgn(static_cast<mpfr_srcptr>(small.upper)) > 0);
  const ValueEnclosure ratio = value_at("exp(exp(x))/exp(exp(x))", 60);
  CHECK(mpfr_cmp_ui(ratio.lower, 1) <= 0);
  CHECK(mpfr_cmp_ui(ratio.upper, 1) >= 0);
}

// At numbers so large that exp(x) is beyond MPFR's exponents.
TEST_CASE("expressions: what is made of a value that overflows is known as far as it can be") {
  const double large = 0x1p+40;
  const auto below = [](const ValueEnclosure& value, long exponent) { // |f(x)| < 2^exponent, and it is finite
    return value.is_bounded() && mpfr_cmp_ui_2exp(value.upper, 1, exponent) < 0 &&
           mpfr_cmp_si_2exp(value.lower, -1, exponent) > 0;
  };
  const auto above = [](const ValueEnclosure& value, long exponent) {
    return mpfr_cmp_ui_2exp(value.lower, 1, exponent) > 0 && mpfr_inf_p(static_cast<mpfr_srcptr>(value.upper)) != 0;
  };
  constexpr long far = 1L << 29;
  for (const char* text : {"exp(x)*2", "x*exp(x)", "1/exp(-x)", "exp(-x)^-3", "exp(x)^3", "exp(x)-x", "sinh(exp(x))",
                           "exp(exp(x))", "sqrt(exp(x))*4", "exp(x*pi)", "cosh(-exp(x))", "exp(x)/(1/x)"}) {
    INFO(text);
    CHECK(above(value_at(text, large), far - 1));
  }
  for (const char* text : {"1/exp(x)", "exp(-x)*2", "exp(x)^-2", "x/(exp(x)-1)", "x*exp(-x)", "1/(1+exp(x))",
                           "exp(-exp(x))", "-1/exp(x)", "exp(-x*pi)", "1/(2-exp(x))"}) {
    INFO(text);
    CHECK(below(value_at(text, large), -far + 100));
  }
  // Values next to a limit.
  for (const auto& [text, limit] : {std::pair("1/(1+exp(-x))", 1.0), std::pair("tanh(exp(x))", 1.0),
                                    std::pair("erf(-exp(x))", -1.0), std::pair("atanpi(-exp(x))", -0.5)}) {
    INFO(text);
    const ValueEnclosure value = value_at(text, large);
    CHECK(mpfr_cmp_d(value.lower, limit) <= 0);
    CHECK(mpfr_cmp_d(value.upper, limit) >= 0);
    CHECK(mpfr_cmp_d(value.lower, limit - 0x1p-40) > 0);
    CHECK(mpfr_cmp_d(value.upper, limit + 0x1p-40) < 0);
  }
  const ValueEnclosure angle = value_at("atan(exp(x))", large);
  number::Mpfr half_pi(200);
  mpfr_const_pi(half_pi, MPFR_RNDN);
  mpfr_div_2ui(half_pi, half_pi, 1, MPFR_RNDN);
  CHECK(mpfr_lessequal_p(angle.lower, half_pi) != 0);
  CHECK(mpfr_greaterequal_p(angle.upper, half_pi) != 0);
  number::Mpfr width(60);
  mpfr_sub(width, angle.upper, angle.lower, MPFR_RNDU);
  CHECK(mpfr_cmp_ui_2exp(width, 1, -80) < 0);
  // A step that has no number is not one that may be any number.
  CHECK(value_at("log(-exp(x))", large).is_undefined());
  CHECK(value_at("1/(exp(x)*0)", large).is_undefined());
  for (const char* text : {"exp(x)-exp(x)", "sin(exp(x))", "1/(exp(x)-exp(x))"}) {
    INFO(text);
    CHECK_FALSE(value_at(text, large).is_bounded());
  }
}

// An end that is attained would be a false limit: each line fails without one condition under which intervals are
// strict.
TEST_CASE("expressions: limits lie beyond every value") {
  constexpr double none = std::numeric_limits<double>::infinity();
  struct Limits {
    const char* text;
    double greater_than;
    double less_than;
  };
  for (const Limits& expected : std::vector<Limits>{{"1/(1+exp(-x))", 0, 1},
                                                    {"exp(x)/(1+exp(x))", 0, none},
                                                    {"2*tanh(x)-1", -3, 1},
                                                    {"1-exp(x)", -none, 1},
                                                    {"3+tanh(x)^3", 2, 4},
                                                    {"(1+exp(x))^2", 1, none},
                                                    {"(1+exp(x))^-2", 0, 1},
                                                    {"exp(tanh(x))", std::exp(-1.0), std::exp(1.0)},
                                                    {"-atanpi(x)*exp(-exp(x))", -0.5, 0.5},
                                                    {"x", -none, none},
                                                    {"tanh(x)^2", -none, none},             // 0 at 0
                                                    {"(1+tanh(x))*tanh(x)^2", -none, none}, // the same function
                                                    {"tanh(x)^2*(1+tanh(x))", -none, none}, // the same function
                                                    {"tanh(x)^2/(1+exp(x))", -none, none},  // the same function
                                                    {"exp(-tanh(x)^2)", -none, none},       // 1 at 0
                                                    {"1+0*exp(x)", -none, none},
                                                    {"tanh(x)^0", -none, none}}) {
    INFO(expected.text);
    const Function f = make_expression(expected.text);
    const auto is_near = [](double found, double wanted) {
      return found == wanted || std::fabs(found - wanted) <= 0x1p-50 * std::fabs(wanted);
    };
    CHECK(is_near(f.greater_than, expected.greater_than));
    CHECK(is_near(f.less_than, expected.less_than));
    for (double x = -20; x <= 20; x += 0.25) {
      const ValueEnclosure value = f.value(to_mpfr(x), 100);
      CHECK(mpfr_cmp_d(value.upper, f.greater_than) > 0);
      CHECK(mpfr_cmp_d(value.lower, f.less_than) < 0);
      CHECK((value.is_exact() ? mpfr_cmp_d(value.lower, f.greater_than) > 0 : true));
    }
  }
}

TEST_CASE("expressions: strictly beside a limit, however near") {
  const Function logistic = make_expression("1/(1+exp(-x))");
  const auto found = verify::Confirmation(logistic, {Rounding::all, 53}, 44).confirm({false, 1, 40});
  REQUIRE(found);
  CHECK(found->kind == Case::Kind::hard);
  CHECK(found->bits > 4000);
}

// x/3, x² − 1/x and so on at 16-bit numbers, compared with what the integers say.
TEST_CASE("expressions: rational values are dyadic or not") {
  for (const char* text : {"0.1*x", "x/10", "1/(x^2+1)", "(x-0.3)/(x+0.7)", "x^3-x/3", "0.1*exp2(x)", "sqrt(x)/5"}) {
    INFO(text);
    const Function f = make_expression(text);
    int exact = 0;
    int unknown = 0;
    int undecided = 0;
    const verify::Confirmation confirmation(f, {Rounding::all, 8}, 1);
    for (unsigned i = 1; i < 600; ++i) {
      const Argument x{false, i, 0};
      number::Mpfr number(20);
      mpfr_set_ui(number, i, MPFR_RNDN);
      const Exactness known = f.exactness(number);
      const ValueEnclosure value = f.value(number, 1000);
      unknown += known == Exactness::unknown;
      exact += known == Exactness::exact;
      CHECK((known == Exactness::exact) == value.is_exact());
      const auto found = confirmation.confirm(x);
      undecided += found && found->kind == Case::Kind::undecided;
    }
    CHECK(undecided == 0);
    const bool is_root = std::string(text) == "sqrt(x)/5";
    CHECK((unknown == 0) == !is_root);
    CHECK(exact >= (is_root ? 4 : 0));
  }
  const Function tenth = make_expression("0.1*x");
  CHECK(tenth.exactness(to_mpfr(5)) == Exactness::exact);
  CHECK(tenth.exactness(to_mpfr(6)) == Exactness::inexact);
  const auto midpoint = verify::Confirmation(tenth, {Rounding::all, 2}, 3).confirm({false, 25, 0}); // 2.5
  REQUIRE(midpoint);
  CHECK(midpoint->is_exact());
  CHECK(midpoint->breakpoint == Breakpoint::midpoint);
}

TEST_CASE("expressions: what no precision decides is undecided, and soon") {
  const Function identity = make_expression("exp(log(x))");
  const verify::Confirmation confirmation(identity, {Rounding::all, 53}, 44);
  const auto found = confirmation.confirm({false, 3, 0});
  REQUIRE(found);
  CHECK(found->kind == Case::Kind::undecided);
  CHECK(found->breakpoint == Breakpoint::representable);
  const auto exact = confirmation.confirm({false, 1, 0}); // log 1 = 0, and e^0 = 1
  REQUIRE(exact);
  CHECK(exact->is_exact());
}

TEST_CASE("expressions: factorials are exact, or too long to be told") {
  const Function next = make_expression("tgamma(x)+1");
  number::Mpfr x(64);
  for (const auto& [number, expected] :
       {std::pair(25, Exactness::exact), std::pair(2000, Exactness::exact), std::pair(4096, Exactness::unknown)}) {
    CAPTURE(number);
    mpfr_set_si(x, number, MPFR_RNDN);
    CHECK(next.exactness(x) == expected);
  }
}

TEST_CASE("expressions: log(1 + exp(x)) at any x") {
  const Function softplus = make_expression("log(1+exp(x))");
  number::Mpfr x(53);
  number::Mpfr plain(200);
  for (const double at : {-0x1p+80, -1000.0, -1.0, -0x1p-60, 0.0, 0x1p-60, 1.0, 100.0, 0x1p+14, 0x1p+80}) {
    CAPTURE(at);
    mpfr_set_d(x, at, MPFR_RNDN);
    const ValueEnclosure value = softplus.value(x, 120);
    CHECK(value.is_strict);
    CHECK(mpfr_less_p(value.lower, value.upper) != 0);
    CHECK(mpfr_cmp_d(value.lower, std::max(at, 0.0)) >= 0);
    number::Arb point;
    arb_set_d(point, at);
    number::ArbVector series(2);
    softplus.series(series.data(), point, 2, 120);
    CHECK(arb_rel_accuracy_bits(series[0]) > 100);
    CHECK(arb_rel_accuracy_bits(series[1]) > 100);
    if (at < -1e6 || at > 1e6)
      continue;
    mpfr_exp(plain, x, MPFR_RNDN);
    mpfr_log1p(plain, plain, MPFR_RNDN);
    CHECK(mpfr_lessequal_p(value.lower, plain) != 0);
    CHECK(mpfr_greaterequal_p(value.upper, plain) != 0);
    number::Arb reference;
    arf_set_mpfr(arb_midref(static_cast<arb_ptr>(reference)), plain);
    arb_set_round(reference, reference, 100);
    CHECK(arb_overlaps(series[0], reference) != 0);
  }
}

TEST_CASE("expressions: the text is the name") {
  CHECK(make_expression(" log( 1 + exp(x) )").name == "log(1+exp(x))");
  CHECK(message_of([] { (void)make_expression("log(1+exp(y))"); }).find("column 11") != std::string::npos);
}

} // namespace tmd::function
