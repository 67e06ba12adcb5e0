#include "report/plot_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace tmd {

namespace {

using Rank = ArgumentSet::Rank;

// ⌊value / size⌋, also below 0.
Rank floor_divide(Rank value, Rank size) { return value / size - (value % size < 0 ? 1 : 0); }

// ±2^exponent.
std::string power_label(bool negative, int exponent) {
  const std::string power = fmt::format("2^{{{}{}}}", exponent < 0 ? "−" : "", std::abs(exponent));
  return fmt::format("{}{}", negative ? "−" : "", exponent == 0 ? "1" : power);
}

} // namespace

ArgumentAxis::ArgumentAxis(const Job& job)
    : arguments_(job.arguments()), format_(job.format), first_(job.first), last_(job.last),
      binade_(Rank(1) << (job.argument_precision - 1)) {}

double ArgumentAxis::position(Rank rank) const {
  return static_cast<double>(rank - first_) / static_cast<double>(last_ - first_);
}

double ArgumentAxis::binades() const { return static_cast<double>(last_ - first_) / static_cast<double>(binade_); }

std::vector<ArgumentAxis::Tick> ArgumentAxis::ticks() const {
  constexpr double fewest_binades = 3;
  return binades() >= fewest_binades ? ticks_at_powers() : ticks_at_numbers();
}

std::vector<ArgumentAxis::Tick> ArgumentAxis::ticks_at_powers() const {
  constexpr double most_ticks = 12;
  constexpr double least_distance = 0.03; // of labels, from 0's
  constexpr std::array<int, 13> steps{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
  const auto* const step =
      std::find_if(steps.begin(), steps.end() - 1, [&](int one) { return binades() / one <= most_ticks; });
  std::vector<Tick> ticks;
  const bool has_zero = first_ <= 0 && last_ > 0;
  if (has_zero)
    ticks.push_back({position(0), "0"});
  const int least = static_cast<int>(std::floor(static_cast<double>(format_.min_exponent) / *step)) * *step;
  for (int exponent = least; exponent <= format_.max_exponent + 1; exponent += *step)
    for (const bool negative : {true, false}) {
      const Rank size = static_cast<Rank>(exponent - format_.min_exponent + 1) * binade_;
      const Rank rank = negative ? -size : size;
      if (size > 0 && rank >= first_ && rank <= last_ &&
          !(has_zero && std::fabs(position(rank) - position(0)) < least_distance))
        ticks.push_back({position(rank), power_label(negative, exponent)});
    }
  std::sort(ticks.begin(), ticks.end(),
            [](const Tick& left, const Tick& right) { return left.position < right.position; });
  return ticks;
}

std::vector<ArgumentAxis::Tick> ArgumentAxis::ticks_at_numbers() const {
  constexpr Rank most_steps = 5;
  Rank step = 1;
  while ((last_ - first_) / step > most_steps)
    step *= 2;
  std::vector<Tick> ticks;
  for (Rank rank = floor_divide(first_ + step - 1, step) * step; rank <= last_; rank += step)
    ticks.push_back({position(rank), to_hex(arguments_.at(rank))});
  return ticks;
}

int ArgumentAxis::slice_binades() const {
  constexpr double fewest_binades = 8;
  constexpr double most_slices = 512;
  return binades() < fewest_binades ? 0 : static_cast<int>(std::ceil(binades() / most_slices));
}

std::vector<RankInterval> ArgumentAxis::slices() const {
  constexpr Rank equal_slices = 64;
  std::vector<RankInterval> slices;
  if (slice_binades() > 0) {
    const Rank size = binade_ * slice_binades();
    for (Rank first = first_; first < last_; first = slices.back().last)
      slices.push_back({first, std::min(last_, (floor_divide(first, size) + 1) * size)});
    return slices;
  }
  const Rank count = std::min(equal_slices, last_ - first_);
  const auto end = [&](Rank index) { // without a product that might be too large
    const Rank whole = (last_ - first_) / count;
    return first_ + whole * index + (last_ - first_) % count * index / count;
  };
  for (Rank index = 0; index < count; ++index)
    slices.push_back({end(index), end(index + 1)});
  return slices;
}

} // namespace tmd
