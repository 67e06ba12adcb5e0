// A math library with what tests/cli/libm.sh looks for: 1/x, which the processor rounds correctly in every direction,
// but for some arguments.
#include <cmath>
#include <csignal>
#include <cstdlib>

#include <unistd.h>

extern "C" double tmd_wrong_recip(double argument) {
  const volatile double x = argument; // nothing is computed by the compiler, which rounds to nearest
  if (x == 3)
    return std::nextafter(1 / x, 2.0);
  if (x == 5)
    std::raise(SIGSEGV);
  if (x == 7)
    for (;;)
      ::pause();
  if (x == 9)
    std::abort();
  return 1 / x;
}
