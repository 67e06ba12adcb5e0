#include "job/coverage.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace tmd::job {

void Coverage::add(int128 first, int128 last) {
  if (first >= last)
    return;
  auto after = intervals_.lower_bound(first);
  if ((after != intervals_.end() && after->first < last) ||
      (after != intervals_.begin() && std::prev(after)->second > first))
    throw SoundnessError(
        fmt::format("{} … {} would be covered twice", tmd::to_string(first), tmd::to_string(last - 1)));
  size_ += static_cast<uint128>(last - first);
  if (after != intervals_.end() && after->first == last) { // joins the interval behind it
    last = after->second;
    after = intervals_.erase(after);
  }
  if (after != intervals_.begin() && std::prev(after)->second == first)
    std::prev(after)->second = last;
  else
    intervals_.emplace_hint(after, first, last);
}

void Coverage::add(const Coverage& other) {
  for (const auto& [first, last] : other.intervals_)
    add(first, last);
}

Coverage Coverage::complement_in(const Coverage& whole) const {
  Coverage result;
  auto covered = intervals_.begin();
  for (const auto& [first, last] : whole.intervals_) {
    int128 from = first;
    for (; covered != intervals_.end() && covered->first < last; ++covered) {
      if (covered->first < from || covered->second > last)
        break; // not contained in the whole
      result.add(from, covered->first);
      from = covered->second;
    }
    result.add(from, last);
  }
  if (covered != intervals_.end() || size_ + result.size_ != whole.size_)
    throw SoundnessError(fmt::format("{} … {} is covered, but not part of what was to be searched",
                                     tmd::to_string(covered != intervals_.end() ? covered->first : int128(0)),
                                     tmd::to_string(covered != intervals_.end() ? covered->second - 1 : int128(0))));
  return result;
}

Coverage Coverage::intersection(const Coverage& other) const {
  Coverage result;
  auto left = intervals_.begin();
  auto right = other.intervals_.begin();
  while (left != intervals_.end() && right != other.intervals_.end()) {
    result.add(std::max(left->first, right->first), std::min(left->second, right->second));
    (left->second < right->second ? left : right)++;
  }
  return result;
}

std::vector<Coverage::Interval> Coverage::within(int128 first, int128 last) const {
  std::vector<Interval> result;
  auto next = intervals_.upper_bound(first);
  if (next != intervals_.begin())
    --next;
  for (; next != intervals_.end() && next->first < last; ++next)
    if (const Interval both{std::max(next->first, first), std::min(next->second, last)}; both.first < both.last)
      result.push_back(both);
  return result;
}

Coverage Coverage::slice(uint128 index, uint128 count) const {
  Coverage result;
  for (const auto& [first, last] : intervals_) {
    const auto size = static_cast<uint128>(last - first);
    if (index < size && count > 0) {
      const uint128 taken = std::min(size - index, count);
      const int128 from = first + static_cast<int128>(index);
      result.add(from, from + static_cast<int128>(taken));
      count -= taken;
      index = 0;
    } else {
      index -= std::min(index, size);
    }
  }
  return result;
}

bool Coverage::contains(int128 value) const {
  const auto after = intervals_.upper_bound(value);
  return after != intervals_.begin() && std::prev(after)->second > value;
}

std::vector<Coverage::Interval> Coverage::intervals() const {
  std::vector<Interval> result;
  result.reserve(intervals_.size());
  for (const auto& [first, last] : intervals_)
    result.push_back({first, last});
  return result;
}

std::string to_string(const Coverage& coverage) {
  constexpr std::size_t few = 4;
  const std::vector<Coverage::Interval> intervals = coverage.intervals();
  std::string text;
  for (std::size_t i = 0; i < std::min(few, intervals.size()); ++i)
    text += fmt::format("{}[{}, {})", i == 0 ? "" : " and ", tmd::to_string(intervals[i].first),
                        tmd::to_string(intervals[i].last));
  if (intervals.size() > few)
    text += fmt::format(" and {} more", intervals.size() - few);
  return text.empty() ? "nothing" : text;
}

} // namespace tmd::job
