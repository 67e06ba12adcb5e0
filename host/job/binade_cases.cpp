// In magnitude, a normal number's rank modulo 2^fraction_bits is its fraction.
#include "job/binade_cases.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tmd::job {

namespace {

// The numbers from 1 to 2: no text has another rank there than that of its fraction plus that of 1.
format::ArgumentSet one_to_two(int fraction_bits) { return {{"", fraction_bits + 1, 0, 0}, fraction_bits + 1}; }

uint128 magnitude(format::ArgumentSet::Rank rank) { return static_cast<uint128>(rank < 0 ? -rank : rank); }

} // namespace

std::vector<std::string> BinadeCases::significands() const {
  std::vector<std::string> texts;
  texts.reserve(fractions.size());
  for (const uint128 fraction : fractions)
    texts.push_back(to_hex(Argument{false, fraction | uint128(1) << fraction_bits, -fraction_bits}));
  return texts;
}

BinadeCases BinadeCases::of(std::string beside, int precision, const std::vector<std::string>& significands) {
  BinadeCases cases{std::move(beside), precision - 1, {}};
  const format::ArgumentSet numbers = one_to_two(cases.fraction_bits);
  const uint128 one = uint128(1) << cases.fraction_bits;
  for (const std::string& text : significands) {
    const uint128 rank = magnitude(numbers.parse(text, "significand"));
    if (text.starts_with('-') || rank < one || rank >= 2 * one ||
        (!cases.fractions.empty() && rank - one <= cases.fractions.back()))
      throw UsageError(fmt::format("{} is no significand, or out of order", text));
    cases.fractions.push_back(rank - one);
  }
  return cases;
}

bool BinadeCases::contains(format::ArgumentSet::Rank rank) const {
  const uint128 mask = (uint128(1) << fraction_bits) - 1;
  return std::binary_search(fractions.begin(), fractions.end(), magnitude(rank) & mask);
}

uint128 BinadeCases::count(const RankInterval& ranks) const {
  const auto below = [&](uint128 rank) {
    const uint128 fraction = rank & ((uint128(1) << fraction_bits) - 1);
    const auto behind = std::lower_bound(fractions.begin(), fractions.end(), fraction);
    return (rank >> fraction_bits) * fractions.size() + static_cast<uint128>(behind - fractions.begin());
  };
  if (ranks.first >= ranks.last)
    return 0;
  const bool negative = ranks.first < 0;
  const uint128 first = magnitude(negative ? ranks.last - 1 : ranks.first);
  const uint128 last = magnitude(negative ? ranks.first : ranks.last - 1);
  return below(last + 1) - below(first);
}

std::vector<format::ArgumentSet::Rank> BinadeCases::in(const RankInterval& ranks) const {
  std::vector<format::ArgumentSet::Rank> found;
  const bool negative = ranks.first < 0;
  const auto first = static_cast<format::ArgumentSet::Rank>(magnitude(negative ? ranks.last - 1 : ranks.first));
  const auto last = static_cast<format::ArgumentSet::Rank>(magnitude(negative ? ranks.first : ranks.last - 1));
  for (format::ArgumentSet::Rank binade = first >> fraction_bits; binade <= last >> fraction_bits; ++binade)
    for (const uint128 fraction : fractions) {
      const format::ArgumentSet::Rank rank =
          (binade << fraction_bits) + static_cast<format::ArgumentSet::Rank>(fraction);
      if (first <= rank && rank <= last)
        found.push_back(negative ? -rank : rank);
    }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<format::ArgumentSet::Rank> BinadeCases::at_ends(const RankInterval& ranks) const {
  const format::ArgumentSet::Rank size =
      std::min(format::ArgumentSet::Rank(1) << fraction_bits, ranks.last - ranks.first);
  std::vector<format::ArgumentSet::Rank> found = in({ranks.first, ranks.first + size});
  const std::vector<format::ArgumentSet::Rank> last = in({ranks.last - size, ranks.last});
  found.insert(found.end(), last.begin(), last.end());
  return found;
}

} // namespace tmd::job
