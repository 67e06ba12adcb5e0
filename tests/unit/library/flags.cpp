// The flags that should be set, against the processor: it rounds a double to float, which is like rounding a function's
// value.
#include "host/library/flags.hpp"

#include "host/library/c_type.hpp"
#include "host/library/coded_results.hpp"
#include "host/number/random.hpp"

#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>
#include <vector>

namespace tmd::library {

namespace {

const std::uint8_t flags_alone = errno_domain - 1;

int c_direction(Direction direction) {
  return direction == Direction::upward        ? FE_UPWARD
         : direction == Direction::downward    ? FE_DOWNWARD
         : direction == Direction::toward_zero ? FE_TOWARDZERO
                                               : FE_TONEAREST;
}

struct Rounded {
  float result;
  std::uint8_t flags;
};

Rounded by_processor(double value, Direction direction) {
  std::fesetround(c_direction(direction));
  std::feclearexcept(FE_ALL_EXCEPT);
  const volatile double exact = value;
  const volatile float result = static_cast<float>(exact);
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  const auto bit = [&](int flag, int name) { return (raised & flag) != 0 ? name : 0; };
  return {result, static_cast<std::uint8_t>(bit(FE_INVALID, flag_invalid) | bit(FE_DIVBYZERO, flag_divide_by_zero) |
                                            bit(FE_OVERFLOW, flag_overflow) | bit(FE_UNDERFLOW, flag_underflow) |
                                            bit(FE_INEXACT, flag_inexact))};
}

std::optional<RightResult> right_of(double value, const Encodings& encodings) {
  verify::RoundedValue rounded{function::ValueEnclosure(64)};
  mpfr_set_d(rounded.enclosure.lower, value, MPFR_RNDN);
  mpfr_set_d(rounded.enclosure.upper, value, MPFR_RNDN);
  for (const Direction direction : directions)
    rounded.in_format.at(static_cast<std::size_t>(direction)) =
        verify::round_to(encodings.format(), mpfr_srcptr(rounded.enclosure.lower), direction);
  return right_result(rounded, encodings);
}

Code code(float x) { return code_of(x); }

// Values beside the limits of float, and their midpoints and quarters; random ones.
std::vector<double> values() {
  std::vector<double> list;
  const auto add = [&](double value) {
    for (const double beside : {std::nextafter(value, 0.0), value, std::nextafter(value, 2 * value)})
      for (const double sign : {1.0, -1.0})
        list.push_back(sign * beside);
  };
  for (int i = -16; i <= 16; ++i) {
    add(0x1p-126 + i * 0x1p-151); // quarters of the least number
    add(0x1p128 + i * 0x1p101);   // eighths of an ulp above, quarters below
    add(std::fabs(i) * 0x1p-151);
    add(1 + i * 0x1p-26);
  }
  number::Random random(1);
  for (int i = 0; i < 20000; ++i)
    add(std::ldexp(1 + static_cast<double>(random.below(1U << 30)) * 0x1p-30,
                   static_cast<int>(random.below(290)) - 155));
  return list;
}

} // namespace

TEST_CASE("flags of inexact, tiny and large results") {
  const Encodings encodings(find_format("binary32"));
  std::size_t wrong = 0;
  std::size_t telling = 0;
  FlagFindings findings(encodings);
  for (const double value : values())
    for (const Direction direction : directions) {
      const Rounded rounded = by_processor(value, direction);
      const auto right = right_of(value, encodings);
      REQUIRE(right);
      const RightFlags flags = right_flags(encodings, code(1), right, direction, code(rounded.result));
      wrong += ((flags.set ^ rounded.flags) & flags_alone & ~flags.open) != 0 ? 1 : 0;
      telling += flags.tells_tininess ? 1 : 0;
      findings.add(code(1), right, direction, code(rounded.result), rounded.flags);
    }
  CHECK(wrong == 0);
  CHECK(telling > 8);
  CHECK(findings.are_right());
  CHECK((findings.tiny_before().count == 0) != (findings.tiny_after().count == 0));
}

TEST_CASE("flags of what is no number, of poles and infinities") {
  const Encodings encodings(find_format("binary32"));
  const auto of = [&](Code argument, const std::optional<RightResult>& right, Code result) {
    return right_flags(encodings, argument, right, Direction::nearest, result);
  };
  const Code nan = encodings.not_a_number();
  const Code signaling = encodings.infinity() + 1;
  CHECK(of(nan, RightResult{}, nan).set == 0);
  CHECK(of(signaling, RightResult{}, nan).set == flag_invalid);
  CHECK(of(code(-1), RightResult{}, nan).set == (flag_invalid | errno_domain));
  CHECK(of(code(0), std::nullopt, encodings.infinity()).set == (flag_divide_by_zero | errno_range));
  const RightResult infinite{encodings.infinity(), 0};
  CHECK(of(code(0), infinite, encodings.infinity()).set == (flag_divide_by_zero | errno_range));
  CHECK(of(encodings.infinity(), infinite, encodings.infinity()).set == 0);
  CHECK(of(encodings.infinity(), std::nullopt, encodings.infinity()).set == 0);
  CHECK(of(encodings.infinity(), std::nullopt, code(1)).open == flag_inexact);
  CHECK(of(encodings.infinity(), std::nullopt, nan).set == (flag_invalid | errno_domain));
}

TEST_CASE("counts of flags: the least argument, whoever adds it") {
  const Encodings encodings(find_format("binary32"));
  const RightResult exact{code(1), 0};
  FlagFindings one(encodings);
  FlagFindings other(encodings);
  one.add(code(2), exact, Direction::upward, code(1), flag_inexact);
  other.add(code(-3), exact, Direction::downward, code(1), flag_inexact);
  other.add(code(-3), exact, Direction::nearest, code(1), flag_inexact);
  one.add(other);
  const MarkedCalls& inexact = one.spurious(4);
  CHECK(inexact.count == 3);
  CHECK(inexact.argument == code(-3));
  CHECK(inexact.direction == Direction::nearest);
  CHECK_FALSE(one.are_right());
  // A wrong result may lie beyond a limit: then overflow is not required.
  const RightResult large{encodings.infinity() - 1, 1};
  CHECK(right_flags(encodings, code(1), large, Direction::nearest, encodings.infinity() - 1).open ==
        (flag_overflow | flag_underflow | errno_range));
  // errno is missing only where a library uses it.
  FlagFindings third(encodings);
  third.add(code(1), large, Direction::nearest, encodings.infinity(), flag_overflow | flag_inexact);
  CHECK(third.are_right());
  third.add(code(1), large, Direction::nearest, encodings.infinity(), flag_overflow | flag_inexact | errno_range);
  CHECK(third.missing(6).count == 1);
}

} // namespace tmd::library
