#include "function/exactness.hpp"

namespace tmd {

namespace {

Exactness exact_if(bool dyadic) { return dyadic ? Exactness::exact : Exactness::inexact; }

} // namespace

Exactness exact_at_zero(mpfr_srcptr x) { return exact_if(mpfr_zero_p(x) != 0); }

Exactness exact_at_one(mpfr_srcptr x) { return exact_if(mpfr_cmp_ui(x, 1) == 0); }

Exactness exact_at_integers(mpfr_srcptr x) { return exact_if(mpfr_integer_p(x) != 0); }

// The dyadic root of a cube x has no more bits than x.
Exactness exact_at_cubes(mpfr_srcptr x) {
  Mpfr root(mpfr_get_prec(x));
  return exact_if(mpfr_cbrt(root, x, MPFR_RNDN) == 0);
}

} // namespace tmd
