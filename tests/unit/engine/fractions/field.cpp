// Claims by units and fractions: which stretches are claimed, and that each argument has a place of its own.
#include "host/engine/fractions/field.hpp"
#include "host/engine/fractions/engine.hpp"
#include "host/function/catalogue.hpp"
#include "tmd/format.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>

namespace tmd::engine::fractions {

namespace {

// A binade, or its first arguments.
job::Stretch binade(int precision, int exponent, uint128 count = 0) {
  const uint128 first = uint128(1) << (precision - 1);
  return {true, exponent - precision + 1, first, count == 0 ? first : count};
}

std::optional<Field> claim_of(const std::string& function, const std::string& format, const job::Stretch& stretch) {
  job::Job job;
  job.function = &function::find_function(function);
  job.format = find_format(format);
  job.argument_precision = job.format.precision;
  return fractions_engine.claim(job, {}, stretch);
}

} // namespace

TEST_CASE("fractions: what is claimed") {
  CHECK(claim_of("lgamma", "binary64", binade(53, 51)));
  CHECK(claim_of("lgamma", "binary64", binade(53, 32)));
  CHECK_FALSE(claim_of("lgamma", "binary64", binade(53, 31)));
  CHECK_FALSE(claim_of("lgamma", "binary64", binade(53, 52))); // poles only
  CHECK(claim_of("lgamma", "binary32", binade(24, 12)));
  CHECK_FALSE(claim_of("lgamma", "binary32", binade(24, 11)));
  CHECK(claim_of("lgamma", "binary80", binade(64, 43)));
  CHECK_FALSE(claim_of("lgamma", "binary80", binade(64, 42))); // too many fractions
  CHECK_FALSE(claim_of("tgamma", "binary32", binade(24, 20)));
  CHECK_FALSE(claim_of("sin", "binary32", binade(24, 20)));
  job::Stretch right = binade(24, 20);
  right.negative = false;
  CHECK_FALSE(claim_of("lgamma", "binary32", right));
}

TEST_CASE("fractions: a claim has all whole units of a stretch, and nothing else") {
  const std::uint64_t first = (1 << 23) + 5; // eight fractions
  CHECK_FALSE(claim_of("lgamma", "binary32", {true, -3, first, 10}));
  for (const std::uint64_t count : {11, 12, 18, 19, 20}) {
    const auto field = claim_of("lgamma", "binary32", {true, -3, first, count});
    REQUIRE(field);
    CHECK(field->arguments.first == (1 << 23) + 8);
    CHECK(field->arguments.count == (count < 19 ? 8 : 16));
  }
  CHECK_THROWS_AS(FractionField({true, -3, first, 8}), std::invalid_argument);
  CHECK_THROWS_AS(FractionField({true, -3, 1 << 23, 9}), std::invalid_argument);
}

TEST_CASE("fractions: places and indices") {
  const auto field = claim_of("lgamma", "p12", binade(12, 6));
  REQUIRE(field);
  const FractionField places(field->arguments);
  CHECK(places.units() == 64);
  CHECK(places.first_unit() == 64);
  std::set<uint128> met;
  for (std::uint64_t index = 0; index < 2048; ++index) {
    const uint128 place = field->claim()->place_of(index);
    CHECK(met.insert(place).second);
    CHECK(place < field->claim()->extent);
    CHECK(places.index_of(places.unit_at(place), places.fraction_at(place)) == index);
    // The argument is -(unit + fraction/32).
    CHECK(field->arguments.argument(index).significand == places.unit_at(place) * 32 + places.fraction_at(place));
    CHECK((places.fraction_at(place) == 0) == (place >= 31 * 64));
  }
  CHECK(field->claim()->arguments_at(100, 500) == 500);
}

} // namespace tmd::engine::fractions
