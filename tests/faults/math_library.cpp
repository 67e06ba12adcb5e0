// A math library with faults that tests/cli/libm.sh and libm_all.sh look for. The right functions are operations that
// the processor rounds correctly in every direction; the wrong ones are the same, except at some arguments.
#include <cfenv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

extern "C" double tmd_right_recip(double argument) {
  const volatile double x = argument; // nothing is computed by the compiler, which rounds to nearest
  return 1 / x;
}

extern "C" double tmd_wrong_recip(double x) {
  const double y = tmd_right_recip(x);
  if (x == 3)
    return std::nextafter(y, 2.0);
  if (x == 5)
    std::raise(SIGSEGV);
  if (x == 7)
    for (;;)
      ::pause();
  if (x == 9)
    std::abort();
  if (x == 11)
    std::fesetround(FE_UPWARD);
  if (x == 13)
    std::feclearexcept(FE_INEXACT);
  if (x == 15)
    std::puts("15");
  static int calls = 0;
  if (x == 17 && ++calls == 1)
    std::puts("17");
  return y;
}

extern "C" float tmd_right_sqrtf(float argument) {
  const volatile float x = argument;
  return std::sqrt(x);
}

extern "C" float tmd_wrong_sqrtf(float x) {
  const float y = tmd_right_sqrtf(x);
  if (x == 0x1.01p+0F && std::fegetround() == FE_UPWARD)
    return std::nextafter(y, 2.0F);
  if (x == 0x1.02p+0F)
    return y + 0x1p-20F;
  if (x == 0x1.03p+0F)
    std::raise(SIGSEGV);
  if (x == 0x1.04p+0F && std::fegetround() == FE_TONEAREST)
    for (;;)
      ::pause();
  if (x == 0x1.05p+0F)
    std::fesetround(FE_TONEAREST);
  if (x == 0x1.06p+0F)
    std::puts("here");
  return y;
}

#ifdef __FLT16_MANT_DIG__
__extension__ using Float16 = _Float16;

// Twice rounded in the same direction is once rounded, and to nearest binary32 has bits enough.
extern "C" Float16 tmd_right_sqrtf16(Float16 x) { return static_cast<Float16>(tmd_right_sqrtf(static_cast<float>(x))); }

// The right function, except for NaN.
extern "C" Float16 tmd_wrong_sqrtf16(Float16 x) { return x < 0 ? x : tmd_right_sqrtf16(x); }
#endif

// The same two functions for two arguments at a time, as the vector ABIs have them: both fail if one does.
#ifdef __aarch64__
#define TMD_VECTOR_CALL __attribute__((aarch64_vector_pcs))
#else
#define TMD_VECTOR_CALL
#endif
using Pair __attribute__((vector_size(16))) = double;
extern "C" TMD_VECTOR_CALL Pair tmd_pair_of_recips(Pair x) {
  return Pair{tmd_wrong_recip(x[0]), tmd_wrong_recip(x[1])};
}
