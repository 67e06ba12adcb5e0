#include "function/logarithm.hpp"

namespace tmd {

// (−1)^(j+1)/(j·x^j).
void log_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb inverse;
  Arb power;
  arb_log(coefficients, x, precision);
  arb_inv(inverse, x, precision);
  arb_neg(inverse, inverse);
  arb_set_si(power, -1);
  for (long j = 1; j < length; ++j) {
    arb_mul(power, power, inverse, precision);
    arb_div_ui(coefficients + j, power, static_cast<unsigned long>(j), precision);
  }
}

} // namespace tmd
