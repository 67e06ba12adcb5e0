#include "polynomial/taylor.hpp"

#include <algorithm>

namespace tmd::polynomial {

number::Bound TaylorPolynomial::derivative_bound(int order, const number::Bound& radius) const {
  number::Bound sum;
  number::Bound radius_power(1);
  for (int j = order; j <= degree(); ++j) {
    number::Bound falling_factorial(1); // j·(j − 1) … (j − order + 1)
    for (int i = 0; i < order; ++i)
      falling_factorial *= number::Bound(static_cast<std::uint64_t>(j - i));
    sum += number::Bound::of(coefficients[j]) * falling_factorial * radius_power;
    radius_power *= radius;
  }
  return sum;
}

void TaylorPolynomial::evaluate(arb_ptr value, std::uint64_t offset, long precision) const {
  number::Arb t;
  number::Arb origin;
  number::set(t, first + offset);
  number::set(origin, centre);
  arb_sub(t, t, origin, ARF_PREC_EXACT);
  _arb_poly_evaluate(value, coefficients.data(), coefficients.size(), t, precision);
}

std::optional<TaylorPolynomial> taylor_polynomial(const ScaledFunction& function, uint128 first, std::uint64_t count,
                                                  const number::Bound& target, int max_degree, long fraction_bits) {
  constexpr long enclosure_precision = 64;
  number::Arb interval;
  number::set_interval(interval, first, first + (count - 1));
  number::ArbVector enclosures(max_degree + 2);
  function.series(enclosures.data(), interval, max_degree + 2, enclosure_precision);

  const number::Bound radius(count / 2);
  int degree = 1;
  number::Bound remainder;
  for (;; ++degree) {
    if (degree > max_degree)
      return std::nullopt;
    remainder = number::Bound::of(enclosures[degree + 1]) * number::power(radius, static_cast<unsigned>(degree) + 1);
    if (!(target < remainder))
      break;
  }

  TaylorPolynomial result;
  result.first = first;
  result.count = count;
  result.centre = first + count / 2;
  result.coefficients = number::ArbVector(degree + 1);
  result.remainder = remainder;
  // F is below 2^(precision + 1) < 2^66, its coefficients with their powers of t not larger.
  number::Arb centre;
  number::set(centre, result.centre);
  function.series(result.coefficients.data(), centre, degree + 1, fraction_bits + 96);
  for (int j = 0; j <= degree; ++j) // a series may fail at a number though its enclosures are bounds by other means
    if (arb_is_finite(result.coefficients[j]) == 0)
      return std::nullopt;
  return result;
}

} // namespace tmd::polynomial
