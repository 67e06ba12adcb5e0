#include "library/misrounded_counts.hpp"

#include <algorithm>

namespace tmd::library {

namespace {

void add_to(MisroundedCounts::Degrees& sum, const MisroundedCounts::Degrees& part) {
  for (std::size_t bits = 0; bits < sum.size(); ++bits) {
    sum.at(bits).results += part.at(bits).results;
    for (std::size_t i = 0; i < directions.size(); ++i)
      sum.at(bits).misrounded.at(i) += part.at(bits).misrounded.at(i);
  }
}

} // namespace

// Sizes are nearly right; for results misrounded to nearest they are never less than half an ulp.
void MisroundedCounts::add_size(Direction direction, double size) {
  const double known = direction == Direction::nearest ? std::max(size, 0.5) : size;
  const auto bin = std::count_if(bins.begin() + 1, bins.end(), [&](double from) { return from <= known; });
  ++sizes_.at(static_cast<std::size_t>(direction)).at(static_cast<std::size_t>(bin));
}

void MisroundedCounts::add(const MisroundedCounts& other) {
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
      sizes_.at(i).at(bin) += other.sizes_.at(i).at(bin);
  for (const auto& [binade, part] : other.places_)
    add_to(places_[binade], part);
}

MisroundedCounts::Degrees MisroundedCounts::sum() const {
  Degrees sum{};
  for (const auto& [binade, part] : places_)
    add_to(sum, part);
  return sum;
}

} // namespace tmd::library
