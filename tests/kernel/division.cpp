// Division on a device: FP64 emulated in integers against the host, bit for bit; 64-bit integers by every strategy,
// scalar and in vectors; and errors planted in either, which must be noticed.
#include "app/lab/fp64_division.hpp"
#include "app/lab/integer_arithmetic.hpp"
#include "device.hpp"
#include "planted_error.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace tmd::test {

namespace {

// The work ends a measurement: a device that compiles slowly would do too little of it in some seconds.
constexpr double without_limit = std::numeric_limits<double>::infinity();

constexpr Fp64Division emulations[] = {Fp64Division::newton, Fp64Division::halley};

Fp64Divider divider() { return {test_device(), 128}; }

// The same device, as if it had no FP64.
Fp64Divider divider_without_fp64() {
  opencl::DeviceDescription device = test_device();
  device.fp64_is_ieee = false;
  return {device, 100};
}

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const SoundnessError& error) {
    return error.what();
  }
  return "no error";
}

} // namespace

TEST_CASE("division: emulated FP64 quotients are the host's") {
  constexpr std::uint64_t count = 1'200'000;
  std::vector<std::uint64_t> x;
  std::vector<std::uint64_t> y;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Fp64Operands operands = fp64_operands(5, i);
    x.push_back(operands.x);
    y.push_back(operands.y);
  }
  for (const Fp64Division emulation : emulations) {
    CAPTURE(std::string(to_string(emulation)));
    const std::vector<std::uint64_t> found = divider().quotients(emulation, x, y);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < count; ++i)
      wrong += !same_fp64(found[i], fp64_quotient_on_host({x[i], y[i]}));
    CHECK(wrong == 0);
  }
}

TEST_CASE("division: the checks of emulated FP64 pass, on the device and on the host") {
  for (const Fp64Division emulation : emulations) {
    CHECK_NOTHROW((void)divider().check(emulation, 1'000'003, 2));
    CHECK_NOTHROW((void)divider_without_fp64().check(emulation, 100'003, 3));
    CHECK(divider().throughput(emulation, 0.01) > 0);
  }
  if (test_device().fp64_is_ieee)
    CHECK(divider().throughput(Fp64Division::built_in, 0.01) > 0);
}

TEST_CASE("division: the emulation needs no FP64") {
  const PlantedError without(
      "bench/fp64_division.cl", "#include \"../common/portable.clh\"",
      "#undef cl_khr_fp64\n#define double there_is_no_double\n#include \"../common/portable.clh\"");
  for (const Fp64Division emulation : emulations)
    CHECK_NOTHROW((void)divider_without_fp64().check(emulation, 1000, 1));
  CHECK_THROWS_AS((void)divider().throughput(Fp64Division::built_in, 0.01), DeviceError);
}

TEST_CASE("division: planted errors of the emulation are noticed") {
  struct Error {
    Fp64Division emulation;
    const char* text;
    const char* replacement;
  };
  for (const Error& error :
       {Error{Fp64Division::halley, "quotient += one_more;", ""},                              // without the last step
        Error{Fp64Division::newton, "quotient + half_less_one", "quotient"},                   // without rounding
        Error{Fp64Division::halley, "+ ((quotient >> dropped) & 1)", "+ 1"},                   // ties do not go to even
        Error{Fp64Division::newton, "(rest != 0 ? 1 : 0)", "0"},                               // wrong next to a tie
        Error{Fp64Division::halley, "error += (upper * upper) >> 42;", "error += upper & 1;"}, // a step less
        Error{Fp64Division::newton, "3 - exponent", "2 - exponent"}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted("bench/fp64_division.clh", error.text, error.replacement);
    CHECK_THROWS_AS((void)divider().check(error.emulation, 100'000, 1), SoundnessError);
  }
  {
    const PlantedError planted("bench/fp64_division.clh", "quotient += one_more;", "");
    CHECK_THROWS_AS((void)divider().throughput(Fp64Division::newton, without_limit, 64), SoundnessError);
  }
  {
    // One quotient of a hundred thousand is wrong, and the message names it.
    const Fp64Operands operands = fp64_operands(1, 77'777);
    const PlantedError planted("bench/fp64_division.cl", "{ return fp_divide(x, y); }",
                               "{ return fp_divide(x, y) ^ (x == " + std::to_string(operands.x) + "u ? 1 : 0); }");
    for (const bool on_device : {true, false}) {
      const std::string message = message_of(
          [&] { (void)(on_device ? divider() : divider_without_fp64()).check(Fp64Division::halley, 100'000, 1); });
      CAPTURE(message);
      CHECK(message.find("errs for 1 of 100000 operands") != std::string::npos);
      CHECK(message.find(fmt::format("{:#018x}", operands.x)) != std::string::npos);
      CHECK(message.find(fmt::format(", not {:#018x}", fp64_quotient_on_host(operands))) != std::string::npos);
    }
  }
  if (test_device().fp64_is_ieee) { // the device's own division must be right before it judges
    const PlantedError planted("bench/fp64_division.cl", "as_ulong(as_double(x) / as_double(y))",
                               "as_ulong(as_double(x) * (1.0 / as_double(y)))");
    CHECK_THROWS_AS((void)divider().check(Fp64Division::halley, 100'000, 1), DeviceError);
  }
}

TEST_CASE("division: operands of the integer divisions") {
  for (const int bits : {52, 64}) {
    const ArrayOperands fractions = make_operands(OperandKind::continued_fraction, bits, 1);
    const ArrayOperands lengths = make_operands(OperandKind::any_length, bits, 1);
    std::size_t ones = 0;
    std::size_t zeros = 0;
    std::size_t beyond_estimates = 0;
    for (std::size_t i = 0; i < ArrayOperands::size; ++i) {
      REQUIRE(fractions.y[i] != 0);
      REQUIRE(lengths.y[i] != 0);
      CHECK((fractions.x[i] >> (bits - 1)) == 1);
      CHECK(fractions.x[i] / fractions.y[i] < (1 << 16));
      ones += fractions.x[i] / fractions.y[i] == 1;
      CHECK((std::max(lengths.x[i], lengths.y[i]) >> (bits - 1)) <= 1);
      CHECK(lengths.x[i] / lengths.y[i] < (1 << 20));
      zeros += lengths.x[i] < lengths.y[i];
      beyond_estimates += lengths.x[i] / lengths.y[i] >= 1 << 18; // value of TMD_RECIPROCAL_LIMIT
    }
    // 41.5 % of the quotients of continued fractions are 1; more than half of the random lengths have a quotient of 0.
    CHECK(std::max<std::size_t>(ones, 425) - std::min<std::size_t>(ones, 425) < 80);
    CHECK(zeros > 512);
    CHECK(zeros < 900);
    CHECK(beyond_estimates > 5);
  }
}

TEST_CASE("division: 64-bit integers by every strategy, scalar and in vectors") {
  IntegerArithmetic arithmetic(test_device(), 100);
  for (const int width : {1, 4, 8, 16}) {
    for (const ArrayOperation operation :
         {ArrayOperation::addition, ArrayOperation::multiplication, ArrayOperation::division})
      for (std::size_t i = 0; i < engine::domains::division_names.size(); ++i) {
        const auto division = static_cast<engine::domains::Division>(i + 1);
        if ((operation != ArrayOperation::division && i != 0) ||
            (engine::domains::length_bits(division) < 64 && !test_device().has_fp64()))
          continue;
        const ArrayKernel kernel{operation, division, 3, width};
        for (const OperandKind kind : {OperandKind::continued_fraction, OperandKind::any_length}) {
          for (const std::uint64_t repetitions : {1, 5, 20'000}) {
            // Subtraction alone takes ten thousand steps.
            if (division == engine::domains::Division::subtract && kind == OperandKind::any_length && repetitions > 1)
              continue;
            CAPTURE(kernel.vector_width);
            CAPTURE(std::string(engine::domains::to_string(division)));
            CAPTURE(repetitions);
            Measurement measured;
            REQUIRE_NOTHROW(measured =
                                arithmetic.time(kernel, make_operands(kind, engine::domains::length_bits(division), 3),
                                                repetitions, without_limit));
            CHECK(measured.rounds >= repetitions);
            CHECK(measured.seconds > 0);
          }
        }
      }
  }
}

TEST_CASE("division: planted errors of the integer divisions are noticed") {
  struct Error {
    ArrayKernel kernel;
    const char* file;
    const char* text;
    const char* replacement;
    std::uint64_t repetitions = 100'000;
  };
  // There are at most 16 copies of the arrays for each compute unit.
  const std::uint64_t several_passes =
      std::uint64_t(2) * ArrayOperands::size * 16 * std::max(test_device().compute_units, 1U);
  const ArrayKernel scalar{ArrayOperation::division, engine::domains::Division::reciprocal, 3, 1};
  const ArrayKernel wide{ArrayOperation::division, engine::domains::Division::reciprocal, 3, 8};
  const ArrayKernel addition{ArrayOperation::addition};
  for (const Error& error :
       {Error{scalar, "domains/division.clh", "quotient += rest >= denominator ? 1 : 0;", ""},
        Error{wide, "bench/integer_division.cl", "(x - quotient * y >= y ? (wide_word)1 : (wide_word)0)", "0"},
        Error{wide, "bench/integer_division.cl", "at < begin + repetitions", "at < begin + repetitions - 1"},
        // The last pass is left out: a slow device makes only one, for launches are to be short.
        Error{addition, "bench/integer_division.cl", "pass < passes", "pass + 1 < passes", several_passes}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    IntegerArithmetic arithmetic(test_device(), 128);
    const ArrayOperands operands = make_operands(OperandKind::any_length, 64, 1);
    CHECK_THROWS_AS((void)arithmetic.time(error.kernel, operands, error.repetitions, without_limit), SoundnessError);
  }
}

} // namespace tmd::test
