// How many cases chance gives is a number of pairs, 2·2^-K of each: for powers and roots the numbers x whose value has
// breakpoints, binade by binade of n, counted by the density of the numbers of the format; for compoundn the n whose
// value is far from 1, binade by binade of x; for angles all ratios that are distinct.
#include "pairs/pair_counts.hpp"

#include "pairs/pair_search.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

// A binade of y/x, with the sign of x, or of y, n or x, with its own: whether that is negative, and the exponent.
using Cell = std::pair<bool, int>;

bool is_angle(const PairJob& job) { return job.function->name.starts_with("atan2"); }
bool is_compound(const PairJob& job) { return job.function->name == "compoundn"; }

// 2^k times the mean of f between 2^k and 2^(k + 1): the sum over the integers there of a function that hardly changes
// from one to the next.
template <typename Function> double sum_over_binade(int k, const Function& f) {
  constexpr int samples = 1024;
  const double step = std::ldexp(1.0, k) / samples;
  double sum = 0;
  for (int i = 0; i < samples; ++i)
    sum += step * f(std::ldexp(1.0, k) + (i + 0.5) * step);
  return sum;
}

// Numbers of a format, by their binary logarithms.
class Numbers {
public:
  explicit Numbers(const Format& format)
      : half_(std::ldexp(1.0, format.precision - 1)), subnormal_(-format.min_exponent), top_(format.max_exponent + 1),
        bottom_(format.precision - 1 - format.min_exponent) {}

  [[nodiscard]] double top() const { return top_; }
  [[nodiscard]] double bottom() const { return bottom_; }
  // Where values below 1 end, as if they were as likely as above (powers()).
  [[nodiscard]] double least() const { return bottom_ + 1 + std::numbers::egamma / std::numbers::ln2; }
  // The number of those from 1 to 2^a, and from 2^-a to 1.
  [[nodiscard]] double above_one(double a) const {
    const double whole = std::floor(std::min(a, top_));
    return half_ * (whole + std::exp2(std::min(a, top_) - whole) - 1);
  }
  [[nodiscard]] double below_one(double a) const {
    const double normal = std::min(a, subnormal_);
    const double whole = std::floor(normal);
    return half_ * (whole + 2 - 2 * std::exp2(whole - normal) +
                    (a > subnormal_ ? 1 - std::exp2(subnormal_ - std::min(a, bottom_)) : 0));
  }
  // Their derivatives.
  [[nodiscard]] double density_above(double a) const {
    return a < top_ ? half_ * std::numbers::ln2 * std::exp2(a - std::floor(a)) : 0;
  }
  [[nodiscard]] double density_below(double a) const {
    if (a > bottom_)
      return 0;
    return half_ * std::numbers::ln2 * std::exp2(a > subnormal_ ? subnormal_ - a : 1 + std::floor(a) - a);
  }

private:
  double half_; // numbers of a binade
  double subnormal_;
  double top_;
  double bottom_;
};

// The number of x > 0 whose power x^y may be near a breakpoint other than 1. Values below 2^min_exponent are as likely
// as e^t for a uniform t: there are 1/m as many near the m-th breakpoint, so that the sum 1 + 1/2 + … = log m + γ
// counts, as if they ended γ below the logarithm of the least one.
double powers(const Numbers& numbers, double y, bool is_negative, int precision) {
  constexpr double many = 100; // breakpoints, from which on the density's changes do not matter
  const auto side = [&](double spacing, double end, const auto& count, const auto& density) {
    if (end / spacing > many)
      return std::floor(count(end)) - std::floor(count(spacing / 2));
    double sum = 0;
    for (double a = spacing; a < end; a += spacing)
      sum += density(a) * spacing;
    return sum;
  };
  // In log2 x, of values above 1 and below.
  const double wide = std::ldexp(std::numbers::log2e, -precision) / y;
  const double narrow = wide / 2;
  const double greatest = numbers.top() / y;
  const double least = numbers.least() / y;
  return side(
             is_negative ? narrow : wide, std::min(numbers.top(), is_negative ? least : greatest),
             [&](double a) { return numbers.above_one(a); }, [&](double a) { return numbers.density_above(a); }) +
         side(
             is_negative ? wide : narrow, std::min(numbers.bottom(), is_negative ? greatest : least),
             [&](double a) { return numbers.below_one(a); }, [&](double a) { return numbers.density_below(a); });
}

constexpr double far_from_one = 0x1p-4; // |log2| of values of compoundn; distances of others are multiples

// The number of n, of both signs, whose (1 + x)^n is far from 1 and may be near a breakpoint.
double compound_exponents(const Numbers& numbers, double x) {
  const double log2 = std::fabs(std::log1p(x)) * std::numbers::log2e;
  const auto of_a_sign = [&](double end) { return std::max(0.0, std::min(end / log2, 0x1p31) - far_from_one / log2); };
  return of_a_sign(numbers.top()) + of_a_sign(numbers.least());
}

std::map<Cell, double> expected_of_compound(const PairJob& job, const Numbers& numbers) {
  const int p = job.format.precision;
  const int normal = job.format.min_exponent;
  std::map<Cell, double> cells;
  for (const bool is_negative : {false, true})
    for (int k = normal - p + 1; std::log2(1 + std::ldexp(1.0, k)) <= std::ldexp(numbers.top(), -p); ++k) {
      const double sum =
          sum_over_binade(k, [&](double x) { return compound_exponents(numbers, is_negative ? -x : x); });
      const double expected = std::ldexp(sum, p - 1 - std::max(0, normal - k) - k + 1 - job.K);
      if (expected >= 1)
        cells[{is_negative, k}] = expected;
    }
  return cells;
}

constexpr int edge = 6;              // binades of y/x at whose ends a cell has fewer than 2^6 breakpoints
constexpr double fewest_numbers = 8; // x for an n: a few of them have cases in crowds

// The expected numbers of cases of cells that are fair samples.
std::map<Cell, double> expected_cases(const PairJob& job) {
  const std::string& name = job.function->name;
  const int p = job.format.precision;
  const double share = std::ldexp(1.0, 1 - job.K);
  std::map<Cell, double> cells;
  if (job.ranges) // cells are those of all operands
    return cells;
  if (is_angle(job) && job.K >= least_bits_by_breakpoints(job.format)) {
    const double expected = std::ldexp(8 / (std::numbers::pi * std::numbers::pi), 2 * p - 2) * share;
    for (const bool is_left : {false, true})
      for (int g = edge - p; g <= p - edge; ++g)
        cells[{is_left, g}] = expected;
    return cells;
  }
  const bool has_real_y = name == "pow" || name == "powr";
  if ((!job.function->takes_integer && !has_real_y) || job.rounding != Rounding::all)
    return cells;
  const Numbers numbers(job.format);
  if (is_compound(job))
    return expected_of_compound(job, numbers);
  const auto least = static_cast<int>(std::ceil(std::log2(numbers.top() + numbers.bottom())));
  const auto [first, last] =
      has_real_y ? std::pair(job.format.min_exponent, job.format.max_exponent + 1) : std::pair(least, 63);
  for (const bool is_negative : {false, true})
    for (int k = first; k < last; ++k) {
      const int count = has_real_y ? p - 1 : k; // log2 of the number of y or n
      const double pairs = std::ldexp(
          sum_over_binade(k, [&](double y) { return powers(numbers, name == "rootn" ? 1 / y : y, is_negative, p); }),
          count - k);
      if (pairs * share >= 1 && pairs >= std::ldexp(fewest_numbers, count))
        cells[{is_negative, k}] = pairs * share;
    }
  return cells;
}

// Nothing if the pair is in no cell.
std::optional<Cell> cell_of(const PairJob& job, const Operands& operands) {
  const auto& [first, second] = operands;
  const auto binade = [](const Argument& number) { return number.unit_exponent + bit_length(number.significand) - 1; };
  if (is_compound(job)) {
    const auto size = [](const Argument& number) {
      return std::ldexp(static_cast<double>(number.significand), number.unit_exponent);
    };
    const double log = size(second) * std::log1p(first.negative ? -size(first) : size(first));
    if (std::fabs(log) * std::numbers::log2e < far_from_one)
      return std::nullopt;
    return {{first.negative, binade(first)}};
  }
  if (!is_angle(job))
    return {{second.negative, binade(second)}};
  const double ratio = std::ldexp(static_cast<double>(first.significand) / static_cast<double>(second.significand),
                                  first.unit_exponent - second.unit_exponent);
  return {{second.negative, std::ilogb(ratio)}};
}

std::string name_of(const PairJob& job, const Cell& cell) {
  const auto& [is_negative, k] = cell;
  const std::string_view of_integers = is_compound(job) ? "x" : "n";
  return is_angle(job) ? fmt::format("y/|x| from 2^{} on, below 2^{}, x {} 0", k, k + 1, is_negative ? '<' : '>')
                       : fmt::format("{}{} from 2^{} on, below 2^{}", is_negative ? "-" : "",
                                     job.function->takes_integer ? of_integers : "y", k, k + 1);
}

} // namespace

std::vector<PairCount> count_pairs(const PairJob& job, const std::vector<PairCase>& cases) {
  std::map<Cell, std::uint64_t> found;
  for (const PairCase& one : cases)
    if (const auto cell = cell_of(job, one.operands))
      ++found[*cell];
  std::vector<PairCount> counts;
  PairCount all{std::string(all_cells)};
  const auto add = [&](PairCount count) {
    count.p = support::poisson_p_value(count.cases, count.expected);
    counts.push_back(std::move(count));
  };
  for (const auto& [cell, expected] : expected_cases(job)) {
    all.cases += found[cell];
    all.expected += expected;
    add({name_of(job, cell), found[cell], expected});
  }
  if (!counts.empty())
    add(all);
  std::stable_sort(counts.begin(), counts.end(), [](const auto& left, const auto& right) { return left.p < right.p; });
  return counts;
}

} // namespace tmd::pairs
