// Samples are counted by stratum: sign, binade, hardness, side of the breakpoint. Neighbouring strata with faults form
// a group, unless so many right results lie between them that faults at the same rate would have shown.
#include "library/fault_groups.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace tmd::library {

namespace {

// Whether two groups are one place: their binades meet, their signs differ, and the sides of one include those of the
// other.
bool meet(const FaultGroup& one, const FaultGroup& other) {
  bool has_more = false; // whether `one` has a side that `other` lacks
  bool lacks_some = false;
  for (std::size_t side = 0; side < one.sides.size(); ++side) {
    has_more = has_more || (one.sides.at(side) && !other.sides.at(side));
    lacks_some = lacks_some || (other.sides.at(side) && !one.sides.at(side));
  }
  return (one.negative != other.negative || one.has_both_signs || other.has_both_signs) && !(has_more && lacks_some) &&
         one.first_binade <= other.last_binade + 1 && other.first_binade <= one.last_binade + 1;
}

void join_signs(std::vector<FaultGroup>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      FaultGroup& one = groups[i];
      const FaultGroup other = groups[j];
      if (!meet(one, other))
        continue;
      for (std::size_t side = 0; side < one.sides.size(); ++side)
        one.sides.at(side) = one.sides.at(side) || other.sides.at(side);
      one.has_both_signs = true;
      one.first_binade = std::min(one.first_binade, other.first_binade);
      one.last_binade = std::max(one.last_binade, other.last_binade);
      one.least_bits = std::min(one.least_bits, other.least_bits);
      one.most_bits = std::max(one.most_bits, other.most_bits);
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
      j = i; // compares with the next one again
    }
}

} // namespace

std::size_t Evidence::Hash::operator()(const Stratum& stratum) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  const auto packed = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(stratum.binade)) << 16) |
                      (static_cast<std::uint64_t>(stratum.bits) << 4) | (stratum.side << 1) |
                      (stratum.negative ? 1U : 0U);
  return packed * odd >> 16;
}

void Evidence::add(const Sample& sample, const std::array<bool, directions.size()>& wrong,
                   const std::array<Code, directions.size()>& results) {
  const bool negative = sample.negative;
  Count& count = counts_[{negative, sample.binade, sample.nearest.bits, on_side(sample.nearest)}];
  ++count.calls;
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (wrong.at(i) && (++count.faults.at(i) == 1 || sample.argument < count.examples.at(i).argument))
      count.examples.at(i) = {sample.argument, results.at(i)};
}

void Evidence::add(const Evidence& other) {
  for (const auto& [stratum, more] : other.counts_) {
    Count& count = counts_[stratum];
    count.calls += more.calls;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      if (more.faults.at(i) != 0 &&
          (count.faults.at(i) == 0 || more.examples.at(i).argument < count.examples.at(i).argument))
        count.examples.at(i) = more.examples.at(i);
      count.faults.at(i) += more.faults.at(i);
    }
  }
}

void Evidence::add_to(MisroundedCounts& counts) const {
  for (const auto& [stratum, count] : counts_) {
    MisroundedCounts::Degree& degree = counts.at(stratum.binade, stratum.bits);
    degree.results += count.calls;
    for (std::size_t i = 0; i < directions.size(); ++i)
      degree.misrounded.at(i) += count.faults.at(i);
  }
}

std::vector<FaultGroup> Evidence::groups() const {
  std::vector<Entry> entries;
  entries.reserve(counts_.size());
  for (const auto& [stratum, count] : counts_)
    entries.emplace_back(stratum, &count);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& left, const Entry& right) { return left.first < right.first; });
  std::vector<FaultGroup> groups;
  for (const Direction direction : directions)
    for (const FaultGroup& group : groups_of(entries, direction))
      groups.push_back(group);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const FaultGroup& left, const FaultGroup& right) { return left.faults > right.faults; });
  return groups;
}

// Joins binades unless there were so many right results between them that faults at the share of all would have been
// seen.
std::vector<FaultGroup> Evidence::groups_of(const std::vector<Entry>& entries, Direction direction) {
  constexpr double enough = 8; // expected faults: with so many, none occurs by a chance of e^-8
  const auto i = static_cast<std::size_t>(direction);
  std::vector<FaultGroup> groups;
  const ShareTable shares = shares_of(entries, direction);
  double expected = 0; // faults expected since the last one
  for (const auto& [stratum, count] : entries) {
    if (count->faults.at(i) == 0) {
      expected += shares.at(stratum.negative ? 1 : 0).at(static_cast<std::size_t>(stratum.bits)).at(stratum.side) *
                  static_cast<double>(count->calls);
      continue;
    }
    const bool joins = !groups.empty() && groups.back().negative == stratum.negative &&
                       (stratum.binade <= groups.back().last_binade + 1 || expected < enough);
    FaultGroup& group = joins ? groups.back() : groups.emplace_back();
    if (!joins) {
      group.direction = direction;
      group.negative = stratum.negative;
      group.first_binade = stratum.binade;
      group.least_bits = group.most_bits = stratum.bits;
    }
    group.last_binade = stratum.binade;
    group.least_bits = std::min(group.least_bits, stratum.bits);
    group.most_bits = std::max(group.most_bits, stratum.bits);
    group.sides.at(stratum.side) = true;
    expected = 0;
  }
  join_signs(groups);
  for (FaultGroup& group : groups)
    count(group, entries);
  return groups;
}

Evidence::ShareTable Evidence::shares_of(const std::vector<Entry>& entries, Direction direction) {
  const auto i = static_cast<std::size_t>(direction);
  ShareTable shares{};
  ShareTable calls{};
  std::array<std::optional<std::pair<int, int>>, 2> binades; // first and last binade with faults, by sign
  for (const auto& [stratum, count] : entries)
    if (auto& range = binades.at(stratum.negative ? 1 : 0); count->faults.at(i) != 0)
      range = {range ? range->first : stratum.binade, stratum.binade};
  const auto at = [](ShareTable& table, const Stratum& stratum) -> double& {
    return table.at(stratum.negative ? 1 : 0).at(static_cast<std::size_t>(stratum.bits)).at(stratum.side);
  };
  for (const auto& [stratum, count] : entries)
    if (const auto& range = binades.at(stratum.negative ? 1 : 0);
        range && stratum.binade >= range->first && stratum.binade <= range->second) {
      at(shares, stratum) += static_cast<double>(count->faults.at(i));
      at(calls, stratum) += static_cast<double>(count->calls);
    }
  for (const auto& [stratum, count] : entries)
    if (double& sum = at(calls, stratum); sum != 0)
      at(shares, stratum) /= std::exchange(sum, 0);
  return shares;
}

// Results of k bits are sampled as often as those of k + 1, but are twice as frequent.
void Evidence::count(FaultGroup& group, const std::vector<Entry>& entries) {
  struct Sum {
    double calls = 0;
    double faults = 0;
  };
  std::array<Sum, degrees> sums{};
  const auto i = static_cast<std::size_t>(group.direction);
  group.calls = group.faults = 0;
  std::uint64_t most = 0;
  for (const auto& [stratum, count] : entries) {
    if ((!group.has_both_signs && stratum.negative != group.negative) || stratum.binade < group.first_binade ||
        stratum.binade > group.last_binade || stratum.bits < group.least_bits || !group.sides.at(stratum.side))
      continue;
    if (stratum.bits > group.most_bits) {
      group.harder += count->calls;
      continue;
    }
    Sum& sum = sums.at(static_cast<std::size_t>(stratum.bits));
    sum.calls += static_cast<double>(count->calls);
    sum.faults += static_cast<double>(count->faults.at(i));
    group.calls += count->calls;
    group.faults += count->faults.at(i);
    if (count->faults.at(i) > most) {
      most = count->faults.at(i);
      group.argument = count->examples.at(i).argument;
      group.result = count->examples.at(i).result;
    }
  }
  double weights = 0;
  double wrong = 0;
  for (int bits = group.least_bits; bits <= group.most_bits; ++bits) {
    const Sum& sum = sums.at(static_cast<std::size_t>(bits));
    if (sum.calls == 0)
      continue;
    const double weight = std::ldexp(1, -bits);
    weights += weight;
    wrong += weight * sum.faults / sum.calls;
  }
  const auto sides = static_cast<double>(std::count(group.sides.begin(), group.sides.end(), true));
  group.rate = wrong / weights;
  group.rate_of_all = wrong * sides / static_cast<double>(group.sides.size());
}

} // namespace tmd::library
