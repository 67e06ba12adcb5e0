#include "function/expression.hpp"

#include "function/catalogue.hpp"
#include "function/formula.hpp"
#include "function/taylor_form.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd {

namespace {

using Kind = Operation::Kind;

// Bits with which the value of an expression is computed at most. Where operations are inexact though their result is a
// breakpoint, as in exp(log(x)), every argument comes that far.
constexpr long most_expression_precision = 4096;

bool is_finite(const ArbVector& coefficients) {
  return _arb_vec_is_finite(coefficients.data(), coefficients.size()) != 0;
}

// Values. An interval is undefined (not a number) where an operation has no value. An infinite end is none of its
// numbers: it says that they may be of any size, as those of exp(x) that overflow MPFR's exponents.

using Interval = ValueEnclosure;

Interval unknown(long precision) {
  Interval result(precision);
  mpfr_set_inf(result.lower, -1);
  mpfr_set_inf(result.upper, 1);
  return result;
}

int sign(const Mpfr& number) { return mpfr_sgn(static_cast<mpfr_srcptr>(number)); }
bool is_zero(const Interval& interval) { return sign(interval.lower) == 0 && sign(interval.upper) == 0; }
bool contains_zero(const Interval& interval) { return sign(interval.lower) <= 0 && sign(interval.upper) >= 0; }

Interval negated(const Interval& interval) {
  Interval result(interval);
  mpfr_swap(result.lower, result.upper);
  mpfr_neg(result.lower, result.lower, MPFR_RNDN);
  mpfr_neg(result.upper, result.upper, MPFR_RNDN);
  return result;
}

// The least interval that holds `operation` at all pairs of ends, (left.lower, right.lower) and so on. It is a product
// or a quotient: 0·∞, 0/0 and ∞/∞ stand for 0, which is what 0·y and 0/y are for each number y of the other interval;
// and where x/y comes near to ∞/∞, the other pairs of ends bound it.
template <typename Binary>
Interval over_ends(const Interval& left, const Interval& right, long precision, const Binary& operation) {
  Interval result(precision);
  Mpfr end(precision);
  bool first = true;
  for (const Mpfr* a : {&left.lower, &left.upper})
    for (const Mpfr* b : {&right.lower, &right.upper}) {
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
  return over_ends(left, right, precision, mpfr_mul);
}

// There is no quotient where the divisor is zero: [0, b] stands for 0 < y ≤ b.
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
  return over_ends(left, divisor, precision, mpfr_div);
}

// Monotone on either side of zero.
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
  if (exponent > 0 && exponent % 2 == 0 && contains_zero(base))
    mpfr_set_zero(result.lower, 1);
  return result;
}

bool is_outside(const Interval& interval, const Domain& domain) {
  const int upper = mpfr_cmp_d(interval.upper, domain.lower);
  const int lower = mpfr_cmp_d(interval.lower, domain.upper);
  return upper < 0 || (upper == 0 && !domain.lower_included) || lower > 0 || (lower == 0 && !domain.upper_included);
}

// f over [a, b] where |f| does not fall: f is monotone there, for it is continuous and keeps its sign. At infinity MPFR
// has the limit, or infinity.
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
  return result;
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
    return between_ends(function, argument, precision);
  if (!argument.is_bounded())
    return unknown(precision);

  Arb ball;
  ArbVector coefficients(2);
  arb_set_interval_mpfr(ball, argument.lower, argument.upper, precision);
  function.series(coefficients.data(), ball, 2, slope_precision);
  const Interval begin = function.value(argument.lower, precision);
  if (!is_finite(coefficients) || begin.is_undefined())
    return unknown(precision);
  Interval slope(slope_precision);
  arb_get_interval_mpfr(slope.lower, slope.upper, coefficients[1]);

  // The least and the greatest of slope·[0, b − a].
  Mpfr width(slope_precision);
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
  return result;
}

// Both ends from a function of the rounding.
template <typename Rounded> Interval rounded(long precision, const Rounded& evaluate) {
  Interval result(precision);
  evaluate(result.lower, MPFR_RNDD);
  evaluate(result.upper, MPFR_RNDU);
  return result;
}

Interval apply(const Operation& operation, const std::vector<Interval>& values, mpfr_srcptr x, long precision) {
  const auto left = [&]() -> const Interval& { return values[operation.left]; };
  const auto right = [&]() -> const Interval& { return values[operation.right]; };
  switch (operation.kind) {
  case Kind::argument:
    return rounded(std::max(precision, static_cast<long>(mpfr_get_prec(x))),
                   [&](mpfr_ptr end, mpfr_rnd_t rounding) { mpfr_set(end, x, rounding); });
  case Kind::number:
    return rounded(precision, [&](mpfr_ptr end, mpfr_rnd_t rounding) {
      mpfr_strtofr(end, operation.text.c_str(), nullptr, 0, rounding);
    });
  case Kind::pi:
    return rounded(precision, [](mpfr_ptr end, mpfr_rnd_t rounding) { mpfr_const_pi(end, rounding); });
  case Kind::e:
    return rounded(precision, [](mpfr_ptr end, mpfr_rnd_t rounding) {
      mpfr_set_ui(end, 1, MPFR_RNDN);
      mpfr_exp(end, end, rounding);
    });
  case Kind::negate:
    return negated(left());
  case Kind::add:
    return rounded(precision, [&](mpfr_ptr end, mpfr_rnd_t rounding) {
      if (rounding == MPFR_RNDD)
        mpfr_add(end, left().lower, right().lower, rounding);
      else
        mpfr_add(end, left().upper, right().upper, rounding);
    });
  case Kind::subtract:
    return rounded(precision, [&](mpfr_ptr end, mpfr_rnd_t rounding) {
      if (rounding == MPFR_RNDD)
        mpfr_sub(end, left().lower, right().upper, rounding);
      else
        mpfr_sub(end, left().upper, right().lower, rounding);
    });
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

ValueEnclosure value(const Formula& formula, mpfr_srcptr x, long precision) {
  std::vector<Interval> values;
  values.reserve(formula.operations.size());
  for (const Operation& operation : formula.operations) {
    values.push_back(apply(operation, values, x, precision));
    if (values.back().is_undefined())
      return Interval(precision);
  }
  return values.back();
}

// Whether no precision will find a value.
bool has_no_value(const Formula& formula, arb_srcptr x) {
  constexpr long any_precision = 100;
  Mpfr number(std::max(arf_bits(arb_midref(x)), 2L));
  arf_get_mpfr(number, arb_midref(x), MPFR_RNDN);
  return value(formula, number, any_precision).is_undefined();
}

// Series.

// f∘g from the series of g.
void compose(arb_ptr result, const Function& function, const ArbVector& inner, long precision) {
  const long length = inner.size();
  ArbVector outer(length);
  function.series(outer.data(), inner[0], length, precision);
  if (!is_finite(outer)) {
    arb_indeterminate(result);
    return;
  }
  ArbVector displacement(inner);
  arb_zero(displacement[0]);
  _arb_poly_compose_series(result, outer.data(), length, displacement.data(), length, length, precision);
}

void raise(arb_ptr result, const ArbVector& base, long exponent, long precision) {
  const long length = base.size();
  if (exponent == 0) {
    arb_one(result);
    return;
  }
  ArbVector factor(base);
  if (exponent < 0)
    _arb_poly_inv_series(factor.data(), base.data(), length, length, precision);
  _arb_poly_pow_ui_trunc_binexp(result, factor.data(), length, static_cast<unsigned long>(std::labs(exponent)), length,
                                precision);
}

void apply(arb_ptr result, const Operation& operation, const std::vector<ArbVector>& values, arb_srcptr x, long length,
           long precision) {
  const auto left = [&] { return values[operation.left].data(); };
  const auto right = [&] { return values[operation.right].data(); };
  switch (operation.kind) {
  case Kind::argument:
    arb_set(result, x);
    if (length > 1)
      arb_one(result + 1);
    break;
  case Kind::number:
    arb_set_fmpz(result, operation.numerator);
    arb_div_fmpz(result, result, operation.denominator, precision);
    break;
  case Kind::pi:
    arb_const_pi(result, precision);
    break;
  case Kind::e:
    arb_const_e(result, precision);
    break;
  case Kind::negate:
    _arb_vec_neg(result, left(), length);
    break;
  case Kind::add:
    _arb_vec_add(result, left(), right(), length, precision);
    break;
  case Kind::subtract:
    _arb_vec_sub(result, left(), right(), length, precision);
    break;
  case Kind::multiply:
    _arb_poly_mullow(result, left(), length, right(), length, length, precision);
    break;
  case Kind::divide:
    _arb_poly_div_series(result, left(), length, right(), length, length, precision);
    break;
  case Kind::power:
    raise(result, values[operation.left], operation.exponent, precision);
    break;
  case Kind::apply:
    compose(result, *operation.function, values[operation.left], precision);
    break;
  }
}

// Taylor coefficients over the ball; nothing where those of some operation are not finite.
std::optional<ArbVector> evaluate(const Formula& formula, arb_srcptr x, long length, long precision) {
  std::vector<ArbVector> values;
  values.reserve(formula.operations.size());
  for (const Operation& operation : formula.operations) {
    values.emplace_back(length);
    apply(values.back().data(), operation, values, x, length, precision);
    if (!is_finite(values.back()))
      return std::nullopt;
  }
  return std::move(values.back());
}

void series(const Formula& formula, arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  constexpr long order = 8; // of the Taylor form: enough for balls of 2^−10 times their midpoint
  constexpr long guard_bits = 32;
  const bool is_wide = arb_is_exact(x) == 0;
  const long all = is_wide ? length + order : length;
  Arb middle;
  arb_get_mid_arb(middle, x);

  // As precise as the value is to be: what cancels is lost to all coefficients.
  const long most_precision = 4 * precision + 1024;
  long working = precision + guard_bits;
  std::optional<ArbVector> at_middle;
  for (;; working *= 2) {
    at_middle = evaluate(formula, middle, all, working);
    const bool is_enough =
        at_middle ? arb_rel_accuracy_bits((*at_middle)[0]) >= precision : has_no_value(formula, middle);
    if (is_enough || 2 * working > most_precision)
      break;
  }
  const std::optional<ArbVector> over_all = is_wide && at_middle ? evaluate(formula, x, all, working) : std::nullopt;
  if (!at_middle || (is_wide && !over_all)) {
    _arb_vec_indeterminate(coefficients, length);
    return;
  }
  if (!is_wide) {
    for (long j = 0; j < length; ++j)
      arb_set_round(coefficients + j, (*at_middle)[j], precision);
    return;
  }
  combine_taylor_form(*at_middle, *over_all, order, coefficients, x, length, precision);
}

} // namespace

Function make_expression(std::string_view text) {
  const auto formula = std::make_shared<const Formula>(parse_formula(text));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Function function;
  function.name = formula->text;
  function.description = "expression";
  function.domain = {-infinity, false, infinity, false, "every x"};
  function.series = [formula](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    series(*formula, coefficients, x, length, precision);
  };
  function.value = [formula](mpfr_srcptr x, long precision) { return value(*formula, x, precision); };
  function.exactness = [](mpfr_srcptr) { return Exactness::unknown; };
  function.is_in_c = false;
  function.most_precision = most_expression_precision;
  return function;
}

std::shared_ptr<const Function> function_of(std::string_view text) {
  if (text.find(',') != std::string_view::npos)
    throw UsageError(fmt::format("one function at a time, not '{}'", text));
  if (is_function_name(text))
    return {std::shared_ptr<const Function>(), &find_function(text)}; // the catalogue keeps it
  return std::make_shared<const Function>(make_expression(text));
}

} // namespace tmd
