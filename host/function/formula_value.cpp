// An expression is a list of operations, which are done in order: on rational numbers as long as every operation gives
// one, which shows whether the value is dyadic; then on intervals in MPFR. An interval is strict if the value is
// neither of its ends; each operation says when it preserves that. Done on the whole real line, the same operations
// give limits that no value reaches.
#include "function/formula_value.hpp"

#include "function/exactness.hpp"
#include "number/arb.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace tmd::function {

namespace {

using Kind = Operation::Kind;

// A value is kept as a rational number while numerator and denominator together have at most so many bits.
constexpr long most_rational_bits = 1L << 15;

// An interval is undefined (NaN) if an operation has no value. Infinite ends are not values: they say that values may
// be of any size, such as those of exp(x) that overflow MPFR's exponents. A strict interval contains the value between
// its ends; rounding these outwards keeps it strict.

using Interval = ValueEnclosure;

Interval unknown(long precision) {
  Interval result(precision);
  mpfr_set_inf(result.lower, -1);
  mpfr_set_inf(result.upper, 1);
  result.is_strict = true;
  return result;
}

int sign(const number::Mpfr& number) { return mpfr_sgn(static_cast<mpfr_srcptr>(number)); }
bool is_zero(const Interval& interval) { return sign(interval.lower) == 0 && sign(interval.upper) == 0; }
bool contains_zero(const Interval& interval) { return sign(interval.lower) <= 0 && sign(interval.upper) >= 0; }
// Whether no value is zero; the ends of a strict interval are no values.
bool excludes_zero(const Interval& interval) {
  return sign(interval.lower) > 0 || sign(interval.upper) < 0 ||
         (interval.is_strict && (sign(interval.lower) == 0 || sign(interval.upper) == 0));
}

Interval negated(const Interval& interval) {
  Interval result(interval);
  mpfr_swap(result.lower, result.upper);
  mpfr_neg(result.lower, result.lower, MPFR_RNDN);
  mpfr_neg(result.upper, result.upper, MPFR_RNDN);
  return result;
}

// The least interval that contains `operation` at all pairs of ends, (left.lower, right.lower) and so on, for a product
// or a quotient. 0·∞, 0/0 and ∞/∞ count as 0, which is 0·y and 0/y for each number y of the other interval; if x/y
// comes near to ∞/∞, the other pairs of ends bound it.
template <typename Binary>
Interval over_ends(const Interval& left, const Interval& right, long precision, const Binary& operation) {
  Interval result(precision);
  number::Mpfr end(precision);
  bool first = true;
  for (const number::Mpfr* a : {&left.lower, &left.upper})
    for (const number::Mpfr* b : {&right.lower, &right.upper}) {
      const auto evaluate = [&](mpfr_rnd_t rounding) {
        operation(end, *a, *b, rounding);
        if (mpfr_nan_p(end) != 0)
          mpfr_set_zero(end, 1);
      };
      evaluate(MPFR_RNDD);
      if (first || mpfr_less_p(end, result.lower) != 0)
        mpfr_set(result.lower, end, MPFR_RNDD);
      evaluate(MPFR_RNDU);
      if (first || mpfr_greater_p(end, result.upper) != 0)
        mpfr_set(result.upper, end, MPFR_RNDU);
      first = false;
    }
  return result;
}

Interval multiply(const Interval& left, const Interval& right, long precision) {
  Interval result = over_ends(left, right, precision, mpfr_mul);
  result.is_strict = (left.is_strict && excludes_zero(right)) || (right.is_strict && excludes_zero(left));
  return result;
}

// Undefined if the divisor may be zero; [0, b] means 0 < y ≤ b if zero is excluded.
Interval divide(const Interval& left, const Interval& right, long precision) {
  if (is_zero(right))
    return Interval(precision);
  if (sign(right.lower) < 0 && sign(right.upper) > 0)
    return unknown(precision);
  Interval divisor(right);
  if (sign(divisor.lower) == 0)
    mpfr_set_zero(divisor.lower, 1); // x/+0 = ∞ for x > 0
  if (sign(divisor.upper) == 0)
    mpfr_set_zero(divisor.upper, -1);
  Interval result = over_ends(left, divisor, precision, mpfr_div);
  result.is_strict = left.is_strict || (right.is_strict && excludes_zero(left));
  return result;
}

// A power is monotone on either side of zero.
Interval raise(const Interval& base, long exponent, long precision) {
  if (exponent < 0) {
    Interval one(precision);
    mpfr_set_ui(one.lower, 1, MPFR_RNDN);
    mpfr_set_ui(one.upper, 1, MPFR_RNDN);
    return divide(one, raise(base, -exponent, precision), precision);
  }
  const auto power = [exponent](mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr, mpfr_rnd_t rounding) {
    return mpfr_pow_si(y, x, exponent, rounding);
  };
  Interval result = over_ends(base, base, precision, power);
  result.is_strict = base.is_strict && exponent % 2 != 0;
  if (exponent > 0 && exponent % 2 == 0) {
    if (contains_zero(base))
      mpfr_set_zero(result.lower, 1);
    result.is_strict = base.is_strict && excludes_zero(base);
  }
  return result;
}

bool is_outside(const Interval& interval, const Domain& domain) {
  const int upper = mpfr_cmp_d(interval.upper, domain.lower);
  const int lower = mpfr_cmp_d(interval.lower, domain.upper);
  return upper < 0 || (upper == 0 && !domain.lower_included) || lower > 0 || (lower == 0 && !domain.upper_included);
}

// f over [a, b] if |f| does not fall: f is continuous and keeps its sign, so it is monotone, and strictly so because it
// is analytic and not constant. At infinity MPFR gives the limit, or infinity.
Interval between_ends(const Function& function, const Interval& argument, long precision) {
  const Interval begin = function.value(argument.lower, precision);
  Interval end = function.value(argument.upper, precision);
  if (end.is_undefined() && mpfr_inf_p(argument.upper) != 0) {
    end = unknown(precision);
    if (sign(begin.lower) > 0)
      mpfr_set(end.lower, begin.lower, MPFR_RNDD);
    if (sign(begin.upper) < 0)
      mpfr_set(end.upper, begin.upper, MPFR_RNDU);
  }
  if (begin.is_undefined() || end.is_undefined())
    return unknown(precision);
  Interval result(precision);
  mpfr_min(result.lower, begin.lower, end.lower, MPFR_RNDD);
  mpfr_max(result.upper, begin.upper, end.upper, MPFR_RNDU);
  result.is_strict = argument.is_strict || (begin.is_strict && end.is_strict);
  return result;
}

// The part of an interval between a function's limits.
Interval within_limits(Interval interval, const Function& function) {
  const bool is_above = mpfr_cmp_d(interval.lower, function.greater_than) <= 0;
  const bool is_below = mpfr_cmp_d(interval.upper, function.less_than) >= 0;
  if (is_above)
    mpfr_set_d(interval.lower, function.greater_than, MPFR_RNDD);
  if (is_below)
    mpfr_set_d(interval.upper, function.less_than, MPFR_RNDU);
  interval.is_strict = (interval.is_strict || is_above) && (interval.is_strict || is_below);
  return interval;
}

// f over an interval [a, b].
Interval apply(const Function& function, const Interval& argument, long precision) {
  constexpr long slope_precision = 64;
  if (argument.is_exact())
    return function.value(argument.lower, precision);
  if (is_outside(argument, function.domain))
    return Interval(precision);
  if (function.symmetry != Symmetry::none && sign(argument.upper) <= 0) {
    Interval mirrored = apply(function, negated(argument), precision);
    return function.symmetry == Symmetry::odd ? negated(mirrored) : mirrored;
  }
  if (mpfr_cmp_d(argument.lower, function.rises_from) >= 0)
    return within_limits(between_ends(function, argument, precision), function);
  if (!argument.is_bounded())
    return within_limits(unknown(precision), function);

  number::Arb ball;
  number::ArbVector coefficients(2);
  arb_set_interval_mpfr(ball, argument.lower, argument.upper, precision);
  function.series(coefficients.data(), ball, 2, slope_precision);
  const Interval begin = function.value(argument.lower, precision);
  if (_arb_vec_is_finite(coefficients.data(), 2) == 0 || begin.is_undefined())
    return within_limits(unknown(precision), function);
  Interval slope(slope_precision);
  arb_get_interval_mpfr(slope.lower, slope.upper, coefficients[1]);

  // The least and the greatest value of slope·[0, b − a].
  number::Mpfr width(slope_precision);
  mpfr_sub(width, argument.upper, argument.lower, MPFR_RNDU);
  Interval change(slope_precision);
  mpfr_mul(change.lower, slope.lower, width, MPFR_RNDD);
  mpfr_mul(change.upper, slope.upper, width, MPFR_RNDU);
  Interval result(precision);
  mpfr_set(result.lower, begin.lower, MPFR_RNDD);
  mpfr_set(result.upper, begin.upper, MPFR_RNDU);
  if (sign(change.lower) < 0)
    mpfr_add(result.lower, result.lower, change.lower, MPFR_RNDD);
  if (sign(change.upper) > 0)
    mpfr_add(result.upper, result.upper, change.upper, MPFR_RNDU);
  result.is_strict = begin.is_strict;
  return within_limits(std::move(result), function);
}

// Both ends, from a function of the rounding.
template <typename Rounded> Interval rounded(long precision, const Rounded& evaluate) {
  Interval result(precision);
  evaluate(result.lower, MPFR_RNDD);
  evaluate(result.upper, MPFR_RNDU);
  return result;
}

// The interval of a single number, which lies strictly between ends that differ.
template <typename Rounded> Interval rounded_number(long precision, const Rounded& evaluate) {
  Interval result = rounded(precision, evaluate);
  result.is_strict = !result.is_exact();
  return result;
}

Interval add(const Interval& left, const Interval& right, long precision) {
  Interval result(precision);
  mpfr_add(result.lower, left.lower, right.lower, MPFR_RNDD);
  mpfr_add(result.upper, left.upper, right.upper, MPFR_RNDU);
  result.is_strict = left.is_strict || right.is_strict;
  return result;
}

Interval apply(const Operation& operation, const std::vector<Interval>& values, const Interval& x, long precision) {
  const auto left = [&]() -> const Interval& { return values[operation.left]; };
  const auto right = [&]() -> const Interval& { return values[operation.right]; };
  switch (operation.kind) {
  case Kind::argument:
    return x;
  case Kind::second: // a number has taken its place
    return unknown(precision);
  case Kind::number:
    return rounded_number(precision, [&](mpfr_ptr end, mpfr_rnd_t rounding) {
      mpfr_strtofr(end, operation.text.c_str(), nullptr, 0, rounding);
    });
  case Kind::pi:
    return rounded_number(precision, [](mpfr_ptr end, mpfr_rnd_t rounding) { mpfr_const_pi(end, rounding); });
  case Kind::e:
    return rounded_number(precision, [](mpfr_ptr end, mpfr_rnd_t rounding) {
      mpfr_set_ui(end, 1, MPFR_RNDN);
      mpfr_exp(end, end, rounding);
    });
  case Kind::negate:
    return negated(left());
  case Kind::add:
    return add(left(), right(), precision);
  case Kind::subtract:
    return add(left(), negated(right()), precision);
  case Kind::multiply:
    return multiply(left(), right(), precision);
  case Kind::divide:
    return divide(left(), right(), precision);
  case Kind::power:
    return raise(left(), operation.exponent, precision);
  case Kind::apply:
    return apply(*operation.function, left(), precision);
  }
  return unknown(precision);
}

Interval over(const Formula& formula, const Interval& x, long precision) {
  std::vector<Interval> values;
  values.reserve(formula.operations.size());
  for (const Operation& operation : formula.operations) {
    values.push_back(apply(operation, values, x, precision));
    if (values.back().is_undefined())
      return Interval(precision);
  }
  return values.back();
}

// Rational values.

std::optional<number::Rational> if_short(number::Rational number) {
  const auto bits =
      fmpz_bits(fmpq_numref(static_cast<fmpq*>(number))) + fmpz_bits(fmpq_denref(static_cast<fmpq*>(number)));
  return bits <= most_rational_bits ? std::optional(std::move(number)) : std::nullopt;
}

std::optional<number::Rational> to_rational(mpfr_srcptr number) {
  if (mpfr_regular_p(number) != 0 && std::labs(mpfr_get_exp(number)) > most_rational_bits)
    return std::nullopt;
  number::Rational result;
  number::Arb exact;
  arf_set_mpfr(mid(exact), number);
  arf_get_fmpq(result, mid(exact));
  return result;
}

bool is_dyadic(const number::Rational& number) {
  const fmpz* denominator = fmpq_denref(static_cast<const fmpq*>(number));
  return static_cast<unsigned long>(fmpz_val2(denominator)) + 1 == fmpz_bits(denominator);
}

std::optional<number::Rational> raise(const number::Rational& base, long exponent) {
  const auto* number = static_cast<const fmpq*>(base);
  const auto bits = std::max(fmpz_bits(fmpq_numref(number)), fmpz_bits(fmpq_denref(number)));
  if (static_cast<double>(bits) * std::fabs(static_cast<double>(exponent)) > most_rational_bits ||
      (exponent < 0 && fmpq_is_zero(number) != 0))
    return std::nullopt;
  number::Rational result;
  fmpq_pow_si(result, number, exponent);
  return result;
}

// The value of a function at one of its exact cases, with as many bits as that takes.
std::optional<number::Rational> apply(const Function& function, const number::Rational& argument) {
  if (!is_dyadic(argument))
    return std::nullopt;
  const auto* number = static_cast<const fmpq*>(argument);
  number::Mpfr x(static_cast<long>(std::max<unsigned long>(fmpz_bits(fmpq_numref(number)), 2)));
  fmpq_get_mpfr(x, number, MPFR_RNDN);
  if (function.exactness(x) != Exactness::exact)
    return std::nullopt;
  for (long precision = 128; precision <= most_rational_bits;) {
    const ValueEnclosure value = function.value(x, precision);
    if (value.is_undefined())
      return std::nullopt;
    if (value.is_exact())
      return to_rational(value.lower);
    // Factorials have nearly as many bits as their exponents say; with fewer, they take far longer.
    const long integer_bits = mpfr_regular_p(value.upper) != 0 ? mpfr_get_exp(value.upper) : 0;
    precision = std::max(4 * precision, integer_bits);
  }
  return std::nullopt;
}

std::optional<number::Rational> apply(const Operation& operation, const std::vector<number::Rational>& values,
                                      mpfr_srcptr x) {
  const auto left = [&]() -> const number::Rational& { return values[operation.left]; };
  const auto right = [&]() -> const number::Rational& { return values[operation.right]; };
  number::Rational result;
  switch (operation.kind) {
  case Kind::argument:
    return to_rational(x);
  case Kind::number:
    fmpq_set_fmpz_frac(result, operation.numerator, operation.denominator);
    return result;
  case Kind::second:
  case Kind::pi:
  case Kind::e:
    return std::nullopt;
  case Kind::negate:
    fmpq_neg(result, left());
    return result;
  case Kind::add:
    fmpq_add(result, left(), right());
    return result;
  case Kind::subtract:
    fmpq_sub(result, left(), right());
    return result;
  case Kind::multiply:
    fmpq_mul(result, left(), right());
    return result;
  case Kind::divide:
    if (fmpq_is_zero(right()) != 0)
      return std::nullopt;
    fmpq_div(result, left(), right());
    return result;
  case Kind::power:
    return raise(left(), operation.exponent);
  case Kind::apply:
    return apply(*operation.function, left());
  }
  return std::nullopt;
}

std::optional<number::Rational> rational_value(const Formula& formula, mpfr_srcptr x) {
  std::vector<number::Rational> values;
  values.reserve(formula.operations.size());
  for (const Operation& operation : formula.operations) {
    std::optional<number::Rational> value = apply(operation, values, x);
    if (value)
      value = if_short(*std::move(value));
    if (!value)
      return std::nullopt;
    values.push_back(*std::move(value));
  }
  return std::move(values.back());
}

} // namespace

ValueEnclosure value_of(const Formula& formula, mpfr_srcptr x, long precision) {
  if (const auto number = rational_value(formula, x))
    return rounded_number(precision, [&](mpfr_ptr end, mpfr_rnd_t rounding) { fmpq_get_mpfr(end, *number, rounding); });
  return over(formula,
              rounded(std::max(precision, static_cast<long>(mpfr_get_prec(x))),
                      [&](mpfr_ptr end, mpfr_rnd_t rounding) { mpfr_set(end, x, rounding); }),
              precision);
}

Exactness exactness_of(const Formula& formula, mpfr_srcptr x) {
  const auto number = rational_value(formula, x);
  return number ? exact_if(is_dyadic(*number)) : Exactness::unknown;
}

std::pair<double, double> limits_of(const Formula& formula) {
  constexpr long precision = std::numeric_limits<double>::digits;
  const Interval values = over(formula, unknown(precision), precision);
  if (values.is_undefined() || !values.is_strict)
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  return {mpfr_get_d(values.lower, MPFR_RNDD), mpfr_get_d(values.upper, MPFR_RNDU)};
}

} // namespace tmd::function
