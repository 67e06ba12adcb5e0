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
constexpr long polynomial_bits = 64L * layout::polynomial_words;

number::Bound binomial(std::uint64_t n, int k) {
  number::Integer value;
  fmpz_bin_uiui(value, n, static_cast<ulong>(k));
  number::Arb ball;
  arb_set_fmpz(ball, value);
  return number::Bound::of(ball);
}

std::vector<number::Bound> binomials(std::uint64_t n, int degree) {
  std::vector<number::Bound> result;
  for (int k = 0; k <= degree; ++k)
    result.push_back(binomial(n, k));
  return result;
}

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

// How many ways there are to map j things onto k, each of which is met: j-th powers have the differences of order k at
// 0.
constexpr auto surjections = [] {
  std::array<std::array<std::uint64_t, most_polynomial_degree + 1>, most_polynomial_degree + 1> all{};
  all[0][0] = 1;
  for (std::size_t j = 1; j < all.size(); ++j)
    for (std::size_t k = 1; k <= j; ++k)
      all[j][k] = k * (all[j - 1][k] + all[j - 1][k - 1]);
  return all;
}();

// The differences of order 0, 1, … of P at the first argument of its interval.
number::ArbVector differences_of(const polynomial::TaylorPolynomial& taylor, long precision) {
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
  number::ArbVector differences(degree + 1);
  for (int j = 0; j <= degree; ++j)
    for (int order = 0; order <= j; ++order)
      arb_addmul_ui(differences[order], shifted[j],
                    surjections.at(static_cast<std::size_t>(j)).at(static_cast<std::size_t>(order)), precision);
  return differences;
}

// Σ of[order + j]·C(count, j) for every order.
std::vector<number::Bound> at_end(const std::vector<number::Bound>& of, const std::vector<number::Bound>& weights) {
  std::vector<number::Bound> result(of.size());
  for (std::size_t order = 0; order < of.size(); ++order)
    for (std::size_t j = 0; order + j < of.size(); ++j)
      result[order] += of[order + j] * weights[j];
  return result;
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

std::optional<DifferenceStretch> difference_stretch(const polynomial::TaylorPolynomial& taylor, int K) {
  const number::Bound epsilon = number::Bound::power_of_two(-K);
  const number::Bound margin = epsilon.scaled(-margin_bits);
  const number::ArbVector differences = differences_of(taylor, fraction_bits + value_bits);
  DifferenceStretch stretch;
  stretch.first = taylor.first;
  stretch.count = taylor.count;
  stretch.words.resize(static_cast<std::size_t>(differences.size()) * layout::polynomial_words);
  std::vector<number::Bound> errors;     // of the coefficients in words
  std::vector<number::Bound> magnitudes; // of these coefficients
  for (long order = 0; order < differences.size(); ++order) {
    number::Arb scaled;
    number::Integer nearest;
    arb_mul_2exp_si(scaled, differences[order], polynomial_bits);
    arf_get_fmpz(nearest, mid(scaled), ARF_RND_NEAR);
    number::write_words(nearest, layout::polynomial_words,
                        stretch.words.data() + order * static_cast<long>(layout::polynomial_words));
    errors.push_back(number::Bound::radius_of(differences[order]) + number::Bound::power_of_two(-polynomial_bits - 1));
    magnitudes.push_back(number::Bound::of(differences[order]) + errors.back());
  }
  const std::vector<number::Bound> weights = binomials(taylor.count, taylor.degree());
  const std::vector<number::Bound> greatest = at_end(magnitudes, weights);
  const number::Bound carried = at_end(errors, weights)[0];
  const int most_bits = std::clamp(bit_length(taylor.count - 1), bit_length(shortest_run) - 1, most_run_bits);
  for (int run_bits = most_bits; shortest_run <= std::uint64_t(1) << run_bits; --run_bits) {
    const auto found = differences_for(binomials(std::uint64_t(1) << run_bits, taylor.degree()), greatest, margin);
    if (!found || !(found->second + carried < margin))
      continue;
    stretch.run_bits = run_bits;
    stretch.differences = found->first;
    stretch.rounding = found->second + carried;
    stretch.bound = epsilon + taylor.remainder + stretch.rounding;
    return number::can_filter(stretch.bound) ? std::optional(std::move(stretch)) : std::nullopt;
  }
  return std::nullopt;
}

std::uint64_t DifferenceStretch::length(std::uint64_t run) const {
  return std::min(std::uint64_t(1) << run_bits, count - (run << run_bits));
}

DifferenceTable DifferenceStretch::start(std::uint64_t run) const {
  const std::size_t size = words.size() / layout::polynomial_words;
  std::vector<number::Integer> coefficients(size);
  std::vector<number::Integer> binomials(size);
  for (std::size_t j = 0; j < size; ++j) {
    std::array<ulong, layout::polynomial_words> limbs{}; // the least significant first
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(j * limbs.size()), limbs.size(), limbs.rbegin());
    fmpz_set_ui_array(coefficients[j], limbs.data(), static_cast<slong>(limbs.size()));
    fmpz_bin_uiui(binomials[j], run << run_bits, j);
  }
  DifferenceTable table;
  table.degree = differences;
  for (std::size_t order = 0; order <= static_cast<std::size_t>(differences) && order < size; ++order) {
    number::Integer sum;
    for (std::size_t j = 0; order + j < size; ++j)
      fmpz_addmul(sum, coefficients[order + j], binomials[j]);
    fmpz_fdiv_q_2exp(sum, sum, polynomial_bits - table_bits);
    std::array<std::uint64_t, 2> high{};
    number::write_words(sum, 2, high.data());
    table.row.at(order) = uint128(high[0]) << 64 | high[1];
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
