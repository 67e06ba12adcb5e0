// The polynomials for the device: their bounds hold as far as a group extends.
#include "host/engine/wide/polynomial.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace tmd::engine::wide {

TEST_CASE("polynomials: their rounding is bounded to the end of groups that reach beyond the interval") {
  constexpr int degree = 8;
  constexpr int group_bits = 23;
  constexpr int sub_bits = group_bits + 4;
  constexpr long precision = 1024;
  polynomial::TaylorPolynomial taylor;
  taylor.count = 64;
  taylor.centre = 32;
  taylor.coefficients = number::ArbVector(degree + 1);
  for (long j = 0; j <= degree; ++j) { // no number of words holds 2^(−25·j)/3
    arb_set_ui(taylor.coefficients[j], 1);
    arb_div_ui(taylor.coefficients[j], taylor.coefficients[j], 3, precision);
    arb_mul_2exp_si(taylor.coefficients[j], taylor.coefficients[j], -25 * j);
  }
  const WidePolynomial polynomial(taylor, sub_bits, group_bits);
  const int words = polynomial.words();
  for (const std::uint64_t argument : {std::uint64_t(63), (std::uint64_t(1) << group_bits) - 1}) {
    number::Arb exact;
    taylor.evaluate(exact, argument, precision);
    number::Arb rounded; // computed from its words, by Horner's scheme
    for (std::size_t at = polynomial.coefficients().size(); at-- > 0;) {
      const auto word = static_cast<std::size_t>(words) - 1 - (at % static_cast<std::size_t>(words));
      const std::size_t j = at / static_cast<std::size_t>(words);
      number::Arb term;
      arb_set_ui(term, argument);
      arb_pow_ui(term, term, j, precision);
      number::Arb digits;
      arb_set_ui(digits, polynomial.coefficients()[j * static_cast<std::size_t>(words) + word]);
      arb_mul_2exp_si(digits, digits, 128 - 64 * (static_cast<long>(word) + 1) - static_cast<long>(j) * sub_bits);
      arb_mul(term, term, digits, precision);
      arb_add(rounded, rounded, term, precision);
    }
    arb_sub(exact, exact, rounded, precision);
    number::Arb whole; // distances count modulo 1
    arb_set_d(whole, 0.5);
    arb_add(whole, whole, exact, precision);
    arb_floor(whole, whole, precision);
    arb_sub(exact, exact, whole, precision);
    CHECK(number::Bound::of(exact).value() <= polynomial.group_error().value());
    CHECK(number::Bound::of(exact).value() <= polynomial.coefficient_error().value());
  }
  CHECK(polynomial.coefficient_error().value() < 0x1p-59);
}

} // namespace tmd::engine::wide
