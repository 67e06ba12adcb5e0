// Finds all multiples of a number that are near integers, by the three gaps between such multiples (Sós; Slater, "Gaps
// and steps for the sequence nθ mod 1", 1967).
#pragma once

#include <cstdint>

namespace tmd::pairs {

// For one of the two sides of 0: the least multiplier q so far, and the distance of q·φ from 0.
struct NearestMultiple {
  std::uint64_t q;
  std::uint64_t distance;

  // Moves to the first of q + k·other.q, k = 1, 2, …, that is nearer than width, or to the last of them on this side.
  // Each of them is nearer than all before. Requires distance ≥ width and distance > other.distance.
  void reduce(const NearestMultiple& other, std::uint64_t width) {
    std::uint64_t k = (distance - width) / other.distance + 1;
    if (k * other.distance > distance) // k·other.distance < distance + 2^64 − distance: it does not wrap
      --k;
    distance -= k * other.distance;
    q += k * other.q;
  }
};

// Calls take(q) for every q, 0 < q < end, with q·φ at most tau/2^64 from an integer, where φ = phi/2^64. phi must be
// odd, so that no q·φ is an integer; tau < 2^62, end < 2^62.
//
// The q with u = {q·φ + tau} < width = 2·tau + 1 follow each other in three gaps: `up.q`, the least q with {q·φ} <
// width, if u has room for it; `down.q`, the least with {−q·φ} < width, if u is large enough; and the sum of both. The
// sum of the two distances is at least width, since each is the first below it, so the first two are never both
// possible. A side whose q reaches `end` need not be followed further.
template <typename Take>
void near_multiples(std::uint64_t phi, std::uint64_t tau, std::uint64_t end, const Take& take) {
  const std::uint64_t width = 2 * tau + 1;
  NearestMultiple up{1, phi};
  NearestMultiple down{1, 0 - phi};
  while ((up.distance >= width && up.q < end) || (down.distance >= width && down.q < end)) {
    if (up.distance > down.distance)
      up.reduce(down, width);
    else
      down.reduce(up, width);
  }
  const bool has_up = up.distance < width;
  const bool has_down = down.distance < width;
  std::uint64_t u = tau;
  std::uint64_t q = 0;
  while (true) {
    if (has_up && u + up.distance < width) {
      u += up.distance;
      q += up.q;
    } else if (has_down && u >= down.distance) {
      u -= down.distance;
      q += down.q;
    } else if (has_up && has_down) {
      u = u + up.distance - down.distance;
      q += up.q + down.q;
    } else {
      return;
    }
    if (q >= end)
      return;
    take(q);
  }
}

} // namespace tmd::pairs
