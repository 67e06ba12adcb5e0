// Several values that behave as one, as the vectors of OpenCL C do: with it, the kernels' text for vectors is C++.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tmd {

template <typename T, std::size_t width> struct Lanes {
  std::array<T, width> values{};

  Lanes() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a scalar is taken for all lanes, as in OpenCL C
  Lanes(T value) { values.fill(value); }

  template <typename Result = T, typename F> static Lanes<Result, width> each(const F& f) {
    Lanes<Result, width> result;
    for (std::size_t lane = 0; lane < width; ++lane)
      result.values[lane] = f(lane);
    return result;
  }

  friend Lanes operator+(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return x.values[l] + y.values[l]; });
  }
  friend Lanes operator-(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return x.values[l] - y.values[l]; });
  }
  friend Lanes operator*(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return x.values[l] * y.values[l]; });
  }
  friend Lanes operator/(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return x.values[l] / y.values[l]; });
  }
  friend Lanes operator&(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return x.values[l] & y.values[l]; });
  }
  friend Lanes operator|(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return x.values[l] | y.values[l]; });
  }
  friend Lanes operator<<(const Lanes& x, unsigned shift) {
    return each([&](std::size_t l) { return x.values[l] << shift; });
  }
  friend Lanes operator<<(const Lanes& x, const Lanes& shifts) {
    return each([&](std::size_t l) { return x.values[l] << shifts.values[l]; });
  }
  friend Lanes operator>>(const Lanes& x, unsigned shift) {
    return each([&](std::size_t l) { return x.values[l] >> shift; });
  }
  Lanes operator-() const {
    return each([&](std::size_t l) { return -values[l]; });
  }

  Lanes& operator+=(const Lanes& y) { return *this = *this + y; }
  Lanes& operator-=(const Lanes& y) { return *this = *this - y; }

  // Comparisons give −1 in the lanes where they hold, else 0, in integers as wide as what is compared.
  using Flag = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using Flags = Lanes<Flag, width>;
  Flags operator!() const {
    return each<Flag>([&](std::size_t l) { return values[l] == 0 ? -1 : 0; });
  }
  friend Flags operator<(const Lanes& x, const Lanes& y) {
    return each<Flag>([&](std::size_t l) { return x.values[l] < y.values[l] ? -1 : 0; });
  }
  friend Flags operator==(const Lanes& x, const Lanes& y) {
    return each<Flag>([&](std::size_t l) { return x.values[l] == y.values[l] ? -1 : 0; });
  }
  friend Flags operator>(const Lanes& x, const Lanes& y) { return y < x; }
  friend Flags operator>=(const Lanes& x, const Lanes& y) {
    return each<Flag>([&](std::size_t l) { return x.values[l] >= y.values[l] ? -1 : 0; });
  }
  friend Flags operator<=(const Lanes& x, const Lanes& y) { return y >= x; }

  friend Lanes floor(const Lanes& x) {
    return each([&](std::size_t l) { return std::floor(x.values[l]); });
  }
  friend Lanes fabs(const Lanes& x) {
    return each([&](std::size_t l) { return std::fabs(x.values[l]); });
  }
  friend Lanes fmax(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return std::fmax(x.values[l], y.values[l]); });
  }
  friend Lanes fmin(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return std::fmin(x.values[l], y.values[l]); });
  }
  friend Lanes min(const Lanes& x, const Lanes& y) {
    return each([&](std::size_t l) { return std::min(x.values[l], y.values[l]); });
  }
  friend Lanes sqrt(const Lanes& x) {
    return each([&](std::size_t l) { return std::sqrt(x.values[l]); });
  }
  friend Lanes rsqrt(const Lanes& x) {
    return each([&](std::size_t l) { return static_cast<T>(1 / std::sqrt(static_cast<double>(x.values[l]))); });
  }
  friend Lanes fma(const Lanes& x, const Lanes& y, const Lanes& z) {
    return each([&](std::size_t l) { return std::fma(x.values[l], y.values[l], z.values[l]); });
  }
  friend Lanes select(const Lanes& no, const Lanes& yes, const Flags& flags) {
    return each([&](std::size_t l) { return flags.values[l] < 0 ? yes.values[l] : no.values[l]; });
  }
  template <typename To> [[nodiscard]] Lanes<To, width> to() const {
    return each<To>([&](std::size_t l) { return static_cast<To>(values[l]); });
  }
  // The same bits as another type.
  template <typename To> [[nodiscard]] Lanes<To, width> as() const {
    return each<To>([&](std::size_t l) { return std::bit_cast<To>(values[l]); });
  }
};

} // namespace tmd
