// What the program asks of a function: three questions, each answered without looking at the others.
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

// lower ≤ f(x) ≤ upper. Both are not a number where f(x) is no real number (outside the domain, at a pole); an infinite
// end says that nothing is known on that side.
struct ValueEnclosure {
  // Two numbers of that many bits, not yet set: not a number.
  explicit ValueEnclosure(long precision) : lower(precision), upper(precision) {}

  number::Mpfr lower;
  number::Mpfr upper;
  bool is_strict = false; // lower < f(x) < upper

  [[nodiscard]] bool is_undefined() const { return mpfr_nan_p(lower) != 0 || mpfr_nan_p(upper) != 0; }
  // Whether the value is known exactly.
  [[nodiscard]] bool is_exact() const { return mpfr_equal_p(lower, upper) != 0; }
  // Whether both ends are numbers.
  [[nodiscard]] bool is_bounded() const { return mpfr_number_p(lower) != 0 && mpfr_number_p(upper) != 0; }
};

// coefficients[j] encloses f^(j)(t)/j! for every t of the ball x, j < length; not finite where f is not analytic.
// precision: bits that Arb computes with.
using Series = std::function<void(arb_ptr coefficients, arb_srcptr x, long length, long precision)>;

// Whether a value is a dyadic number (an integer times a power of two), and so possibly a breakpoint.
enum class Exactness { exact, inexact, unknown };

// An identity by which values at some arguments decide those at others: for every x of the domain
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

// A number that depends on nothing.
using Constant = void (*)(arb_ptr value, long precision);

// What is known of a function whose significands repeat with an irrational period: those of f(x) are those of g(φ) at
// the phase φ = x/period + shift.
struct Phase {
  enum class Kind {
    // |f(x)| is g(φ), and g(φ) = g(−φ) = g(φ + 1). g rises from 0 at φ = 0 to φ = 1/2.
    folded,
    // f(x) is 2^k·g(φ − k), k the greatest integer up to φ, and g(φ) = 2^φ.
    doubling
  };
  Series of_phase; // of g, 0 < φ ≤ 1/2 or 0 ≤ φ ≤ 1, and a little beyond
  Constant period;
  Kind kind = Kind::folded;
  bool shifted = false;       // by 1/2; else 0
  bool has_pole = false;      // at φ = 1/2; else g goes on there
  std::string companion = {}; // the function that is folded likewise and shifted otherwise, in the catalogue
};

// What a function lies beside next to 0: f(x) = x^shift·r(x), where r is analytic at 0 and r(x) = a·x^order + …. So
// f(x) is a·x^(order + shift) but for a factor of 1 + O(x).
struct LeadingTerm {
  std::string name; // "1/x"
  int order = 0;
  int shift = 0;
  Series regular; // of r, also on balls around 0
};

// Values beyond 2^±most_value_exponent are not searched: MPFR's exponents end at 2^30 − 1 unless told otherwise.
inline constexpr long most_value_exponent = 1L << 29;
// Bits of a value, unless a function has its own bound.
inline constexpr long most_value_precision = 1L << 20;

// A real function of one argument: plain data that owns whatever state its answers need. Those who keep a reference (a
// job, a scaled function, a confirmation) do not own it: the catalogue's functions live as long as the program, any
// other must outlive them. Several threads ask at once, so the three answers may share no state that changes.
//
// `series` and `value` are computed by different libraries on purpose: Arb searches, MPFR confirms.
struct Function {
  std::string name;
  std::string description;
  Domain domain;

  Series series;

  // An enclosure of f(x) for a number x, computed with about `precision` bits. More bits give a narrower one in the
  // end, though not at every step; it need never become exact.
  std::function<ValueEnclosure(mpfr_srcptr x, long precision)> value;

  // Whether f(x) is dyadic, by what number theory knows of f. `exact` and `inexact` are theorems; whatever none covers
  // is `unknown`.
  std::function<Exactness(mpfr_srcptr x)> exactness;
  std::string exact_cases; // where it is exact, in words that follow "exact where"

  Symmetry symmetry = Symmetry::none;
  std::string theorem; // why these are the exact cases, or what is not known
  std::optional<Scaling> scaling;
  std::optional<Phase> phase = {};

  // |f| does not fall from here on: |f(x)| ≤ |f(y)| for rises_from ≤ x ≤ y in the domain, on which f is continuous.
  // Said of functions that rise too fast for enclosures of long intervals, such as exp, and of those that expressions
  // may ask for at numbers of any size. Infinite: not known.
  double rises_from = std::numeric_limits<double>::infinity();

  // greater_than < f(x) < less_than for every x: limits that values come nearer than could be computed.
  double greater_than = -std::numeric_limits<double>::infinity();
  double less_than = std::numeric_limits<double>::infinity();

  bool has_integer_poles = false; // whether it has no value at 0, -1, -2, …

  std::optional<LeadingTerm> leading_term = {};

  bool is_in_c = true; // whether C23 or POSIX has it, by this name

  // Bits with which a value is asked for at most: there Ziv's loop ends, decided or not.
  long most_precision = most_value_precision;
};

// The values of a function that MPFR rounds correctly: exact where its ternary value is 0, else one ulp wide, with the
// value strictly inside. evaluate(y, x, rounding) sets y to f(x), rounded, and returns the ternary value.
[[nodiscard]] std::function<ValueEnclosure(mpfr_srcptr x, long precision)>
correctly_rounded(std::function<int(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)> evaluate);

// An enclosure of f over the interval with the ball's ends: sharper than Arb's own on wide balls, since it is a Taylor
// form of third order (f near an extremum must be seen to stay on one side of it). May be not finite.
[[nodiscard]] number::Arb enclose(const Function& function, arb_srcptr x, long precision);

} // namespace tmd::function
