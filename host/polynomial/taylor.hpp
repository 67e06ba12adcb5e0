// Rigorous Taylor polynomials of a scaled function.
#pragma once

#include "number/bound.hpp"
#include "polynomial/scaled_function.hpp"

#include <cstdint>
#include <optional>

namespace tmd::polynomial {

// F(first + …) ≈ P(t) = Σ coefficients[j]·t^j with t = i − centre, for the `count` arguments from index `first`.
// The coefficients are balls: the true Taylor coefficients lie in them.
struct TaylorPolynomial {
  uint128 first = 0;
  std::uint64_t count = 0;
  uint128 centre = 0;
  number::ArbVector coefficients{1};
  number::Bound remainder; // max |F(i) − P(i)| over the interval's arguments, P with its true coefficients

  [[nodiscard]] int degree() const { return static_cast<int>(coefficients.size()) - 1; }
  // max |P^(order)| over |t| ≤ radius.
  [[nodiscard]] number::Bound derivative_bound(int order, const number::Bound& radius) const;
  // P(i − centre) for an index i = first + offset, inside the interval or not.
  void evaluate(arb_ptr value, std::uint64_t offset, long precision) const;
};

// The polynomial of least degree ≤ max_degree with a remainder of at most `target`; nothing when there is none.
// fraction_bits: the coefficients are computed to about that many bits after the binary point.
[[nodiscard]] std::optional<TaylorPolynomial> taylor_polynomial(const ScaledFunction& function, uint128 first,
                                                                std::uint64_t count, const number::Bound& target,
                                                                int max_degree, long fraction_bits);

} // namespace tmd::polynomial
