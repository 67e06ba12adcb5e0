// Roots and integer powers: series by recurrences or binomials; values of powers by MPFR, of roots in integers
// (integer_root.hpp). By unique factorization a root is dyadic only if x is a power of a dyadic number. A positive
// integer power of a dyadic number always is; inverses are only where x, or 1 + x, is a power of two.
#include "function/power.hpp"

#include "function/entry.hpp"
#include "function/integer_root.hpp"
#include "function/recurrence.hpp"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tmd::function {

namespace {

// The greatest |n| for x^n. Up to it, a nonzero distance to a breakpoint is at least about 2^−65n spacings, which
// confirmation distinguishes from 0 with its 2^20 bits, and values at all arguments of a format are within the range of
// exponents.
constexpr long most_power = 8000;

constexpr const char* algebra = "algebra: the value is dyadic or the irrational root of a rational number";
constexpr const char* quotients = "algebra: the value is rational, with an odd part of x in its denominator";
constexpr const char* polynomial = "algebra: a polynomial in x with integer coefficients";

bool is_odd(long n) { return n % 2 != 0; }

// x^(1/n), n ≠ 0; not analytic at 0. With a = 1/n: c_(j+1) = c_j·(a − j)/((j + 1)·x). c_1 = a·x^(a−1) is computed
// separately, because factors that rise and fall with x overestimate on balls.
void root_series(arb_ptr coefficients, arb_srcptr x, long n, long length, long precision) {
  const long degree = std::labs(n);
  const bool negative = arb_is_negative(x) != 0;
  if ((arb_is_positive(x) == 0 && !negative) || (negative && !is_odd(n))) {
    set_undefined(coefficients, length);
    return;
  }
  number::Arb magnitude;
  number::Arb root;
  number::Arb inverse_root;
  arb_abs(magnitude, x);
  arb_root_ui(root, magnitude, static_cast<unsigned long>(degree), precision);
  arb_inv(inverse_root, root, precision);
  arb_set(coefficients, n > 0 ? root : inverse_root);
  if (length > 1) {
    arb_pow_ui(coefficients + 1, inverse_root, static_cast<unsigned long>(n > 0 ? degree - 1 : degree + 1), precision);
    arb_div_si(coefficients + 1, coefficients + 1, n, precision);
  }
  number::Arb inverse;
  arb_inv(inverse, magnitude, precision);
  for (long j = 1; j + 1 < length; ++j) {
    arb_mul(coefficients + j + 1, coefficients + j, inverse, precision);
    arb_mul_si(coefficients + j + 1, coefficients + j + 1, (n > 0 ? 1 : -1) - degree * j, precision);
    arb_div_si(coefficients + j + 1, coefficients + j + 1, degree * (j + 1), precision);
  }
  if (negative) // n is odd
    for (long j = 0; j < length; j += 2)
      arb_neg(coefficients + j, coefficients + j);
}

// x^n; on a ball on one side of 0 between those of its ends, for large powers of a ball contain 0.
void power_of_ball(arb_ptr power, arb_srcptr x, unsigned long n, long precision) {
  if (arb_is_exact(x) != 0 || arb_contains_zero(x) != 0) {
    arb_pow_ui(power, x, n, precision);
    return;
  }
  number::Arb lower;
  number::Arb upper;
  arb_get_lbound_arf(mid(lower), x, precision);
  arb_get_ubound_arf(mid(upper), x, precision);
  arb_pow_ui(lower, lower, n, precision);
  arb_pow_ui(upper, upper, n, precision);
  arb_union(power, lower, upper, precision);
}

// x^n: coefficients C(n, j)·x^(n−j), with binomials for negative n, too; analytic everywhere for n ≥ 0.
void integer_power_series(arb_ptr coefficients, arb_srcptr x, long n, long length, long precision) {
  number::Arb inverse;
  if (n < length)
    arb_inv(inverse, x, precision);
  number::Integer binomial;
  fmpz_one(binomial);
  for (long j = 0; j < length; ++j) {
    if (n >= 0 && j > n) {
      arb_zero(coefficients + j);
      continue;
    }
    const arb_srcptr base = n < j ? inverse : x;
    power_of_ball(coefficients + j, base, static_cast<unsigned long>(std::labs(n - j)), precision);
    arb_mul_fmpz(coefficients + j, coefficients + j, binomial, precision);
    fmpz_mul_si(binomial, binomial, n - j);
    fmpz_divexact_si(binomial, binomial, j + 1);
  }
}

Function root(std::string name, std::string description, long n) {
  const bool odd = is_odd(n);
  const bool inverse = n < 0;
  const long degree = std::labs(n);
  const Domain& domain = odd ? (inverse ? every_x_but("0") : every_x) : (inverse ? positive_x : nonnegative_x);
  ExactValues exact{[inverse, degree](mpfr_srcptr x) {
                      Dyadic number(x);
                      if (inverse && !number.is_signed_power_of_two())
                        return Exactness::inexact;
                      fmpz_abs(number.odd, number.odd);
                      return exact_if(number.is_power(degree));
                    },
                    inverse ? fmt::format("x = {}2^({}k) for an integer k", odd ? "+-" : "", degree)
                            : fmt::format("x = y^{} for a dyadic number y", degree),
                    algebra};
  Function result = entry(
      std::move(name), std::move(description), domain, odd ? Symmetry::odd : Symmetry::none,
      [n](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
        root_series(coefficients, x, n, length, precision);
      },
      [n](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) { return integer_root(y, x, n, rounding); }, std::move(exact),
      Scaling{static_cast<int>(degree), 0, 1, inverse ? -1 : 1, 0});
  return inverse ? result : rising_from(0, std::move(result));
}

ExactValues exact_power(long n, long addend) {
  if (n > 0)
    return {[](mpfr_srcptr) { return Exactness::exact; }, "x is any number", polynomial};
  return {[addend](mpfr_srcptr x) { return exact_if(Dyadic(x, addend).is_signed_power_of_two()); },
          addend == 0 ? "x = +-2^k for an integer k" : "x = 2^k - 1 for an integer k", quotients};
}

Function integer_power(std::string name, std::string description, long n) {
  Function result = entry(
      std::move(name), std::move(description), n < 0 ? every_x_but("0") : every_x,
      is_odd(n) ? Symmetry::odd : Symmetry::even,
      [n](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
        integer_power_series(coefficients, x, n, length, precision);
      },
      [n](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) { return mpfr_pow_si(y, x, n, rounding); }, exact_power(n, 0),
      Scaling{1, 0, 1, static_cast<int>(n), 0});
  return n > 0 ? rising_from(0, std::move(result)) : result;
}

Function rootn(long n) {
  return root(fmt::format("rootn:{}", n), n < 0 ? fmt::format("1/x^(1/{})", -n) : fmt::format("x^(1/{})", n), n);
}

Function pown(long n) { return integer_power(fmt::format("pown:{}", n), fmt::format("x^{}", n), n); }

// (1 + x)^n. mpfr_compound_si of MPFR up to 4.2.1 misses some exact values, so 1 + x is formed exactly.
Function compound(long n) {
  const Domain domain{-1, n > 0, unbounded, false, n > 0 ? "x >= -1" : "x > -1"};
  Function result = entry(
      fmt::format("compound:{}", n), fmt::format("(1 + x)^{}", n), domain, Symmetry::none,
      [n](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
        number::Arb shifted;
        arb_add_si(shifted, x, 1, precision);
        integer_power_series(coefficients, shifted, n, length, precision);
      },
      [n](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
        if (mpfr_cmp_si(x, -1) < 0) {
          mpfr_set_nan(y);
          return 0;
        }
        const long exponent = mpfr_regular_p(x) != 0 ? std::labs(mpfr_get_exp(x)) : 0;
        number::Mpfr sum(exponent + mpfr_get_prec(x) + 1);
        mpfr_add_ui(sum, x, 1, MPFR_RNDN);
        return mpfr_pow_si(y, sum, n, rounding);
      },
      exact_power(n, 1));
  return n > 0 ? rising_from(-1, std::move(result)) : result;
}

} // namespace

std::vector<Function> power_functions() {
  Function recip = integer_power("recip", "1/x", -1);
  recip.is_in_c = false;
  return {
      root("cbrt", "cube root", 3),
      std::move(recip),
      root("rsqrt", "1/sqrt(x)", -2),
      root("sqrt", "square root", 2),
  };
}

std::vector<FunctionFamily> power_families() {
  const auto not_trivial = [](long n) { return n != 0 && n != 1; };
  const std::string parameter = fmt::format("an integer from {} to {}, not 0 or 1", -most_power, most_power);
  return {
      {"compound", "(1 + x)^N", parameter, -most_power, most_power, not_trivial, compound},
      {"pown", "x^N", parameter, -most_power, most_power, not_trivial, pown},
      {"rootn", "x^(1/N)", parameter, -most_power, most_power, not_trivial, rootn},
  };
}

} // namespace tmd::function
