// The theorems about dyadic values, as functions of a dyadic argument x.
#pragma once

#include "function/function.hpp"
#include "number/arb.hpp"

#include <functional>
#include <string>

namespace tmd::function {

// The number odd·2^exponent; 0 is 0·2^0.
struct Dyadic {
  number::Integer odd;
  number::Integer exponent;

  // x + addend, exactly.
  explicit Dyadic(mpfr_srcptr x, long addend = 0);

  [[nodiscard]] bool is_power_of_two() const { return fmpz_is_one(odd) != 0; }
  // Whether it is ±2^k.
  [[nodiscard]] bool is_signed_power_of_two() const { return fmpz_is_pm1(odd) != 0; }
  // Whether it is y^n for a dyadic y ≥ 0; n ≥ 1.
  [[nodiscard]] bool is_power(long n) const;
};

// The members of Function with the same names.
struct ExactValues {
  std::function<Exactness(mpfr_srcptr x)> exactness;
  std::string cases;
  std::string theorem;
};

[[nodiscard]] inline Exactness exact_if(bool dyadic) { return dyadic ? Exactness::exact : Exactness::inexact; }

// e^x for algebraic x ≠ 0 is transcendental, and so are the functions made of it and their inverses.
[[nodiscard]] ExactValues exact_at_zero();
[[nodiscard]] ExactValues exact_at_one();
// The same of J0 and J1.
[[nodiscard]] ExactValues exact_at_zero_bessel();

// 2^(m/n) and 10^(m/n) in lowest terms are rational only for n = 1; a rational logarithm to these bases is an integer.
[[nodiscard]] ExactValues exact_at_integers();
[[nodiscard]] ExactValues exact_at_natural_numbers();
[[nodiscard]] ExactValues exact_at_powers_of_two(long addend);
[[nodiscard]] ExactValues exact_at_powers_of_ten(long addend);

// The rational values of trigonometric functions at rational multiples of π.
[[nodiscard]] ExactValues exact_at_half_integers();
[[nodiscard]] ExactValues exact_at_quarter_integers();
[[nodiscard]] ExactValues exact_at_zero_and_ones();

// Only the value at 0 is known.
[[nodiscard]] ExactValues exact_error_function();
[[nodiscard]] ExactValues exact_gamma();
[[nodiscard]] ExactValues exact_log_gamma();
[[nodiscard]] ExactValues exactness_unknown();

} // namespace tmd::function
