#include "number/mpfr.hpp"

#include "tmd/error.hpp"

#include <cstdint>

namespace tmd::number {

static_assert(sizeof(unsigned long) == 8, "MPFR takes 64-bit integers as unsigned long");

void set(mpfr_ptr value, uint128 significand, long exponent) {
  Mpfr low(64);
  int inexact = mpfr_set_ui(value, static_cast<std::uint64_t>(significand >> 64), MPFR_RNDN);
  inexact |= mpfr_mul_2si(value, value, 64, MPFR_RNDN);
  inexact |= mpfr_set_ui(low, static_cast<std::uint64_t>(significand), MPFR_RNDN);
  inexact |= mpfr_add(value, value, low, MPFR_RNDN);
  inexact |= mpfr_mul_2si(value, value, exponent, MPFR_RNDN);
  if (inexact != 0)
    throw SoundnessError("an argument was rounded on its way to MPFR");
}

} // namespace tmd::number
