// Misrounded results, counted: by the size of their error in every direction, and by where their arguments are and how
// near a breakpoint the right values lie.
#pragma once

#include "tmd/direction.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace tmd::library {

class MisroundedCounts {
public:
  // Sizes in ulps from which a bin reaches to the next; the last one has no end. Below 1/2 are directed roundings only:
  // results on the wrong side of f(x), near it.
  static constexpr std::array<double, 15> bins{0, 0.25, 0.5, 0.501, 0.51, 0.55, 0.6,  0.75,
                                               1, 1.5,  2,   4,     16,   256,  65536};
  static constexpr std::size_t degrees = 65; // bits behind the round bit that tell how hard a result is, from 0 on

  struct Degree {
    std::uint64_t results = 0; // such that were looked at; 0 where only misrounded ones were
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
  // Of all binades together.
  [[nodiscard]] Degrees sum() const;

private:
  std::array<Sizes, directions.size()> sizes_{};
  std::map<int, Degrees> places_;
};

} // namespace tmd::library
