// Windows of arguments, against MPFR at each of them: their rounded values, and which of these are near a breakpoint.
#include "host/library/neighbourhood.hpp"

#include "host/function/catalogue.hpp"
#include "host/number/random.hpp"
#include "host/verify/rounded_value.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

namespace tmd::library {

namespace {

struct Place {
  std::string function;
  std::string format;
  const char* at;
  int bits; // size of the neighbourhood
};

// Places with polynomials of all degrees, subnormal results, and both signs of arguments and values.
const Place places[] = {{"exp", "binary64", "0x1.3p0", 32},     {"exp", "binary64", "-0x1.6cp9", 30},
                        {"log", "binary64", "0x1.8p-40", 36},   {"log", "binary64", "0x1.1p1000", 20},
                        {"sin", "binary64", "-0x1.234p3", 30},  {"sin", "binary64", "0x1.234p30", 12},
                        {"acosh", "binary64", "0x1.01p0", 30},  {"tan", "binary64", "0x1.8p0", 28},
                        {"tgamma", "binary64", "-0x1.3p3", 24}, {"exp", "binary80", "0x1.7p5", 30},
                        {"erf", "binary80", "-0x1.1p-3", 34},   {"cbrt", "binary32", "0x1.5p10", 20},
                        {"sinh", "binary16", "0x1.4p1", 8}};

std::optional<Neighbourhood> neighbourhood_at(const Place& place, const Encodings& encodings) {
  const auto rank = encodings.set().parse(place.at, "x");
  const bool negative = rank < 0;
  const format::ArgumentSet::Rank binade = format::ArgumentSet::Rank(1) << (encodings.format().precision - 1);
  const auto size = negative ? -rank : rank;
  const auto first = size / binade * binade;
  const job::Stretch stretch = negative ? job::stretches(encodings.set(), 1 - first - binade, 1 - first).front()
                                        : job::stretches(encodings.set(), first, first + binade).front();
  return Neighbourhood::around(function::find_function(place.function), encodings, stretch,
                               static_cast<uint128>(size - first), place.bits);
}

} // namespace

TEST_CASE("values of a neighbourhood") {
  for (const Place& place : places) {
    CAPTURE(place.function);
    CAPTURE(std::string(place.at));
    const Encodings encodings(find_format(place.format));
    const auto neighbourhood = neighbourhood_at(place, encodings);
    REQUIRE(neighbourhood);
    number::Random random(1);
    std::size_t wrong = 0;
    std::size_t certain = 0;
    const double tolerance = std::ldexp(1, -std::min(48, encodings.format().precision + 10));
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t index = random.below(neighbourhood->count());
      const Neighbourhood::Value value = neighbourhood->value(index);
      const Argument argument = neighbourhood->arguments().argument(index);
      const auto exact =
          verify::rounded_value(function::find_function(place.function), encodings.format(), format::to_mpfr(argument));
      REQUIRE(exact);
      const auto right = right_result(*exact, encodings);
      REQUIRE(right);
      if (!value.is_certain)
        continue;
      ++certain;
      for (const Direction direction : directions)
        wrong += encodings.expected(value.right, direction) == encodings.expected(*right, direction) ? 0 : 1;
      wrong += std::fabs(value.right.fraction - right->fraction) < tolerance ? 0 : 1;
      const double off = 2 * value.right.fraction - std::round(2 * value.right.fraction);
      wrong += value.nearest.is_above == (off > 0) ? 0 : 1;
      wrong += value.nearest.is_midpoint == (std::round(2 * value.right.fraction) == 1) ? 0 : 1;
      wrong += value.nearest.bits == -std::ilogb(off) - 1 ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(certain > 290);
  }
}

TEST_CASE("a walk finds what lies near a breakpoint, and nothing else") {
  std::size_t sum = 0;
  for (Place place : places) {
    place.bits = std::min(place.bits, 15);
    CAPTURE(place.function);
    CAPTURE(std::string(place.at));
    const Encodings encodings(find_format(place.format));
    const auto neighbourhood = neighbourhood_at(place, encodings);
    REQUIRE(neighbourhood);
    for (const int bits : {1, 3, 8}) {
      std::set<std::uint64_t> near;
      for (std::uint64_t index = 0; index < neighbourhood->count(); ++index)
        if (neighbourhood->value(index).nearest.bits >= bits)
          near.insert(index);
      std::uint64_t steps = 4 * neighbourhood->count() + 100;
      std::set<std::uint64_t> found;
      for (HardArguments hard(*neighbourhood, bits, 0); const auto index = hard.next(steps);)
        found.insert(*index);
      CHECK(found == near);
      sum += near.size();
    }
  }
  CHECK(sum > 100000);
}

} // namespace tmd::library
