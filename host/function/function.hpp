// The interface of functions: three questions, each answered without looking at the other answers.
#pragma once

#include "number/arb.hpp"
#include "number/mpfr.hpp"
#include "tmd/function.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tmd::function {

// lower ≤ f(x) ≤ upper. Both are NaN if f(x) is no real number (outside the domain, at a pole); an infinite end means
// that nothing is known on that side.
struct ValueEnclosure {
  // Creates two numbers of that many bits, NaN until they are set.
  explicit ValueEnclosure(long precision) : lower(precision), upper(precision) {}

  number::Mpfr lower;
  number::Mpfr upper;
  bool is_strict = false; // lower < f(x) < upper

  [[nodiscard]] bool is_undefined() const { return mpfr_nan_p(lower) != 0 || mpfr_nan_p(upper) != 0; }
  // Whether the value is known exactly.
  [[nodiscard]] bool is_exact() const { return mpfr_equal_p(lower, upper) != 0; }
  // Whether both ends are finite numbers.
  [[nodiscard]] bool is_bounded() const { return mpfr_number_p(lower) != 0 && mpfr_number_p(upper) != 0; }
};

// coefficients[j] encloses f^(j)(t)/j! for every t of the ball x, j < length; not finite where f is not analytic.
// precision: bits that Arb computes with.
using Series = std::function<void(arb_ptr coefficients, arb_srcptr x, long length, long precision)>;

// Whether a value is a dyadic number (an integer times a power of two), and so possibly a breakpoint.
enum class Exactness { exact, inexact, unknown };

// An identity by which values at some arguments determine those at others: for every x of the domain
//   f(2^argument_exponent·x + argument_addend) = factor·2^value_exponent·f(x) + value_addend.
struct Scaling {
  int argument_exponent;
  int argument_addend;
  int factor; // 1 or −1
  int value_exponent;
  int value_addend;
};

// "f(8x) = 2 f(x)", "f(x + 1) = -f(x)".
[[nodiscard]] std::string to_string(const Scaling& scaling);

// A mathematical constant.
using Constant = void (*)(arb_ptr value, long precision);

// For functions whose significands repeat with an irrational period: the significand of f(x) is that of g(φ) at the
// phase φ = x/period + shift. For logarithms, whose values in a binade are those in the one before plus the period.
struct Phase {
  enum class Kind {
    // |f(x)| is g(φ), and g(φ) = g(−φ) = g(φ + 1). g rises from 0 at φ = 0 to φ = 1/2.
    folded,
    // f(x) is 2^k·g(φ − k), or close to it, k the greatest integer up to φ, and g(φ) = 2^φ.
    doubling,
    // f(2^e·x) is g(x) + e·period for 1 ≤ x < 2, or close to it.
    logarithm
  };
  Series of_phase; // of g for 0 < φ ≤ 1/2, 0 ≤ φ ≤ 1 or 1 ≤ x ≤ 2, and slightly beyond
  Constant period;
  Kind kind = Kind::folded;
  bool shifted = false;  // whether the shift is 1/2 instead of 0
  bool has_pole = false; // whether g has a pole at φ = 1/2; otherwise g continues there
  // A doubling that |f(x)| only comes close to, at φ = |x|/period: they differ by less than 2^(−agreement·|x|) of it.
  // For x > 0; for x < 0, too, if f is even or odd. Of a logarithm by less than 2^(−agreement·e) itself, for e > 0. 0:
  // f(x) is that, for all x.
  double agreement = 0;
  bool halved = false;  // |f(x)| is half of that instead
  bool doubled = false; // of a logarithm: f(x) is g for 2x instead

  [[nodiscard]] bool is_only_near() const { return agreement > 0; }
  // Whether both have the same g, so that one walk serves them. Of two functions whose phases are folded one is
  // shifted.
  [[nodiscard]] bool is_walked_with(const Phase& other) const {
    return kind != Kind::logarithm && kind == other.kind && period == other.period && has_pole == other.has_pole;
  }
};

// The leading term near 0: f(x) = x^shift·r(x), where r is analytic at 0, or differentiable if the order is 0, and
// r(x) = a·x^order + …, so that f(x) is a·x^(order + shift)·(1 + O(x)).
struct LeadingTerm {
  std::string name; // "1/x"
  int order = 0;
  int shift = 0;
  Series regular; // of r, also on balls around 0; order + 2 coefficients suffice
};

// Values beyond 2^±most_value_exponent are not searched: MPFR's exponents end at 2^30 − 1 by default.
inline constexpr long most_value_exponent = 1L << 29;
// The most bits of a value, unless a function has its own limit.
inline constexpr long most_value_precision = 1L << 20;

// A real function of one argument: plain data that owns all state needed for its answers. Objects that keep a reference
// (a job, a scaled function, a confirmation) do not own it: functions of the catalogue live as long as the program,
// others must outlive these objects. Several threads ask at once, so the answers must not share changing state.
//
// `series` and `value` are computed by different libraries on purpose: Arb searches, MPFR confirms.
struct Function {
  std::string name;
  std::string description;
  Domain domain;

  Series series;

  // An enclosure of f(x) for a number x, computed with about `precision` bits, or fewer where there are thousands. With
  // more bits it becomes narrower eventually, though not at every step, and need not become exact.
  std::function<ValueEnclosure(mpfr_srcptr x, long precision)> value;

  // Whether f(x) is dyadic. `exact` and `inexact` are proven by theorems; `unknown` is everything else.
  std::function<Exactness(mpfr_srcptr x)> exactness;
  std::string exact_cases; // in words that follow "exact where"

  Symmetry symmetry = Symmetry::none;
  std::string theorem; // the theorem behind these, or what is not known
  std::optional<Scaling> scaling;
  std::optional<Phase> phase = {};

  // |f| does not fall from here on: |f(x)| ≤ |f(y)| for rises_from ≤ x ≤ y in the domain, and f is continuous there.
  // Set for functions that rise too fast for enclosures of long intervals, such as exp, and for those that expressions
  // may evaluate at numbers of any size. Infinite: unknown.
  double rises_from = std::numeric_limits<double>::infinity();

  // greater_than < f(x) < less_than for every x: limits that values approach more closely than can be computed.
  double greater_than = -std::numeric_limits<double>::infinity();
  double less_than = std::numeric_limits<double>::infinity();

  bool has_integer_poles = false; // whether it has no value at 0, -1, -2, …
  // For a function with such poles that is smooth from unit to unit: the series of f(-(n + t)) as a function of n > 0,
  // for a fixed fraction 0 < t < 1. Empty for others.
  std::function<Series(double t)> at_fraction = {};

  // most_left_of(bound, x, unit_exponent, precision): |f(y)| ≤ bound for each y ≤ x < 0 that is a multiple of
  // 2^unit_exponent and no pole. Set for functions with values that vanish between poles, where enclosures say nothing.
  // Null: unknown.
  std::function<void(arb_ptr bound, arb_srcptr x, long unit_exponent, long precision)> most_left_of = {};

  std::optional<LeadingTerm> leading_term = {};

  bool is_in_c = true; // whether C23 or POSIX has a function of this name

  // The most bits of a value: with these, Ziv's loop ends, decided or not.
  long most_precision = most_value_precision;
};

// The values of a function that MPFR rounds correctly: exact if the ternary value is 0, else one ulp wide with the
// value strictly inside. evaluate(y, x, rounding) sets y to f(x), rounded, and returns the ternary value.
[[nodiscard]] std::function<ValueEnclosure(mpfr_srcptr x, long precision)>
correctly_rounded(std::function<int(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)> evaluate);

// An enclosure of f over the interval given by the ball. A Taylor form of third order makes it sharper than Arb's own
// on wide balls, so that f near an extremum is seen to stay on one side of it. May be not finite.
[[nodiscard]] number::Arb enclose(const Function& function, arb_srcptr x, long precision);

} // namespace tmd::function
