// Unsigned integers of a few bits, so that a kernel's text can be tried on every input there is.
#pragma once

#include <concepts>
#include <cstdint>

namespace tmd {

// Computes modulo 2^bits, bits < 64, and behaves as the kernels' `word` does for 64 bits.
template <int bits> class SmallWord {
public:
  static constexpr std::uint64_t size = std::uint64_t(1) << bits;

  constexpr SmallWord() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): integers convert to the kernels' word, too
  constexpr SmallWord(std::uint64_t value) : value_(value & (size - 1)) {}
  template <typename Number>
  requires std::integral<Number> || std::floating_point<Number>
  constexpr explicit operator Number() const { return static_cast<Number>(value_); }

  constexpr SmallWord operator-() const { return SmallWord(std::uint64_t(0) - value_); }
  constexpr SmallWord& operator+=(SmallWord other) { return *this = SmallWord(value_ + other.value_); }
  constexpr SmallWord& operator-=(SmallWord other) { return *this = SmallWord(value_ - other.value_); }
  friend constexpr SmallWord operator+(SmallWord x, SmallWord y) { return x += y; }
  friend constexpr SmallWord operator-(SmallWord x, SmallWord y) { return x -= y; }
  friend constexpr SmallWord operator*(SmallWord x, SmallWord y) { return {x.value_ * y.value_}; }
  friend constexpr SmallWord operator/(SmallWord x, SmallWord y) { return {x.value_ / y.value_}; }
  friend constexpr SmallWord operator%(SmallWord x, SmallWord y) { return {x.value_ % y.value_}; }
  friend constexpr SmallWord operator>>(SmallWord x, int shift) { return {shift < bits ? x.value_ >> shift : 0}; }
  friend constexpr auto operator<=>(SmallWord x, SmallWord y) = default;

private:
  std::uint64_t value_ = 0;
};

} // namespace tmd
