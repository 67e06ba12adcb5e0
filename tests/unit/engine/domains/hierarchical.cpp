// The kernels' coefficients from Taylor polynomials, compared with MPFR's values.
#include "host/engine/domains/hierarchical.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace tmd::engine::domains {

namespace {

constexpr long reference_precision = 900;

// The value F(index) by MPFR.
number::Mpfr exact_value(const function::Function& f, const format::BreakpointGrid& grid, const job::Piece& piece,
                         uint128 index) {
  number::Mpfr value = value_of(f, format::to_mpfr(piece.argument(index)), reference_precision);
  mpfr_abs(value, value, MPFR_RNDN);
  mpfr_div_2si(value, value, grid.spacing_exponent(piece.value_exponent), MPFR_RNDN);
  if (grid.shifted())
    mpfr_sub_d(value, value, 0.5, MPFR_RNDN);
  return value;
}

// The distance of line + slope·m + curvature·ρ(m) from F modulo 1 (refinement.clh).
double distance(number::Mpfr value, std::uint64_t line, std::uint64_t slope, std::int64_t curvature, unsigned scale,
                std::uint64_t size, std::uint64_t m) {
  number::Mpfr term(reference_precision);
  mpfr_set_ui(term, line + slope * m, MPFR_RNDN);
  mpfr_div_2ui(term, term, 64, MPFR_RNDN);
  mpfr_sub(value, value, term, MPFR_RNDN);
  const auto last = static_cast<std::int64_t>(size) - 1;
  const auto position = static_cast<std::int64_t>(m);
  mpfr_set_si(term, 8 * position * (position - last) + last * last, MPFR_RNDN);
  mpfr_mul_si(term, term, curvature, MPFR_RNDN);
  mpfr_div_2ui(term, term, 68 + scale, MPFR_RNDN);
  mpfr_sub(value, value, term, MPFR_RNDN);
  mpfr_rint(term, value, MPFR_RNDN);
  mpfr_sub(value, value, term, MPFR_RNDN);
  return std::fabs(mpfr_get_d(value, MPFR_RNDN));
}

struct Coefficients {
  std::vector<std::uint64_t> lines, slopes;
  std::vector<std::int64_t> curvatures;
  explicit Coefficients(std::size_t count) : lines(count), slopes(count), curvatures(count) {}
  DomainCoefficients out(std::size_t from = 0) {
    return {std::span(lines).subspan(from), std::span(slopes).subspan(from), std::span(curvatures).subspan(from)};
  }
};

// Random domains and arguments of an interval must agree with MPFR within the terms of the ledger.
void check_polynomial(const function::Function& f, const format::BreakpointGrid& grid, const job::Piece& piece,
                      const polynomial::TaylorPolynomial& taylor, const HierarchicalPolynomial& polynomial,
                      int domain_bits, std::mt19937_64& random) {
  const std::uint64_t size = std::uint64_t(1) << domain_bits;
  const double rounding = std::ldexp(1.0, domain_bits - 65) + 0x1p-65 +
                          std::ldexp(1.0, 2 * domain_bits - 4 - 64 - static_cast<int>(polynomial.scale()));
  const double bound = (taylor.remainder + polynomial.coefficient_error() + polynomial.high()).value() + rounding;
  REQUIRE(bound < 0.25);
  CHECK(polynomial.domain_count() == (taylor.count - 1) / size + 1);
  std::size_t wrong = 0;
  for (int i = 0; i < 24; ++i) {
    const std::uint64_t domain = i == 0   ? 0
                                 : i == 1 ? polynomial.domain_count() - 1
                                          : random() % polynomial.domain_count();
    Coefficients c(1);
    polynomial.generate(domain, 1, c.out());
    // Compares the bound of the second difference, on which truncation and the scale depend.
    wrong += std::ldexp(std::fabs(static_cast<double>(c.curvatures[0])), -64 - static_cast<int>(polynomial.scale())) >
             polynomial.curvature().value() + 0x1p-64;
    for (int j = 0; j < 4; ++j) {
      const std::uint64_t m = j == 0 ? 0 : j == 1 ? size - 1 : random() % size;
      const std::uint64_t offset = domain * size + m;
      if (offset >= taylor.count)
        continue;
      const double error = distance(exact_value(f, grid, piece, taylor.first + offset), c.lines[0], c.slopes[0],
                                    c.curvatures[0], polynomial.scale(), size, m);
      wrong += !(error <= bound);
    }
  }
  INFO(f.name, ", piece from ", to_hex(piece.argument(0)), ", count ", taylor.count, ", N = 2^", domain_bits,
       ", words ", polynomial.words(), ", packet ", polynomial.packet_size(), ", degree ", taylor.degree());
  CHECK(wrong == 0);
}

// However the work is divided, the numbers are the same.
void check_cuts(const HierarchicalPolynomial& polynomial, std::mt19937_64& random) {
  const std::uint64_t packet = polynomial.packet_size();
  const std::uint64_t count = std::min<std::uint64_t>(polynomial.domain_count(), 3 * packet + 17);
  const std::uint64_t first = random() % (polynomial.domain_count() - count + 1);
  Coefficients whole(count);
  polynomial.generate(first, count, whole.out());
  Coefficients parts(count);
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t length = std::min(count - done, 1 + random() % (done % 2 == 0 ? packet + 3 : 5));
    polynomial.generate(first + done, length, parts.out(done));
    done += length;
  }
  CHECK(parts.lines == whole.lines);
  CHECK(parts.slopes == whole.slopes);
  CHECK(parts.curvatures == whole.curvatures);
}

} // namespace

TEST_CASE("domains' coefficients against MPFR, for every function, N and cut") {
  std::mt19937_64 random(3);
  int tested = 0;
  for (const Range& range : ranges) {
    const function::Function& f = function::find_function(range.function);
    const std::vector<job::Piece> pieces = pieces_of(range);
    for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest}) {
      const format::BreakpointGrid grid{rounding, find_format(range.format).precision};
      const job::Piece& piece = pieces[random() % pieces.size()];
      const polynomial::ScaledFunction scaled(f, grid, piece);
      for (const int bits : {12, 44, 70}) {
        // The longest interval that a polynomial of degree 12 can cover, at most 2^40, anywhere in the piece.
        std::uint64_t count = static_cast<std::uint64_t>(std::min<uint128>(piece.count, uint128(1) << 40));
        const uint128 first = random() % 2 == 0 ? piece.count - count : 0;
        std::optional<polynomial::TaylorPolynomial> taylor;
        for (; !taylor && count >= 16; count = count * 5 / 9)
          taylor = polynomial::taylor_polynomial(scaled, first, count, number::Bound::power_of_two(-bits - 8), 12, 448);
        if (!taylor)
          continue;
        for (int domain_bits = 3; domain_bits <= 24; domain_bits += 1 + static_cast<int>(random() % 5)) {
          if (std::uint64_t(1) << domain_bits > 4 * taylor->count)
            break;
          if (taylor->count >> domain_bits > std::uint64_t(1) << 26)
            continue;
          const HierarchicalPolynomial polynomial(*taylor, domain_bits);
          const double bound = (taylor->remainder + polynomial.coefficient_error() + polynomial.high()).value();
          if (!(bound < 0.2) || !(polynomial.curvature() < number::Bound::power_of_two(-2)))
            continue; // no plan uses it
          check_polynomial(f, grid, piece, *taylor, polynomial, domain_bits, random);
          check_cuts(polynomial, random);
          ++tested;
        }
      }
    }
  }
  CHECK(tested > 200);
}

// Domains are larger than the planner takes, and the function bends on the scale of a thousand of them: many
// differences have large weights, for which two words are too few.
TEST_CASE("domains' coefficients that need more than two words") {
  std::mt19937_64 random(4);
  constexpr int domain_bits = 30;
  const function::Function& f = function::find_function("exp");
  const format::BreakpointGrid grid{Rounding::all, 24};
  const job::Piece piece = pieces_of({"exp", "p24", 64, "0x1p23", "0x1.000004p23"}).at(1);
  const polynomial::ScaledFunction scaled(f, grid, piece);
  int most_words = 0;
  for (const int bits : {40, 60, 80, 100}) {
    std::optional<polynomial::TaylorPolynomial> taylor;
    for (auto count = static_cast<std::uint64_t>(piece.count); !taylor; count = count * 5 / 9)
      taylor = polynomial::taylor_polynomial(scaled, 0, count, number::Bound::power_of_two(-bits), 12, 448);
    const HierarchicalPolynomial polynomial(*taylor, domain_bits);
    most_words = std::max(most_words, polynomial.words());
    check_polynomial(f, grid, piece, *taylor, polynomial, domain_bits, random);
    check_cuts(polynomial, random);
  }
  CHECK(most_words > 2);
}

} // namespace tmd::engine::domains
