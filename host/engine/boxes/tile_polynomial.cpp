// The polynomial is exact once its coefficients are rounded: what kernels compute of it, and what the terms of degree
// three of a box are, is bounded for it alone, wherever |ξ|, |ν| ≤ 1 (doc/theory/boxes.md, section 8). Only the rest,
// which the caller gives, and the rounding have to do with the function.
#include "engine/boxes/tile_polynomial.hpp"

#include "engine/boxes/strip.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace tmd::engine::boxes {

namespace {

constexpr long exact_precision = 128; // of combinations of coefficients
constexpr int unit_bits = 64;         // of the coefficients
constexpr int D = tile_degree;
// Bits of the sum of all coefficients in units of 2^-64: times D for derivatives and 2^26 for X - x_middle, it is below
// 2^126.
constexpr unsigned most_bits = 97;

std::size_t place_of_term(int m, int n) {
  const int place = m * (D + 1) - m * (m - 1) / 2 + n;
  return static_cast<std::size_t>(place);
}

unsigned long binomial(int n, int k) {
  unsigned long result = 1;
  for (int i = 1; i <= k; ++i)
    result = result * static_cast<unsigned long>(n - k + i) / static_cast<unsigned long>(i);
  return result;
}

number::Arb in_units(const number::Integer& k, long exponent) {
  number::Arb result;
  arb_set_fmpz(result, k);
  arb_mul_2exp_si(result, result, exponent);
  return result;
}

// C(m, a)·C(n, b)·k[m, n] for the terms of ∂^(a + b)F/(a!·b!), times 2^exponent.
number::Arb derivative(const std::vector<number::Integer>& k, int a, int b, int p, int q, long exponent) {
  return in_units(k[place_of_term(p + a, q + b)] * (binomial(p + a, a) * binomial(q + b, b)), exponent);
}

// Σ factor[i]·term[i].
number::Arb combined(const std::array<number::Arb, 4>& terms, const std::array<double, 4>& factors) {
  number::Arb sum;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    number::Arb factor;
    arb_set_d(factor, factors.at(i));
    arb_addmul(sum, factor, terms.at(i), exact_precision);
  }
  return sum;
}

} // namespace

TilePolynomial::TilePolynomial(const function::PairSeries& f, const Frame& frame, int spacing)
    : frame_(frame), k_(static_cast<std::size_t>(f.all().size())) {
  for (long i = 0; i < f.all().size(); ++i) {
    number::Arb scaled;
    arb_mul_2exp_si(scaled, f.all()[i], unit_bits - spacing);
    number::Integer& k = k_[static_cast<std::size_t>(i)];
    arf_get_fmpz(k, mid(scaled), ARF_RND_NEAR);
    arb_sub_fmpz(scaled, scaled, k, ARF_PREC_EXACT);
    rounding_ += number::Bound::of(scaled).scaled(-unit_bits);
  }
}

bool TilePolynomial::fits() const {
  number::Integer sum;
  number::Integer size;
  for (const number::Integer& k : k_) {
    fmpz_abs(size, k);
    fmpz_add(sum, sum, size);
  }
  return fmpz_bits(sum) <= most_bits;
}

bool TilePolynomial::has_room(const BoxReach& reach) const {
  return frame_.x_half + 2 * reach.x <= std::ldexp(1, frame_.x_bits) &&
         frame_.y_half + 2 * reach.y <= std::ldexp(1, frame_.y_bits);
}

void TilePolynomial::write(std::vector<std::uint64_t>& words) const {
  words.push_back(std::uint64_t(frame_.y_middle) << 32 | frame_.x_middle);
  words.push_back(static_cast<std::uint64_t>(frame_.y_bits) << 32 | static_cast<std::uint64_t>(frame_.x_bits));
  for (int m = D; m >= 0; --m)
    for (int n = D - m; n >= 0; --n) {
      std::array<std::uint64_t, 2> k{};
      number::write_words(k_[place_of_term(m, n)], 2, k.data());
      words.insert(words.end(), k.begin(), k.end());
    }
}

BoxLedger TilePolynomial::errors(const BoxShape& shape, const number::Bound& rest) const {
  BoxLedger ledger;
  ledger.function = rest + rounding_;
  // D(D + 1)/2 roundings of lines, and D of their sum.
  const number::Bound value(std::uint64_t(D * (D + 3) / 2));
  ledger.value = value.scaled(-unit_bits);
  if (!shape.serves)
    return ledger;
  const BoxReach reach = reach_of_box(shape);
  const number::Bound rx = number::Bound::of(reach.x);
  const number::Bound ry = number::Bound::of(reach.y);
  // A derivative adds up D values, each as far off, and is rounded as often.
  const number::Bound slope = number::Bound(std::uint64_t(D)) * (value + number::Bound(1));
  ledger.slopes = (number::Bound(2) * slope + rx + ry).scaled(-unit_bits);
  const number::Bound x = rx.scaled(-frame_.x_bits);
  const number::Bound y = ry.scaled(-frame_.y_bits);
  for (int m = 0; m <= D; ++m)
    for (int n = 0; m + n <= D; ++n) {
      const number::Bound size = number::Bound::of(in_units(k_[place_of_term(m, n)], -unit_bits)) + number::Bound(1);
      ledger.form += size * (number::Bound(binomial(m, 2)) * x * x + number::Bound(std::uint64_t(m * n)) * x * y +
                             number::Bound(binomial(n, 2)) * y * y);
    }
  constexpr int double_bits = 46; // 6D roundings of 2^-53 each, and those in leaned coordinates
  ledger.form = ledger.form.scaled(-double_bits);
  ledger.cubic = cubic(shape);
  return ledger;
}

// By Taylor's theorem the terms of degree three with coefficients of some place of the box: each is a polynomial of ξ
// and ν, bounded by the sum of its terms. They are combined for leaned coordinates before.
number::Bound TilePolynomial::cubic(const BoxShape& shape) const {
  const BoxReach reach = reach_of_box(shape);
  const double s = shape.lean / 65536.0;
  const number::Bound h = number::Bound::of(shape.half_width());
  const number::Bound v = number::Bound::of(shape.height == 1 ? 0 : shape.half_height());
  const number::Bound x = number::Bound::of(frame_.x_half + 2 * reach.x).scaled(-frame_.x_bits);
  const number::Bound y = number::Bound::of(frame_.y_half + 2 * reach.y).scaled(-frame_.y_bits);
  number::Bound sum;
  for (int p = 0; p <= D - 3; ++p)
    for (int q = 0; p + q <= D - 3; ++q) {
      std::array<number::Arb, 4> c; // of i³, i²j, ij², j³, where i is along a row
      for (int b = 0; b <= 3; ++b) {
        const int a = 3 - b;
        const auto [of_x, of_y] = shape.axis == 0 ? std::pair(a, b) : std::pair(b, a);
        c.at(static_cast<std::size_t>(b)) =
            derivative(k_, of_x, of_y, p, q, -unit_bits - of_x * frame_.x_bits - of_y * frame_.y_bits);
      }
      const auto size = [&](const std::array<double, 4>& factors) { return number::Bound::of(combined(c, factors)); };
      const number::Bound terms = size({1, 0, 0, 0}) * number::power(h, 3) +
                                  size({3 * s, 1, 0, 0}) * number::power(h, 2) * v +
                                  size({3 * s * s, 2 * s, 1, 0}) * h * number::power(v, 2) +
                                  size({s * s * s, s * s, s, 1}) * number::power(v, 3);
      sum += terms * number::power(x, static_cast<unsigned>(p)) * number::power(y, static_cast<unsigned>(q));
    }
  return sum;
}

Jet TilePolynomial::jet_at(double x, double y) const {
  const double u = std::ldexp(x - frame_.x_middle, -frame_.x_bits);
  const double v = std::ldexp(y - frame_.y_middle, -frame_.y_bits);
  const auto term = [&](int a, int b) {
    double sum = 0;
    for (int p = D - a - b; p >= 0; --p) {
      double line = 0;
      for (int q = D - a - b - p; q >= 0; --q)
        line = line * v + static_cast<double>(binomial(p + a, a) * binomial(q + b, b)) *
                              fmpz_get_d(k_[place_of_term(p + a, q + b)]);
      sum = sum * u + line;
    }
    return std::ldexp(sum, -unit_bits - a * frame_.x_bits - b * frame_.y_bits);
  };
  return {term(2, 0), term(1, 1), term(0, 2), term(3, 0), term(2, 1), term(1, 2), term(0, 3)};
}

} // namespace tmd::engine::boxes
