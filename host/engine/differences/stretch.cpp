// How a stretch is cut into runs, and how much their values may miss the polynomial's; and what the kernels compute, by
// integers of any size.
#include "engine/differences/stretch.hpp"

#include "engine/differences/layout.hpp"
#include "number/arb.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tmd::engine::differences {

namespace {

constexpr int most_polynomial_degree = 18; // of a stretch; its runs need fewer differences
constexpr long value_bits = 66;            // F is below 2^66
constexpr long fraction_bits = 192;        // of the Taylor coefficients; where they are too few, runs are shorter
constexpr long table_bits = 128;
constexpr long coefficient_bits = 64L * layout::coefficient_words;

std::vector<number::Bound> binomials(std::uint64_t n, int degree) {
  std::vector<number::Bound> result;
  for (int k = 0; k <= degree; ++k)
    result.push_back(number::binomial(n, k));
  return result;
}

constexpr auto binomial_table = [] {
  std::array<std::array<std::uint64_t, most_polynomial_degree + 1>, most_polynomial_degree + 1> all{};
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k)
      all[n][k] = all[n - 1][k - 1] + all[n - 1][k];
  }
  return all;
}();

template <int Degree>
void list_near_integers_of(DifferenceTable& table, std::uint64_t count, std::uint64_t tolerance, std::uint64_t first,
                           std::vector<std::uint64_t>& near) {
  std::array<uint128, Degree + 1> row;
  std::copy_n(table.row.begin(), row.size(), row.begin());
  for (std::uint64_t i = 0; i < count; ++i) {
    if (static_cast<std::uint64_t>(row[0] >> 64) + tolerance <= 2 * tolerance)
      near.push_back(first + i);
    for (std::size_t order = 0; order < Degree; ++order)
      row[order] += row[order + 1];
  }
  std::copy(row.begin(), row.end(), table.row.begin());
}

using Lister = void (*)(DifferenceTable&, std::uint64_t, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>&);

template <int... Degrees> constexpr auto listers_of(std::integer_sequence<int, Degrees...> /*degrees*/) {
  return std::array<Lister, sizeof...(Degrees)>{list_near_integers_of<Degrees>...};
}

constexpr auto listers = listers_of(std::make_integer_sequence<int, DifferenceTable::most_degree + 1>());

// Coefficients of powers of k, the place in the interval, of the differences of P from k to k + 1 of orders 0, 1, … up
// to the most that a run may have: Q_(l+1)(k) = Q_l(k + 1) − Q_l(k).
std::vector<number::ArbVector> differences_of(const polynomial::TaylorPolynomial& taylor, long precision) {
  const int degree = taylor.degree();
  number::ArbVector shifted = taylor.coefficients;
  number::Arb from;
  number::Arb centre;
  number::set(from, taylor.first);
  number::set(centre, taylor.centre);
  arb_sub(from, from, centre, ARF_PREC_EXACT);
  for (int order = 0; order < degree; ++order) // by Horner
    for (int j = degree - 1; j >= order; --j)
      arb_addmul(shifted[j], shifted[j + 1], from, precision);
  std::vector<number::ArbVector> result{shifted};
  for (int order = 1; order <= std::min(degree, DifferenceTable::most_degree); ++order) {
    const number::ArbVector& last = result.back();
    number::ArbVector next(degree + 1 - order);
    for (int power = 1; power <= degree + 1 - order; ++power)
      for (int j = 0; j < power; ++j)
        arb_addmul_ui(next[j], last[power],
                      binomial_table.at(static_cast<std::size_t>(power)).at(static_cast<std::size_t>(j)), precision);
    result.push_back(std::move(next));
  }
  return result;
}

// max |Q(k)| for 0 ≤ k ≤ count.
number::Bound greatest_of(const number::ArbVector& coefficients, const number::Bound& count) {
  number::Bound sum;
  for (long j = coefficients.size(); j-- > 0;)
    sum = sum * count + number::Bound::of(coefficients[j]);
  return sum;
}

// The fewest differences with which runs of these binomials C(length, order) miss the values by less than half the
// margin, and by how much; nothing if the most are too few.
std::optional<std::pair<int, number::Bound>> differences_for(const std::vector<number::Bound>& length,
                                                             const std::vector<number::Bound>& greatest,
                                                             const number::Bound& margin) {
  number::Bound cut;
  auto used = static_cast<int>(greatest.size()) - 1;
  for (; used > 1; --used) {
    const auto at = static_cast<std::size_t>(used);
    const number::Bound more = cut + greatest[at] * length[at];
    if (!(more < margin.scaled(-1)))
      break;
    cut = more;
  }
  if (used > DifferenceTable::most_degree)
    return std::nullopt;
  for (int order = 0; order <= used; ++order) // a run's first differences are rounded down
    cut += length[static_cast<std::size_t>(order)].scaled(-table_bits);
  return std::pair(used, cut);
}

} // namespace

void list_near_integers(DifferenceTable& table, std::uint64_t count, std::uint64_t tolerance, std::uint64_t first,
                        std::vector<std::uint64_t>& near) {
  listers.at(static_cast<std::size_t>(table.degree))(table, count, tolerance, first, near);
}

std::optional<polynomial::TaylorPolynomial> polynomial_of_runs(const polynomial::ScaledFunction& function, int K,
                                                               uint128 first, std::uint64_t count) {
  return polynomial::taylor_polynomial(function, first, count, number::Bound::power_of_two(-K - margin_bits),
                                       most_polynomial_degree, fraction_bits);
}

namespace {

// Writes the coefficients as the kernels take them, in powers of the run's number, for the orders that runs have.
// Returns how far the differences made of them may be off: Σ C(length, order)·error.
number::Bound write_coefficients(const std::vector<number::ArbVector>& differences,
                                 const std::vector<number::Bound>& length, DifferenceStretch& stretch) {
  const number::Bound runs(stretch.runs());
  number::Bound all;
  stretch.size = static_cast<int>(differences.front().size());
  for (int order = 0; order <= stretch.differences; ++order) {
    const number::ArbVector& coefficients = differences[static_cast<std::size_t>(order)];
    number::Bound power(1);
    number::Bound error;
    for (long j = 0; j < coefficients.size(); ++j) {
      number::Arb scaled;
      number::Integer nearest;
      arb_mul_2exp_si(scaled, coefficients[j], coefficient_bits + j * stretch.run_bits);
      arf_get_fmpz(nearest, mid(scaled), ARF_RND_NEAR);
      const std::size_t at = stretch.words.size();
      stretch.words.resize(at + layout::coefficient_words);
      number::write_words(nearest, layout::coefficient_words, stretch.words.data() + at);
      error += (number::Bound::radius_of(scaled) + number::Bound::power_of_two(-1)).scaled(-coefficient_bits) * power;
      power *= runs;
    }
    all += error * length[static_cast<std::size_t>(order)];
  }
  return all;
}

} // namespace

std::optional<DifferenceStretch> difference_stretch(const polynomial::TaylorPolynomial& taylor, int K) {
  const number::Bound epsilon = number::Bound::power_of_two(-K);
  const number::Bound margin = epsilon.scaled(-margin_bits);
  const std::vector<number::ArbVector> differences = differences_of(taylor, fraction_bits + value_bits);
  std::vector<number::Bound> greatest;
  greatest.reserve(static_cast<std::size_t>(taylor.degree()) + 1);
  for (const number::ArbVector& one : differences)
    greatest.push_back(greatest_of(one, number::Bound(taylor.count)));
  // A difference of order l is the l-th derivative at one of the places up to l arguments further on.
  const number::Bound reach(taylor.count / 2 + 1 + most_polynomial_degree);
  for (int order = static_cast<int>(greatest.size()); order <= taylor.degree(); ++order)
    greatest.push_back(taylor.derivative_bound(order, reach));
  const int most_bits = std::clamp(bit_length(taylor.count - 1), bit_length(shortest_run) - 1, most_run_bits);
  for (int run_bits = most_bits; shortest_run <= std::uint64_t(1) << run_bits; --run_bits) {
    const std::vector<number::Bound> length = binomials(std::uint64_t(1) << run_bits, taylor.degree());
    const auto found = differences_for(length, greatest, margin);
    if (!found || !(found->second < margin))
      continue;
    DifferenceStretch stretch;
    stretch.first = taylor.first;
    stretch.count = taylor.count;
    stretch.run_bits = run_bits;
    stretch.differences = found->first;
    stretch.rounding = found->second + write_coefficients(differences, length, stretch);
    stretch.bound = epsilon + taylor.remainder + stretch.rounding;
    if (stretch.rounding < margin && number::can_filter(stretch.bound))
      return stretch;
  }
  return std::nullopt;
}

std::uint64_t DifferenceStretch::length(std::uint64_t run) const {
  return std::min(std::uint64_t(1) << run_bits, count - (run << run_bits));
}

DifferenceTable DifferenceStretch::start(std::uint64_t run) const {
  DifferenceTable table;
  table.degree = differences;
  auto at = words.end();
  for (int order = differences; order >= 0; --order) {
    number::Integer sum;
    for (int j = 0; j < size - order; ++j) {                // the coefficient of the highest power first
      std::array<ulong, layout::coefficient_words> limbs{}; // the least significant first
      at -= static_cast<std::ptrdiff_t>(limbs.size());
      std::copy_n(at, limbs.size(), limbs.rbegin());
      number::Integer coefficient;
      fmpz_set_ui_array(coefficient, limbs.data(), static_cast<slong>(limbs.size()));
      sum = sum * run + coefficient;
    }
    fmpz_fdiv_q_2exp(sum, sum, coefficient_bits - table_bits);
    std::array<std::uint64_t, 2> high{};
    number::write_words(sum, 2, high.data());
    table.row.at(static_cast<std::size_t>(order)) = uint128(high[0]) << 64 | high[1];
  }
  return table;
}

bool DifferenceStretch::walk(std::uint64_t run, std::uint64_t tolerance, std::uint64_t seam_tolerance,
                             std::vector<std::uint64_t>& near) const {
  DifferenceTable table = start(run);
  list_near_integers(table, length(run), tolerance, 0, near);
  if (run + 1 == runs())
    return true;
  const auto off =
      static_cast<std::uint64_t>(table.row[0] >> 64) - static_cast<std::uint64_t>(start(run + 1).row[0] >> 64);
  return off + seam_tolerance <= 2 * seam_tolerance;
}

} // namespace tmd::engine::differences
