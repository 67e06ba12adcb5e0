#include "function/exponential.hpp"

#include "function/entry.hpp"
#include "function/recurrence.hpp"

#include <utility>

namespace tmd::function {

namespace {

using LogOfBase = Constant; // the natural logarithm of a base

void log_of_e(arb_ptr value, long /*precision*/) { arb_one(value); }

// exp(scale·x): coefficients exp(scale·x)·scale^j/j!.
void exponential_series(arb_ptr coefficients, arb_srcptr x, arb_srcptr scale, long length, long precision) {
  number::Arb scaled;
  arb_mul(scaled, x, scale, precision);
  arb_exp(coefficients, scaled, precision);
  for (long j = 1; j < length; ++j) {
    arb_mul(coefficients + j, coefficients + j - 1, scale, precision);
    arb_div_ui(coefficients + j, coefficients + j, static_cast<unsigned long>(j), precision);
  }
}

Series power_of(LogOfBase log_of_base) {
  return [log_of_base](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    number::Arb scale;
    log_of_base(scale, precision);
    exponential_series(coefficients, x, scale, length, precision);
  };
}

// The value is computed separately, because subtracting 1 cancels near 0.
Series power_less_one(LogOfBase log_of_base) {
  return [log_of_base](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    number::Arb scale;
    log_of_base(scale, precision);
    exponential_series(coefficients, x, scale, length, precision);
    arb_mul(scale, scale, x, precision);
    arb_expm1(coefficients, scale, precision);
  };
}

// The phase of b^x, or of b^x − 1, which differs from it by b^(−x) of it: the agreement is below log2(b).
Phase doubling(Constant period, double agreement = 0) {
  return {power_of(arb_const_log2), period, Phase::Kind::doubling, false, false, agreement};
}

} // namespace

void log10_of_2(arb_ptr value, long precision) {
  number::Arb log_of_10;
  arb_const_log10(log_of_10, precision);
  arb_const_log2(value, precision);
  arb_div(value, value, log_of_10, precision);
}

Phase half_an_exponential() {
  Phase phase = doubling(arb_const_log2, 2.8853); // e^(−2x) is 2^(−2x/log(2))
  phase.halved = true;
  return phase;
}

std::vector<Function> exponential_functions() {
  constexpr Symmetry none = Symmetry::none;
  const auto less_one = [](const char* name, const char* description, LogOfBase log_of_base, RoundedFunction value,
                           ExactValues exact) {
    return between(-1, unbounded,
                   rising_from(0, entry(name, description, every_x, none, power_less_one(log_of_base), std::move(value),
                                        std::move(exact))));
  };
  const auto power = [](const char* name, const char* description, LogOfBase log_of_base, RoundedFunction value,
                        ExactValues exact, std::optional<Scaling> scaling = {}) {
    return between(0, unbounded,
                   rising_from(-unbounded, entry(name, description, every_x, none, power_of(log_of_base),
                                                 std::move(value), std::move(exact), scaling)));
  };
  return {
      of_phase(doubling(arb_const_log2), power("exp", "e^x", log_of_e, mpfr_exp, exact_at_zero())),
      of_phase(doubling(log10_of_2), power("exp10", "10^x", arb_const_log10, mpfr_exp10, exact_at_natural_numbers())),
      of_phase(doubling(log10_of_2, 3.3219),
               beside_line("x*log(10)",
                           less_one("exp10m1", "10^x - 1", arb_const_log10, mpfr_exp10m1, exact_at_natural_numbers()))),
      power("exp2", "2^x", arb_const_log2, mpfr_exp2, exact_at_integers(), Scaling{0, 1, 1, 1, 0}),
      beside_line("x*log(2)", less_one("exp2m1", "2^x - 1", arb_const_log2, mpfr_exp2m1, exact_at_integers())),
      of_phase(doubling(arb_const_log2, 1.4426), less_one("expm1", "e^x - 1", log_of_e, mpfr_expm1, exact_at_zero())),
  };
}

} // namespace tmd::function
