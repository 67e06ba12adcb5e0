// J0 and Y0 by Arb at numbers and a three-term recurrence for their Taylor coefficients; on balls, bounds of all
// derivatives. J1 and Y1 are minus the derivatives of J0 and Y0. MPFR computes the values.
#include "function/bessel.hpp"

#include "function/entry.hpp"
#include "function/recurrence.hpp"
#include "function/taylor_form.hpp"

namespace tmd::function {

namespace {

// Arb's Bessel functions of the first and second kind, of an order that is a ball.
using BesselFunction = void (*)(arb_ptr value, arb_srcptr order, arb_srcptr x, long precision);

void first_kind(arb_ptr value, arb_srcptr order, arb_srcptr x, long precision) {
  arb_hypgeom_bessel_j(value, order, x, precision);
}

void second_kind(arb_ptr value, arb_srcptr order, arb_srcptr x, long precision) {
  arb_hypgeom_bessel_y(value, order, x, precision);
}

// The solution of order 0 of Bessel's equation that is f, f′ = −(that of order 1), at a number x ≠ 0:
// x·(j + 1)(j + 2)·c_(j+2) = −(j + 1)²·c_(j+1) − x·c_j − c_(j−1).
void order_zero_at(BesselFunction function, arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  // The recurrence loses bits where the coefficients fall faster than it divides: some, from experience.
  const long working = precision + 64 + 12 * length;
  number::Arb order;
  function(coefficients, order, x, working);
  if (length < 2)
    return;
  arb_one(order);
  function(coefficients + 1, order, x, working);
  arb_neg(coefficients + 1, coefficients + 1);
  number::Arb inverse;
  arb_inv(inverse, x, working);
  number::Arb term;
  for (long j = 0; j + 2 < length; ++j) {
    arb_mul(term, x, coefficients + j, working);
    arb_addmul_si(term, coefficients + j + 1, (j + 1) * (j + 1), working);
    if (j > 0)
      arb_add(term, term, coefficients + j - 1, working);
    arb_mul(term, term, inverse, working);
    arb_div_si(coefficients + j + 2, term, -(j + 1) * (j + 2), working);
  }
}

// Coefficient j of J0 about a number |x| ≤ 1/16, where the recurrence divides by little: the sum of the terms
// t_k = (−1/4)^k/k!²·C(2k, j)·x^(2k−j) with 2k ≥ j. t_(k+1)/t_k = −x²·(2k + 1)/(2(k + 1)·(2k + 1 − j)·(2k + 2 − j)) is
// less than 2^−8, so that what is left out is less than twice its first term. It ends by the size of the first of all,
// for coefficients of odd order are as small as x.
void j0_coefficient_near_zero(arb_ptr coefficient, arb_srcptr x, arb_srcptr square, long j, long precision) {
  long k = (j + 1) / 2;
  number::Arb term;
  number::Integer factor;
  fmpz_fac_ui(factor, static_cast<unsigned long>(k));
  fmpz_mul(factor, factor, factor);
  arb_set_si(term, k % 2 == 0 ? 1 : -1);
  arb_mul_2exp_si(term, term, -2 * k);
  arb_div_fmpz(term, term, factor, precision);
  if (j % 2 != 0) { // C(j + 1, j)·x
    arb_mul_si(term, term, j + 1, precision);
    arb_mul(term, term, x, precision);
  }
  arb_zero(coefficient);
  if (arb_is_zero(term) != 0)
    return;
  const auto exponent = [&] { return arf_abs_bound_lt_2exp_si(mid(term)); };
  const long least = exponent() - precision;
  for (; arb_is_zero(term) == 0 && exponent() >= least; ++k) {
    arb_add(coefficient, coefficient, term, precision);
    arb_mul(term, term, square, precision);
    arb_mul_si(term, term, -(2 * k + 1), precision);
    arb_div_si(term, term, 2 * (k + 1) * (2 * k + 1 - j) * (2 * k + 2 - j), precision);
  }
  arb_mul_2exp_si(term, term, 1);
  arb_add_error(coefficient, term);
}

// On a ball only bounds: every derivative of J0 lies in [−1, 1], for J0 is a mean of cosines.
void bound_j0(arb_ptr coefficients, long length, long precision) {
  number::Arb bound;
  arb_one(bound);
  for (long j = 0; j < length; ++j) {
    if (j > 0)
      arb_div_si(bound, bound, j, precision);
    arb_zero(coefficients + j);
    arb_add_error(coefficients + j, bound);
  }
}

void j0_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  if (arb_is_exact(x) == 0) {
    bound_j0(coefficients, length, precision);
    return;
  }
  number::Arb scaled;
  number::Arb one;
  arb_mul_2exp_si(scaled, x, 4);
  arb_abs(scaled, scaled);
  arb_one(one);
  if (arb_gt(scaled, one) != 0) {
    order_zero_at(first_kind, coefficients, x, length, precision);
    return;
  }
  number::Arb square;
  arb_mul(square, x, x, precision + 32);
  for (long j = 0; j < length; ++j)
    j0_coefficient_near_zero(coefficients + j, x, square, j, precision + 32);
}

// On a ball only bounds, by Cauchy's from a disc of radius ρ ≤ x/2: with H = J0 ± i·Y0, whose modulus is at most
// C·√(2/(π|z|))·e^|Im z| for |arg z| ≤ π/6. There K0's integral, √(π/(2w))·e^−w·∫ e^−s·s^(−1/2)·(1 + s/(2w))^(−1/2)
// ds/√π with w = ∓iz, has |1 + s/(2w)| ≥ sin 60°, so that C = (3/4)^(−1/4) < 1.075.
void bound_y0_far(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb least;
  arb_get_lbound_arf(mid(least), x, precision);
  number::Arb radius;
  number::Arb nearest;
  number::Arb bound;
  number::Arb factor;
  for (long j = 0; j < length; ++j) {
    // e^ρ/ρ^j is least for ρ = j.
    arb_mul_2exp_si(radius, least, -1);
    arb_set_si(factor, j + 1);
    if (arb_gt(radius, factor) != 0)
      arb_swap(radius, factor);
    arb_sub(nearest, least, radius, precision);
    arb_const_pi(bound, precision);
    arb_mul(bound, bound, nearest, precision);
    arb_mul_2exp_si(bound, bound, -1);
    arb_rsqrt(bound, bound, precision);
    arb_exp(factor, radius, precision);
    arb_mul(bound, bound, factor, precision);
    arb_pow_ui(factor, radius, static_cast<unsigned long>(j), precision);
    arb_div(bound, bound, factor, precision);
    arb_set_d(factor, 1.075);
    arb_mul(bound, bound, factor, precision);
    arb_zero(coefficients + j);
    arb_add_error(coefficients + j, bound);
  }
}

// The same where x ≤ 1/2, from the disc of radius a/2 of the ball's lower end a: there x/2 ≤ |z| ≤ 3x/2 ≤ 3/4 and
// |arg z| ≤ π/6. Of Y0 = (2/π)·((ln(z/2) + γ)·J0(z) + Σ ∓H_k·(z²/4)^k/k!²) the logarithm with γ is at most
// ln(4/x) − γ + π/6 < ln(4/x), |J0(z)| ≤ I0(3/4) < 1.146, and the sum at most 0.15: |Y0(z)| < 0.75·ln(4/a) + 0.1.
void bound_y0_near_zero(arb_ptr coefficients, arb_srcptr least, long length, long precision) {
  number::Arb bound;
  number::Arb step;
  arb_inv(step, least, precision);
  arb_mul_2exp_si(bound, step, 2);
  arb_log(bound, bound, precision);
  arb_mul_si(bound, bound, 3, precision);
  arb_mul_2exp_si(bound, bound, -2);
  number::Arb rest;
  arb_set_d(rest, 0.125);
  arb_add(bound, bound, rest, precision);
  arb_mul_2exp_si(step, step, 1); // 1 by the radius
  for (long j = 0; j < length; ++j) {
    arb_zero(coefficients + j);
    arb_add_error(coefficients + j, bound);
    arb_mul(bound, bound, step, precision);
  }
}

void bound_y0(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb least;
  number::Arb greatest;
  arb_get_lbound_arf(mid(least), x, precision);
  arb_get_ubound_arf(mid(greatest), x, precision);
  if (arf_cmp_2exp_si(mid(greatest), -1) <= 0)
    bound_y0_near_zero(coefficients, least, length, precision);
  else
    bound_y0_far(coefficients, x, length, precision);
}

void y0_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  if (arb_is_positive(x) == 0)
    set_undefined(coefficients, length);
  else if (arb_is_exact(x) != 0)
    order_zero_at(second_kind, coefficients, x, length, precision);
  else
    bound_y0(coefficients, x, length, precision);
}

// That of order 1 is −f′: coefficients −(j + 1)·c_(j+1).
Series order_one(void (*order_zero)(arb_ptr, arb_srcptr, long, long)) {
  return [order_zero](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    number::ArbVector zero(length + 1);
    order_zero(zero.data(), x, length + 1, precision);
    for (long j = 0; j < length; ++j)
      arb_mul_si(coefficients + j, zero[j + 1], -(j + 1), precision);
  };
}

// Two coefficients of r(x) = x·Y1(x) on a ball around 0 within [−1/4, 1/4], continued from x > 0 by r(0) = −2/π and
// r(−x) = r(x). r′(x) = x·Y0(x), whose own derivative Y0 − x·Y1 rises up to 1/4, as Y0 and −x·Y1 do, to −0.25: so
// |r′| is largest at the ball's end R, and r(x) is within |x|·R·|Y0(R)| of r(0), by the mean value theorem.
void y1_times_x(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  constexpr long most = 2;
  set_undefined(coefficients, length);
  number::Arb end;
  arb_get_abs_ubound_arf(mid(end), x, precision);
  if (length > most || arb_contains_zero(x) == 0 || arf_cmp_2exp_si(mid(end), -2) > 0)
    return;
  number::Arb slope;
  if (arf_is_zero(mid(end)) == 0) {
    const number::Arb order;
    second_kind(slope, order, end, precision);
    arb_mul(slope, slope, end, precision);
  }
  if (length == most) {
    arb_zero(coefficients + 1);
    arb_add_error(coefficients + 1, slope);
  }
  arb_mul(slope, slope, end, precision);
  arb_const_pi(coefficients, precision);
  arb_ui_div(coefficients, 2, coefficients, precision);
  arb_neg(coefficients, coefficients);
  arb_add_error(coefficients, slope);
}

} // namespace

std::vector<Function> bessel_functions() {
  return {
      entry("j0", "Bessel function of the first kind, order 0", every_x, Symmetry::even, in_taylor_form(j0_series),
            mpfr_j0, exact_at_zero_bessel()),
      entry("j1", "Bessel function of the first kind, order 1", every_x, Symmetry::odd,
            in_taylor_form(order_one(j0_series)), mpfr_j1, exact_at_zero_bessel()),
      entry("y0", "Bessel function of the second kind, order 0", positive_x, Symmetry::none, in_taylor_form(y0_series),
            mpfr_y0, exactness_unknown()),
      beside({"-2/(pi*x)", 0, -1, y1_times_x},
             entry("y1", "Bessel function of the second kind, order 1", positive_x, Symmetry::none,
                   in_taylor_form(order_one(y0_series)), mpfr_y1, exactness_unknown())),
  };
}

} // namespace tmd::function
