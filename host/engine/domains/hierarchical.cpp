// How coefficients are made. The coefficients of a domain are polynomials of its number. Their differences at the
// interval's first domain are computed once, in fixed point modulo 1. By binomials they are shifted to the first domain
// of each packet, and from there added up from domain to domain. All truncations are bounded.
#include "engine/domains/hierarchical.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tmd::engine::domains {

namespace {

constexpr int line_row = 0;
constexpr int slope_row = 1;
constexpr int curvature_row = 2;
// Limits of a packet's walk: differences, and words of its numbers.
constexpr int most_differences = 12;
constexpr int fewest_packet_bits = 6; // one more word is better than smaller packets
constexpr int most_words = 7;
// A packet's own errors are kept below this, for a row of weight 1.
constexpr long packet_error_exponent = -66;

// A number modulo 1 as words, most significant first.
template <int words> struct Fixed {
  std::array<std::uint64_t, words> word;

  // this = this + other (mod 1)
  void add(const Fixed& other) {
    if constexpr (words == 2) {
      const uint128 sum = ((uint128(word[0]) << 64) | word[1]) + ((uint128(other.word[0]) << 64) | other.word[1]);
      word[0] = static_cast<std::uint64_t>(sum >> 64);
      word[1] = static_cast<std::uint64_t>(sum);
    } else {
      std::uint64_t carry = 0;
      for (int i = words - 1; i >= 0; --i) {
        const uint128 sum = uint128(word[static_cast<unsigned>(i)]) + other.word[static_cast<unsigned>(i)] + carry;
        word[static_cast<unsigned>(i)] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64);
      }
    }
  }

  // 64 bits from bit `offset` after the binary point, offset ≤ 63.
  [[nodiscard]] std::uint64_t window(unsigned offset) const {
    return offset == 0 ? word[0] : (word[0] << offset) | (word[1] >> (64 - offset));
  }
};

// C(n, 0) … C(n, count − 1).
std::vector<number::Integer> binomials_of(std::uint64_t n, std::size_t count) {
  std::vector<number::Integer> binomials(count);
  for (std::size_t j = 0; j < count; ++j)
    fmpz_bin_uiui(binomials[j], n, j);
  return binomials;
}

// ⌊value/2^dropped_bits⌋ modulo 2^(64·words), most significant word first, `stride` apart.
void write_words(const number::Integer& value, long dropped_bits, int words, std::uint64_t* out, std::size_t stride) {
  number::Integer rest;
  fmpz_fdiv_q_2exp(rest, value, static_cast<unsigned long>(dropped_bits));
  tmd::number::write_words(rest, words, out, stride);
}

// ⌊value·2^(64·words − bits)⌋ mod 2^(64·words), for bits ≥ 64·words.
template <int words> Fixed<words> truncate(const number::Integer& value, long bits) {
  Fixed<words> result;
  write_words(value, bits - 64L * words, words, result.word.data(), 1);
  return result;
}

template <int words, int differences>
void walk_row(std::array<Fixed<words>, most_differences + 1> state, std::uint64_t count, std::uint64_t* out,
              unsigned window) {
  for (std::uint64_t k = 0; k < count; ++k) {
    out[k] = state[0].window(window);
    for (int l = 0; l < differences; ++l)
      state[static_cast<unsigned>(l)].add(state[static_cast<unsigned>(l) + 1]);
  }
}

// The walk with its number of differences known to the compiler, so that the state stays in registers.
template <int words, int differences = 0>
void walk(int walk_degree, const std::array<Fixed<words>, most_differences + 1>& state, std::uint64_t count,
          std::uint64_t* out, unsigned window) {
  if constexpr (differences < most_differences)
    if (walk_degree > differences)
      return walk<words, differences + 1>(walk_degree, state, count, out, window);
  walk_row<words, differences>(state, count, out, window);
}

// How a packet's domains are walked, row by row, and the error of that.
struct PacketWalks {
  std::array<int, HierarchicalPolynomial::row_count> degrees{};
  number::Bound error;
};

// Nothing if a row needs too many differences. degrees, weights: of the rows; difference_bound(row, l): of a row's l-th
// differences.
template <typename DifferenceBound>
std::optional<PacketWalks> walks_of(int words, int packet_bits,
                                    const std::array<int, HierarchicalPolynomial::row_count>& degrees,
                                    const std::array<number::Bound, HierarchicalPolynomial::row_count>& weights,
                                    const DifferenceBound& difference_bound) {
  const std::uint64_t last = (std::uint64_t(1) << packet_bits) - 1;
  PacketWalks result;
  for (unsigned row = 0; row < degrees.size(); ++row) {
    const number::Bound& weight = weights.at(row);
    number::Bound dropped;
    int used = degrees.at(row);
    while (used > 0) {
      const number::Bound next =
          dropped + difference_bound(static_cast<int>(row), used) * number::binomial(last, used) * weight;
      if (number::Bound::power_of_two(packet_error_exponent) < next)
        break;
      dropped = next;
      --used;
    }
    if (used > most_differences)
      return std::nullopt;
    result.degrees.at(row) = used;
    number::Bound rounding;
    for (int l = 0; l <= used; ++l)
      rounding += number::binomial(last, l);
    result.error += dropped + rounding.scaled(-64L * words) * weight;
  }
  return result;
}

} // namespace

HierarchicalPolynomial::HierarchicalPolynomial(const polynomial::TaylorPolynomial& taylor, int domain_bits,
                                               const PacketOptions& packets)
    : packets_(packets), domain_bits_(domain_bits), domain_count_(((taylor.count - 1) >> domain_bits) + 1) {
  const std::uint64_t size = std::uint64_t(1) << domain_bits;
  row_weight_ = {number::Bound(1), number::Bound(size), number::Bound(size).scaled(domain_bits - 1)};

  // The interval and its last domain's overhang: all points at which differences are taken lie there.
  const number::Bound reach(taylor.count / 2 + 2 * size);
  curvature_ = taylor.derivative_bound(2, reach);
  // Newton's interpolation remainder: |P‴(ξ)|·m(m − 1)(m − 2)/6.
  high_ = taylor.derivative_bound(3, reach) * number::power(number::Bound(size), 3) * number::Bound(1).scaled(-2);

  compute_rows(taylor);
  choose_packets(taylor);
  choose_scale();
}

void HierarchicalPolynomial::compute_rows(const polynomial::TaylorPolynomial& taylor) {
  const int degree = std::max(taylor.degree(), 2);
  const std::uint64_t size = std::uint64_t(1) << domain_bits_;
  // Errors are multiplied by up to C(domain_count, degree) on their way to the last domain.
  const auto growth = static_cast<long>(std::ceil(std::max(number::binomial(domain_count_, degree).log2(), 0.0)));
  interval_bits_ = 64 * std::max<long>((128 + growth) / 64 + 1, packets_.fewest_words);
  const long precision = interval_bits_ + 96 + 2L * degree;

  // difference[k][j] = Δ_N^k Δ_1^j P(0), from the values P(k·N + j).
  std::vector<number::ArbVector> difference(static_cast<unsigned>(degree) + 1, number::ArbVector(row_count));
  for (int k = 0; k <= degree; ++k) {
    number::ArbVector& values = difference[static_cast<unsigned>(k)];
    for (int j = 0; j < row_count; ++j)
      taylor.evaluate(values[j], static_cast<std::uint64_t>(k) * size + static_cast<std::uint64_t>(j), precision);
    for (int order = 1; order < row_count; ++order)
      for (int j = row_count - 1; j >= order; --j)
        arb_sub(values[j], values[j], values[j - 1], precision);
  }
  for (int order = 1; order <= degree; ++order)
    for (int k = degree; k >= order; --k)
      for (int j = 0; j < row_count; ++j)
        arb_sub(difference[static_cast<unsigned>(k)][j], difference[static_cast<unsigned>(k)][j],
                difference[static_cast<unsigned>(k) - 1][j], precision);

  const auto last = static_cast<long>(size) - 1;
  number::Integer last_squared;
  fmpz_set_si(last_squared, last);
  fmpz_mul(last_squared, last_squared, last_squared);
  for (int k = 0; k <= degree; ++k) {
    number::ArbVector& values = difference[static_cast<unsigned>(k)];
    number::Arb term;
    // line = a0 − a2·M²/16, slope = a1 + a2·(M − 1)/2: the best line of a0 + a1·m + a2·C(m, 2) on 0 … M.
    arb_mul_fmpz(term, values[curvature_row], last_squared, precision);
    arb_mul_2exp_si(term, term, -4);
    arb_sub(values[line_row], values[line_row], term, precision);
    arb_mul_si(term, values[curvature_row], last - 1, precision);
    arb_mul_2exp_si(term, term, -1);
    arb_add(values[slope_row], values[slope_row], term, precision);
    for (int row = 0; row < row_count; ++row) {
      if (k > degree - row)
        continue; // the row is a polynomial in k of degree `degree − row`
      arb_mul_2exp_si(term, values[row], interval_bits_);
      number::Integer rounded;
      arf_get_fmpz(rounded, mid(term), ARF_RND_NEAR);
      rows_[static_cast<unsigned>(row)].coefficients.push_back(rounded);
      const number::Bound error =
          (number::Bound::radius_of(term) + number::Bound::power_of_two(-1)).scaled(-interval_bits_) *
          number::binomial(domain_count_, k);
      coefficient_error_ += error * row_weight_[static_cast<unsigned>(row)];
    }
  }
  // Lines and slopes are cut to 64 bits: half a unit first makes that a rounding to nearest.
  number::Integer half;
  fmpz_one(half);
  fmpz_mul_2exp(half, half, static_cast<unsigned long>(interval_bits_ - 65));
  for (const int row : {line_row, slope_row}) {
    number::Integer& constant = rows_[static_cast<unsigned>(row)].coefficients[0];
    fmpz_add(constant, constant, half);
  }
}

// Chooses the largest packets for which two words are enough; more words only if even small packets need them.
void HierarchicalPolynomial::choose_packets(const polynomial::TaylorPolynomial& taylor) {
  // Differences at a packet's first domain reach up to `degree` domains further.
  const auto overhang = static_cast<std::uint64_t>(taylor.degree()) + 2;
  const number::Bound reach(taylor.count / 2 + (overhang << domain_bits_));
  const auto difference_bound = [&](int row, int l) { // max |Δ_N^l of the row| over the interval
    number::Bound bound = taylor.derivative_bound(row + l, reach);
    if (row != curvature_row) // the error of centring the line
      bound += taylor.derivative_bound(curvature_row + l, reach) *
               row_weight_[curvature_row].scaled(row == line_row ? -2 : -domain_bits_);
    return bound.scaled(static_cast<long>(l) * domain_bits_);
  };
  std::array<int, row_count> degrees{};
  for (unsigned row = 0; row < degrees.size(); ++row)
    degrees.at(row) = static_cast<int>(rows_.at(row).coefficients.size()) - 1;
  for (int words = packets_.fewest_words; words <= std::min(most_words, interval_words()); ++words)
    for (int bits = packets_.most_bits; bits >= std::min(fewest_packet_bits, packets_.most_bits); --bits)
      if (const auto walks = walks_of(words, bits, degrees, row_weight_, difference_bound);
          walks && !(number::Bound::power_of_two(packet_error_exponent + domain_bits_) < walks->error)) {
        for (unsigned row = 0; row < degrees.size(); ++row)
          rows_.at(row).walk_degree = walks->degrees.at(row);
        coefficient_error_ += walks->error;
        words_ = words;
        packet_bits_ = bits;
        return;
      }
  throw SoundnessError("the planner chose an interval whose coefficients no fixed-point format can carry");
}

void HierarchicalPolynomial::choose_scale() {
  // |curvature|·2^(64 + scale) must stay below 2^63, with a bit to spare for its own error.
  scale_ = 0;
  while (scale_ < 63 && curvature_ < number::Bound::power_of_two(-static_cast<long>(scale_) - 4))
    ++scale_;
}

// Shifts to k = begin: Δ^l(begin) = Σ_j coefficient[l + j]·C(begin, j), times 2^interval_bits.
number::Integer HierarchicalPolynomial::shifted(const Row& row, int l,
                                                std::span<const number::Integer> binomials) const {
  number::Integer sum;
  for (std::size_t j = 0; static_cast<std::size_t>(l) + j < row.coefficients.size(); ++j)
    fmpz_addmul(sum, row.coefficients[static_cast<std::size_t>(l) + j], binomials[j]);
  return sum;
}

template <int words>
void HierarchicalPolynomial::generate_packets(std::uint64_t first_domain, std::uint64_t count,
                                              const DomainCoefficients& out) const {
  const std::array<std::uint64_t*, row_count> target{out.lines.data(), out.slopes.data(),
                                                     reinterpret_cast<std::uint64_t*>(out.curvatures.data())};
  std::uint64_t done = 0;
  while (done < count) {
    const std::uint64_t domain = first_domain + done;
    // Packets begin at multiples of their size, so that a domain's numbers do not depend on how the work is divided.
    const std::uint64_t begin = domain & ~(packet_size() - 1);
    const std::uint64_t skipped = domain - begin;
    const std::uint64_t length = std::min(packet_size() - skipped, count - done);
    const std::vector<number::Integer> binomials = binomials_of(begin, rows_[line_row].coefficients.size());
    for (int row = 0; row < row_count; ++row) {
      const Row& polynomial = rows_[static_cast<unsigned>(row)];
      std::array<Fixed<words>, most_differences + 1> state{};
      for (int l = 0; l <= polynomial.walk_degree; ++l)
        state[static_cast<unsigned>(l)] = truncate<words>(shifted(polynomial, l, binomials), interval_bits_);
      for (std::uint64_t step = 0; step < skipped; ++step)
        for (int l = 0; l < polynomial.walk_degree; ++l)
          state[static_cast<unsigned>(l)].add(state[static_cast<unsigned>(l) + 1]);
      walk<words>(polynomial.walk_degree, state, length, target[static_cast<unsigned>(row)] + done,
                  row == curvature_row ? scale_ : 0);
    }
    done += length;
  }
}

int HierarchicalPolynomial::binomial_words() const {
  const auto largest = (((domain_count_ - 1) >> packet_bits_) + 1) << packet_bits_;
  long bits = 1;
  number::Integer binomial;
  for (std::size_t j = 1; j <= rows_[line_row].coefficients.size(); ++j) {
    fmpz_bin_uiui(binomial, largest, j);
    fmpz_mul_ui(binomial, binomial, j); // the device multiplies before it divides
    bits = std::max(bits, static_cast<long>(fmpz_bits(binomial)));
  }
  return static_cast<int>((bits + 63) / 64);
}

std::vector<std::uint64_t> HierarchicalPolynomial::row_coefficients(int row) const {
  const auto words = static_cast<std::size_t>(interval_words());
  const Row& polynomial = rows_[static_cast<unsigned>(row)];
  std::vector<std::uint64_t> result(words * polynomial.coefficients.size());
  for (std::size_t l = 0; l < polynomial.coefficients.size(); ++l)
    write_words(polynomial.coefficients[l], 0, interval_words(), result.data() + l * words, 1);
  return result;
}

void HierarchicalPolynomial::generate(std::uint64_t first_domain, std::uint64_t count,
                                      const DomainCoefficients& out) const {
  switch (words_) {
  case 2:
    return generate_packets<2>(first_domain, count, out);
  case 3:
    return generate_packets<3>(first_domain, count, out);
  case 4:
    return generate_packets<4>(first_domain, count, out);
  case 5:
    return generate_packets<5>(first_domain, count, out);
  case 6:
    return generate_packets<6>(first_domain, count, out);
  default:
    return generate_packets<7>(first_domain, count, out);
  }
}

} // namespace tmd::engine::domains
