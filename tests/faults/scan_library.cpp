// A math library with faults for tests/cli/libm_scan.sh, of the kinds that correctly rounded libraries have had: their
// fast path errs by more than the test knows that decides whether it is good enough. What is called right is MPFR's.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include <mpfr.h>

namespace {

using Evaluate = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// MPFR computes while the processor rounds to nearest, as its own arithmetic expects.
class Directions {
public:
  Directions() { std::fesetround(FE_TONEAREST); }
  Directions(const Directions&) = delete;
  Directions& operator=(const Directions&) = delete;
  ~Directions() { std::fesetround(asked_); }

  [[nodiscard]] mpfr_rnd_t mpfr() const {
    return asked_ == FE_UPWARD       ? MPFR_RNDU
           : asked_ == FE_DOWNWARD   ? MPFR_RNDD
           : asked_ == FE_TOWARDZERO ? MPFR_RNDZ
                                     : MPFR_RNDN;
  }
  [[nodiscard]] int asked() const { return asked_; }

private:
  int asked_ = std::fegetround();
};

struct Number {
  explicit Number(long precision) { mpfr_init2(value, precision); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value); }
  mpfr_t value;
};

// Rounds to a double, also to a subnormal one.
double to_double(mpfr_srcptr exact, int ternary, mpfr_rnd_t direction) {
  Number y(53);
  const int rounded = mpfr_set(y.value, exact, direction);
  const auto least = mpfr_get_emin();
  const auto most = mpfr_get_emax();
  mpfr_set_emin(-1073);
  mpfr_set_emax(1024);
  const int checked = mpfr_check_range(y.value, rounded != 0 ? rounded : ternary, direction);
  mpfr_subnormalize(y.value, checked, direction);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  return mpfr_get_d(y.value, direction);
}

double right(Evaluate f, double argument, mpfr_rnd_t direction) {
  Number x(53);
  Number y(53);
  mpfr_set_d(x.value, argument, MPFR_RNDN);
  const int ternary = f(y.value, x.value, direction);
  return to_double(y.value, ternary, direction);
}

// A value with a relative error of up to 2^-error_bits, which only its argument determines; the rounding test assumes
// 2^-missing of that.
double fast(Evaluate f, double argument, mpfr_rnd_t direction, int error_bits, int missing) {
  Number x(53);
  Number value(error_bits + 30);
  Number error(53);
  Number bound(error_bits + 30);
  Number end(error_bits + 30);
  mpfr_set_d(x.value, argument, MPFR_RNDN);
  f(value.value, x.value, MPFR_RNDN);
  if (mpfr_regular_p(value.value) == 0)
    return right(f, argument, direction);
  const std::uint64_t mixed = (std::bit_cast<std::uint64_t>(argument) * 0x9e3779b97f4a7c15U) ^ 0x5bd1e995U;
  const double part = static_cast<double>(static_cast<std::int64_t>(mixed * 0xbf58476d1ce4e5b9U)) * 0x1p-63;
  mpfr_mul_d(error.value, value.value, std::ldexp(part, -error_bits), MPFR_RNDN);
  mpfr_add(value.value, value.value, error.value, MPFR_RNDN);
  mpfr_div_2si(bound.value, value.value, error_bits + missing, MPFR_RNDN);
  mpfr_sub(end.value, value.value, bound.value, MPFR_RNDN);
  const double lower = to_double(end.value, 0, direction);
  mpfr_add(end.value, value.value, bound.value, MPFR_RNDN);
  const double upper = to_double(end.value, 0, direction);
  return lower == upper ? lower : right(f, argument, direction);
}

constexpr int usual_bits = 70; // 2^-17 ulp or a little more

} // namespace

extern "C" double tmd_right_sinh(double x) { return right(mpfr_sinh, x, Directions().mpfr()); }
extern "C" double tmd_right_exp(double x) { return right(mpfr_exp, x, Directions().mpfr()); }
// A fast path that keeps its bound.
extern "C" double tmd_fast_sinh(double x) { return fast(mpfr_sinh, x, Directions().mpfr(), usual_bits, -1); }
// The bounds are too small by 2, 3 and 5 bits.
extern "C" double tmd_bound_acosh(double x) { return fast(mpfr_acosh, x, Directions().mpfr(), usual_bits, 2); }
extern "C" double tmd_bound_sinh(double x) { return fast(mpfr_sinh, x, Directions().mpfr(), usual_bits, 3); }
extern "C" double tmd_bound_atanh(double x) { return fast(mpfr_atanh, x, Directions().mpfr(), usual_bits, 5); }
// The same with an error that hardly any argument shows.
extern "C" double tmd_rare_sinh(double x) { return fast(mpfr_sinh, x, Directions().mpfr(), 84, 3); }

extern "C" double tmd_binade_sinh(double x) {
  const Directions directions;
  return std::fabs(x) >= 0.25 && std::fabs(x) < 0.5 ? fast(mpfr_sinh, x, directions.mpfr(), usual_bits, 5)
                                                    : right(mpfr_sinh, x, directions.mpfr());
}

extern "C" double tmd_negative_sinh(double x) {
  const Directions directions;
  return x < 0 && directions.asked() == FE_UPWARD ? fast(mpfr_sinh, x, directions.mpfr(), usual_bits, 5)
                                                  : right(mpfr_sinh, x, directions.mpfr());
}

// Rounds to 53 bits first, then to those of a subnormal number.
extern "C" double tmd_twice_exp(double argument) {
  const Directions directions;
  Number x(53);
  Number y(53);
  mpfr_set_d(x.value, argument, MPFR_RNDN);
  mpfr_exp(y.value, x.value, directions.mpfr());
  return to_double(y.value, 0, directions.mpfr());
}
