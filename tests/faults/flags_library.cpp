// A math library for tests/cli/libm_flags.sh: what is called right sets exception flags as the processor does, for it
// is one operation; the others set some of them, or errno, wrongly.
#include <cerrno>
#include <cfenv>
#include <cmath>

namespace {

// Computes 1/x, never at compile time. Results from 2^1022 on are subnormal.
double recip(double argument) {
  const volatile double x = argument;
  const volatile double y = 1 / x;
  return y;
}

// sin(x) for |x| ≤ 2^-30, which is a little less than x in size: so little that x(1 - 2^-60) rounds alike.
double tiny_sine(double argument) {
  const volatile double x = argument;
  const volatile double part = std::fabs(x) < 0x1p-960 ? 0x1p-60 : 0;
  const volatile double y = std::fma(-x, part, x);
  return y;
}

bool is_least_normal(double x, double y) { return std::fabs(x) == 0x1p-1022 && std::fabs(y) == 0x1p-1022; }

} // namespace

extern "C" double tmd_right_recip(double x) { return recip(x); }
// Sets errno as C prescribes.
extern "C" double tmd_errno_recip(double x) {
  if (std::islessequal(std::fabs(x), 0x1p-1024)) // also at a pole, and on overflow
    errno = ERANGE;
  return recip(x);
}
extern "C" double tmd_inexact_recip(double x) { // also where the result is exact
  const double y = recip(x);
  std::feraiseexcept(FE_INEXACT);
  return y;
}
extern "C" double tmd_no_underflow_recip(double x) {
  const double y = recip(x);
  std::feclearexcept(FE_UNDERFLOW);
  return y;
}
extern "C" double tmd_invalid_recip(double x) { // at 3, and not at signaling NaN
  const double y = recip(x);
  if (x == 3)
    std::feraiseexcept(FE_INVALID);
  else if (std::isnan(x)) // comparing a signaling one has raised it, too
    std::feclearexcept(FE_INVALID);
  return y;
}
extern "C" double tmd_no_pole_recip(double x) {
  const double y = recip(x);
  std::feclearexcept(FE_DIVBYZERO);
  return y;
}
// Sets errno at 5 and 7, and not at 0.
extern "C" double tmd_wrong_errno_recip(double x) {
  if (x == 5)
    errno = EDOM;
  if (x == 7)
    errno = EINVAL;
  return recip(x);
}

extern "C" double tmd_right_sin(double x) { return tiny_sine(x); }
// Results are tiny by their values before rounding.
extern "C" double tmd_before_sin(double x) {
  const double y = tiny_sine(x);
  if (is_least_normal(x, y))
    std::feraiseexcept(FE_UNDERFLOW);
  return y;
}
// Handles positive arguments as that does, others not.
extern "C" double tmd_mixed_sin(double x) {
  const double y = tiny_sine(x);
  if (is_least_normal(x, y)) {
    if (x > 0)
      std::feraiseexcept(FE_UNDERFLOW);
    else
      std::feclearexcept(FE_UNDERFLOW);
  }
  return y;
}

// A large result, which overflows beyond 0x1.62e42fefa39efp+9.
extern "C" double tmd_no_overflow_exp(double x) {
  const volatile double largest = 0x1.fffffffffffffp+1023;
  const volatile double y = x > 0 ? largest * 2 : 0x1p-1074 / 4;
  std::feclearexcept(FE_OVERFLOW);
  return y;
}

// Outside its domain a square root should be invalid.
extern "C" float tmd_no_invalid_sqrtf(float argument) {
  const volatile float x = argument;
  const volatile float y = std::sqrt(x);
  std::feclearexcept(FE_INVALID);
  return y;
}
extern "C" float tmd_right_flags_sqrtf(float argument) {
  const volatile float x = argument;
  const volatile float y = std::sqrt(x);
  return y;
}
