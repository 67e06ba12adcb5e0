#include "function/exponential.hpp"

namespace tmd {

namespace {

// exp(scale·x): coefficients exp(scale·x)·scale^j/j!.
void exponential_series(arb_ptr coefficients, arb_srcptr x, arb_srcptr scale, long length, long precision) {
  Arb scaled;
  arb_mul(scaled, x, scale, precision);
  arb_exp(coefficients, scaled, precision);
  for (long j = 1; j < length; ++j) {
    arb_mul(coefficients + j, coefficients + j - 1, scale, precision);
    arb_div_ui(coefficients + j, coefficients + j, static_cast<unsigned long>(j), precision);
  }
}

} // namespace

void exp_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb one;
  arb_one(one);
  exponential_series(coefficients, x, one, length, precision);
}

void exp2_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb scale;
  arb_const_log2(scale, precision);
  exponential_series(coefficients, x, scale, length, precision);
}

} // namespace tmd
