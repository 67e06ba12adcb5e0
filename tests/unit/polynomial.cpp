// From a function to the kernels' coefficients: enclosures, pieces, polynomials and plans against MPFR's
// values.
#include "engine/domains/hierarchical.hpp"
#include "engine/domains/plan.hpp"
#include "error.hpp"
#include "job/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

using namespace tmd;

namespace {

constexpr long reference_precision = 900;

// F(index) by MPFR.
Mpfr exact_value(const Function& f, const BreakpointGrid& grid, const Piece& piece, uint128 index) {
  Mpfr value(reference_precision);
  f.evaluate(value, to_mpfr(piece.argument(index)), MPFR_RNDN);
  mpfr_abs(value, value, MPFR_RNDN);
  mpfr_div_2si(value, value, grid.spacing_exponent(piece.value_exponent), MPFR_RNDN);
  if (grid.shifted())
    mpfr_sub_d(value, value, 0.5, MPFR_RNDN);
  return value;
}

// Distance of line + slope·m + curvature·ρ(m) from F modulo 1 (refinement.clh).
double distance(Mpfr value, std::uint64_t line, std::uint64_t slope, std::int64_t curvature, unsigned scale,
                std::uint64_t size, std::uint64_t m) {
  Mpfr term(reference_precision);
  mpfr_set_uj(term, line + slope * m, MPFR_RNDN);
  mpfr_div_2ui(term, term, 64, MPFR_RNDN);
  mpfr_sub(value, value, term, MPFR_RNDN);
  const auto last = static_cast<std::int64_t>(size) - 1;
  const auto position = static_cast<std::int64_t>(m);
  mpfr_set_sj(term, 8 * position * (position - last) + last * last, MPFR_RNDN);
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

Pieces pieces_of(const char* function, const char* format, int precision, const char* from, const char* to) {
  const ArgumentSet set(find_format(format), precision);
  return find_pieces(find_function(function), set, set.parse(from, "from"), set.parse(to, "to"));
}

// Random domains and arguments of an interval against MPFR: within the terms of the ledger, or the test
// fails.
void check_polynomial(const Function& f, const BreakpointGrid& grid, const Piece& piece, const TaylorPolynomial& taylor,
                      const HierarchicalPolynomial& polynomial, int domain_bits, std::mt19937_64& random) {
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
    // |second difference|: what truncation and the scale rest on.
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

// Any cut of the work gives the same numbers.
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

struct Range {
  const char* function;
  const char* format;
  int precision;
  const char* from;
  const char* to;
};

const Range ranges[] = {{"exp", "binary64", 53, "1", "2"},
                        {"exp", "binary64", 53, "-0x1p-3", "-0x1p-4"},
                        {"exp", "binary64", 53, "512", "0x1.001p9"},
                        {"exp2", "binary64", 54, "0.25", "0.5"},
                        {"log", "binary64", 53, "0x1.ffffp-1", "0x1.00001p+0"},
                        {"log", "binary64", 53, "0x1p-1000", "0x1.8p-1000"},
                        {"sin", "binary64", 53, "1", "2"},
                        {"sin", "binary64", 53, "-8", "-2"},
                        {"sin", "binary64", 53, "0x1p30", "0x1.00000001p30"},
                        {"cbrt", "binary64", 53, "-2", "-1"},
                        {"cbrt", "binary64", 53, "0x1p-1074", "0x1p-1030"},
                        {"exp", "binary80", 64, "1", "2"},
                        {"sin", "binary80", 65, "0.5", "1"},
                        {"exp", "binary32", 24, "1", "2"},
                        {"exp", "p38", 20, "1", "2"},
                        {"sin", "binary16", 11, "1", "2"}};

} // namespace

TEST_CASE("enclosures and Taylor coefficients hold MPFR's values") {
  std::mt19937_64 random(1);
  std::size_t wrong = 0;
  std::size_t tested = 0;
  for (const Function& f : functions()) {
    for (int i = 0; i < 300; ++i) {
      // A ball anywhere, of any width, and a point of it.
      Arb ball;
      const double centre =
          std::ldexp(1 + static_cast<double>(random() % 1000) / 1000, static_cast<int>(random() % 12) - 6) *
          (f.name != "log" && random() % 2 == 0 ? -1 : 1);
      const double width = std::ldexp(std::fabs(centre), -1 - static_cast<int>(random() % 60));
      arb_set_d(ball, centre);
      Arb radius;
      arb_set_d(radius, width);
      arb_add_error(ball, radius);
      Mpfr x(200);
      Mpfr y(200);
      mpfr_set_d(x, width, MPFR_RNDN);
      mpfr_mul_d(x, x, static_cast<double>(static_cast<int>(random() % 2001) - 1000) / 1000, MPFR_RNDZ);
      mpfr_add_d(x, x, centre, MPFR_RNDN);
      f.evaluate(y, x, MPFR_RNDN);
      const Arb enclosure = enclose(f, ball, 100);
      ArbVector series(4);
      f.series(series.data(), ball, 4, 100);
      Arb point;
      arf_set_mpfr(arb_midref(static_cast<arb_ptr>(point)), y);
      wrong += arb_overlaps(enclosure, point) == 0 && arb_is_finite(enclosure) != 0;
      wrong += arb_overlaps(series[0], point) == 0 && arb_is_finite(series[0]) != 0;
      // The first derivative by a difference quotient, the mean value theorem's: f′ somewhere between.
      if (arb_is_finite(series[1]) != 0 && mpfr_cmp_d(x, centre) != 0) {
        Mpfr other(200);
        Mpfr value(200);
        mpfr_set_d(other, centre, MPFR_RNDN);
        f.evaluate(value, other, MPFR_RNDN);
        mpfr_sub(value, y, value, MPFR_RNDN);
        mpfr_sub(other, x, other, MPFR_RNDN);
        mpfr_div(value, value, other, MPFR_RNDN);
        arf_set_mpfr(arb_midref(static_cast<arb_ptr>(point)), value);
        mag_set_ui_2exp_si(arb_radref(static_cast<arb_ptr>(point)), 1, -60);
        wrong += arb_overlaps(series[1], point) == 0;
        ++tested;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(tested > 1000);
}

TEST_CASE("pieces hold every argument once, with values of one binade") {
  struct Row {
    Range range;
    std::size_t least_pieces;
    std::size_t most_singles;
  };
  for (const Row& row :
       {Row{{"sin", "binary64", 53, "1", "2"}, 1, 40},      // across π/2: one binade, not monotone
        Row{{"exp", "binary64", 53, "1", "2"}, 2, 40},      // ln 4
        Row{{"exp", "binary64", 53, "-4", "4"}, 8, 5000},   // through zero, where exp is almost 1
        Row{{"log", "binary64", 53, "0.5", "2"}, 50, 3000}, // through one
        Row{{"cbrt", "binary16", 11, "-65504", "65504"}, 10, 400}, Row{{"sin", "binary16", 12, "-16", "16"}, 10, 2000},
        Row{{"exp2", "binary32", 24, "-3", "-1"}, 1, 40}, Row{{"sin", "binary64", 53, "3", "3.25"}, 40, 3000}}) {
    const Range& range = row.range;
    const ArgumentSet set(find_format(range.format), range.precision);
    const auto first = set.parse(range.from, "");
    const auto last = set.parse(range.to, "");
    const Function& f = find_function(range.function);
    const Pieces pieces = find_pieces(f, set, first, last);
    INFO(range.function, " from ", range.from, ": ", pieces.pieces.size(), " pieces, ", pieces.singles.size());
    CHECK(pieces.count() == static_cast<uint128>(last - first));
    CHECK(pieces.pieces.size() >= row.least_pieces);
    CHECK(pieces.singles.size() <= row.most_singles);
    // As intervals of ranks they are disjoint and leave nothing out.
    std::vector<std::pair<int128, int128>> spans;
    std::size_t wrong = 0;
    const auto rank = [&](const Argument& x) { return set.parse(to_hex(x), ""); };
    std::mt19937_64 random(2);
    for (const Piece& piece : pieces.pieces) {
      const auto from = rank(piece.argument(0));
      const auto to = rank(piece.argument(piece.count - 1));
      spans.emplace_back(std::min(from, to), std::max(from, to) + 1);
      wrong += spans.back().second - spans.back().first != static_cast<int128>(piece.count);
      for (int i = 0; i < 30; ++i) {
        const uint128 index = i == 0   ? 0
                              : i == 1 ? piece.count - 1
                                       : random() % static_cast<std::uint64_t>(piece.count);
        Mpfr y(300);
        f.evaluate(y, to_mpfr(piece.argument(index)), MPFR_RNDZ);
        wrong += mpfr_get_exp(static_cast<mpfr_srcptr>(y)) - 1 != piece.value_exponent ||
                 (mpfr_signbit(static_cast<mpfr_srcptr>(y)) != 0) != piece.value_negative;
        wrong += rank(piece.argument(index)) !=
                 (piece.negative ? from - static_cast<int128>(index) : from + static_cast<int128>(index));
      }
    }
    for (const Argument& x : pieces.singles)
      spans.emplace_back(rank(x), rank(x) + 1);
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 0; i < spans.size(); ++i)
      wrong += spans[i].first != (i == 0 ? first : spans[i - 1].second);
    CHECK(spans.back().second == last);
    CHECK(wrong == 0);
  }
  CHECK_THROWS_AS((void)pieces_of("exp", "binary64", 53, "-0x1.00001p70", "-0x1p70"), UsageError);
  CHECK_THROWS_AS((void)pieces_of("exp", "binary64", 53, "0x1p40", "0x1.00001p40"), UsageError);
}

TEST_CASE("domains' coefficients against MPFR, for every function, N and cut") {
  std::mt19937_64 random(3);
  int tested = 0;
  for (const Range& range : ranges) {
    const Function& f = find_function(range.function);
    const Pieces pieces = pieces_of(range.function, range.format, range.precision, range.from, range.to);
    for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest}) {
      const BreakpointGrid grid{rounding, find_format(range.format).precision};
      const Piece& piece = pieces.pieces[random() % pieces.pieces.size()];
      const ScaledFunction scaled(f, grid, piece);
      for (const int bits : {12, 44, 70}) {
        // The longest interval that a polynomial of degree 12 serves, at most 2^40; not at the piece's ends
        // only.
        std::uint64_t count = static_cast<std::uint64_t>(std::min<uint128>(piece.count, uint128(1) << 40));
        const uint128 first = random() % 2 == 0 ? piece.count - count : 0;
        std::optional<TaylorPolynomial> taylor;
        for (; !taylor && count >= 16; count = count * 5 / 9)
          taylor = taylor_polynomial(scaled, first, count, Bound::power_of_two(-bits - 8), 12, 448);
        if (!taylor)
          continue;
        for (int domain_bits = 3; domain_bits <= 24; domain_bits += 1 + static_cast<int>(random() % 5)) {
          if (std::uint64_t(1) << domain_bits > 4 * taylor->count)
            break;
          if (taylor->count >> domain_bits > std::uint64_t(1) << 26)
            continue;
          const HierarchicalPolynomial polynomial(*taylor, domain_bits);
          const double bound = (taylor->remainder + polynomial.coefficient_error() + polynomial.high()).value();
          if (!(bound < 0.2) || !(polynomial.curvature() < Bound::power_of_two(-2)))
            continue; // no plan takes it
          check_polynomial(f, grid, piece, *taylor, polynomial, domain_bits, random);
          check_cuts(polynomial, random);
          ++tested;
        }
      }
    }
  }
  CHECK(tested > 200);
}

// Domains larger than the planner takes, of a function that bends on the scale of a thousand of them: many
// differences of large weight, which two words do not carry.
TEST_CASE("domains' coefficients that need more than two words") {
  std::mt19937_64 random(4);
  constexpr int domain_bits = 30;
  const Function& f = find_function("exp");
  const Pieces pieces = pieces_of("exp", "p24", 64, "0x1p23", "0x1.000004p23");
  const BreakpointGrid grid{Rounding::all, 24};
  const Piece& piece = pieces.pieces.at(1);
  const ScaledFunction scaled(f, grid, piece);
  int most_words = 0;
  for (const int bits : {40, 60, 80, 100}) {
    std::optional<TaylorPolynomial> taylor;
    for (auto count = static_cast<std::uint64_t>(piece.count); !taylor; count = count * 5 / 9)
      taylor = taylor_polynomial(scaled, 0, count, Bound::power_of_two(-bits), 12, 448);
    const HierarchicalPolynomial polynomial(*taylor, domain_bits);
    most_words = std::max(most_words, polynomial.words());
    check_polynomial(f, grid, piece, *taylor, polynomial, domain_bits, random);
    check_cuts(polynomial, random);
  }
  CHECK(most_words > 2);
}

TEST_CASE("plans cover their pieces with ledgers that can filter") {
  std::size_t by_method[4] = {};
  for (const Range& range : ranges) {
    const Function& f = find_function(range.function);
    const BreakpointGrid grid{Rounding::all, find_format(range.format).precision};
    const Pieces pieces = pieces_of(range.function, range.format, range.precision, range.from, range.to);
    const Piece& piece = *std::max_element(pieces.pieces.begin(), pieces.pieces.end(),
                                           [](const Piece& a, const Piece& b) { return a.count < b.count; });
    for (const int bits : {1, 5, grid.precision - 9, 60, 120})
      for (const std::optional<int> domain_bits :
           {std::optional<int>(), std::optional(3), std::optional(10), std::optional(24)})
        for (const Method asked : {Method::filtered, Method::exhaustive, Method::wide}) {
          PlanOptions options;
          options.bits = bits;
          options.domain_bits = domain_bits;
          options.exhaustive_only = asked == Method::exhaustive;
          options.wide = asked == Method::wide ? WideUse::always : WideUse::never;
          Planner planner(ScaledFunction(f, grid, piece), options);
          uint128 covered = 0;
          std::size_t wrong = 0;
          int plans = 0;
          while (const auto plan = planner.next()) {
            ++by_method[static_cast<int>(plan->method)];
            wrong += plan->first != covered || plan->count == 0;
            covered += plan->count;
            if (plan->method == Method::wide) {
              wrong += asked != Method::wide || plan->polynomial || plan->domain_bits < 7 || plan->domain_bits > 23;
              wrong += plan->wide.polynomial->group_bits() != plan->domain_bits ||
                       plan->unit_bits() < plan->domain_bits + 4 || plan->unit_bits() > 32;
              wrong += plan->ledger.wide().value() > plan->wide.error || !can_filter(plan->ledger.wide()) ||
                       !can_filter(plan->ledger.wide_check());
              wrong += plan->ledger.wide().value() < std::ldexp(1.0, -bits) + plan->wide.polynomial->high().value() +
                                                         plan->wide.polynomial->beyond().value() +
                                                         plan->wide.polynomial->group_error().value();
              wrong += plan->wide.part_bits < 1 || plan->wide.part_bits >= plan->domain_bits;
            } else if (plan->method != Method::direct) {
              wrong += plan->domain_bits < fewest_domain_bits ||
                       plan->domain_bits > (domain_bits ? *domain_bits : most_domain_bits);
              wrong += plan->split_bits >= plan->domain_bits || plan->split_bits > most_split_bits;
              wrong += ((plan->count - 1) >> plan->domain_bits) >= plan->polynomial->domain_count();
              wrong += !can_filter(plan->ledger.phase3()) || !can_filter(plan->polynomial->curvature());
              // ε is in every phase's bound, and the bounds contain what the polynomial's own terms say.
              const double epsilon = std::ldexp(1.0, -bits);
              wrong += plan->ledger.phase3().value() <
                       epsilon + plan->polynomial->coefficient_error().value() + plan->polynomial->high().value();
            }
            if (plan->method == Method::filtered) {
              wrong += asked == Method::exhaustive || !can_filter(plan->ledger.phase1()) ||
                       !can_filter(plan->ledger.phase2());
              const double truncation =
                  plan->polynomial->curvature().value() * std::ldexp(1.0, 2 * plan->domain_bits - 4);
              wrong += plan->ledger.phase1().value() < truncation + std::ldexp(1.0, -bits);
              wrong += plan->ledger.phase2().value() <
                       std::ldexp(truncation, -2 * plan->split_bits) + std::ldexp(1.0, -bits);
            }
            if (++plans >= 40)
              break; // the rest is alike
          }
          INFO(range.function, " ", range.format, " K = ", bits, " N = 2^", domain_bits.value_or(-1));
          CHECK(wrong == 0);
          CHECK((plans >= 40 || covered == piece.count));
        }
  }
  for (const std::size_t count : by_method)
    CHECK(count > 10);
  // A forced N is taken where it serves.
  const Pieces pieces = pieces_of("exp", "binary64", 53, "1", "2");
  for (const int domain_bits : {8, 12, 15}) {
    PlanOptions options;
    options.bits = 44;
    options.domain_bits = domain_bits;
    options.split_bits = 4;
    const auto plan =
        Planner(ScaledFunction(find_function("exp"), {Rounding::all, 53}, pieces.pieces[0]), options).next();
    REQUIRE(plan);
    CHECK(plan->method == Method::filtered);
    CHECK(plan->domain_bits == domain_bits);
    CHECK(plan->split_bits == 4);
  }
}
