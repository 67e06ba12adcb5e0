// MPFR and Arb judge the candidates of boxes. Cases next to the value 1 are counted line by line: the y with |y·log x|
// below a bound, by a quotient in double, or by MPFR and Arb where that is not exact enough. In tiles that lie wholly
// next to another breakpoint, or where no tile serves, every pair is judged.
#include "pairs/power_search.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmd::pairs {

namespace {

// |y·log2 x| up to its sign, for pairs far from any bound; of (1 + x)^y the logarithm is that of 1 + x.
double exponent_of(const engine::boxes::PowerRectangle& r, const engine::boxes::PowerPair& pair) {
  return std::ldexp(static_cast<double>(pair.y), r.y_exponent) * engine::boxes::logarithm_at(r, pair.x) / std::log(2.0);
}

// Counts the cases next to 1 in rectangles on one side of 1.
class CasesAtOne {
public:
  CasesAtOne(const PairJob& job, const engine::boxes::PowerRectangle& rectangle) : job_(job), r_(rectangle) {
    const bool is_above = (logarithm(r_.x_first) > 0) == !r_.is_negative;
    const double epsilon = std::ldexp(1, job.grid().spacing_exponent(is_above ? 0 : -1) - job.K);
    bound_ = std::ldexp(is_above ? std::log1p(epsilon) : -std::log1p(-epsilon), -r_.y_exponent);
  }

  [[nodiscard]] uint128 count() const {
    if (r_.x_first == r_.x_end)
      return 0;
    // The count is monotone in x.
    const std::uint64_t first = in_line(r_.x_first);
    if (first == in_line(r_.x_end - 1))
      return uint128(first) * (r_.x_end - r_.x_first);
    uint128 sum = 0;
    for (std::uint32_t x = r_.x_first; x < r_.x_end; ++x)
      sum += in_line(x);
    return sum;
  }

private:
  [[nodiscard]] double logarithm(std::uint32_t x) const { return engine::boxes::logarithm_at(r_, x); }

  // The number of y below bound/|log x|, an irrational number whose error is less than 2^-50 of it.
  [[nodiscard]] std::uint64_t in_line(std::uint32_t x) const {
    const double end = bound_ / std::fabs(logarithm(x));
    const double margin = std::ldexp(end, -48);
    if (end + margin < r_.y_first)
      return 0;
    if (end - margin > r_.y_end)
      return r_.y_end - r_.y_first;
    const double nearest = std::rint(end);
    const auto y = static_cast<std::uint32_t>(std::fabs(end - nearest) > margin ? std::ceil(end) : nearest);
    const bool is_in = std::fabs(end - nearest) <= margin && y < r_.y_end && y >= r_.y_first &&
                       confirm_pair(job_, operands_of(r_, {x, y})).has_value();
    return std::clamp(y + (is_in ? 1U : 0U), r_.y_first, r_.y_end) - r_.y_first;
  }

  const PairJob& job_;
  engine::boxes::PowerRectangle r_;
  double bound_ = 0;
};

void look_at_each(const engine::boxes::PowerRectangle& r, PairFindings& findings) {
  constexpr std::uint64_t most_pairs = 1 << 24;
  if (r.pairs() > most_pairs)
    throw SoundnessError("very many pairs have values next to one breakpoint other than 1");
  for (std::uint32_t x = r.x_first; x < r.x_end; ++x)
    for (std::uint32_t y = r.y_first; y < r.y_end; ++y)
      findings.look_at(operands_of(r, {x, y}), 1);
}

} // namespace

uint128 count_cases_at_one(const PairJob& job, const engine::boxes::PowerRectangle& rectangle) {
  return CasesAtOne(job, rectangle).count();
}

PairFindings judge_powers(const PairJob& job, std::span<const engine::boxes::PowerRectangle> rectangles,
                          const engine::boxes::PlannedPairs& planned,
                          std::span<const engine::boxes::PairCandidate> candidates) {
  PairFindings findings(job);
  // Bound of |y·log2 x| below which no other breakpoint is as near.
  const double at_one = std::ldexp(1, -job.format.precision - 1);
  for (const auto& [number, pair] : candidates) {
    const engine::boxes::PowerRectangle& r = rectangles[number];
    findings.look_at(operands_of(r, pair), 1, !job.ranges && std::fabs(exponent_of(r, pair)) < at_one);
  }
  for (const engine::boxes::PlannedPairs::Tile& tile : planned.beside_one)
    findings.add_to_family(count_cases_at_one(job, tile.pairs));
  for (const engine::boxes::PlannedPairs::Tile& tile : planned.full)
    look_at_each(tile.pairs, findings);
  findings.add_exact(planned.pairs.at(static_cast<std::size_t>(engine::boxes::TileKind::itself)));
  return findings;
}

} // namespace tmd::pairs
