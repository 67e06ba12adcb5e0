// Floats whose quotients and roots err at random as far as OpenCL lets them: what holds for these holds on any device.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace tmd {

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

class SloppyFloat {
public:
  SloppyFloat() = default;
  // NOLINTBEGIN(google-explicit-constructor): behaves as float
  SloppyFloat(float value) : value_(value) {}
  operator float() const { return value_; }
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] float value() const { return value_; }

  SloppyFloat operator-() const { return -value_; }
  SloppyFloat& operator+=(SloppyFloat y) { return *this = value_ + y.value_; }
  friend SloppyFloat operator+(SloppyFloat x, SloppyFloat y) { return x.value_ + y.value_; }
  friend SloppyFloat operator-(SloppyFloat x, SloppyFloat y) { return x.value_ - y.value_; }
  friend SloppyFloat operator*(SloppyFloat x, SloppyFloat y) { return x.value_ * y.value_; }
  friend SloppyFloat operator/(SloppyFloat x, SloppyFloat y) {
    return near(static_cast<double>(x.value_) / static_cast<double>(y.value_), 2.5);
  }
  friend SloppyFloat sqrt(SloppyFloat x) { return near(std::sqrt(static_cast<double>(x.value_)), 3); }
  friend SloppyFloat rsqrt(SloppyFloat x) { return near(1 / std::sqrt(static_cast<double>(x.value_)), 2); }

  friend bool operator<(SloppyFloat x, SloppyFloat y) { return x.value_ < y.value_; }
  friend bool operator>(SloppyFloat x, SloppyFloat y) { return x.value_ > y.value_; }
  friend bool operator<=(SloppyFloat x, SloppyFloat y) { return x.value_ <= y.value_; }
  friend bool operator>=(SloppyFloat x, SloppyFloat y) { return x.value_ >= y.value_; }

#define TMD_MIXED(result, op)                                                                                          \
  template <Number N> friend result operator op(SloppyFloat x, N y) {                                                  \
    return x op SloppyFloat(static_cast<float>(y));                                                                    \
  }                                                                                                                    \
  template <Number N> friend result operator op(N x, SloppyFloat y) { return SloppyFloat(static_cast<float>(x)) op y; }
  TMD_MIXED(SloppyFloat, +)
  TMD_MIXED(SloppyFloat, -)
  TMD_MIXED(SloppyFloat, *)
  TMD_MIXED(SloppyFloat, /)
  TMD_MIXED(bool, <)
  TMD_MIXED(bool, >)
  TMD_MIXED(bool, <=)
  TMD_MIXED(bool, >=)
#undef TMD_MIXED

private:
  // A float at most `ulps` from x: one of them, more often than not as far as possible.
  static SloppyFloat near(double x, double ulps) {
    const auto rounded = static_cast<float>(x);
    if (!std::isnormal(rounded) || std::fabs(rounded) > 1e38f || std::fabs(rounded) < 1e-36f)
      return rounded;
    const std::uint64_t random = next();
    const double ulp = static_cast<double>(std::nextafter(std::fabs(rounded), INFINITY)) - std::fabs(rounded);
    const double range = (ulps - 0.5) * ulp;
    double off = (static_cast<double>(random >> 11) * 0x1p-52 - 1) * range;
    if (random % 4 < 2)
      off = random % 4 == 0 ? range : -range;
    return static_cast<float>(x + off);
  }
  static std::uint64_t next() {
    static std::uint64_t state = 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
  }

  float value_ = 0;
};

} // namespace tmd
