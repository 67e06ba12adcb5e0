// Pseudo-random numbers, the same in every run: for choosing samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tmd::number {

// SplitMix64. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  // 0 … limit − 1, for a limit far below 2^64.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  // −(limit − 1) … limit − 1, modulo 2^64.
  std::uint64_t around_zero(std::uint64_t limit) { return below(2 * limit - 1) - (limit - 1); }

private:
  std::uint64_t state_;
};

// The list in a pseudo-random order; unlike that of std::shuffle, it is the same with every standard library.
template <typename List> List shuffled(List list, Random random) {
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[random.below(i)]);
  return list;
}

} // namespace tmd::number
