#include "function/trigonometric.hpp"

namespace tmd {

// sin(x + j·π/2)/j!.
void sin_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb sine;
  Arb cosine;
  Integer factorial;
  fmpz_one(factorial);
  arb_sin_cos(sine, cosine, x, precision);
  for (long j = 0; j < length; ++j) {
    if (j > 0)
      fmpz_mul_ui(factorial, factorial, static_cast<unsigned long>(j));
    arb_div_fmpz(coefficients + j, j % 2 == 0 ? sine : cosine, factorial, precision);
    if (j % 4 >= 2)
      arb_neg(coefficients + j, coefficients + j);
  }
}

} // namespace tmd
