// Counts of misrounded results: by the size of their error in every direction, and by the binade of the argument and
// the hardness of the right value.
#pragma once

#include "tmd/direction.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace tmd::library {

class MisroundedCounts {
public:
  // Lower bounds of the bins, in ulps; the last bin has no upper bound. Errors below 1/2 occur only in directed
  // roundings: results on the wrong side of f(x), close to it.
  static constexpr std::array<double, 15> bins{0, 0.25, 0.5, 0.501, 0.51, 0.55, 0.6,  0.75,
                                               1, 1.5,  2,   4,     16,   256,  65536};
  static constexpr std::size_t degrees = 65; // degrees of hardness, counted in bits after the round bit, from 0

  struct Degree {
    std::uint64_t results = 0; // results of this degree that were checked; 0 if only misrounded ones were
    std::array<std::uint64_t, directions.size()> misrounded{};
  };
  using Degrees = std::array<Degree, degrees>;
  using Sizes = std::array<std::uint64_t, bins.size()>;

  void add_size(Direction direction, double size);
  // binade: see binade_of_argument().
  [[nodiscard]] Degree& at(int binade, int bits) { return places_[binade].at(static_cast<std::size_t>(bits)); }
  void add(const MisroundedCounts& other);

  [[nodiscard]] const Sizes& sizes(Direction direction) const { return sizes_.at(static_cast<std::size_t>(direction)); }
  [[nodiscard]] const std::map<int, Degrees>& places() const { return places_; }
  // The counts of all binades together.
  [[nodiscard]] Degrees sum() const;

private:
  std::array<Sizes, directions.size()> sizes_{};
  std::map<int, Degrees> places_;
};

} // namespace tmd::library
