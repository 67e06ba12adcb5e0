// The fractions near a block of angles against every fraction of a small format. Each term of the tolerance is needed.
#include "host/pairs/angle_block.hpp"
#include "host/pairs/scaling_class.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <set>

namespace tmd::pairs {

namespace {

constexpr int bits_of_numbers = 9;
constexpr std::uint64_t end_of_numbers = std::uint64_t(1) << bits_of_numbers;
const Format nine_bits{"nine bits", bits_of_numbers, -30, 30};

PairJob job_of_nine_bits(const char* name, int bits) {
  return {function::find_pair_function(name), nine_bits, Rounding::all, bits};
}

// Breakpoints from an angle of [2^exponent, 2^(exponent + 1)) on.
AngleStrip strip_from(const PairJob& job, double angle, int exponent, std::uint64_t count) {
  AngleStrip strip;
  strip.spacing = job.grid().spacing_exponent(exponent);
  strip.first = static_cast<std::uint64_t>(std::ldexp(angle, -strip.spacing));
  strip.end = strip.first + count;
  return strip;
}

std::set<Ratio> near_angles(const PairJob& job, const AngleStrip& strip) {
  std::set<Ratio> result;
  for (std::uint64_t n = strip.first; n < strip.end; ++n) {
    const long double z = std::ldexp(static_cast<long double>(n), strip.spacing);
    const long double off = std::ldexp(1.0L, strip.spacing - job.K);
    for (std::uint64_t x = end_of_numbers / 2; x < end_of_numbers; ++x)
      for (int e = -2; e <= 12; ++e) {
        const long double least = std::tan(z - off) * static_cast<long double>(x);
        const long double greatest = std::tan(z + off) * static_cast<long double>(x);
        for (auto y = static_cast<std::uint64_t>(std::ceil(std::ldexp(least, -e)));
             y >= end_of_numbers / 2 && y < end_of_numbers && std::ldexp(static_cast<long double>(y), e) < greatest;
             ++y)
          result.insert(ratio_of(false, y, x, e));
      }
  }
  return result;
}

using Change = std::function<void(AngleLedger&)>;

std::set<Ratio> found(const PairJob& job, const AngleStrip& strip, const Change& change) {
  std::set<Ratio> result;
  for (std::uint64_t n = strip.first; n < strip.end; ++n) {
    auto block = AngleBlock::plan(job, strip, n, 1);
    REQUIRE(block);
    change(block->ledger());
    block->each_fraction(
        [&](std::uint64_t y, std::uint64_t x, int e) { result.insert(ratio_of(strip.left, y, x, e)); });
  }
  return result;
}

std::size_t missed(const PairJob& job, const AngleStrip& strip, const Change& change) {
  const std::set<Ratio> all = found(job, strip, change);
  std::size_t count = 0;
  for (const Ratio& one : near_angles(job, strip))
    count += all.count(one) == 0;
  return count;
}

void nothing(AngleLedger& /*ledger*/) {}

} // namespace

TEST_CASE("angles: without a term of the bound, fractions are missed") {
  const PairJob job = job_of_nine_bits("atan2", bits_of_numbers + 3);
  for (const double angle : {1.1, 1.4, 1.53}) {
    CAPTURE(angle);
    const AngleStrip strip = strip_from(job, angle, 0, 16);
    const double tangent = std::tan(angle);
    CHECK(near_angles(job, strip).size() > 4);
    CHECK(missed(job, strip, nothing) == 0);
    CHECK(missed(job, strip, [](AngleLedger& ledger) { ledger.values = ledger.values.scaled(-1); }) > 0);
    CHECK(missed(job, strip, [&](AngleLedger& ledger) {
            ledger.values *= number::Bound::of(1 / (1 + tangent * tangent)); // without the tangent's derivative
          }) > 0);
  }
}

TEST_CASE("angles: without what the tangent is off by, exact values are missed") {
  const PairJob job = job_of_nine_bits("atan2pi", 100);
  const AngleStrip strip = strip_from(job, 0.25, -2, 1);
  const Ratio one;
  CHECK(found(job, strip, nothing).count(one) == 1);
  CHECK(found(job, strip, [](AngleLedger& ledger) { ledger.phi = number::Bound(); }).count(one) == 0);
}

} // namespace tmd::pairs
