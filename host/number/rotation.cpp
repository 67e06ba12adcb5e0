// Euclid's algorithm: multiples of `step` that pass the arc leave it by less than a step. So the next question is the
// same on a circle of the size of the step, which is less than half the circle before.
#include "number/rotation.hpp"

#include "tmd/integer.hpp"

namespace tmd::number {

namespace {

// The least t, 1 ≤ t ≤ most, with lower ≤ t·step mod circle ≤ upper, where 0 < lower ≤ upper < circle and step <
// circle.
std::optional<std::uint64_t> first_multiple(uint128 circle, std::uint64_t step, std::uint64_t lower,
                                            std::uint64_t upper, std::uint64_t most) {
  if (step == 0 || most == 0)
    return std::nullopt;
  if (step > circle / 2) { // the same problem backwards
    const auto backwards = [&](std::uint64_t place) { return static_cast<std::uint64_t>(circle - place); };
    const std::uint64_t begin = backwards(upper);
    upper = backwards(lower);
    lower = begin;
    step = backwards(step);
  }
  const std::uint64_t first = lower / step + (lower % step != 0 ? 1 : 0);
  if (uint128(first) * step <= upper)
    return first <= most ? std::optional(first) : std::nullopt;
  // t·step = rounds·circle + a place of the arc. So the number of rounds is at most half of t.
  const auto circle_rest = static_cast<std::uint64_t>(circle % step);
  const auto rounds = first_multiple(step, circle_rest, step - upper % step, step - lower % step, most / 2);
  if (!rounds)
    return std::nullopt;
  const uint128 behind = circle * *rounds + lower;
  const uint128 t = (behind + step - 1) / step;
  return t <= most ? std::optional(static_cast<std::uint64_t>(t)) : std::nullopt;
}

} // namespace

std::optional<std::uint64_t> first_within(std::uint64_t start, std::uint64_t step, std::uint64_t width,
                                          std::uint64_t most) {
  if (start <= width)
    return 0;
  return first_multiple(uint128(1) << 64, step, -start, width - start, most);
}

} // namespace tmd::number
