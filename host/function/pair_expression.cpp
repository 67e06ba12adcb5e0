// Values: y is put in as a number, and what is left is an expression of x (formula_value.hpp).
//
// Series: the operations on polynomials of two variables that are cut off beyond a degree, with balls as coefficients.
// A function of a polynomial, a quotient and a power are composed with the function's own series at the constant term.
#include "function/pair_expression.hpp"

#include "function/entry.hpp"
#include "function/formula_value.hpp"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace tmd::function {

namespace {

using Kind = Operation::Kind;

// The expression of x that is left when y is this number.
Formula with_second(const Formula& formula, mpfr_srcptr y) {
  Formula result(formula);
  for (Operation& operation : result.operations) {
    if (operation.kind != Kind::second)
      continue;
    operation.kind = Kind::number;
    char* text = nullptr;
    mpfr_asprintf(&text, "%Ra", y);
    operation.text = text;
    mpfr_free_str(text);
    number::Arb exact;
    number::Rational value;
    arf_set_mpfr(mid(exact), y);
    arf_get_fmpq(value, mid(exact));
    fmpz_set(operation.numerator, fmpq_numref(static_cast<const fmpq*>(value)));
    fmpz_set(operation.denominator, fmpq_denref(static_cast<const fmpq*>(value)));
  }
  return result;
}

PairSeries product_of(const PairSeries& left, const PairSeries& right, long precision) {
  const long degree = left.degree();
  PairSeries result(degree);
  number::ArbVector product(degree + 1);
  for (long m = 0; m <= degree; ++m)
    for (long k = 0; k + m <= degree; ++k) {
      const long length = degree + 1 - m - k;
      _arb_poly_mullow(product.data(), left.row(m), length, right.row(k), length, length, precision);
      _arb_vec_add(result.row(m + k), result.row(m + k), product.data(), length, precision);
    }
  return result;
}

// Σ outer[k]·(inner − its constant)^k, by Horner's scheme.
PairSeries composed(const number::ArbVector& outer, const PairSeries& inner, long precision) {
  PairSeries displacement(inner);
  arb_zero(displacement.at(0, 0));
  PairSeries result(inner.degree());
  for (long k = inner.degree(); k >= 0; --k) {
    result = product_of(result, displacement, precision);
    arb_add(result.at(0, 0), result.at(0, 0), outer[k], precision);
  }
  return result;
}

// The series of z^exponent at z.
number::ArbVector power_series(arb_srcptr z, long exponent, long length, long precision) {
  number::ArbVector result(length);
  number::ArbVector base(length);
  arb_set(base[0], z);
  if (length > 1)
    arb_one(base[1]);
  if (exponent < 0) {
    number::ArbVector inverse(length);
    _arb_poly_inv_series(inverse.data(), base.data(), length, length, precision);
    std::swap(base, inverse);
  }
  _arb_poly_pow_ui_trunc_binexp(result.data(), base.data(), length, static_cast<unsigned long>(std::labs(exponent)),
                                length, precision);
  return result;
}

PairSeries raised(const PairSeries& base, long exponent, long precision) {
  const long length = base.degree() + 1;
  if (exponent == 2)
    return product_of(base, base, precision);
  number::ArbVector outer(length);
  if (exponent == 0)
    arb_one(outer[0]);
  else
    outer = power_series(base.at(0, 0), exponent, length, precision);
  return composed(outer, base, precision);
}

// The places and units of both variables.
struct PairPlace {
  arb_srcptr x;
  arb_srcptr x_unit;
  arb_srcptr y;
  arb_srcptr y_unit;
};

PairSeries apply(const Operation& operation, const std::vector<PairSeries>& values, const PairPlace& place, long degree,
                 long precision) {
  const auto left = [&]() -> const PairSeries& { return values[operation.left]; };
  const auto right = [&]() -> const PairSeries& { return values[operation.right]; };
  PairSeries result(degree);
  const arb_ptr constant = result.at(0, 0);
  switch (operation.kind) {
  case Kind::argument:
    arb_set(constant, place.x);
    arb_set(result.at(1, 0), place.x_unit);
    break;
  case Kind::second:
    arb_set(constant, place.y);
    arb_set(result.at(0, 1), place.y_unit);
    break;
  case Kind::number:
    arb_set_fmpz(constant, operation.numerator);
    arb_div_fmpz(constant, constant, operation.denominator, precision);
    break;
  case Kind::pi:
    arb_const_pi(constant, precision);
    break;
  case Kind::e:
    arb_const_e(constant, precision);
    break;
  case Kind::negate:
    _arb_vec_neg(result.all().data(), left().all().data(), result.all().size());
    break;
  case Kind::add:
    _arb_vec_add(result.all().data(), left().all().data(), right().all().data(), result.all().size(), precision);
    break;
  case Kind::subtract:
    _arb_vec_sub(result.all().data(), left().all().data(), right().all().data(), result.all().size(), precision);
    break;
  case Kind::multiply:
    return product_of(left(), right(), precision);
  case Kind::divide:
    return product_of(left(), raised(right(), -1, precision), precision);
  case Kind::power:
    return raised(left(), operation.exponent, precision);
  case Kind::apply: {
    number::ArbVector outer(degree + 1);
    operation.function->series(outer.data(), left().at(0, 0), degree + 1, precision);
    if (_arb_vec_is_finite(outer.data(), outer.size()) == 0) {
      arb_indeterminate(constant);
      return result;
    }
    return composed(outer, left(), precision);
  }
  }
  return result;
}

} // namespace

PairExpression make_pair_expression(std::string_view text) {
  PairExpression result{std::make_shared<const Formula>(parse_pair_formula(text)), {}};
  const auto formula = result.formula;
  result.function.name = formula->text;
  result.function.description = "expression";
  result.function.operands = {"x", "y"};
  result.function.special = [](mpfr_srcptr, mpfr_srcptr) { return std::optional<number::Mpfr>(); };
  result.function.value = [formula](mpfr_srcptr x, mpfr_srcptr y, long precision) {
    return value_of(with_second(*formula, y), x, precision);
  };
  result.function.exactness = [formula](mpfr_srcptr x, mpfr_srcptr y) {
    return exactness_of(with_second(*formula, y), x);
  };
  result.function.exact_cases = "rational operations, and functions at their exact cases, give a breakpoint";
  result.function.most_precision = most_expression_precision;
  result.function.theorem = "rational operations, and the exact cases of the functions";
  return result;
}

std::optional<PairSeries> pair_series(const Formula& formula, arb_srcptr x, arb_srcptr x_unit, arb_srcptr y,
                                      arb_srcptr y_unit, long degree, long precision) {
  std::vector<PairSeries> values;
  values.reserve(formula.operations.size());
  for (const Operation& operation : formula.operations) {
    values.push_back(apply(operation, values, {x, x_unit, y, y_unit}, degree, precision));
    if (_arb_vec_is_finite(values.back().all().data(), values.back().all().size()) == 0)
      return std::nullopt;
  }
  return std::move(values.back());
}

} // namespace tmd::function
