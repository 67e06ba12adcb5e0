// The series of an expression are computed at the ball's midpoint and over the whole ball, and combined by a Taylor
// form. If operations cancel, they are repeated with more bits. formula_value.cpp computes the values.
#include "function/expression.hpp"

#include "function/catalogue.hpp"
#include "function/formula.hpp"
#include "function/formula_value.hpp"
#include "function/taylor_form.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::function {

namespace {

using Kind = Operation::Kind;

bool is_finite(const number::ArbVector& coefficients) {
  return _arb_vec_is_finite(coefficients.data(), coefficients.size()) != 0;
}

// Whether no precision will give a value.
bool has_no_value(const Formula& formula, arb_srcptr x) {
  constexpr long any_precision = 100;
  number::Mpfr number(std::max(arf_bits(arb_midref(x)), 2L));
  arf_get_mpfr(number, arb_midref(x), MPFR_RNDN);
  return value_of(formula, number, any_precision).is_undefined();
}

// The series of f∘g from that of g.
void compose(arb_ptr result, const Function& function, const number::ArbVector& inner, long precision) {
  const long length = inner.size();
  number::ArbVector outer(length);
  function.series(outer.data(), inner[0], length, precision);
  if (!is_finite(outer)) {
    arb_indeterminate(result);
    return;
  }
  number::ArbVector displacement(inner);
  arb_zero(displacement[0]);
  _arb_poly_compose_series(result, outer.data(), length, displacement.data(), length, length, precision);
}

void raise(arb_ptr result, const number::ArbVector& base, long exponent, long precision) {
  const long length = base.size();
  if (exponent == 0) {
    arb_one(result);
    return;
  }
  number::ArbVector factor(base);
  if (exponent < 0)
    _arb_poly_inv_series(factor.data(), base.data(), length, length, precision);
  _arb_poly_pow_ui_trunc_binexp(result, factor.data(), length, static_cast<unsigned long>(std::labs(exponent)), length,
                                precision);
}

void apply(arb_ptr result, const Operation& operation, const std::vector<number::ArbVector>& values, arb_srcptr x,
           long length, long precision) {
  const auto left = [&] { return values[operation.left].data(); };
  const auto right = [&] { return values[operation.right].data(); };
  switch (operation.kind) {
  case Kind::argument:
    arb_set(result, x);
    if (length > 1)
      arb_one(result + 1);
    break;
  case Kind::second: // which no expression of x has
    _arb_vec_indeterminate(result, length);
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

// Taylor coefficients over the ball; nothing if those of some operation are not finite.
std::optional<number::ArbVector> evaluate(const Formula& formula, arb_srcptr x, long length, long precision) {
  std::vector<number::ArbVector> values;
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
  number::Arb middle;
  arb_get_mid_arb(middle, x);

  // Computed with more bits if the value is not precise enough: cancellation affects all coefficients.
  const long most_precision = 4 * precision + 1024;
  long working = precision + guard_bits;
  std::optional<number::ArbVector> at_middle;
  for (;; working *= 2) {
    at_middle = evaluate(formula, middle, all, working);
    const bool is_enough =
        at_middle ? arb_rel_accuracy_bits((*at_middle)[0]) >= precision : has_no_value(formula, middle);
    if (is_enough || 2 * working > most_precision)
      break;
  }
  const std::optional<number::ArbVector> over_all =
      is_wide && at_middle ? evaluate(formula, x, all, working) : std::nullopt;
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
  function.value = [formula](mpfr_srcptr x, long precision) { return value_of(*formula, x, precision); };
  function.exactness = [formula](mpfr_srcptr x) { return exactness_of(*formula, x); };
  std::tie(function.greater_than, function.less_than) = limits_of(*formula);
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

} // namespace tmd::function
