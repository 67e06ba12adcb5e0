// One value through the public header.
#include <tmd/value.hpp>

#include <doctest/doctest.h>

namespace tmd::verify {

TEST_CASE("value_at: a case with its distance, and every rounding") {
  JobSpec spec;
  spec.functions = {"exp"};
  const ValueAt value = value_at(spec, "0x1.0000000050418p+0");
  REQUIRE(value.nearest);
  CHECK(value.nearest->kind == Case::Kind::hard);
  CHECK(value.nearest->bits == doctest::Approx(22.0988).epsilon(1e-6));
  CHECK(value.in(Direction::upward) != value.in(Direction::downward));
  CHECK(value_at(spec, "0").nearest->is_exact());
  CHECK_FALSE(value_at(spec, "800").nearest);
  CHECK(value_at(spec, "800").in(Direction::nearest) == "inf");
  spec.functions = {"exp(x)-1"};
  CHECK(value_at(spec, "1").in(Direction::nearest) == "0x1.b7e151628aed3p+0");
}

TEST_CASE("value_at: what is no number of the format, no value, and no function") {
  JobSpec spec;
  spec.functions = {"log"};
  CHECK_THROWS_AS((void)value_at(spec, "0x1.00000000000001p+0"), UsageError);
  CHECK_THROWS_AS((void)value_at(spec, "-1"), UsageError);
  spec.functions = {"no function"};
  CHECK_THROWS_AS((void)value_at(spec, "1"), UsageError);
}

} // namespace tmd::verify
