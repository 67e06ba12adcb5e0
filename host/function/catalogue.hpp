// The catalogue of functions: one entry a function, and nothing else in the program knows a function by name.
#pragma once

#include "number/arb.hpp"
#include "number/mpfr.hpp"

#include <span>
#include <string_view>

namespace tmd {

// Where a function is defined on the real line. An infinite end is never included.
struct Domain {
  double lower;
  bool lower_included;
  double upper;
  bool upper_included;
  std::string_view text; // "x > 0"
};

// A real function of one argument. Two independent implementations, on purpose: Arb for the search, MPFR to confirm.
struct Function {
  std::string_view name;
  std::string_view description;
  Domain domain;

  // coefficients[j] encloses f^(j)(t)/j! for every t of the ball x, j < length; not finite where f is not analytic.
  void (*series)(arb_ptr coefficients, arb_srcptr x, long length, long precision);

  // value = f(x) correctly rounded; returns the ternary value of MPFR: 0 exactly when value = f(x).
  int (*evaluate)(mpfr_ptr value, mpfr_srcptr x, mpfr_rnd_t rounding);

  // Whether f(x) is a dyadic number, and so possibly a breakpoint, by what number theory knows of f.
  bool (*is_exact)(mpfr_srcptr x);
  std::string_view exact_cases; // the same in words
};

// Values beyond 2^±most_value_exponent are not searched: MPFR's exponents end at 2^30 − 1 unless told otherwise.
inline constexpr long most_value_exponent = 1L << 29;

// All entries, sorted by name.
[[nodiscard]] std::span<const Function> functions();

// Throws UsageError, listing the names, for an unknown one.
[[nodiscard]] const Function& find_function(std::string_view name);

// An enclosure of f over the interval with the ball's ends: sharper than Arb's own on wide balls, since it is a Taylor
// form of third order (f near an extremum must be seen to stay on one side of it). May be not finite.
[[nodiscard]] Arb enclose(const Function& function, arb_srcptr x, long precision);

} // namespace tmd
