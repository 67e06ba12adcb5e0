#include "job/stretch.hpp"

#include <algorithm>

namespace tmd::job {

namespace {

// Appends the stretches of the ranks first … last − 1 of positive numbers, or of their negatives.
void append_stretches(const format::ArgumentSet& arguments, bool negative, format::ArgumentSet::Rank first,
                      format::ArgumentSet::Rank last, std::vector<Stretch>& result) {
  const format::ArgumentSet::Rank binade_size = format::ArgumentSet::Rank(1) << (arguments.precision() - 1);
  while (first < last) {
    const format::ArgumentSet::Rank next = std::min(last, (first / binade_size + 1) * binade_size);
    const Argument nearest = arguments.at(first);
    result.push_back({negative, nearest.unit_exponent, nearest.significand, static_cast<uint128>(next - first)});
    first = next;
  }
}

} // namespace

void to_arguments(arb_ptr ball, const Stretch& stretch) {
  arb_mul_2exp_si(ball, ball, stretch.unit_exponent);
  if (stretch.negative)
    arb_neg(ball, ball);
}

std::vector<Stretch> stretches(const format::ArgumentSet& arguments, format::ArgumentSet::Rank first,
                               format::ArgumentSet::Rank last) {
  std::vector<Stretch> result;
  if (first < 0) // mirrored: −(last − 1) … −first
    append_stretches(arguments, true, 1 - std::min<format::ArgumentSet::Rank>(last, 0), 1 - first, result);
  if (first <= 0 && last > 0) {
    const Argument zero = arguments.at(0);
    result.push_back({false, zero.unit_exponent, 0, 1});
  }
  append_stretches(arguments, false, std::max<format::ArgumentSet::Rank>(first, 1), last, result);
  return result;
}

std::vector<Stretch> without(const Stretch& stretch, const Stretch& run) {
  std::vector<Stretch> result;
  const auto add = [&](uint128 first, uint128 end) {
    if (first < end)
      result.push_back({stretch.negative, stretch.unit_exponent, first, end - first});
  };
  add(stretch.first, run.first);
  add(run.first + run.count, stretch.first + stretch.count);
  return result;
}

RankInterval ranks_of(const format::ArgumentSet& arguments, const Stretch& stretch, uint128 first, uint128 count) {
  const format::ArgumentSet::Rank nearest = arguments.rank({false, stretch.first + first, stretch.unit_exponent});
  const auto size = static_cast<format::ArgumentSet::Rank>(count);
  return stretch.negative ? RankInterval{1 - nearest - size, 1 - nearest} : RankInterval{nearest, nearest + size};
}

} // namespace tmd::job
