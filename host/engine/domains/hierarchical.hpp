// The hierarchical method: from the Taylor polynomial of an interval to the three coefficients of each of its domains.
// Source: seed 003 section 5.1.
#pragma once

#include "polynomial/taylor.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tmd::engine::domains {

// The coefficients of each domain, modulo 1, as the kernels use them (cl_kernels/domains/refinement.clh).
struct DomainCoefficients {
  std::span<std::uint64_t> lines;     // centred line at m = 0, units of 2^−64
  std::span<std::uint64_t> slopes;    // its slope per argument, units of 2^−64
  std::span<std::int64_t> curvatures; // second difference, units of 2^−(64+scale)
};

// Packets have 2^most_bits domains, or fewer if that saves words; their numbers have at least fewest_words (2 … 7)
// words.
struct PacketOptions {
  int most_bits = 12;
  int fewest_words = 2;
};

// With i = first + k·N + m, the interval's polynomial is a0(k) + a1(k)·m + a2(k)·C(m, 2) + …; the line, the slope and
// the curvature of domain k are polynomials in k, kept as multiples of 2^−interval_bits in the binomial basis of k.
// Consecutive values come from tabulated differences: the host shifts the polynomials to the beginning of each packet
// of domains with big integers, and walks through a packet with additions of W-word numbers modulo 1.
class HierarchicalPolynomial {
public:
  // Domains of N = 2^domain_bits arguments, domain_bits ≥ 2; they cover the interval and may reach beyond it.
  HierarchicalPolynomial(const polynomial::TaylorPolynomial& taylor, int domain_bits,
                         const PacketOptions& packets = {});

  [[nodiscard]] std::uint64_t domain_count() const { return domain_count_; }
  // The unit of the curvatures is 2^−(64 + scale).
  [[nodiscard]] unsigned scale() const { return scale_; }
  // Words of the packets' numbers, domains in a packet, and the degree with which a packet is walked.
  [[nodiscard]] int words() const { return words_; }
  [[nodiscard]] int packet_bits() const { return packet_bits_; }
  [[nodiscard]] std::uint64_t packet_size() const { return std::uint64_t(1) << packet_bits_; }
  [[nodiscard]] int walk_degree() const { return rows_[0].walk_degree; }

  // Bounds over all domains of the interval, in units of the breakpoint spacing. First the error of line + slope·m +
  // curvature·ρ(m) against the Taylor polynomial's degree-2 part, without the rounding to 64 bits.
  [[nodiscard]] const number::Bound& coefficient_error() const { return coefficient_error_; }
  // The terms of degree > 2 in one domain.
  [[nodiscard]] const number::Bound& high() const { return high_; }
  // The second difference, |second difference|.
  [[nodiscard]] const number::Bound& curvature() const { return curvature_; }

  // Writes the coefficients of the domains first_domain … first_domain + count − 1 at the front of the spans. May be
  // called by several threads at once.
  void generate(std::uint64_t first_domain, std::uint64_t count, const DomainCoefficients& out) const;

  // The rest is for a device that makes the coefficients itself (cl_kernels/domains/polynomials.cl). Rows: 0 lines, 1
  // slopes, 2 curvatures.
  static constexpr int row_count = 3;
  [[nodiscard]] int differences(int row) const { return rows_[static_cast<unsigned>(row)].walk_degree; }
  // The bit after the binary point at which the row's 64 bits begin.
  [[nodiscard]] unsigned window(int row) const { return row == row_count - 1 ? scale_ : 0; }
  // Words of the interval's coefficients, and of the binomials C(domain, j) that they are multiplied by.
  [[nodiscard]] int interval_words() const { return static_cast<int>(interval_bits_ / 64); }
  [[nodiscard]] int binomial_words() const;
  // The row's coefficients of C(k, l) modulo 1, l = 0, 1, …: interval_words() words each, most significant first.
  [[nodiscard]] std::vector<std::uint64_t> row_coefficients(int row) const;

private:
  struct Row {
    std::vector<number::Integer> coefficients; // coefficients of C(k, l), times 2^interval_bits
    int walk_degree = 0; // differences beyond it are negligible within a packet, up to coefficient_error()
  };

  [[nodiscard]] number::Integer shifted(const Row& row, int l, std::span<const number::Integer> binomials) const;
  void compute_rows(const polynomial::TaylorPolynomial& taylor);
  void choose_packets(const polynomial::TaylorPolynomial& taylor);
  void choose_scale();

  template <int words>
  void generate_packets(std::uint64_t first_domain, std::uint64_t count, const DomainCoefficients& out) const;

  PacketOptions packets_;
  int domain_bits_;
  std::uint64_t domain_count_;
  long interval_bits_ = 0;
  std::array<Row, row_count> rows_;
  std::array<number::Bound, row_count> row_weight_; // weight of an error of the row at an argument of the domain
  int packet_bits_ = 0;
  int words_ = 0;
  unsigned scale_ = 0;
  number::Bound coefficient_error_;
  number::Bound high_;
  number::Bound curvature_;
};

} // namespace tmd::engine::domains
