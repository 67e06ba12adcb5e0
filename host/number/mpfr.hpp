// An MPFR number that frees itself.
#pragma once

#include "tmd/integer.hpp"

#include <mpfr.h>

namespace tmd::number {

class Mpfr {
public:
  explicit Mpfr(long precision) { mpfr_init2(value_, precision); }
  Mpfr(const Mpfr& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Mpfr& operator=(const Mpfr& other) {
    if (this != &other) {
      mpfr_set_prec(value_, mpfr_get_prec(other.value_));
      mpfr_set(value_, other.value_, MPFR_RNDN);
    }
    return *this;
  }
  ~Mpfr() { mpfr_clear(value_); }

  // Implicit, for calls of the C functions.
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

private:
  mpfr_t value_;
};

// value = significand·2^exponent, exactly; value needs 128 bits of precision or as many as significand has.
void set(mpfr_ptr value, uint128 significand, long exponent);

} // namespace tmd::number
