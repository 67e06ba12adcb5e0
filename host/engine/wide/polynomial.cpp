#include "engine/wide/polynomial.hpp"

#include "engine/wide/constants.hpp"

#include <algorithm>

namespace tmd::engine::wide {

namespace {

constexpr long guard_bits = 16; // bits of the coefficients below 2^−64

// ⌊ball's middle·2^bits⌋ modulo 2^(64·words), most significant word first. Returns a bound of the error in the ball.
number::Bound to_words(arb_srcptr ball, long bits, int words, std::uint64_t* out) {
  arf_t scaled;
  arf_init(scaled);
  arf_mul_2exp_si(scaled, arb_midref(ball), bits);
  number::Integer whole;
  arf_get_fmpz(whole, scaled, ARF_RND_FLOOR);
  arf_clear(scaled);
  number::write_words(whole, words, out);
  return number::Bound::radius_of(ball) + number::Bound::power_of_two(-bits);
}

// log2 of the arguments that the coefficients' errors are carried over: the last sub-interval and its groups may reach
// beyond the interval.
long span_bits_of(const polynomial::TaylorPolynomial& taylor, int sub_bits) {
  return std::max(bit_length(taylor.count - 1), sub_bits);
}

} // namespace

int WidePolynomial::words_for(const polynomial::TaylorPolynomial& taylor, int sub_bits) {
  const long fraction_bits = 64 + guard_bits + (span_bits_of(taylor, sub_bits) - sub_bits) * taylor.degree();
  return std::max(least_coefficient_words, whole_coefficient_words + static_cast<int>((fraction_bits + 63) / 64));
}

WidePolynomial::WidePolynomial(const polynomial::TaylorPolynomial& taylor, int sub_bits, int group_bits)
    : sub_bits_(sub_bits), group_bits_(group_bits), words_(words_for(taylor, sub_bits)) {
  // Shifts from the middle of the interval to its first argument.
  const long size = taylor.coefficients.size();
  const long span_bits = span_bits_of(taylor, sub_bits);
  const long unit_bits = 64L * (words_ - whole_coefficient_words);
  const long precision = 64L * words_ + 128;
  number::ArbVector shifted(taylor.coefficients);
  number::Arb offset;
  arb_set_ui(offset, taylor.count / 2);
  arb_neg(offset, offset);
  _arb_poly_taylor_shift(shifted.data(), offset, size, precision);

  words_of_.resize(static_cast<std::size_t>(words_) * static_cast<std::size_t>(size));
  number::Bound power_of_span(1);
  for (long j = 0; j < size; ++j) {
    coefficient_error_ += to_words(shifted[j], unit_bits + j * sub_bits, words_,
                                   words_of_.data() + static_cast<std::size_t>(j * words_)) *
                          power_of_span;
    power_of_span *= number::Bound::power_of_two(span_bits);
  }
  const number::Bound unit = number::Bound::power_of_two(-64);
  group_error_ = coefficient_error_ + unit * number::Bound(horner_of_value) +
                 (unit * number::Bound(horner_of_slope)).scaled(group_bits - 1);
  coefficient_error_ += unit * number::Bound(horner_of_value);

  // The polynomial's bounds hold there, too.
  const number::Bound reach = number::Bound(taylor.count / 2 + 1) + number::Bound::power_of_two(sub_bits);
  const number::Bound c2 = taylor.derivative_bound(2, reach).scaled(-1);
  const number::Bound sixth(taylor.derivative_bound(3, reach) * number::Bound::power_of_two(-2)); // ≥ F‴/6, by 1/4
  const number::Bound c4 = taylor.derivative_bound(4, reach).scaled(-4); // ≥ F⁗/24, by 1/16
  const number::Bound c5 = taylor.derivative_bound(5, reach).scaled(-6); // ≥ /120, by 1/64
  const number::Bound m = number::Bound::power_of_two(group_bits - 1);
  beyond_ = c5.scaled(5L * sub_bits);
  const number::Bound c3 =
      sixth + c4.scaled(2L + sub_bits); // of the polynomial of degree 4, anywhere in the sub-interval
  high_ = c3 * number::power(m, 3) + c4 * number::power(m, 4);
  curvature_ = (c2 + (sixth * number::Bound(3)).scaled(sub_bits) + (c4 * number::Bound(6)).scaled(2L * sub_bits))
                   .scaled(2L * (group_bits - 1));
  // The error of the device's rounded coefficients: (1 + 3 + 6)·(M/2^sub_bits)² of theirs, and M/2^sub_bits ≤ 2^−5.
  curvature_ += coefficient_error_.scaled(-6);
}

} // namespace tmd::engine::wide
