// A library with two of C's functions for tests/cli/libm_reports.sh: one is right, the other is wrong nearly
// everywhere. It is linked with the system's library, whose functions are not its own. No errno: the processor computes
// the root.
extern "C" float sqrtf(float argument) {
  const volatile float x = argument; // nothing is computed by the compiler, which rounds to nearest
  return __builtin_sqrtf(x);
}

extern "C" float cbrtf(float x) { return x; }
