// Searches hypot by its breakpoints in integers (doc/theory/two-variables.md, "hypot"). x = x·2^d and y are
// significands of p bits, up to a common power of two; in units of 1/2 all breakpoints z are integers, too. Then 4(x² +
// y² − z²) is an integer, which for a case is neither 0 nor large, and y is the integer next to √(z² − x²).
#include "number/in_parallel.hpp"
#include "pairs/findings.hpp"
#include "pairs/pair_search.hpp"
#include "pairs/scaling_class.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tmd::pairs {

namespace {

std::uint64_t root_below(uint128 value) { // ⌊√value⌋, below 2^62
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<long double>(value)));
  while (uint128(root) * root > value)
    --root;
  while (uint128(root + 1) * (root + 1) <= value)
    ++root;
  return root;
}

// The breakpoints in one binade of values, for one difference d of exponents, in half units of y: (n + shift)·spacing.
class HypotenuseSearch {
public:
  // carried: the values are in the binade above that of x.
  HypotenuseSearch(const PairJob& job, int d, bool carried)
      : precision_(job.format.precision), d_(d), K_(job.K), shifted_(job.grid().shifted()),
        spacing_(d + (carried ? 1 : 0) + (job.rounding == Rounding::all ? 0 : 1)),
        first_(std::int64_t{1} << (precision_ + d + (carried ? 1 : 0))) {}

  // Whether a value can be closer than 2^-K spacings to a breakpoint z without being one. In half units of y, x² + y² −
  // z² is a multiple of 4, or z is odd; and it is less than max_difference(z).
  [[nodiscard]] bool has_cases() const {
    const bool has_odd = spacing_ == (shifted_ ? 1 : 0);
    return max_difference(2 * first_) >= (has_odd ? 1 : 4);
  }

  // Calls take(y) for every y for which the value is near a breakpoint above x. roots: counts these breakpoints.
  template <typename Take> void each_candidate(std::uint64_t x, std::uint64_t& roots, const Take& take) const {
    const std::int64_t twice_x = static_cast<std::int64_t>(x) << (d_ + 1);
    const std::int64_t least = std::int64_t{1} << precision_; // twice the least y
    const std::int64_t greatest = 2 * (least - 1);
    const std::int64_t spacing = std::int64_t{1} << spacing_;
    const std::int64_t shift = shifted_ ? spacing / 2 : 0;
    // √(x² + y²) exceeds x by at least y²/(2x + y) and at most y²/2x.
    const std::int64_t from = std::max(first_, twice_x + least * least / (2 * twice_x + least) - spacing);
    const std::int64_t last = std::min(2 * first_, twice_x + greatest * greatest / (2 * twice_x) + spacing);
    std::int64_t z = (((from - shift) >> spacing_) << spacing_) + shift;
    for (; z <= last; z += spacing) {
      if (z <= twice_x || z < first_)
        continue;
      ++roots;
      const std::int64_t square = (z - twice_x) * (z + twice_x);
      const std::int64_t off = max_difference(z);
      const auto visit = [&](std::int64_t twice_y) {
        if (twice_y * twice_y != square && twice_y >= least && twice_y <= greatest)
          take(static_cast<std::uint64_t>(twice_y / 2));
      };
      // The double may be off by 1 if the root is next to an integer; then that integer is near.
      const std::int64_t below = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)) / 2) * 2;
      for (std::int64_t twice_y = below; twice_y > 0 && square - twice_y * twice_y <= off; twice_y -= 2)
        visit(twice_y);
      for (std::int64_t twice_y = below + 2; twice_y * twice_y - square <= off; twice_y += 2)
        visit(twice_y);
    }
  }

private:
  // (z + 2^-K·s)² − z², rounded down, because it is compared with an integer. K is greater than log2 s here.
  [[nodiscard]] std::int64_t max_difference(std::int64_t z) const { return (2 * z) >> std::min(K_ - spacing_, 62); }

  int precision_;
  int d_;
  int K_;
  bool shifted_;
  int spacing_;        // log2
  std::int64_t first_; // first breakpoint of the binade
};

// The entries of the family: pairs with y² < 2·x·s·2^-K + s²·2^-2K, where x itself is a breakpoint.
uint128 family_of(const PairJob& job, unsigned threads) {
  if (job.grid().shifted())
    return 0;
  const int p = job.format.precision;
  const std::uint64_t half = std::uint64_t{1} << (p - 1);
  const int range = job.format.max_exponent - job.format.min_exponent; // range of d for which all y have p bits
  uint128 count = 0;
  for (int d = 0; d <= range + p - 1; ++d) {
    const std::uint64_t step = std::uint64_t{1} << std::max(d - range, 0);     // y is subnormal: a multiple of this
    const int shift = 2 * d - job.K + (job.rounding == Rounding::all ? 0 : 1); // y² ≤ x·2^shift
    if (shift >= p + 1) {
      count += uint128(half) * (half / step);
      continue;
    }
    if (shift < p - 2)
      continue;
    std::vector<uint128> counts(std::max(threads, 1U));
    number::in_parallel(half, threads, [&](std::uint64_t i, unsigned thread) {
      const uint128 x = half + i;
      const std::uint64_t last = std::min(root_below(shift >= 0 ? x << shift : x >> -shift), 2 * half - 1);
      counts[thread] += last < half ? 0 : (last - half) / step + 1;
    });
    count = std::accumulate(counts.begin(), counts.end(), count);
  }
  return count;
}

// The exact entries: odd multiples of primitive Pythagorean triples, (m² − n²)² + (2mn)² = (m² + n²)², with a
// breakpoint as hypotenuse and numbers as legs, up to powers of two. If the value is subnormal, each multiple of the
// triple is an entry.
uint128 exact_entries(const PairJob& job) {
  const int p = job.format.precision;
  const std::uint64_t end = std::uint64_t{1} << p;
  const std::uint64_t end_of_breakpoints = job.rounding == Rounding::directed ? end : 2 * end;
  uint128 count = 0;
  for (std::uint64_t m = 2; m * m < end_of_breakpoints; ++m)
    for (std::uint64_t n = 1 + m % 2; n < m && m * m + n * n < end_of_breakpoints; n += 2) {
      if (std::gcd(m, n) != 1)
        continue;
      const std::uint64_t even = (m * n) >> std::countr_zero(m * n);
      const std::uint64_t hypotenuse = m * m + n * n;
      const std::uint64_t most =
          std::min({(end - 1) / (m * m - n * n), (end - 1) / even, (end_of_breakpoints - 1) / hypotenuse});
      // Midpoints are odd in units of half an ulp: they have p + 1 bits, no fewer.
      const std::uint64_t fewer = job.rounding == Rounding::nearest ? std::min(most, (end - 1) / hypotenuse) : 0;
      count += (most + 1) / 2 - (fewer + 1) / 2;
      if (job.rounding !=
          Rounding::nearest) // subnormal values have no midpoints here: x² + y² = (c + 1/2)² is no integer
        count += (end / 2 - 1) / hypotenuse;
    }
  return count;
}

} // namespace

PairResult search_hypotenuses(const PairJob& job, unsigned threads) {
  const int p = job.format.precision;
  const std::uint64_t half = std::uint64_t{1} << (p - 1);
  std::vector<PairFindings> findings(std::max(threads, 1U), PairFindings(job));
  // For d of p/2 + 1 and more, y²/2x is less than half a spacing: the nearest breakpoint is x itself, or none is near.
  for (int d = 0; d <= p / 2 + 1; ++d)
    for (const bool carried : {false, true}) {
      const HypotenuseSearch search(job, d, carried);
      if (!search.has_cases())
        continue;
      constexpr std::uint64_t of_task = 256;
      number::in_parallel((half + of_task - 1) / of_task, threads, [&](std::uint64_t task, unsigned thread) {
        std::uint64_t roots = 0;
        for (std::uint64_t x = half + task * of_task; x < std::min(half + (task + 1) * of_task, 2 * half); ++x)
          search.each_candidate(x, roots, [&](std::uint64_t y) {
            if (d > 0 || y <= x)
              findings[thread].look_at(Legs{x, y, d});
          });
        findings[thread].add_tested(roots);
      });
    }
  for (auto other = findings.begin() + 1; other != findings.end(); ++other)
    findings.front().add(std::move(*other));
  PairResult result = std::move(findings.front()).result();
  const auto same = [](const PairCase& left, const PairCase& right) { return left.operands == right.operands; };
  result.cases.erase(std::unique(result.cases.begin(), result.cases.end(), same), result.cases.end());
  result.method = "by breakpoints: for each x and each that y reaches, the integers next to a root";
  result.families.front().entries = exact_entries(job);
  result.families.back().entries = family_of(job, threads);
  return result;
}

} // namespace tmd::pairs
