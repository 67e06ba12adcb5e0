// Each function of two variables has three answers, in this order: the value prescribed by C23 (zeros, infinities, no
// real value), whether the value is dyadic, by a theorem on its operands as odd integers times powers of two, and an
// enclosure by Arb. Dyadic values are computed exactly, because enclosures would not shrink to them.
#include "function/pairs.hpp"

#include "function/entry.hpp"
#include "function/exactness.hpp"
#include "function/recurrence.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace tmd::function {

namespace {

constexpr long most_exact_bits = 1L << 16; // limit for dyadic numbers that are computed: longer ones are no breakpoints
// For the power of 2 in a root's degree: beyond it, no number of a format has such a root.
constexpr long most_root_exponent = 20;
constexpr long guard_bits = 64; // more than logarithms and quotients of a value's size lose
constexpr long certain = most_value_exponent + 2;

bool is_nan(mpfr_srcptr x) { return mpfr_nan_p(x) != 0; }
bool is_infinite(mpfr_srcptr x) { return mpfr_inf_p(x) != 0; }
bool is_zero(mpfr_srcptr x) { return mpfr_zero_p(x) != 0; }
bool is_negative(mpfr_srcptr x) { return mpfr_signbit(x) != 0; } // includes −0

bool is_odd_integer(mpfr_srcptr y) {
  if (mpfr_number_p(y) == 0 || mpfr_integer_p(y) == 0)
    return false;
  number::Mpfr half(mpfr_get_prec(y));
  mpfr_div_2ui(half, y, 1, MPFR_RNDN);
  return mpfr_integer_p(half) == 0;
}

number::Mpfr number(double value, bool negative = false) {
  number::Mpfr result(2);
  mpfr_set_d(result, negative ? -value : value, MPFR_RNDN);
  return result;
}
number::Mpfr infinity(bool negative = false) { return number(unbounded, negative); }
number::Mpfr not_a_number() { return number::Mpfr(2); } // which a new number is

number::Mpfr copy_of(mpfr_srcptr x) {
  number::Mpfr result(mpfr_get_prec(x));
  mpfr_set(result, x, MPFR_RNDN);
  return result;
}

number::Arb ball(mpfr_srcptr x) {
  number::Arb result;
  arf_set_mpfr(mid(result), x);
  return result;
}

ValueEnclosure enclosure_of(const number::Arb& value, bool negative, long precision) {
  ValueEnclosure result(precision);
  number::Arb signed_value(value);
  if (negative)
    arb_neg(signed_value, signed_value);
  if (arb_is_finite(signed_value) != 0) {
    arb_get_interval_mpfr(result.lower, result.upper, signed_value);
  } else {
    mpfr_set_inf(result.lower, -1);
    mpfr_set_inf(result.upper, 1);
  }
  return result;
}

// The number odd·2^exponent.
ValueEnclosure exactly(const number::Integer& odd, const number::Integer& exponent, bool negative, long precision) {
  ValueEnclosure result(std::max<long>(precision, static_cast<long>(fmpz_bits(odd)) + 1));
  number::Arb value;
  arf_set_fmpz_2exp(mid(value), odd, exponent);
  if (negative)
    arb_neg(value, value);
  arf_get_mpfr(result.lower, mid(value), MPFR_RNDN);
  mpfr_set(result.upper, result.lower, MPFR_RNDN);
  return result;
}

// pow

std::optional<number::Mpfr> special_power_of_zero(bool negative, mpfr_srcptr y) {
  const bool keeps_sign = negative && is_odd_integer(y);
  return mpfr_sgn(y) < 0 ? infinity(keeps_sign) : number(0, keeps_sign);
}

std::optional<number::Mpfr> special_pow(mpfr_srcptr x, mpfr_srcptr y) {
  if (is_zero(y) || mpfr_cmp_ui(x, 1) == 0) // the comparison ignores a NaN x
    if (is_zero(y) || !is_nan(x))
      return number(1);
  if (is_nan(x) || is_nan(y))
    return not_a_number();
  if (is_zero(x))
    return special_power_of_zero(is_negative(x), y);
  if (is_infinite(y)) {
    const int against_one = mpfr_cmpabs_ui(x, 1);
    if (against_one == 0)
      return number(1);
    return (against_one < 0) == (mpfr_sgn(y) < 0) ? infinity() : number(0);
  }
  if (is_infinite(x)) {
    const bool keeps_sign = is_negative(x) && is_odd_integer(y);
    return mpfr_sgn(y) < 0 ? number(0, keeps_sign) : infinity(keeps_sign);
  }
  if (is_negative(x) && mpfr_integer_p(y) == 0)
    return not_a_number();
  return std::nullopt;
}

// exp(y·log x): the limits that pow defines do not apply to powr.
std::optional<number::Mpfr> special_powr(mpfr_srcptr x, mpfr_srcptr y) {
  if (is_nan(x) || is_nan(y) || (is_negative(x) && !is_zero(x)))
    return not_a_number();
  if ((is_zero(y) && (is_zero(x) || is_infinite(x))) || (is_infinite(y) && mpfr_cmp_ui(x, 1) == 0))
    return not_a_number();
  if (is_zero(x))
    return special_power_of_zero(false, y);
  return special_pow(x, y);
}

// |x|^y = (odd·2^exponent)^n for an integer n.
struct IntegerPower {
  number::Integer odd;
  number::Integer exponent;
  number::Integer n;
};

// Nothing if |x|^y is no dyadic number. With y = n·2^−k, n odd, it is dyadic only if |x| is a 2^k-th power: n is prime
// to 2^k, so the exponents of |x|'s prime factors are multiples of 2^k (Lauter and Lefèvre, "An efficient rounding
// boundary test for pow(x, y) in double precision", IEEE Transactions on Computers 58, 2009).
std::optional<IntegerPower> integer_power(mpfr_srcptr x, mpfr_srcptr y) {
  Dyadic base(x);
  const Dyadic power(y);
  fmpz_abs(base.odd, base.odd);
  IntegerPower result{base.odd, base.exponent, power.odd};
  if (fmpz_sgn(power.exponent) >= 0) {
    fmpz_mul_2exp(result.n, result.n, fmpz_get_ui(power.exponent));
  } else {
    if (fmpz_cmp_si(power.exponent, -most_root_exponent) < 0)
      return std::nullopt;
    const long degree = 1L << -fmpz_get_si(power.exponent);
    if (!base.is_power(degree))
      return std::nullopt;
    fmpz_root(result.odd, base.odd, degree);
    fmpz_divexact_si(result.exponent, base.exponent, degree);
  }
  if (fmpz_sgn(result.n) < 0 && fmpz_is_one(result.odd) == 0)
    return std::nullopt;
  return result;
}

Exactness exactness_of_pow(mpfr_srcptr x, mpfr_srcptr y) { return exact_if(integer_power(x, y).has_value()); }

// An enclosure for values beyond MPFR's exponents, which says nothing more; nothing if the value may be searched.
std::optional<ValueEnclosure> far_away(const number::Arb& logarithm, mpfr_srcptr y, bool negative) {
  constexpr long bits = 64;
  number::Arb size; // log2 of |x|^y
  number::Arb two;
  arb_const_log2(two, bits);
  arb_div(size, logarithm, two, bits);
  const number::Arb power = ball(y);
  arb_mul(size, size, power, bits);
  number::Arb bound;
  arb_set_si(bound, certain);
  const bool large = arb_gt(size, bound) != 0;
  arb_neg(bound, bound);
  if (!large && arb_lt(size, bound) == 0)
    return std::nullopt;
  ValueEnclosure result(bits);
  result.is_strict = true;
  mpfr_set_ui_2exp(result.lower, large ? 1 : 0, large ? certain : 0, MPFR_RNDN);
  mpfr_set_ui_2exp(result.upper, 1, -certain, MPFR_RNDN);
  if (large)
    mpfr_set_inf(result.upper, 1);
  if (negative) {
    mpfr_swap(result.lower, result.upper);
    mpfr_neg(result.lower, result.lower, MPFR_RNDN);
    mpfr_neg(result.upper, result.upper, MPFR_RNDN);
  }
  return result;
}

// ±|x|^y, from an enclosure of log |x|.
ValueEnclosure value_of_power(mpfr_srcptr x, mpfr_srcptr y, number::Arb logarithm, bool negative, long precision) {
  if (const auto far = far_away(logarithm, y, negative))
    return *far;
  if (auto power = integer_power(x, y)) {
    number::Integer bits;
    fmpz_mul_ui(bits, power->n, fmpz_is_one(power->odd) != 0 ? 0 : fmpz_bits(power->odd));
    if (fmpz_cmp_si(bits, most_exact_bits) <= 0) {
      fmpz_mul(power->exponent, power->exponent, power->n);
      if (fmpz_is_one(power->odd) == 0)
        fmpz_pow_ui(power->odd, power->odd, fmpz_get_ui(power->n));
      return exactly(power->odd, power->exponent, negative, precision);
    }
  }
  const number::Arb exponent = ball(y);
  arb_mul(logarithm, logarithm, exponent, precision + guard_bits);
  arb_exp(logarithm, logarithm, precision + guard_bits);
  return enclosure_of(logarithm, negative, precision);
}

ValueEnclosure value_of_pow(mpfr_srcptr x, mpfr_srcptr y, long precision) {
  number::Arb logarithm = ball(x);
  arb_abs(logarithm, logarithm);
  arb_log(logarithm, logarithm, precision + guard_bits);
  return value_of_power(x, y, std::move(logarithm), is_negative(x) && is_odd_integer(y), precision);
}

// compoundn

// 1 + x, exactly.
number::Mpfr one_more(mpfr_srcptr x) {
  number::Arb sum = ball(x);
  arf_add_ui(mid(sum), mid(sum), 1, ARF_PREC_EXACT, ARF_RND_DOWN);
  number::Mpfr result(std::max<long>(static_cast<long>(arf_bits(mid(sum))), 2));
  arf_get_mpfr(result, mid(sum), MPFR_RNDN);
  return result;
}

std::optional<number::Mpfr> special_compoundn(mpfr_srcptr x, mpfr_srcptr n) {
  if (is_nan(x) && !is_zero(n))
    return not_a_number();
  if (!is_nan(x) && mpfr_cmp_si(x, -1) < 0)
    return not_a_number();
  if (is_nan(x) || is_zero(n) || is_zero(x))
    return number(1);
  if (mpfr_cmp_si(x, -1) == 0)
    return mpfr_sgn(n) < 0 ? infinity() : number(0);
  if (is_infinite(x))
    return mpfr_sgn(n) < 0 ? number(0) : infinity();
  return std::nullopt;
}

ValueEnclosure value_of_compoundn(mpfr_srcptr x, mpfr_srcptr n, long precision) {
  const number::Mpfr base = one_more(x);
  number::Arb logarithm = ball(x);
  arb_log1p(logarithm, logarithm, precision + guard_bits);
  return value_of_power(base, n, std::move(logarithm), false, precision);
}

Exactness exactness_of_compoundn(mpfr_srcptr x, mpfr_srcptr n) { return exactness_of_pow(one_more(x), n); }

// rootn

std::optional<number::Mpfr> special_rootn(mpfr_srcptr x, mpfr_srcptr n) {
  if (is_nan(x) || is_zero(n) || (is_negative(x) && !is_zero(x) && !is_odd_integer(n)))
    return not_a_number();
  if (!is_zero(x) && !is_infinite(x))
    return std::nullopt;
  const bool keeps_sign = is_negative(x) && is_odd_integer(n);
  return is_zero(x) == (mpfr_sgn(n) < 0) ? infinity(keeps_sign) : number(0, keeps_sign);
}

// |x|^(1/n) as odd·2^exponent: x is the |n|-th power of that, or of its inverse. Nothing if it is no dyadic number.
std::optional<Dyadic> dyadic_root(mpfr_srcptr x, mpfr_srcptr n) {
  Dyadic root(x);
  fmpz_abs(root.odd, root.odd);
  const long degree = std::labs(mpfr_get_si(n, MPFR_RNDN));
  const bool is_inverse = is_negative(n);
  const bool is_one = fmpz_is_one(root.odd) != 0;
  if (!is_one && (is_inverse || fmpz_bits(root.odd) < static_cast<flint_bitcnt_t>(degree)))
    return std::nullopt; // an odd number of fewer bits is no such power
  if (fmpz_divisible_si(root.exponent, degree) == 0 || (!is_one && fmpz_root(root.odd, root.odd, degree) == 0))
    return std::nullopt;
  fmpz_divexact_si(root.exponent, root.exponent, is_inverse ? -degree : degree);
  return root;
}

Exactness exactness_of_rootn(mpfr_srcptr x, mpfr_srcptr n) { return exact_if(dyadic_root(x, n).has_value()); }

ValueEnclosure value_of_rootn(mpfr_srcptr x, mpfr_srcptr n, long precision) {
  if (const auto root = dyadic_root(x, n))
    return exactly(root->odd, root->exponent, is_negative(x), precision);
  number::Arb value = ball(x);
  arb_abs(value, value);
  arb_log(value, value, precision + guard_bits);
  const number::Arb degree = ball(n);
  arb_div(value, value, degree, precision + guard_bits);
  arb_exp(value, value, precision + guard_bits);
  return enclosure_of(value, is_negative(x), precision);
}

// hypot

std::optional<number::Mpfr> special_hypot(mpfr_srcptr x, mpfr_srcptr y) {
  if (is_infinite(x) || is_infinite(y))
    return infinity();
  if (is_nan(x) || is_nan(y))
    return not_a_number();
  if (is_zero(x) && is_zero(y))
    return number(0);
  return std::nullopt;
}

// x² + y² = odd·2^exponent, exactly.
Dyadic sum_of_squares(mpfr_srcptr x, mpfr_srcptr y) {
  number::Arb sum;
  const arf_ptr middle = mid(sum);
  for (const mpfr_srcptr one : {x, y}) {
    const number::Arb operand = ball(one);
    arf_addmul(middle, mid(operand), mid(operand), ARF_PREC_EXACT, ARF_RND_DOWN);
  }
  number::Mpfr none(2);
  mpfr_set_zero(none, 1);
  Dyadic result(none);
  arf_get_fmpz_2exp(result.odd, result.exponent, middle);
  return result;
}

// The square root of a dyadic number is rational only if it is one.
Exactness exactness_of_hypot(mpfr_srcptr x, mpfr_srcptr y) { return exact_if(sum_of_squares(x, y).is_power(2)); }

ValueEnclosure value_of_hypot(mpfr_srcptr x, mpfr_srcptr y, long precision) {
  Dyadic sum = sum_of_squares(x, y);
  if (sum.is_power(2)) {
    fmpz_sqrt(sum.odd, sum.odd);
    fmpz_divexact_si(sum.exponent, sum.exponent, 2);
    return exactly(sum.odd, sum.exponent, false, precision);
  }
  number::Arb root;
  arf_set_fmpz_2exp(mid(root), sum.odd, sum.exponent);
  arb_sqrt(root, root, precision + guard_bits);
  return enclosure_of(root, false, precision);
}

// atan2

std::optional<number::Mpfr> special_atan2(mpfr_srcptr y, mpfr_srcptr x) {
  if (is_nan(y) || is_nan(x))
    return not_a_number();
  const bool vanishes = is_zero(y) || (is_infinite(x) && !is_infinite(y));
  if (vanishes && !is_negative(x))
    return number(0, is_negative(y));
  return std::nullopt;
}

// A point with finite coordinates in the direction of (|y|, x); a limit if these are infinite or zeros.
struct Direction2 {
  number::Mpfr y;
  number::Mpfr x;
};

Direction2 direction_of(mpfr_srcptr y, mpfr_srcptr x) {
  const long precision = std::max(mpfr_get_prec(y), mpfr_get_prec(x));
  Direction2 result{number::Mpfr(precision), number::Mpfr(precision)};
  const int side = is_negative(x) ? -1 : 1;
  if (is_infinite(y)) {
    mpfr_set_ui(result.y, 1, MPFR_RNDN);
    mpfr_set_si(result.x, is_infinite(x) ? side : 0, MPFR_RNDN);
  } else if (is_infinite(x) || is_zero(y)) {
    mpfr_set_ui(result.y, 0, MPFR_RNDN);
    mpfr_set_si(result.x, side, MPFR_RNDN);
  } else {
    mpfr_abs(result.y, y, MPFR_RNDN);
    mpfr_set(result.x, x, MPFR_RNDN);
  }
  return result;
}

number::Arb angle(const Direction2& direction, long precision) {
  const number::Arb y = ball(direction.y);
  const number::Arb x = ball(direction.x);
  number::Arb result;
  arb_atan2(result, y, x, precision);
  return result;
}

ValueEnclosure value_of_atan2(mpfr_srcptr y, mpfr_srcptr x, long precision) {
  return enclosure_of(angle(direction_of(y, x), precision + guard_bits), is_negative(y), precision);
}

// Values other than 0 are transcendental: arc tangents of nonzero rational numbers, and multiples of π/2.
Exactness exactness_of_atan2(mpfr_srcptr, mpfr_srcptr) { return Exactness::inexact; }

// atan2(|y|, x)/π in quarters, if that is rational: then the tangent y/x is −1, 0, 1 or infinite (Niven).
std::optional<unsigned> quarters(const Direction2& direction) {
  const mpfr_srcptr x = direction.x;
  const mpfr_srcptr y = direction.y;
  if (is_zero(x))
    return 2;
  if (is_zero(y))
    return is_negative(x) ? 4 : 0;
  if (mpfr_cmpabs(x, y) == 0)
    return is_negative(x) ? 3 : 1;
  return std::nullopt;
}

Exactness exactness_of_atan2pi(mpfr_srcptr y, mpfr_srcptr x) {
  return exact_if(quarters(direction_of(y, x)).has_value());
}

ValueEnclosure value_of_atan2pi(mpfr_srcptr y, mpfr_srcptr x, long precision) {
  const Direction2 direction = direction_of(y, x);
  if (const auto known = quarters(direction)) {
    number::Integer number;
    number::Integer exponent;
    fmpz_set_ui(number, *known);
    fmpz_set_si(exponent, -2);
    return exactly(number, exponent, is_negative(y), precision);
  }
  number::Arb value = angle(direction, precision + guard_bits);
  number::Arb pi;
  arb_const_pi(pi, precision + guard_bits);
  arb_div(value, value, pi, precision + guard_bits);
  return enclosure_of(value, is_negative(y), precision);
}

} // namespace

std::span<const PairFunction> pair_functions() {
  const std::string roots = "x^y is dyadic only where x is a 2^k-th power for y = n/2^k (Lauter, Lefevre)";
  const std::string powers = "x = r^(2^k) and y = n/2^k for a dyadic number r, with r = 2^j where n < 0";
  constexpr std::string_view fixed = "pown:N (x^N), rootn:N (x^(1/N)) or exp(2.5*log(x))";
  static const std::vector<PairFunction> all{
      {"atan2",
       "arc tangent of y/x, in the quadrant of (x, y)",
       {"y", "x"},
       special_atan2,
       value_of_atan2,
       exactness_of_atan2,
       "the value is 0",
       "arc tangents of rational numbers other than 0 are transcendental (Lindemann, Weierstrass)",
       "atan(x/3)"},
      {"atan2pi",
       "atan2(y, x)/pi",
       {"y", "x"},
       special_atan2,
       value_of_atan2pi,
       exactness_of_atan2pi,
       "x = 0, y = 0 or x = +-y",
       "tan of a rational multiple of pi is rational at few places (Niven)",
       "atanpi(x/3)"},
      {"hypot",
       "sqrt(x^2 + y^2)",
       {"x", "y"},
       special_hypot,
       value_of_hypot,
       exactness_of_hypot,
       "x^2 + y^2 is the square of a dyadic number",
       "algebra: roots of integers are integers or irrational",
       "sqrt(x^2+9)"},
      {"pow", "x^y", {"x", "y"}, special_pow, value_of_pow, exactness_of_pow, powers, roots, fixed},
      {"powr", "x^y = exp(y log(x))", {"x", "y"}, special_powr, value_of_pow, exactness_of_pow, powers, roots, fixed},
      {"pown",
       "x^n",
       {"x", "n"},
       special_pow,
       value_of_pow,
       exactness_of_pow,
       "n >= 0, or |x| is a power of two",
       "algebra: for n < 0 an odd part of x would be in the denominator",
       "pown:3",
       true},
      {"compoundn",
       "(1 + x)^n",
       {"x", "n"},
       special_compoundn,
       value_of_compoundn,
       exactness_of_compoundn,
       "n >= 0, or 1 + x is a power of two",
       "algebra: for n < 0 an odd part of 1 + x would be in the denominator",
       "compound:3",
       true},
      {"rootn",
       "x^(1/n)",
       {"x", "n"},
       special_rootn,
       value_of_rootn,
       exactness_of_rootn,
       "|x| = r^n for a dyadic number r",
       "algebra: the value is dyadic or the irrational root of a rational number",
       "rootn:3",
       true},
  };
  return all;
}

std::string_view expression_of(const PairFunction& function) {
  if (function.name == "pow" || function.name == "powr")
    return "x^y";
  return function.name == "hypot" ? "sqrt(x^2+y^2)" : "";
}

const PairFunction* find_pair_function(std::string_view name) {
  std::string text(name);
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const auto all = pair_functions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const PairFunction& one) {
    return one.name == name || (!text.empty() && text == expression_of(one));
  });
  return found == all.end() ? nullptr : &*found;
}

Function at_operands(const PairFunction& function, mpfr_srcptr first, mpfr_srcptr second) {
  Function result;
  result.name = function.name;
  result.description = function.description;
  result.domain = every_x;
  result.series = [](arb_ptr coefficients, arb_srcptr, long length, long) { set_undefined(coefficients, length); };
  result.value = [value = function.value, left = copy_of(first), right = copy_of(second)](mpfr_srcptr, long precision) {
    return value(left, right, precision);
  };
  result.exactness = [exactness = function.exactness, left = copy_of(first), right = copy_of(second)](mpfr_srcptr) {
    return exactness(left, right);
  };
  result.exact_cases = function.exact_cases;
  result.theorem = function.theorem;
  result.most_precision = function.most_precision;
  return result;
}

} // namespace tmd::function
