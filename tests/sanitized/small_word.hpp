// Unsigned integers of a few bits, so that a kernel's text can be tried on every input there is.
#pragma once

#include <cstdint>

namespace tmd {

// Arithmetic modulo 2^bits, bits ≤ 16; behaves as the kernels' `word` does for 64 bits.
template <int bits> class SmallWord {
public:
  static constexpr std::uint32_t size = std::uint32_t(1) << bits;

  constexpr SmallWord() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): integers convert to the kernels' word, too
  constexpr SmallWord(std::uint32_t value) : value_(value & (size - 1)) {}
  constexpr explicit operator std::uint32_t() const { return value_; }

  constexpr SmallWord operator-() const { return SmallWord(0U - value_); }
  constexpr SmallWord& operator+=(SmallWord other) { return *this = SmallWord(value_ + other.value_); }
  constexpr SmallWord& operator-=(SmallWord other) { return *this = SmallWord(value_ - other.value_); }
  friend constexpr SmallWord operator+(SmallWord x, SmallWord y) { return x += y; }
  friend constexpr SmallWord operator-(SmallWord x, SmallWord y) { return x -= y; }
  friend constexpr SmallWord operator*(SmallWord x, SmallWord y) { return {x.value_ * y.value_}; }
  friend constexpr SmallWord operator/(SmallWord x, SmallWord y) { return {x.value_ / y.value_}; }
  friend constexpr SmallWord operator%(SmallWord x, SmallWord y) { return {x.value_ % y.value_}; }
  friend constexpr SmallWord operator>>(SmallWord x, int shift) {
    return {shift < bits ? x.value_ >> shift : 0};
  }
  friend constexpr auto operator<=>(SmallWord x, SmallWord y) = default;

private:
  std::uint32_t value_ = 0;
};

} // namespace tmd
