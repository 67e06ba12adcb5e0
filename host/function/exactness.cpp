#include "function/exactness.hpp"

#include <fmt/format.h>

namespace tmd::function {

namespace {

constexpr const char* lindemann = "e^x is transcendental for algebraic x other than 0 (Lindemann, Weierstrass)";
constexpr const char* unique_factorization =
    "2^(m/n) and 10^(m/n) in lowest terms are rational for n = 1 alone (unique factorization)";
constexpr const char* niven = "sin, cos and tan of a rational multiple of pi are rational at few places (Niven)";

// Whether x·2^shift is an integer.
bool is_integer_times(mpfr_srcptr x, long shift) {
  number::Mpfr shifted(mpfr_get_prec(x));
  mpfr_mul_2si(shifted, x, shift, MPFR_RNDN);
  return mpfr_integer_p(shifted) != 0;
}

bool is_zero_or_one(mpfr_srcptr x) { return mpfr_zero_p(x) != 0 || mpfr_cmpabs_ui(x, 1) == 0; }

std::string minus(std::string_view power, long addend) {
  return addend == 0 ? std::string(power) : fmt::format("{} - {}", power, addend);
}

} // namespace

Dyadic::Dyadic(mpfr_srcptr x, long addend) {
  number::Arb number;
  const arf_ptr middle = mid(number);
  arf_set_mpfr(middle, x);
  arf_add_si(middle, middle, addend, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_get_fmpz_2exp(odd, exponent, middle);
}

bool Dyadic::is_power(long n) const {
  number::Integer root;
  return fmpz_sgn(odd) >= 0 && fmpz_divisible_si(exponent, n) != 0 && fmpz_root(root, odd, n) != 0;
}

ExactValues exact_at_zero() {
  return {[](mpfr_srcptr x) { return exact_if(mpfr_zero_p(x) != 0); }, "x = 0", lindemann};
}

ExactValues exact_at_one() {
  return {[](mpfr_srcptr x) { return exact_if(mpfr_cmp_ui(x, 1) == 0); }, "x = 1", lindemann};
}

ExactValues exact_at_zero_bessel() {
  return {exact_at_zero().exactness, "x = 0",
          "J0(x) and J0'(x) are algebraically independent for algebraic x other than 0 (Siegel, Shidlovskii)"};
}

ExactValues exact_at_integers() {
  return {[](mpfr_srcptr x) { return exact_if(mpfr_integer_p(x) != 0); }, "x is an integer", unique_factorization};
}

ExactValues exact_at_natural_numbers() {
  return {[](mpfr_srcptr x) { return exact_if(mpfr_integer_p(x) != 0 && mpfr_sgn(x) >= 0); }, "x is an integer, x >= 0",
          unique_factorization};
}

ExactValues exact_at_powers_of_two(long addend) {
  return {[addend](mpfr_srcptr x) { return exact_if(Dyadic(x, addend).is_power_of_two()); },
          fmt::format("x = {} for an integer k", minus("2^k", addend)), unique_factorization};
}

// 10^k = 5^k·2^k is dyadic for k ≥ 0 only.
ExactValues exact_at_powers_of_ten(long addend) {
  return {[addend](mpfr_srcptr x) {
            const Dyadic number(x, addend);
            if (fmpz_sgn(number.odd) <= 0)
              return Exactness::inexact;
            number::Integer five;
            number::Integer rest;
            fmpz_set_ui(five, 5);
            const long k = fmpz_remove(rest, number.odd, five);
            return exact_if(fmpz_is_one(rest) != 0 && fmpz_equal_si(number.exponent, k) != 0);
          },
          fmt::format("x = {} for an integer k >= 0", minus("10^k", addend)), unique_factorization};
}

ExactValues exact_at_half_integers() {
  return {[](mpfr_srcptr x) { return exact_if(is_integer_times(x, 1)); }, "2x is an integer", niven};
}

ExactValues exact_at_quarter_integers() {
  return {[](mpfr_srcptr x) { return exact_if(is_integer_times(x, 2)); }, "x or 2x + 1/2 is an integer", niven};
}

ExactValues exact_at_zero_and_ones() {
  return {[](mpfr_srcptr x) { return exact_if(is_zero_or_one(x)); }, "x is -1, 0 or 1", niven};
}

ExactValues exact_error_function() {
  return {[](mpfr_srcptr x) { return mpfr_zero_p(x) != 0 ? Exactness::exact : Exactness::unknown; }, "x = 0",
          "whether another value is rational is not known"};
}

ExactValues exact_gamma() {
  return {[](mpfr_srcptr x) {
            if (mpfr_integer_p(x) != 0)
              return exact_if(mpfr_sgn(x) > 0);
            return is_integer_times(x, 2) ? Exactness::inexact : Exactness::unknown;
          },
          "x is an integer, x >= 1",
          "values are transcendental where 4x is an integer and x is none (Lindemann, Chudnovsky); elsewhere this is "
          "not known"};
}

ExactValues exact_log_gamma() {
  return {[](mpfr_srcptr x) {
            if (mpfr_integer_p(x) != 0)
              return exact_if(mpfr_cmp_ui(x, 1) == 0 || mpfr_cmp_ui(x, 2) == 0);
            return Exactness::unknown;
          },
          "x is 1 or 2",
          "logarithms of factorials are transcendental (Lindemann); whether another value is rational is not known"};
}

ExactValues exactness_unknown() {
  return {[](mpfr_srcptr) { return Exactness::unknown; }, "no x is known", "whether a value is rational is not known"};
}

} // namespace tmd::function
