// A math library with what tests/cli/libm.sh looks for. tmd_right_recip is 1/x, which the processor rounds correctly in
// every direction; tmd_wrong_recip is the same, but for some arguments.
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
