// How a leading term is found. With f(x) = x^n·r(x) and r = a + b(x)·x^k near 0, by Taylor's theorem, f(x) = a·x^n·(1 +
// δ) with |δ| ≤ |b/a|·|x|^k; an enclosure of b over all |x| < 2^(e+1) bounds it for all smaller x at once. In spacings,
// δ moves a value by at most δ·2^(p+2), also if a power of two lies between f(x) and g(x).
#include "job/leading_term.hpp"

#include "number/arb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace tmd::job {

namespace {

constexpr double most_cases = 65536; // in a binade
// The deviation is smaller than 2^−K over the number of cases in a binade by this many bits: it hardly ever decides.
constexpr int spare_bits = 20;

// The least e with |y| < 2^e for every y of the ball.
long exponent_above(arb_srcptr y, long precision) {
  number::Arb most;
  arf_ptr bound = mid(most);
  arb_get_abs_ubound_arf(bound, y, precision);
  number::Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, bound);
  return arf_is_finite(bound) == 0 || fmpz_bits(exponent) > 40 ? std::numeric_limits<int>::max()
                                                               : fmpz_get_si(exponent);
}

// The deviation of f from its leading term a·x^n, from r's coefficients.
class Deviation {
public:
  explicit Deviation(const Job& job)
      : leading_term_(*job.function->leading_term), order_(leading_term_.order),
        precision_(2L * job.format.precision + job.K + 256), at_zero_(order_ + 1) {
    const number::Arb zero;
    leading_term_.regular(at_zero_.data(), zero, order_ + 1, precision_);
    for (long j = 0; j < order_; ++j)
      is_known_ = is_known_ && arb_is_zero(at_zero_[j]) != 0;
    is_known_ = is_known_ && arb_is_finite(leading()) != 0 && arb_contains_zero(leading()) == 0;
  }

  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] int power() const { return order_ + leading_term_.shift; }
  [[nodiscard]] arb_srcptr leading() const { return at_zero_[order_]; }
  // 2^(e − 1) ≤ |a| < 2^e.
  [[nodiscard]] long exponent() const { return exponent_above(leading(), precision_); }
  [[nodiscard]] bool is_power_of_two() const {
    return arb_is_exact(leading()) != 0 && arf_cmpabs_2exp_si(arb_midref(leading()), exponent() - 1) == 0;
  }

  // |δ| < 2^result for |x| < 2^top.
  [[nodiscard]] long exponent_below(int top) const {
    const long next = exponent_above(next_coefficient(top)[order_ + 1], precision_);
    return next == std::numeric_limits<int>::max() ? next : next + top - (exponent() - 1);
  }
  // Whether δ is monotone for |x| < 2^top on either side of 0: it is if the enclosed derivative of r has no zero.
  [[nodiscard]] bool is_monotone(int top) const {
    return order_ == 0 && arb_contains_zero(next_coefficient(top)[1]) == 0;
  }

private:
  [[nodiscard]] number::ArbVector next_coefficient(int top) const {
    number::Arb all; // [−2^top, 2^top]
    number::Arb radius;
    arb_one(radius);
    arb_mul_2exp_si(radius, radius, top);
    arb_add_error(all, radius);
    number::ArbVector coefficients(order_ + 2);
    leading_term_.regular(coefficients.data(), all, order_ + 2, precision_);
    return coefficients;
  }

  const function::LeadingTerm& leading_term_;
  int order_;
  long precision_;
  number::ArbVector at_zero_;
  bool is_known_ = true;
};

// Whether |g| and |f|, on 2^e ≤ |x| < 2^(e+1), stay a binade away from the ends of the format's normal numbers.
bool fits(const format::BreakpointGrid& grid, const Deviation& deviation, int e) {
  if (!grid.is_bounded())
    return true;
  const long power = deviation.power();
  const long low = power * (power > 0 ? e : e + 1) + deviation.exponent() - 1;
  const long high = power * (power > 0 ? e + 1 : e) + deviation.exponent();
  return low > grid.min_exponent && high < grid.max_exponent;
}

double cases_in_binade(const Job& job) { return expected_cases(job, uint128(1) << (job.argument_precision - 1)); }

} // namespace

std::optional<BesideLeadingTerm> beside_leading_term(const Job& job, const Coverage& range, int fewest) {
  constexpr int least_bits = 3; // the reference job has K − 1, and still leaves room between breakpoints
  if (!job.function->leading_term || job.K < least_bits || cases_in_binade(job) > most_cases)
    return std::nullopt;
  const Deviation deviation(job);
  if (!deviation.is_known())
    return std::nullopt;
  const format::BreakpointGrid grid = job.grid();
  const int spare = spare_bits + static_cast<int>(std::ceil(std::log2(std::max(1.0, cases_in_binade(job)))));
  const int closeness = job.K + spare;
  const auto is_close = [&](int e) { // two values, each moved by 2^(p + 2)·δ
    return deviation.exponent_below(e + 1) + job.format.precision + 3 <= -closeness;
  };
  int lowest = job.format.min_exponent;
  int highest = -2;
  for (int far = lowest - 1; far < highest;) { // up to the last binade that is close
    const int middle = far + (highest - far + 1) / 2;
    if (is_close(middle))
      far = middle;
    else
      highest = middle - 1;
  }
  while (lowest <= highest && !fits(grid, deviation, lowest))
    ++lowest;
  while (lowest <= highest && !fits(grid, deviation, highest))
    --highest;
  if (lowest > highest)
    return std::nullopt;
  const auto rank_of = [&](int e) {
    return job.arguments().rank({false, uint128(1) << (job.argument_precision - 1), e - job.argument_precision + 1});
  };
  BesideLeadingTerm beside;
  for (const auto& [first, last] :
       {std::pair(rank_of(lowest), rank_of(highest + 1)), std::pair(1 - rank_of(highest + 1), 1 - rank_of(lowest))})
    for (const auto& part : range.within(first, last))
      beside.ranks.add(part.first, part.last);
  if (beside.ranks.size() < static_cast<uint128>(fewest) << (job.argument_precision - 1))
    return std::nullopt;
  beside.reference = {rank_of(highest), rank_of(highest + 1)};
  beside.closeness = closeness;
  beside.lowest = {rank_of(lowest), rank_of(lowest + 1)};
  beside.is_monotone = deviation.is_monotone(highest + 1);
  beside.has_exact_powers = deviation.is_power_of_two();
  return beside;
}

bool has_cases_of_leading_term(const Job& job, const Stretch& stretch) {
  constexpr int few_bits = 8; // 1/x has many arguments next to a breakpoint, though not so near that they are cases
  if (!job.function->leading_term)
    return false;
  const Deviation deviation(job);
  const int top = stretch.unit_exponent + bit_length(stretch.first + stretch.count - 1);
  return deviation.is_known() && deviation.exponent_below(top) + job.format.precision + 2 <= few_bits - job.K;
}

Job reference_job(const Job& job, const BesideLeadingTerm& beside) {
  Job reference = job;
  reference.K = job.K - 1;
  reference.first = beside.reference.first;
  reference.last = beside.reference.last;
  reference.by_scaling = false;
  return reference;
}

namespace {

// Whether the arguments with one fraction are cases in the lowest binades.
struct Verdict {
  bool is_case;
  int128 binades; // the number of binades for which that holds, counted from the lowest
};

// The verdict on the arguments with that fraction, of both signs; nothing if it cannot be known.
std::optional<Verdict> verdict_at(const BesideLeadingTerm& beside, format::ArgumentSet::Rank fraction, int128 binades,
                                  const std::function<bool(format::ArgumentSet::Rank)>& is_case) {
  if (!beside.is_monotone)
    return std::nullopt;
  const format::ArgumentSet::Rank size = beside.lowest.last - beside.lowest.first;
  const auto at = [&](int128 binade) { return beside.lowest.first + binade * size + fraction; };
  const bool is_one = is_case(at(0));
  const auto holds = [&](int128 binade) { return is_case(at(binade)) == is_one && is_case(-at(binade)) == is_one; };
  if (!holds(0))
    return std::nullopt;
  int128 most = 0;
  for (int128 end = binades; end - most > 1;) {
    const int128 middle = most + (end - most) / 2;
    (holds(middle) ? most : end) = middle;
  }
  return Verdict{is_one, most + 1};
}

} // namespace

std::vector<RegimeRange> ranges_of_binades(const Job& job, const BesideLeadingTerm& beside, std::span<const Case> found,
                                           const std::function<bool(format::ArgumentSet::Rank)>& is_case) {
  constexpr double known = 0x1p-20; // accuracy of a case's distance, relative
  const double bound = std::ldexp(1.0, -job.K);
  const double closeness = std::ldexp(1.0, -beside.closeness);
  const format::ArgumentSet::Rank size = beside.lowest.last - beside.lowest.first;
  int128 binades = (beside.reference.last - beside.lowest.first) / size;
  BinadeCases cases{job.function->leading_term->name, job.argument_precision - 1, {}};
  for (const Case& one : found) {
    const double distance = std::exp2(-one.bits);
    const format::ArgumentSet::Rank fraction = job.arguments().rank(one.x) - beside.reference.first;
    const bool may_be_breakpoint =
        distance <= 2 * closeness && !(beside.is_monotone && beside.has_exact_powers && fraction == 0);
    if (one.kind != Case::Kind::hard || may_be_breakpoint)
      return {};
    const auto verdict = std::fabs(distance - bound) <= closeness + known * bound
                             ? verdict_at(beside, fraction, binades, is_case)
                             : Verdict{distance < bound, binades};
    if (!verdict)
      return {};
    binades = verdict->binades;
    if (verdict->is_case)
      cases.fractions.push_back(static_cast<uint128>(fraction));
  }
  std::sort(cases.fractions.begin(), cases.fractions.end());
  Regime regime;
  regime.some = std::make_shared<const BinadeCases>(std::move(cases));
  const format::ArgumentSet::Rank end = beside.lowest.first + binades * size;
  std::vector<RegimeRange> ranges;
  for (const auto& [first, last] : beside.ranks.intervals())
    if (const RankInterval part{std::max(first, 1 - end), std::min(last, end)}; part.first < part.last)
      ranges.push_back({part, regime});
  return ranges;
}

} // namespace tmd::job
