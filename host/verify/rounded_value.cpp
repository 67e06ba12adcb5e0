// Both ends of an enclosure are rounded in every direction; where they agree, the rounding is known. Otherwise the
// precision doubles, up to the function's limit (Ziv's method). Errors in ulps are rounded away from 0.
#include "verify/rounded_value.hpp"

#include "format/argument.hpp"
#include "function/pairs.hpp"
#include "function/special_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tmd {

namespace {

mpfr_rnd_t mpfr_direction(Direction direction) {
  switch (direction) {
  case Direction::upward:
    return MPFR_RNDU;
  case Direction::downward:
    return MPFR_RNDD;
  case Direction::toward_zero:
    return MPFR_RNDZ;
  case Direction::nearest:
    break;
  }
  return MPFR_RNDN;
}

// Requires y to have more bits than the format.
void set_largest(mpfr_ptr y, const Format& format) {
  mpfr_set_ui_2exp(y, 1, format.precision, MPFR_RNDN);
  mpfr_sub_ui(y, y, 1, MPFR_RNDN);
  mpfr_mul_2si(y, y, format.max_exponent + 1 - format.precision, MPFR_RNDN);
}

bool overflows(const Format& format, mpfr_srcptr magnitude) {
  return mpfr_inf_p(magnitude) != 0 || mpfr_cmp_ui_2exp(magnitude, 1, format.max_exponent + 1) >= 0;
}

// Handles f(x) ≠ 0 below half the least subnormal number: all such numbers round alike.
void leave_zero(verify::RoundedValue& rounded, const Format& format) {
  function::ValueEnclosure& value = rounded.enclosure;
  const auto beside_zero = [&](mpfr_srcptr end) {
    return mpfr_regular_p(end) != 0 && mpfr_get_exp(end) < format.min_exponent - format.precision + 1;
  };
  const mpfr_srcptr lower = value.lower;
  const mpfr_srcptr upper = value.upper;
  const bool above = mpfr_zero_p(lower) != 0 && beside_zero(upper);
  const bool below = mpfr_zero_p(upper) != 0 && beside_zero(lower);
  if (above)
    mpfr_set(value.lower, upper, MPFR_RNDN);
  else if (below)
    mpfr_set(value.upper, lower, MPFR_RNDN);
  rounded.is_beside_zero = above || below;
}

// A number just inside an end of a strict enclosure. No breakpoint lies between the two, because all have fewer bits
// than the end. So it rounds as f(x) does if f(x) is as near to the end, without telling the two apart.
number::Mpfr within(mpfr_srcptr end, bool is_lower, const Format& format) {
  number::Mpfr beside(std::max<long>(mpfr_get_prec(end), format.precision + 1) + 1);
  mpfr_set(beside, end, MPFR_RNDN);
  if (is_lower)
    mpfr_nextabove(beside);
  else
    mpfr_nextbelow(beside);
  return beside;
}

// Sets the directions in which both ends round alike; returns whether these are all.
bool round_enclosure(verify::RoundedValue& value, const Format& format) {
  bool all = true;
  const function::ValueEnclosure& enclosure = value.enclosure;
  const bool is_strict = enclosure.is_strict && !enclosure.is_exact();
  const number::Mpfr least = is_strict ? within(enclosure.lower, true, format) : enclosure.lower;
  const number::Mpfr most = is_strict ? within(enclosure.upper, false, format) : enclosure.upper;
  for (const Direction direction : directions) {
    const number::Mpfr lower = verify::round_to(format, least, direction);
    const number::Mpfr upper = verify::round_to(format, most, direction);
    auto& rounded = value.in_format.at(static_cast<std::size_t>(direction));
    if (mpfr_equal_p(mpfr_srcptr(lower), mpfr_srcptr(upper)) != 0)
      rounded = lower;
    else
      all = false;
  }
  return all;
}

} // namespace

std::string_view to_string(Direction direction) {
  switch (direction) {
  case Direction::upward:
    return "upward";
  case Direction::downward:
    return "downward";
  case Direction::toward_zero:
    return "toward-zero";
  case Direction::nearest:
    break;
  }
  return "nearest";
}

long verify::ulp_exponent(const Format& format, mpfr_srcptr y) {
  return std::max<long>(mpfr_get_exp(y) - 1, format.min_exponent) - format.precision + 1;
}

number::Mpfr verify::round_to(const Format& format, mpfr_srcptr y, Direction direction) {
  number::Mpfr result(std::max<long>(mpfr_get_prec(y), format.precision + 2));
  mpfr_set(result, y, MPFR_RNDN);
  if (mpfr_nan_p(y) != 0 || mpfr_zero_p(y) != 0)
    return result;
  const bool negative = mpfr_signbit(y) != 0;
  const mpfr_rnd_t rounding = mpfr_direction(direction);
  mpfr_abs(result, result, MPFR_RNDN);
  const bool inwards = rounding == MPFR_RNDZ || rounding == (negative ? MPFR_RNDU : MPFR_RNDD);
  if (!overflows(format, result)) {
    const long ulp = verify::ulp_exponent(format, y);
    mpfr_div_2si(result, result, ulp, MPFR_RNDN);
    mpfr_rint(result, result, inwards ? MPFR_RNDZ : rounding == MPFR_RNDN ? MPFR_RNDN : MPFR_RNDU);
    mpfr_mul_2si(result, result, ulp, MPFR_RNDN);
  }
  if (overflows(format, result)) {
    if (inwards)
      set_largest(result, format);
    else
      mpfr_set_inf(result, 1);
  }
  mpfr_setsign(result, result, negative ? 1 : 0, MPFR_RNDN);
  return result;
}

std::string verify::to_hex(mpfr_srcptr y) {
  constexpr int bits = std::numeric_limits<unsigned long>::digits;
  const bool negative = mpfr_signbit(y) != 0;
  if (mpfr_nan_p(y) != 0)
    return "nan";
  if (mpfr_inf_p(y) != 0)
    return negative ? "-inf" : "inf";
  if (mpfr_zero_p(y) != 0)
    return to_hex(Argument{negative, 0, 0});
  const auto unit = static_cast<int>(mpfr_get_exp(y)) - bits;
  number::Mpfr scaled(mpfr_get_prec(y));
  mpfr_div_2si(scaled, y, unit, MPFR_RNDN);
  mpfr_abs(scaled, scaled, MPFR_RNDN);
  return to_hex(Argument{negative, mpfr_get_ui(scaled, MPFR_RNDN), unit});
}

std::optional<verify::RoundedValue> verify::rounded_value(const function::Function& function, const Format& format,
                                                          mpfr_srcptr x) {
  constexpr long further_bits = 64;
  const long most = function.most_precision;
  // The last step may be less than a doubling.
  for (long precision = format.precision + further_bits;; precision = std::min(2 * precision, most)) {
    verify::RoundedValue value{function.value(x, precision)};
    if (value.enclosure.is_undefined())
      return std::nullopt;
    if (!value.enclosure.is_exact() &&
        (value.enclosure.is_strict || function.exactness(x) == function::Exactness::inexact))
      leave_zero(value, format);
    if (round_enclosure(value, format) || precision >= most)
      return value;
  }
}

std::optional<verify::RoundedValue> verify::value_in_c(const function::Function& function, const Format& format,
                                                       mpfr_srcptr x) {
  const bool is_infinite = mpfr_inf_p(x) != 0;
  if (mpfr_number_p(x) != 0)
    if (auto value = rounded_value(function, format, x))
      return value;
  if (mpfr_nan_p(x) != 0 ||
      (is_infinite ? std::isfinite(mpfr_signbit(x) != 0 ? function.domain.lower : function.domain.upper)
                   : mpfr_cmp_d(x, function.domain.lower) < 0 || mpfr_cmp_d(x, function.domain.upper) > 0))
    return not_a_number(format);
  if (is_infinite && function.name == "atan") {
    number::Mpfr one(2);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    return rounded_value(function::at_operands(*function::find_pair_function("atan2"), x, one), format, one);
  }
  const auto special = function::special_value(function.name, x);
  if (!special)
    return std::nullopt;
  verify::RoundedValue value{function::ValueEnclosure(format.precision)};
  value.enclosure.lower = *special;
  value.enclosure.upper = *special;
  value.in_format.fill(*special);
  return value;
}

verify::RoundedValue verify::not_a_number(const Format& format) {
  verify::RoundedValue value{function::ValueEnclosure(format.precision)};
  value.in_format.fill(number::Mpfr(format.precision));
  return value;
}

double verify::error_in_ulps(const verify::RoundedValue& value, const Format& format, mpfr_srcptr y) {
  const function::ValueEnclosure& enclosure = value.enclosure;
  if (mpfr_nan_p(y) != 0 || enclosure.is_undefined())
    return mpfr_nan_p(y) != 0 && enclosure.is_undefined() ? 0 : std::numeric_limits<double>::infinity();
  const mpfr_srcptr exact = mpfr_cmp(y, enclosure.lower) > 0 ? enclosure.lower : enclosure.upper; // the farther end
  const mpfr_srcptr size = mpfr_cmpabs(enclosure.lower, enclosure.upper) <= 0 ? enclosure.lower : enclosure.upper;
  const long ulp =
      mpfr_zero_p(size) != 0 ? format.min_exponent - format.precision + 1 : verify::ulp_exponent(format, size);
  // With so many bits, differences of close numbers are exact, and others are rounded away from 0.
  number::Mpfr error(std::max<long>(mpfr_get_prec(exact), format.precision) + 2);
  if (mpfr_inf_p(y) != 0) {
    mpfr_set_si_2exp(error, mpfr_signbit(y) != 0 ? -1 : 1, format.max_exponent + 1, MPFR_RNDN);
    mpfr_sub(error, error, exact, MPFR_RNDA);
  } else {
    mpfr_sub(error, y, exact, MPFR_RNDA);
  }
  mpfr_div_2si(error, error, ulp, MPFR_RNDA);
  return mpfr_get_d(error, MPFR_RNDA);
}

} // namespace tmd
