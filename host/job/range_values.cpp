#include "job/range_values.hpp"

#include <algorithm>

namespace tmd::job {

number::Integer Line::at(uint128 index, uint128 count) const {
  number::Integer result;
  number::Integer middle;
  number::set(static_cast<fmpz*>(result), index);
  number::set(static_cast<fmpz*>(middle), count / 2);
  return (result - middle) * slope + constant;
}

RangeValues::RangeValues(const function::Function& function, const Stretch& range, long precision)
    : function_(&function), range_(range), precision_(precision) {
  lowest_ = at(0, 2);
  highest_ = range.count > 1 ? at(range.count - 1, 2) : lowest_;
}

bool RangeValues::enclose_all() {
  number::Arb interval;
  number::set_interval(interval, range_.first, range_.first + (range_.count - 1));
  all_ = series(interval, 4);
  middle_ = range_.count > 1 ? at(range_.count / 2, 3) : all_;
  for (const number::ArbVector* one : {&lowest_, &highest_, &middle_, &all_})
    for (long j = 0; j < one->size(); ++j)
      if (arb_is_finite((*one)[j]) == 0)
        return false;
  return true;
}

number::Arb RangeValues::bend(uint128 index, long exponent) const {
  const number::ArbVector coefficients = at(index, 3);
  number::Arb result;
  arb_mul_2exp_si(result, coefficients[2], exponent);
  return result;
}

number::Arb RangeValues::middle(long order, long exponent) const {
  number::Arb result;
  arb_mul_2exp_si(result, middle_[order], exponent);
  return result;
}

number::Hull RangeValues::hull(long exponent, const Line& line) const {
  const number::Hull low = end(lowest_, 0, exponent, line);
  const number::Hull high = end(highest_, range_.count - 1, exponent, line);
  number::Arb radius;
  number::set(radius, range_.count - range_.count / 2);
  number::Arb either; // [−r, r]
  arb_add_error(either, radius);
  number::Arb square; // [0, r²]
  arb_mul(square, radius, radius, precision_);
  arb_mul_2exp_si(square, square, -1);
  {
    const number::Arb half(square);
    arb_add_error(square, half);
  }
  number::Arb slope = middle(1, exponent);
  arb_sub_fmpz(slope, slope, line.slope, precision_);
  const number::Arb bend = middle(2, exponent);
  number::Arb third;
  arb_mul_2exp_si(third, all_[3], exponent);

  number::Arb derivative(slope); // slope + 2·bend·t + 3·third·t²
  number::Arb term;
  arb_mul_2exp_si(term, bend, 1);
  arb_addmul(derivative, term, either, precision_);
  arb_mul_ui(term, third, 3, precision_);
  arb_addmul(derivative, term, square, precision_);
  arb_mul_2exp_si(term, all_[1], exponent); // the same by another enclosure
  arb_sub_fmpz(term, term, line.slope, precision_);
  number::Hull result = low;
  result.add(high);
  if (arb_contains_zero(derivative) == 0 || arb_contains_zero(term) == 0 || range_.count == 1)
    return result;

  number::Arb sum = middle(0, exponent);
  arb_sub_fmpz(sum, sum, line.constant, precision_);
  arb_addmul(sum, slope, either, precision_);
  arb_addmul(sum, bend, square, precision_);
  arb_mul(term, square, either, precision_); // contains every t³
  arb_addmul(sum, third, term, precision_);
  result.add(number::Hull::of(sum, precision_));
  return result;
}

function::ValueEnclosure RangeValues::value(uint128 index) const {
  number::Arb x;
  number::set(x, range_.first + index);
  to_arguments(x, range_);
  number::Mpfr argument(bit_length(range_.first + index));
  arf_get_mpfr(argument, mid(x), MPFR_RNDN);
  return function_->value(argument, std::min(precision_, function_->most_precision));
}

number::ArbVector RangeValues::at_zero(long length) const {
  const number::Arb zero;
  number::ArbVector result(length);
  function_->series(result.data(), zero, length, precision_);
  if (arb_is_exact(result[0]) == 0) {
    number::Mpfr argument(MPFR_PREC_MIN);
    mpfr_set_zero(argument, 1);
    const auto value = function_->value(argument, std::min(precision_, function_->most_precision));
    number::Arb exact;
    arf_set_mpfr(mid(exact), value.lower);
    if (value.is_exact() && arb_contains(result[0], exact) != 0)
      arb_set(result[0], exact);
  }
  return result;
}

number::ArbVector RangeValues::from_zero(long length) const {
  number::Arb all;
  number::set_interval(all, 0, range_.first + (range_.count - 1));
  to_arguments(all, range_);
  number::ArbVector result(length);
  function_->series(result.data(), all, length, precision_);
  return result;
}

number::ArbVector RangeValues::at(uint128 index, long length) const {
  number::Arb significand;
  number::set(significand, range_.first + index);
  return series(significand, length);
}

number::ArbVector RangeValues::series(number::Arb& x, long length) const {
  to_arguments(x, range_);
  number::ArbVector result(length);
  function_->series(result.data(), x, length, precision_);
  for (long j = 0; j < length; ++j) {
    arb_mul_2exp_si(result[j], result[j], j * range_.unit_exponent);
    if (range_.negative && j % 2 != 0)
      arb_neg(result[j], result[j]);
  }
  return result;
}

number::Hull RangeValues::end(const number::ArbVector& coefficients, uint128 index, long exponent,
                              const Line& line) const {
  number::Arb value;
  arb_mul_2exp_si(value, coefficients[0], exponent);
  arb_sub_fmpz(value, value, line.at(index, range_.count), precision_);
  return number::Hull::of(value, precision_);
}

} // namespace tmd::job
