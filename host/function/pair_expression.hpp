// Functions of two variables that users write as expressions in x and y: their values, and their Taylor polynomials.
#pragma once

#include "function/formula.hpp"
#include "function/pairs.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace tmd::function {

// An expression of x and y. As a PairFunction it has no special values: where it has no value, value() gives NaN.
struct PairExpression {
  std::shared_ptr<const Formula> formula;
  PairFunction function;
};

// Throws UsageError for what is no expression of x and y (parse_pair_formula()).
[[nodiscard]] PairExpression make_pair_expression(std::string_view text);

// A polynomial of two variables: the coefficients of ξ^m·ν^n with m + n ≤ degree, as balls.
class PairSeries {
public:
  explicit PairSeries(long degree) : degree_(degree), coefficients_((degree + 1) * (degree + 2) / 2) {}

  [[nodiscard]] long degree() const { return degree_; }
  // The coefficients of ξ^m by increasing n: degree() + 1 - m of them.
  [[nodiscard]] arb_ptr row(long m) { return coefficients_[begin_of(m)]; }
  [[nodiscard]] arb_srcptr row(long m) const { return coefficients_[begin_of(m)]; }
  [[nodiscard]] arb_ptr at(long m, long n) { return row(m) + n; }
  [[nodiscard]] arb_srcptr at(long m, long n) const { return row(m) + n; }
  [[nodiscard]] number::ArbVector& all() { return coefficients_; }
  [[nodiscard]] const number::ArbVector& all() const { return coefficients_; }

private:
  [[nodiscard]] long begin_of(long m) const { return m * (degree_ + 1) - m * (m - 1) / 2; }

  long degree_;
  number::ArbVector coefficients_;
};

// The Taylor coefficients of the expression at all points of the balls x and y, in units of x_unit and y_unit: of ξ, ν
// for f(x + ξ·x_unit, y + ν·y_unit). Nothing if f may not be analytic at some of them.
[[nodiscard]] std::optional<PairSeries> pair_series(const Formula& formula, arb_srcptr x, arb_srcptr x_unit,
                                                    arb_srcptr y, arb_srcptr y_unit, long degree, long precision);

} // namespace tmd::function
