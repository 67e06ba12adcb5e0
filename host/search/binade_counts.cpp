// How a binade is judged: slope and bend of F at a few sample places say whether values are spread as chance spreads
// them; cases next to the binade and pairs of cases are looked for in the list. The bounds are explained at
// tally_binades().

#include "search/binade_counts.hpp"

#include "job/leading_term.hpp"
#include "number/arb.hpp"
#include "support/statistics.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace tmd::searches {

namespace {

constexpr double fewest_for_chance = 64;
// Least range of slopes over a binade, in spacings an argument, that makes it a fair sample.
constexpr double slope_range_of_chance = 4;     // even if cases crowd
constexpr double slope_range_without = 0x1p-14; // if they do not crowd
constexpr int least_bits_without_chance = 24;   // from this K on no crowd comes by chance
constexpr unsigned samples = 33;                // places at which values must lie within the format

// f near an argument.
struct Local {
  number::Arb value;
  bool is_within = false; // whether the value has breakpoints around it
  double bend = 0;        // of F, in spacings per argument²
};

Local local(const job::Job& job, const job::Stretch& stretch, uint128 index) {
  constexpr long precision = 256;
  const format::BreakpointGrid grid = job.grid();
  number::Arb x;
  number::set(x, stretch.first + index);
  job::to_arguments(x, stretch);
  number::ArbVector coefficients(3);
  job.function->series(coefficients.data(), x, 3, precision);
  Local result;
  arb_abs(result.value, coefficients[0]);
  if (arb_is_finite(coefficients[0]) == 0 || arb_is_finite(coefficients[2]) == 0)
    return result;
  if (arb_contains_zero(coefficients[0]) != 0) { // as log is at 1, or too small to be distinguished from zero
    result.is_within = arb_is_zero(coefficients[0]) != 0;
    return result;
  }
  number::Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, arb_midref(coefficients[0]));
  if (fmpz_bits(exponent) > 30)
    return result;
  const int binade = static_cast<int>(fmpz_get_si(exponent)) - 1;
  result.is_within = !grid.is_bounded() || (binade <= grid.max_exponent && binade >= grid.least_spacing_exponent());
  number::Arb bend;
  arb_mul_2exp_si(bend, coefficients[2], 2L * stretch.unit_exponent - grid.spacing_exponent(binade));
  result.bend = std::fabs(arf_get_d(mid(bend), ARF_RND_NEAR));
  return result;
}

// Whether |f| has the same values repeatedly, as cospi x at large x.
bool has_repeats(const std::vector<Local>& places) {
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      repeats += arb_overlaps(places[i].value, places[j].value) != 0 ? 1 : 0;
  return repeats > 1;
}

bool is_fair(const job::Job& job, const job::Stretch& stretch, bool may_have_crowd) {
  std::vector<Local> places;
  for (unsigned i = 0; i < samples; ++i) {
    places.push_back(local(job, stretch, (stretch.count - 1) * i / (samples - 1)));
    if (!places.back().is_within)
      return false;
  }
  if (has_repeats(places))
    return false;
  const double slope_range = 2 * local(job, stretch, stretch.count / 2).bend * static_cast<double>(stretch.count);
  if (job.K < least_bits_without_chance)
    return slope_range >= slope_range_of_chance;
  return !may_have_crowd && slope_range >= slope_range_without;
}

// The number of cases of the stretch that lie near an extremum at 1. Next to it a function of a phase is nearer to 1
// than d for √(d/|c|) on either side, with c its quadratic coefficient. Other breakpoints have their share of 2·2^−K
// there; this one has more.
double expected_at_extrema(const job::Job& job, const job::Stretch& stretch) {
  if (!has_extrema(job))
    return 0;
  const std::optional<function::Phase>& phase = job.function->phase;
  const long precision = 256 + std::max(stretch.unit_exponent, 0);
  number::Arb period;
  phase->period(period, precision);
  const auto extrema_below = [&](uint128 index, arf_ptr count) {
    number::Arb x;
    number::set(x, stretch.first + index);
    job::to_arguments(x, stretch);
    arb_div(x, x, period, precision);
    if (!phase->shifted) {
      number::Arb half;
      arb_set_d(half, 0.5);
      arb_sub(x, x, half, precision);
    }
    arf_floor(count, mid(x));
  };
  number::Arb extrema;
  number::Arb first;
  extrema_below(stretch.count, mid(extrema));
  extrema_below(0, mid(first));
  arb_sub(extrema, extrema, first, precision);
  arb_mul(extrema, extrema, period, precision);
  arb_mul_2exp_si(extrema, extrema, -stretch.unit_exponent); // arguments for each width of a period
  number::Arb top;
  arb_set_d(top, 0.5);
  number::ArbVector coefficients(3);
  phase->of_phase(coefficients.data(), top, 3, precision);
  const double bend = std::fabs(arf_get_d(arb_midref(coefficients[2]), ARF_RND_NEAR));
  const double distance = std::ldexp(1.0, job.grid().spacing_exponent(-1) - job.K);
  return std::fabs(arf_get_d(mid(extrema), ARF_RND_NEAR)) * 2 * std::sqrt(distance / bend);
}

// Whether an argument next to the interval is a hard or exact case: then more of them may lie in it.
bool has_cases_beside(const job::Job& job, const job::RankInterval& interval) {
  const format::ArgumentSet arguments = job.arguments();
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  const auto is_case = [&](format::ArgumentSet::Rank rank) {
    if (rank <= -arguments.end() || rank >= arguments.end())
      return false;
    try {
      return confirmation.confirm(arguments.at(rank)).has_value();
    } catch (const Error&) { // it is not known
      return true;
    }
  };
  return is_case(interval.first - 1) || is_case(interval.last);
}

// Cases by rank, to find those in an interval.
class ByRank {
public:
  ByRank(const job::Job& job, const std::vector<Case>& cases) {
    const format::ArgumentSet arguments = job.arguments();
    entries_.reserve(cases.size());
    for (const Case& one : cases)
      entries_.push_back({arguments.rank(one.x), one.bits, one.breakpoint});
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& left, const Entry& right) { return left.rank < right.rank; });
  }

  struct Entry {
    format::ArgumentSet::Rank rank;
    double bits;
    Breakpoint breakpoint;
  };
  [[nodiscard]] std::span<const Entry> in(const job::RankInterval& interval) const {
    const auto from = [&](format::ArgumentSet::Rank rank) {
      return std::partition_point(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.rank < rank; });
    };
    return {from(interval.first), from(interval.last)};
  }

private:
  std::vector<Entry> entries_;
};

// Whether many of the cases have a partner at the same distance, as sinpi x and sinpi(1 − x) do.
bool are_paired(std::span<const ByRank::Entry> cases) {
  constexpr std::size_t least_share = 4;
  std::vector<double> bits;
  bits.reserve(cases.size());
  for (const ByRank::Entry& one : cases)
    bits.push_back(one.bits);
  std::sort(bits.begin(), bits.end());
  std::size_t paired = 0;
  for (std::size_t i = 1; i < bits.size(); ++i)
    paired += bits[i] == bits[i - 1] ? 1 : 0;
  return paired * least_share > bits.size();
}

} // namespace

bool has_extrema(const job::Job& job) {
  const std::optional<function::Phase>& phase = job.function->phase;
  return phase && phase->kind == function::Phase::Kind::folded && !phase->has_pole && !job.grid().shifted();
}

double CountVerdict::corrected_p() const {
  return counts.empty() ? 1 : std::min(1.0, counts.front().p * static_cast<double>(counts.size()));
}

std::vector<BinadeTally> tally_binades(const job::Job& job, const job::Coverage& searched,
                                       const std::vector<Case>& cases, const EachArgument& exact,
                                       bool are_exact_known) {
  const ByRank hard_ranks(job, cases);
  std::vector<BinadeTally> tallies;
  std::vector<job::RankInterval> binades; // the binades of the tallies, in order
  for (const auto& [first, last] : searched.intervals())
    for (const job::Stretch& stretch : job::stretches(job.arguments(), first, last)) {
      tallies.emplace_back().arguments = stretch;
      binades.push_back(job::ranks_of(job.arguments(), stretch, 0, stretch.count));
    }
  std::sort(tallies.begin(), tallies.end(), [](const BinadeTally& left, const BinadeTally& right) {
    return compare(left.arguments.argument(0), right.arguments.argument(0)) < 0;
  });
  std::sort(binades.begin(), binades.end(),
            [](const job::RankInterval& left, const job::RankInterval& right) { return left.first < right.first; });
  exact([&, arguments = job.arguments()](const Argument& x) {
    const format::ArgumentSet::Rank rank = arguments.rank(x);
    const auto behind =
        std::upper_bound(binades.begin(), binades.end(), rank,
                         [](format::ArgumentSet::Rank one, const job::RankInterval& of) { return one < of.first; });
    if (behind != binades.begin() && rank < std::prev(behind)->last)
      ++tallies[static_cast<std::size_t>(behind - binades.begin()) - 1].exact;
  });
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    BinadeTally& tally = tallies[i];
    const auto hard = hard_ranks.in(binades[i]);
    tally.cases = hard.size();
    tally.midpoints = static_cast<std::uint64_t>(std::count_if(
        hard.begin(), hard.end(), [](const auto& one) { return one.breakpoint == Breakpoint::midpoint; }));
    const auto may_have_crowd = [&] {
      return tally.exact > 0 || !are_exact_known || has_cases_beside(job, binades[i]);
    };
    tally.is_fair = tally.expected(job) >= fewest_for_chance && !job::has_cases_of_leading_term(job, tally.arguments) &&
                    is_fair(job, tally.arguments, may_have_crowd()) && !are_paired(hard);
  }
  return tallies;
}

double BinadeTally::expected(const job::Job& job) const {
  return job::expected_cases(job, arguments.count - std::min<uint128>(arguments.count, exact)) +
         expected_at_extrema(job, arguments);
}

CountVerdict count_binades(const job::Job& job, const job::Coverage& searched, const std::vector<Case>& cases,
                           const EachArgument& exact, bool are_exact_known) {
  CountVerdict verdict;
  for (const BinadeTally& tally : tally_binades(job, searched, cases, exact, are_exact_known)) {
    if (!tally.is_fair) {
      ++verdict.unfair;
      continue;
    }
    const auto count = [&](std::optional<Breakpoint> kind, std::uint64_t found, double expected) {
      verdict.counts.push_back({tally.arguments, kind, found, expected, support::poisson_p_value(found, expected)});
    };
    const double all = tally.expected(job);
    count({}, tally.cases, all);
    if (job.rounding == Rounding::all) {
      const double of_midpoints = (all - expected_at_extrema(job, tally.arguments)) / 2;
      count(Breakpoint::representable, tally.cases - tally.midpoints, all - of_midpoints);
      count(Breakpoint::midpoint, tally.midpoints, of_midpoints);
    }
  }
  std::stable_sort(verdict.counts.begin(), verdict.counts.end(),
                   [](const BinadeCount& left, const BinadeCount& right) { return left.p < right.p; });
  return verdict;
}

} // namespace tmd::searches
