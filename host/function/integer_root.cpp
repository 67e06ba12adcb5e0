#include "function/integer_root.hpp"

#include "function/exactness.hpp"
#include "tmd/error.hpp"

#include <cstdlib>

namespace tmd::function {

int integer_root(mpfr_ptr y, mpfr_srcptr x, long n, mpfr_rnd_t rounding) {
  const auto degree = static_cast<unsigned long>(std::labs(n));
  const bool negative = mpfr_sgn(x) < 0;
  if (mpfr_number_p(x) == 0 || (negative && n % 2 == 0)) {
    mpfr_set_nan(y);
    return 0;
  }
  if (mpfr_zero_p(x) != 0) {
    if (n > 0)
      mpfr_set_zero(y, 1);
    else
      mpfr_set_inf(y, 1);
    return 0;
  }
  // |x|^(±1) = numerator/denominator·2^exponent, shifted so that the exponent is a multiple of the degree and the root
  // has more bits than y. has more bits than y.
  const Dyadic number(x);
  number::Integer odd;
  fmpz_abs(odd, number.odd);
  number::Integer exponent(number.exponent);
  if (n < 0)
    fmpz_neg(exponent, exponent);
  const auto bits = static_cast<unsigned long>(mpfr_get_prec(y)) + 2;
  const unsigned long length = fmpz_bits(odd);
  const unsigned long shift = bits * degree + length + fmpz_fdiv_ui(exponent, degree) + degree;
  unsigned long aligned = shift - shift % degree + fmpz_fdiv_ui(exponent, degree);
  number::Integer scaled; // ⌊|x|^(±1)·2^aligned⌋ without its exponent
  number::Integer rest;
  if (n > 0) {
    fmpz_mul_2exp(scaled, odd, aligned);
  } else {
    number::Integer power;
    fmpz_one(power);
    fmpz_mul_2exp(power, power, aligned);
    fmpz_fdiv_qr(scaled, rest, power, odd);
  }
  number::Integer root;
  fmpz_root(root, scaled, static_cast<long>(degree));

  // Checks root^degree ≤ scaled < (root + 1)^degree, independently of the library that found the root.
  number::Integer lower;
  number::Integer upper;
  fmpz_pow_ui(lower, root, degree);
  fmpz_add_ui(upper, root, 1);
  fmpz_pow_ui(upper, upper, degree);
  if (fmpz_cmp(lower, scaled) > 0 || fmpz_cmp(upper, scaled) <= 0)
    throw SoundnessError("an integer root is wrong");
  const bool exact = fmpz_equal(lower, scaled) != 0 && fmpz_is_zero(rest) != 0;

  // Appends a bit that is set if the root is inexact, so that every rounding is right.
  fmpz_mul_2exp(root, root, 1);
  if (!exact)
    fmpz_add_ui(root, root, 1);
  if (negative)
    fmpz_neg(root, root);
  fmpz_sub_ui(exponent, exponent, aligned);
  fmpz_fdiv_q_ui(exponent, exponent, degree);
  fmpz_sub_ui(exponent, exponent, 1);
  number::Arb value;
  arf_set_fmpz_2exp(mid(value), root, exponent);
  return arf_get_mpfr(y, mid(value), rounding);
}

} // namespace tmd::function
