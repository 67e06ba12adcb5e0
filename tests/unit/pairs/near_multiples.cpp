// All multiples near integers, against trying each.
#include "host/pairs/near_multiples.hpp"
#include "host/number/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tmd::pairs {

namespace {

std::vector<std::uint64_t> by_trying(std::uint64_t phi, std::uint64_t tau, std::uint64_t end) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t q = 1; q < end; ++q)
    if (q * phi + tau < 2 * tau + 1)
      all.push_back(q);
  return all;
}

std::vector<std::uint64_t> by_gaps(std::uint64_t phi, std::uint64_t tau, std::uint64_t end) {
  std::vector<std::uint64_t> all;
  near_multiples(phi, tau, end, [&](std::uint64_t q) { all.push_back(q); });
  return all;
}

} // namespace

TEST_CASE("the gaps visit every multiple near an integer") {
  number::Random random(46);
  std::uint64_t visited = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::uint64_t end = 2 + random.next() % 600;
    std::uint64_t phi = random.next();
    if (trial % 2 != 0) // next to a fraction with a small denominator, where multiples are crowded
      phi = (~std::uint64_t{0} / (1 + random.next() % 40)) * (random.next() % 40) +
            (random.next() >> (random.next() % 64)) % 4096;
    phi |= 1U;
    const std::uint64_t tau = random.next() >> (2 + random.next() % 62);
    CAPTURE(phi);
    CAPTURE(tau);
    CAPTURE(end);
    const auto all = by_trying(phi, tau, end);
    visited += all.size();
    CHECK(by_gaps(phi, tau, end) == all);
  }
  CHECK(visited > 10000);
}

} // namespace tmd::pairs
