// The promises of the catalogue's rows.
#include "host/function/catalogue.hpp"
#include "host/format/argument.hpp"
#include "thorough.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace tmd::function {

namespace {

// Numbers ±m·2^e with few bits, so that every function has exact values among them.
number::Mpfr simple_number(std::mt19937_64& random) {
  number::Mpfr x(64);
  const auto significand = static_cast<long>(random() % 2001) - 1000;
  const int exponent = static_cast<int>(random() % 12) - 9;
  mpfr_set_si_2exp(x, significand, exponent, MPFR_RNDN);
  return x;
}

number::Mpfr number(double value) {
  number::Mpfr x(64);
  mpfr_set_d(x, value, MPFR_RNDN);
  return x;
}

bool is_inside(const Domain& domain, mpfr_srcptr x) {
  const int lower = mpfr_cmp_d(x, domain.lower);
  const int upper = mpfr_cmp_d(x, domain.upper);
  return (lower > 0 || (lower == 0 && domain.lower_included)) && (upper < 0 || (upper == 0 && domain.upper_included));
}

// The domains' poles.
bool is_pole(const Function& f, mpfr_srcptr x) {
  if (f.name == "lgamma" || f.name == "tgamma")
    return mpfr_integer_p(x) != 0 && mpfr_sgn(x) <= 0;
  if (f.name == "recip")
    return mpfr_zero_p(x) != 0;
  number::Mpfr twice(mpfr_get_prec(x));
  mpfr_mul_2ui(twice, x, 1, MPFR_RNDN);
  return f.name == "tanpi" && mpfr_integer_p(x) == 0 && mpfr_integer_p(twice) != 0;
}

std::string refusal(std::string_view name) {
  try {
    (void)find_function(name);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("catalogue: sorted by name, complete entries, unknown names refused") {
  const auto all = functions();
  CHECK(all.size() == 42);
  CHECK(std::is_sorted(all.begin(), all.end(), [](const Function& a, const Function& b) { return a.name < b.name; }));
  for (const Function& f : all) {
    CAPTURE(f.name);
    CHECK(&find_function(f.name) == &f);
    CHECK_FALSE(f.description.empty());
    CHECK_FALSE(f.domain.text.empty());
    CHECK_FALSE(f.exact_cases.empty());
    CHECK_FALSE(f.theorem.empty());
    CHECK((f.series && f.value && f.exactness));
  }
  CHECK(refusal("sinn") == "unknown function 'sinn'; `tmd functions` lists them; did you mean 'sin'?");
  CHECK(refusal("pow") ==
        "pow has two variables, which only `tmd search`, `tmd check`, `tmd show` and `tmd libm` take: "
        "fix one of them, as in pown:N (x^N), rootn:N (x^(1/N)) or exp(2.5*log(x))");
  CHECK(refusal("hypot").ends_with("as in sqrt(x^2+9)"));
  CHECK(refusal("") == "unknown function ''; `tmd functions` lists them");
}

TEST_CASE("families: members are made once and stay, what is none is refused") {
  for (const FunctionFamily& family : function_families()) {
    CAPTURE(family.name);
    CHECK_FALSE(family.description.empty());
    const Function& f = find_function(family.name + ":-7");
    CHECK(f.name == family.name + ":-7");
    CHECK(&find_function(family.name + ":-7") == &f);
    CHECK(&find_function(family.name + ":-0007") == &f);
    CHECK(find_function(family.name + ":" + std::to_string(family.greatest)).name ==
          family.name + ":" + std::to_string(family.greatest));
    for (const std::string none : {"", ":", ":0", ":1", ":x", ":3x", ":+3", ":2.5", ": 2", ":9223372036854775808"})
      CHECK(refusal(family.name + none).find(family.name + ":N: N must be an integer from") == 0);
    CHECK_FALSE(refusal(family.name + ":" + std::to_string(family.greatest + 1)).empty());
    CHECK_FALSE(refusal(family.name + ":" + std::to_string(family.least - 1)).empty());
  }
  CHECK(refusal("exp:2").find("unknown function 'exp:2'") == 0);
  std::vector<const Function*> seen(8);
  std::vector<std::thread> threads;
  threads.reserve(seen.size());
  for (const Function*& one : seen)
    threads.emplace_back([&one] { one = &find_function("rootn:11"); });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(std::count(seen.begin(), seen.end(), seen.front()) == 8);
}

TEST_CASE("catalogue: values lie in their enclosures, which are one ulp wide or exact, wherever there are values") {
  std::mt19937_64 random(1);
  for (const Function& f : functions()) {
    CAPTURE(f.name);
    std::size_t wrong = 0;
    std::size_t exact = 0;
    for (int i = 0; i < 1000; ++i) {
      number::Mpfr x = simple_number(random);
      if (i < 2) // the values are 0 and 1
        mpfr_set_si(x, i, MPFR_RNDN);
      const ValueEnclosure value = f.value(x, 60);
      const ValueEnclosure better = f.value(x, 400);
      wrong += value.is_undefined() == (is_inside(f.domain, x) && !is_pole(f, x));
      if (value.is_undefined())
        continue;
      wrong += mpfr_lessequal_p(value.lower, better.lower) == 0 || mpfr_greaterequal_p(value.upper, better.upper) == 0;
      number::Mpfr next(value.lower);
      mpfr_nextabove(next);
      wrong += !value.is_exact() && mpfr_equal_p(next, value.upper) == 0;
      exact += better.is_exact();
    }
    CHECK(wrong == 0);
    CHECK((exact > 0 || f.name == "y0" || f.name == "y1"));
  }
}

// MPFR's ternary value is a witness that shares nothing with the theorems. Values with more than 4000 bits, exact or
// not, are beyond 2^±1000.
TEST_CASE("exactness: what MPFR finds, on all arguments of binary16 that have 9 bits, or with TMD_TEST_ALL on all") {
  std::vector<const Function*> all;
  for (const Function& f : functions())
    all.push_back(&f);
  for (const char* name : {"rootn:3", "rootn:-2", "rootn:-5", "pown:3", "pown:-2", "compound:5", "compound:-3"})
    all.push_back(&find_function(name));
  const format::ArgumentSet arguments(find_format("binary16"), test::tries_all ? 11 : 9);
  for (const Function* f : all) {
    CAPTURE(f->name);
    std::size_t wrong = 0;
    for (format::ArgumentSet::Rank rank = 1 - arguments.end(); rank < arguments.end(); ++rank) {
      const number::Mpfr x = format::to_mpfr(arguments.at(rank));
      if (!is_inside(f->domain, x) || (rank < 0 && f->symmetry != Symmetry::none))
        continue;
      const ValueEnclosure value = f->value(x, 45);
      if (value.is_undefined())
        continue;
      const Exactness known = f->exactness(x);
      wrong += value.is_exact() && known == Exactness::inexact;
      if (value.is_exact() || known != Exactness::exact || mpfr_cmpabs_ui(x, 1000) >= 0 ||
          std::labs(mpfr_get_exp(static_cast<mpfr_srcptr>(value.lower))) >= 1000)
        continue;
      wrong += !f->value(x, 4000).is_exact();
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("exactness: the exact cases of the theorems, and their neighbours") {
  struct Row {
    const char* function;
    std::vector<double> exact;
    std::vector<double> others;
  };
  const Row rows[] = {
      {"exp10", {0, 1, 23, 300}, {-1, 0.5, -23}},
      {"exp10m1", {0, 1, 16}, {-1, 0.5}},
      {"exp2", {0, -5, 1000}, {0.5, 1.25}},
      {"exp2m1", {0, -40, 100}, {0.5}},
      {"log10", {1, 10, 1e22}, {2, 0.5, 5, 100000.5}},
      {"log10p1", {0, 9, 999}, {1, 10, -0.5, -0.90625}},
      {"log2", {1, 2, 0x1p-1074}, {3, 10}},
      {"log2p1", {0, 1, 3, -0.75, -0.5}, {2, 0.25, 0x1p-1074}},
      {"cbrt", {0, 8, -27, 0.125, 0x1p-1074}, {2, 4, 9, 0x1p-1072}},
      {"sqrt", {0, 4, 9, 0.25, 0x1p-1074}, {2, 3, 8}},
      {"rsqrt", {1, 4, 64, 0.25, 0x1p-1074}, {2, 9}},
      {"recip", {1, -2, 0x1p-1074}, {3, -10}},
      {"rootn:5", {32, -243, 0x1p-1070}, {31, 16}},
      {"rootn:-1", {1, -2}, {3, -10}},
      {"rootn:-3", {8, -8, 0x1p-1074}, {27, 4}},
      {"pown:3", {0, 5, -0.1}, {}},
      {"pown:-2", {1, -4, 0x1p-1074}, {3}},
      {"compound:5", {-1, 0, 0.1, 0x1p-400}, {}},
      {"compound:-3", {0, -0.5, -0.9375, 7}, {2, 0x1p-1074}},
      {"sinpi", {0.5, 3, -1e15}, {0.25, 1e-300}},
      {"cospi", {0, 0.5, 1e300}, {0.25, 0x1p-1074}},
      {"tanpi", {0.25, -0.75, 3, 1e300}, {0.125}},
      {"asinpi", {-1, 0, 1}, {0.5}},
      {"acospi", {-1, 0, 1}, {0.5}},
      {"atanpi", {-1, 0, 1}, {0.5, 2}},
      {"acosh", {1}, {2}},
      {"tgamma", {1, 2, 22, 300}, {0.5, -1.5, 2.25, -3.75}},
      {"lgamma", {1, 2}, {3, 100}},
  };
  for (const Row& row : rows) {
    INFO(std::string(row.function));
    const Function& f = find_function(row.function);
    for (const double x : row.exact) {
      CAPTURE(x);
      CHECK(f.exactness(number(x)) == Exactness::exact);
      CHECK(f.value(number(x), 3000).is_exact());
    }
    for (const double x : row.others) {
      CAPTURE(x);
      CHECK(f.exactness(number(x)) == Exactness::inexact);
      CHECK_FALSE(f.value(number(x), 3000).is_exact());
    }
  }
  for (const char* name : {"erf", "erfc", "lgamma", "tgamma", "y0", "y1"})
    CHECK(find_function(name).exactness(number(0.375)) == Exactness::unknown);
}

TEST_CASE("symmetry is that of the values") {
  std::mt19937_64 random(3);
  for (const Function& f : functions()) {
    CAPTURE(f.name);
    int even = 0;
    int odd = 0;
    int both = 0;
    for (int i = 0; i < 200; ++i) {
      const number::Mpfr x = simple_number(random);
      number::Mpfr mirrored(x);
      mpfr_neg(mirrored, mirrored, MPFR_RNDN);
      const ValueEnclosure right = f.value(x, 60);
      ValueEnclosure left = f.value(mirrored, 60);
      if (right.is_undefined() && left.is_undefined())
        continue;
      ++both;
      even += mpfr_equal_p(left.lower, right.lower) != 0 && mpfr_equal_p(left.upper, right.upper) != 0;
      mpfr_neg(left.lower, left.lower, MPFR_RNDN);
      mpfr_neg(left.upper, left.upper, MPFR_RNDN);
      odd += mpfr_equal_p(left.lower, right.upper) != 0 && mpfr_equal_p(left.upper, right.lower) != 0;
    }
    CHECK(both > 0);
    CHECK((f.symmetry == Symmetry::even) == (even == both));
    CHECK((f.symmetry == Symmetry::odd) == (odd == both));
  }
}

TEST_CASE("values do not fall where they are said to rise, and at infinity MPFR has their limit") {
  std::mt19937_64 random(5);
  std::size_t rising = 0;
  for (const Function& f : functions()) {
    if (f.rises_from == std::numeric_limits<double>::infinity())
      continue;
    CAPTURE(f.name);
    ++rising;
    int pairs = 0;
    const auto magnitude = [&](mpfr_srcptr x) {
      const ValueEnclosure value = f.value(x, 60);
      number::Mpfr result(60); // the rounding is towards zero in every case
      mpfr_abs(result, mpfr_sgn(static_cast<mpfr_srcptr>(value.lower)) < 0 ? value.upper : value.lower, MPFR_RNDN);
      return result;
    };
    for (int i = 0; i < 400; ++i) {
      number::Mpfr x = simple_number(random);
      number::Mpfr y = simple_number(random);
      if (mpfr_greater_p(x, y) != 0)
        mpfr_swap(x, y);
      if (mpfr_cmp_d(x, f.rises_from) < 0)
        continue;
      ++pairs;
      CHECK(mpfr_lessequal_p(magnitude(x), magnitude(y)) != 0);
      const ValueEnclosure limit = [&] {
        number::Mpfr infinite(2);
        mpfr_set_inf(infinite, 1);
        return f.value(infinite, 60);
      }();
      if (!limit.is_undefined())
        CHECK(mpfr_lessequal_p(magnitude(y), limit.upper) != 0);
    }
    CHECK(pairs > 20);
  }
  CHECK(rising >= 13);
}

TEST_CASE("scaling is that of the values") {
  std::mt19937_64 random(4);
  std::size_t scaled = 0;
  for (const Function* f :
       {&find_function("rootn:5"), &find_function("rootn:-4"), &find_function("pown:-3"), &find_function("cbrt"),
        &find_function("cospi"), &find_function("exp2"), &find_function("log2"), &find_function("recip"),
        &find_function("rsqrt"), &find_function("sinpi"), &find_function("sqrt"), &find_function("tanpi")}) {
    CAPTURE(f->name);
    REQUIRE(f->scaling.has_value());
    const Scaling& scaling = *f->scaling;
    for (int i = 0; i < 100; ++i) {
      const number::Mpfr x = simple_number(random);
      number::Mpfr other(200);
      mpfr_mul_2si(other, x, scaling.argument_exponent, MPFR_RNDN);
      mpfr_add_si(other, other, scaling.argument_addend, MPFR_RNDN);
      const ValueEnclosure at_x = f->value(x, 200);
      const ValueEnclosure at_other = f->value(other, 200);
      CHECK(at_x.is_undefined() == at_other.is_undefined());
      if (at_x.is_undefined())
        continue;
      number::Mpfr expected(200);
      mpfr_mul_2si(expected, at_x.lower, scaling.value_exponent, MPFR_RNDN);
      mpfr_mul_si(expected, expected, scaling.factor, MPFR_RNDN);
      mpfr_add_si(expected, expected, scaling.value_addend, MPFR_RNDN);
      mpfr_sub(expected, expected, at_other.lower, MPFR_RNDN);
      mpfr_mul_2ui(expected, expected, 180, MPFR_RNDN);
      CHECK(mpfr_cmpabs(expected, at_other.upper) <= 0);
      ++scaled;
    }
  }
  CHECK(scaled > 600);
  CHECK(to_string(*find_function("cbrt").scaling) == "f(8 x) = 2 f(x)");
  CHECK(to_string(*find_function("sinpi").scaling) == "f(x + 1) = -f(x)");
  CHECK(to_string(*find_function("log2").scaling) == "f(2 x) = f(x) + 1");
  CHECK(to_string(*find_function("rootn:-12").scaling) == "f(2^12 x) = 2^-1 f(x)");
}

TEST_CASE("values of erf near 1 and of erfc near 2 are MPFR's, and are told from these with a few bits more") {
  const auto by_mpfr = std::map<std::string, std::function<int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>>{
      {"erf", mpfr_erf}, {"erfc", mpfr_erfc}};
  number::Mpfr x(64);
  for (const auto& [name, evaluate] : by_mpfr) {
    INFO(name);
    const Function& f = find_function(name);
    const auto known = correctly_rounded(evaluate);
    std::size_t wrong = 0;
    for (const double size : {1.75, 2.0, 2.5, 7.125, 13.75, 26.0})
      for (const double at : {size, -size}) {
        mpfr_set_d(x, at, MPFR_RNDN);
        const ValueEnclosure better = known(x, 6000);
        for (const long precision : {30, 53, 90, 300, 1000, 2500}) {
          const ValueEnclosure value = f.value(x, precision);
          wrong += mpfr_lessequal_p(value.lower, better.lower) == 0;
          wrong += mpfr_greaterequal_p(value.upper, better.upper) == 0;
          wrong += mpfr_less_p(value.lower, value.upper) == 0 || !value.is_strict;
          number::Mpfr next = value.lower; // two units wide at most, of either binade
          mpfr_nextabove(next);
          mpfr_nextabove(next);
          wrong += mpfr_less_p(next, value.upper) != 0;
        }
      }
    CHECK(wrong == 0);
    // e^(−x²)/(√π·(x + 1)) < erfc(x) < e^(−x²); 13 million bits for the last one.
    for (const double size : {100.0, 190.5, 3000.0}) {
      mpfr_set_d(x, -size, MPFR_RNDN);
      const long before = std::lround(size * size / std::log(2.0));
      const ValueEnclosure value = f.value(x, before + 100);
      number::Mpfr distance(64);
      for (const number::Mpfr* end : {&value.lower, &value.upper}) { // of −1 or 2
        if (name == "erf")
          mpfr_add_ui(distance, *end, 1, MPFR_RNDN);
        else
          mpfr_ui_sub(distance, 2, *end, MPFR_RNDN);
        CHECK(mpfr_sgn(static_cast<mpfr_srcptr>(distance)) > 0);
        CHECK(std::labs(mpfr_get_exp(static_cast<mpfr_srcptr>(distance)) + before) < 20);
      }
    }
  }
}

TEST_CASE("correctly rounded values: poles, the ends of MPFR's range, signs") {
  number::Mpfr x(64);
  mpfr_set_zero(x, 1);
  CHECK(find_function("log").value(x, 60).is_undefined()); // the value is infinite, and MPFR calls that exact
  mpfr_set_si(x, -1, MPFR_RNDN);
  CHECK(find_function("log").value(x, 60).is_undefined());
  const Function& exp = find_function("exp");
  mpfr_set_si_2exp(x, 1, 40, MPFR_RNDN);
  const ValueEnclosure large = exp.value(x, 60);
  CHECK(mpfr_number_p(static_cast<mpfr_srcptr>(large.lower)) != 0);
  CHECK(mpfr_inf_p(static_cast<mpfr_srcptr>(large.upper)) != 0);
  mpfr_neg(x, x, MPFR_RNDN);
  const ValueEnclosure small = exp.value(x, 60);
  CHECK(mpfr_zero_p(static_cast<mpfr_srcptr>(small.lower)) != 0);
  CHECK(mpfr_sgn(static_cast<mpfr_srcptr>(small.upper)) > 0);
  CHECK_FALSE(small.is_exact());
  // −cbrt(2^40): the end towards zero is the upper one.
  mpfr_set_si_2exp(x, -1, 40, MPFR_RNDN);
  const ValueEnclosure negative = find_function("cbrt").value(x, 60);
  CHECK(mpfr_less_p(negative.lower, negative.upper) != 0);
  CHECK(mpfr_sgn(static_cast<mpfr_srcptr>(negative.upper)) < 0);
  // Poles, and arguments outside the domain.
  const std::pair<const char*, double> undefined[] = {
      {"lgamma", 0},       {"lgamma", -3},       {"tgamma", 0},   {"tgamma", -3},  {"tanpi", 0.5},
      {"recip", 0},        {"rsqrt", 0},         {"y0", 0},       {"y1", -1},      {"atanh", 1},
      {"acosh", 0.5},      {"sqrt", -1},         {"rootn:4", -1}, {"rootn:-3", 0}, {"pown:-3", 0},
      {"compound:-3", -1}, {"compound:3", -1.5}, {"log1p", -1},   {"asin", 1.5},   {"asinpi", -2}};
  for (const auto& [name, at] : undefined) {
    INFO(std::string(name));
    CHECK(find_function(name).value(number(at), 60).is_undefined());
  }
  const ValueEnclosure end = find_function("compound:3").value(number(-1), 60);
  CHECK((end.is_exact() && mpfr_zero_p(static_cast<mpfr_srcptr>(end.lower)) != 0));
  mpfr_set_nan(x);
  for (const Function& f : functions())
    CHECK(f.value(x, 60).is_undefined());
  for (const char* name : {"compound:3", "pown:3", "rootn:3"})
    CHECK(find_function(name).value(x, 60).is_undefined());
}

} // namespace tmd::function
