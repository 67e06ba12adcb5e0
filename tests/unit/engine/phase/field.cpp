// The coordinate of the phase walk: zones, phases, and the binades of the values.
#include "unit/engine/phase/phases.hpp"

#include "host/engine/phase/engine.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <mpfr.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <tuple>

namespace tmd::engine::phase {

namespace {

constexpr const char* periodic[] = {"sin", "cos", "tan"};
constexpr const char* with_phase[] = {"sin", "cos", "tan", "exp", "exp10"};

int exponent_by_mpfr(const std::string& function, double phase) {
  mpfr_t value;
  mpfr_init2(value, 256);
  mpfr_set_d(value, phase, MPFR_RNDN);
  (void)(function == "tan" ? mpfr_tanpi : mpfr_sinpi)(value, value, MPFR_RNDN);
  const auto exponent = static_cast<int>(mpfr_get_exp(value)) - 1;
  mpfr_clear(value);
  return exponent;
}

} // namespace

TEST_CASE("phase fields: the phase of a unit is h/π modulo 1, as MPFR has it") {
  for (const int exponent : {3, 10, 100, 1000}) {
    const PhaseField field(phase_job("sin", 53, 44), binade(53, exponent));
    mpfr_t omega;
    mpfr_init2(omega, 2000);
    mpfr_const_pi(omega, MPFR_RNDN);
    mpfr_ui_div(omega, 1, omega, MPFR_RNDN);
    mpfr_mul_2si(omega, omega, exponent - 52, MPFR_RNDN);
    mpfr_frac(omega, omega, MPFR_RNDN);
    mpfr_mul_2si(omega, omega, phase_bits, MPFR_RNDN);
    mpfr_floor(omega, omega);
    mpz_t known;
    mpz_init(known);
    mpfr_get_z(known, omega, MPFR_RNDN);
    number::Integer expected;
    fmpz_set_mpz(expected, known);
    CHECK(fmpz_equal(expected, field.omega()) != 0);
    mpz_clear(known);
    mpfr_clear(omega);
  }
}

TEST_CASE("phase fields: zones tile the coordinate and the phases, and every argument lies in one") {
  for (const std::string function : with_phase)
    for (const auto& [precision, exponent] :
         {std::tuple(8, 3), std::tuple(8, 7), std::tuple(11, 5), std::tuple(11, 15), std::tuple(16, 10),
          std::tuple(16, 1000), std::tuple(53, 100), std::tuple(60, 1000), std::tuple(64, 16383)}) {
      INFO(function, ", p = ", precision, ", 2^", exponent);
      const PhaseField field(phase_job(function, precision, 5), binade(precision, exponent));
      uint128 at = 0;
      number::Integer phase;
      uint128 arguments = 0;
      for (const PhaseZone& zone : field.zones()) {
        CHECK(zone.first == at);
        REQUIRE(zone.extent > 0);
        CHECK(fmpz_equal(zone.start, phase) != 0);
        CHECK(&field.zone(zone.first) == &zone);
        CHECK(&field.zone(zone.first + (zone.extent - 1)) == &zone);
        CHECK(fmpz_equal(PhaseField::phase(zone, zone.first), zone.start) != 0);
        CHECK((zone.is_direct || zone.extent > (uint128(1) << 30)));
        at += zone.extent;
        const number::Integer end = PhaseField::phase(zone, at);
        CHECK(fmpz_cmp(end, phase) > 0);
        arguments += field.arguments_at(zone.first, zone.extent);
        phase = end;
      }
      CHECK(at == field.extent());
      CHECK(fmpz_equal(phase, field.end()) != 0);
      CHECK(field.zones().front().is_direct == field.is_folded());
      CHECK(field.zones().back().is_direct == (function == "tan"));
      CHECK(arguments == field.arguments().count);
      CHECK(field.arguments_at(0, field.extent()) == field.arguments().count);
    }
}

TEST_CASE("phase fields: the arguments of any part of the coordinate are counted, none of them twice") {
  std::mt19937_64 random(1);
  for (const std::string function : with_phase)
    for (const int precision : {8, 12}) {
      INFO(function, ", p = ", precision);
      const PhaseField field(phase_job(function, precision, 5), binade(precision, 20));
      const std::vector<number::Integer> phases = phases_of(field);
      // The number of arguments below a place of the coordinate.
      const auto below = [&](uint128 at) {
        const number::Integer end = PhaseField::phase(field.zone(at), at);
        return static_cast<uint128>(std::count_if(
            phases.begin(), phases.end(), [&](const number::Integer& phase) { return fmpz_cmp(phase, end) < 0; }));
      };
      for (int tries = 0; tries < 200; ++tries) {
        const uint128 one = (uint128(random()) << 32 | random() >> 32) % field.extent();
        const uint128 other = (uint128(random()) << 32 | random() >> 32) % field.extent();
        const auto [first, end] = std::minmax(one, other);
        CHECK(field.arguments_at(first, end - first) == below(end) - below(first));
        CHECK(field.arguments_at(end, field.extent() - end) == phases.size() - below(end));
      }
      // Each argument is counted at its place.
      for (std::uint64_t index = 0; index < field.arguments().count; ++index) {
        const uint128 place = field.place_of(index);
        const number::Integer phase = field.phase_of(index);
        REQUIRE(place < field.extent());
        CHECK(fmpz_cmp(PhaseField::phase(field.zone(place), place), phase) <= 0);
        if (place + 1 < field.extent())
          CHECK(fmpz_cmp(PhaseField::phase(field.zone(place + 1), place + 1), phase) > 0);
      }
      for (const PhaseZone& zone : field.zones())
        CHECK(field.arguments_at(zone.first, 0) == 0);
    }
}

TEST_CASE("phase fields: binades of values, and F about a phase, as MPFR has them") {
  std::mt19937_64 random(1);
  for (const std::string function : periodic) {
    job::Job job = phase_job(function, 24, 10);
    for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest}) {
      job.rounding = rounding;
      const PhaseField field(job, binade(24, 50));
      int wrong = 0;
      for (int i = 0; i < 300; ++i) {
        double phase = std::ldexp(static_cast<double>(random() >> 12), -53 - static_cast<int>(random() % 20));
        if (i % 3 == 0)
          phase = 0.5 - std::ldexp(phase, -2);
        number::Integer exact;
        fmpz_set_ui(exact, static_cast<std::uint64_t>(std::ldexp(phase, 80 - 20)));
        fmpz_mul_2exp(exact, exact, phase_bits - 80 + 20);
        if (fmpz_is_zero(exact) != 0)
          continue;
        phase = std::ldexp(fmpz_get_d(exact), -phase_bits);
        const int exponent = field.value_exponent(exact);
        wrong += exponent != exponent_by_mpfr(function, phase);
        number::Arb at;
        set_phase(at, exact);
        number::ArbVector series(3);
        field.series(series.data(), at, exponent, 3, 200);
        const double pi = 3.14159265358979323846;
        const double value = function == "tan" ? std::tan(pi * phase) : std::sin(pi * phase);
        const double slope = pi * (function == "tan" ? 1 + value * value : std::cos(pi * phase));
        // With spacings of 24 bits, midpoints double the number of breakpoints.
        const double spacing = std::ldexp(1.0, exponent - 23 - (rounding == Rounding::all ? 1 : 0));
        const double shift = rounding == Rounding::nearest ? 0.5 : 0;
        const auto about = [](arb_srcptr x) { return arf_get_d(arb_midref(x), ARF_RND_NEAR); };
        wrong += std::fabs(about(series[0]) + shift - value / spacing) > 1e-3 * (1 + value);
        wrong += std::fabs(about(series[1]) - slope / spacing) > 1e-6 * (slope + 1) / spacing;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("phase fields: the phases of an exponential double its values") {
  for (const std::string function : {"exp", "exp10"})
    for (const bool negative : {false, true})
      for (const int exponent : {0, 3, 8}) {
        job::Stretch stretch = binade(24, exponent);
        stretch.negative = negative;
        job::Job job = phase_job(function, 24, 10);
        job.rounding = Rounding::directed;
        const PhaseField field(job, stretch);
        int wrong = 0;
        for (const uint128 index : {uint128(0), uint128(1), uint128(12345), stretch.count / 3, stretch.count - 1}) {
          number::Integer phase;
          number::set(phase, index);
          fmpz_mul(phase, phase, field.omega());
          fmpz_add(phase, phase, field.first_phase());
          fmpz_fdiv_r_2exp(phase, phase, phase_bits);
          wrong += field.value_exponent(phase) != 0;
          number::Arb at;
          set_phase(at, phase);
          number::ArbVector series(2);
          field.series(series.data(), at, 0, 2, 200);
          const auto about = [](arb_srcptr x) { return std::ldexp(arf_get_d(arb_midref(x), ARF_RND_NEAR), -23); };
          const double x = std::ldexp(static_cast<double>(stretch.first + index), stretch.unit_exponent);
          const long double periods =
              (negative ? -x : x) * (function == "exp" ? 1.0L : std::log(10.0L)) / std::log(2.0L);
          const auto significand = static_cast<double>(std::exp2(periods - std::floor(periods)));
          wrong += std::fabs(about(series[0]) - significand) > 1e-12;
          wrong += std::fabs(about(series[1]) - significand * std::log(2.0)) > 1e-12;
        }
        CHECK(wrong == 0);
        const number::Integer end = field.end();
        CHECK(field.value_exponent(end) == 1);
      }
}

TEST_CASE("phase fields: functions differ from the exponential beside them by less than is said, and hardly less") {
  constexpr long precision = 4096;
  int near = 0;
  for (const function::Function& f : function::functions()) {
    if (!f.phase || !f.phase->is_only_near() || f.phase->kind == function::Phase::Kind::logarithm)
      continue;
    INFO(f.name);
    ++near;
    for (const double size : {1.0, 5.375, 64.0, 700.5})
      for (const double x : {size, -size}) {
        if (x < 0 && f.symmetry == Symmetry::none)
          continue;
        number::Arb at;
        number::Arb beside;
        arb_set_d(at, size);
        f.phase->period(beside, precision);
        arb_div(beside, at, beside, precision);
        number::ArbVector values(2);
        f.phase->of_phase(values.data(), beside, 1, precision);
        arb_mul_2exp_si(beside, values[0], f.phase->halved ? -1 : 0);
        arb_set_d(at, x);
        f.series(values.data(), at, 1, precision);
        number::Arb difference;
        arb_abs(difference, values[0]);
        arb_sub(difference, difference, beside, precision);
        arb_div(difference, difference, beside, precision);
        arb_abs(difference, difference);
        const double bits = -number::Bound::of(difference).log2();
        CHECK(bits > f.phase->agreement * size);
        CHECK(bits < 1.0001 * f.phase->agreement * size);
      }
  }
  CHECK(near == 4); // cosh, exp10m1, expm1, sinh
}

TEST_CASE("phase fields: in each binade logarithms are what is said, or so close to it, and hardly closer") {
  constexpr long precision = 4096;
  int near = 0;
  int all = 0;
  for (const function::Function& f : function::functions()) {
    if (!f.phase || f.phase->kind != function::Phase::Kind::logarithm)
      continue;
    INFO(f.name);
    ++all;
    near += f.phase->is_only_near() ? 1 : 0;
    for (const double significand : {1.0, 1.34375, 1.9375})
      for (const long exponent : {1L, 7L, 100L, 900L, -1L, -300L}) {
        if (exponent < 0 && f.phase->is_only_near())
          continue;
        number::Arb at;
        number::Arb period;
        number::ArbVector close(1);
        number::ArbVector value(1);
        arb_set_d(at, significand);
        f.phase->of_phase(close.data(), at, 1, precision);
        f.phase->period(period, precision);
        arb_addmul_si(close[0], period, exponent + (f.phase->doubled ? 1 : 0), precision);
        arb_mul_2exp_si(at, at, exponent);
        f.series(value.data(), at, 1, precision);
        arb_sub(value[0], value[0], close[0], precision);
        arb_abs(value[0], value[0]);
        const bool is_near = f.phase->is_only_near();
        number::Arb bound;
        arb_one(bound);
        arb_mul_2exp_si(bound, bound, is_near ? -static_cast<long>(f.phase->agreement) * exponent : -3000);
        CHECK(arb_lt(value[0], bound));
        const double bits = -number::Bound::of(value[0]).log2();
        if (is_near) // 1/(4x²) at most, and x is below 2^(exponent + 1)
          CHECK(bits < f.phase->agreement * static_cast<double>(exponent + 1) + 2.2);
      }
  }
  CHECK(all == 6);  // and log, log10
  CHECK(near == 4); // acosh, asinh, log10p1, log1p
}

TEST_CASE("phase fields: runs of a logarithm's arguments with values in one binade are claimed") {
  job::Job job = phase_job("log", 53, 44);
  job.first = -job.arguments().end() + 1;
  job.last = job.arguments().end();
  Choices choices;
  choices.joins_claims = true;
  choices.on_gpu = true;
  const auto claimed = [&](int exponent) { return phase_engine.claim(job, choices, binade(53, exponent)); };
  for (const int exponent : {300, 100, 46, 24, -25, -47, -100, -300}) { // from 2^4 on
    INFO("2^", exponent);
    const auto field = claimed(exponent);
    REQUIRE(field);
    const job::Stretch& run = field->arguments;
    const Claim& claim = *field->claim();
    CHECK(run.first == uint128(1) << 52);
    // The next argument, if there is one in the binade, has its value in another one.
    const auto binade_of = [&](uint128 index) {
      constexpr mpfr_prec_t enough = 128;
      mpfr_t value;
      mpfr_init2(value, enough);
      mpfr_set_d(value, std::ldexp(static_cast<double>(run.first + index), run.unit_exponent), MPFR_RNDN);
      mpfr_log(value, value, MPFR_RNDZ);
      const auto exponent = static_cast<int>(mpfr_get_exp(value) - 1);
      mpfr_clear(value);
      return exponent;
    };
    CHECK(binade_of(0) == binade_of(run.count - 1));
    if (run.count < run.first)
      CHECK(binade_of(run.count) != binade_of(0));
    CHECK((run.count < run.first) == (exponent == 46 || exponent == -47));
    CHECK(claim.family == fmt::format("values from 2^{} on", binade_of(0)));
    CHECK(claim.arguments_at(0, claim.extent) == run.count);
    uint128 sum = 0;
    for (uint128 at = 0; at < claim.extent; at += claim.extent / 7)
      sum += claim.arguments_at(at, std::min(claim.extent / 7, claim.extent - at));
    CHECK(sum == run.count);
    for (const std::uint64_t index : {std::uint64_t(0), static_cast<std::uint64_t>(run.count / 3)})
      CHECK(claim.arguments_at(claim.place_of(index), 1) == 1);
  }
  CHECK_FALSE(claimed(0));                    // the value at 1 is 0
  CHECK_FALSE(claimed(10));                   // with values from 4 to 8 there are 12 binades
  job::Stretch rest = claimed(46)->arguments; // what is behind it in the binade is claimed, too
  rest = {false, rest.unit_exponent, rest.first + rest.count, rest.first - rest.count};
  const auto behind = phase_engine.claim(job, choices, rest);
  REQUIRE(behind);
  CHECK(behind->arguments.count == rest.count);
  CHECK(behind->claim()->family == "values from 2^5 on");
  CHECK(behind->claim()->arguments_at(0, behind->claim()->extent) == rest.count);
  CHECK(behind->claim()->extent == claimed(100)->claim()->extent);
  job::Stretch negative = binade(53, 100);
  negative.negative = true;
  CHECK_FALSE(phase_engine.claim(job, choices, negative));
  job.function = &function::find_function("log1p");
  CHECK(claimed(97));
  CHECK_FALSE(claimed(96)); // 1/x is no less than 2^-K spacings
  CHECK_FALSE(claimed(-100));
  job.function = &function::find_function("asinh");
  CHECK(claimed(50));
  choices.on_gpu = false;
  CHECK_FALSE(claimed(300));
  choices.on_gpu = true;
  choices.joins_claims = false;
  CHECK_FALSE(claimed(300));
}

TEST_CASE("phase fields: functions beside an exponential are claimed from where that matters little") {
  // The arguments that are left out of [2^exponent, 2^(exponent + 1)), before those that are claimed.
  const auto left = [](const char* function, int exponent, bool negative = false, int K = 15) -> std::optional<double> {
    Choices choices;
    choices.algorithm = phase_method;
    job::Stretch stretch = binade(24, exponent);
    stretch.negative = negative;
    const auto field = phase_engine.claim(phase_job(function, 24, K), choices, stretch);
    if (!field)
      return std::nullopt;
    const job::Stretch& claimed = field->arguments;
    CHECK(claimed.first + claimed.count == stretch.first + stretch.count);
    CHECK(claimed.negative == negative);
    return std::ldexp(static_cast<double>(claimed.first - stretch.first), stretch.unit_exponent);
  };
  // F has 25 bits, and one more beyond the binade; K bits, 4 and one that rounding takes come behind them.
  for (const bool negative : {false, true})
    for (const char* function : {"sinh", "cosh"}) { // 2.8853 bits a unit of x
      CHECK(left(function, 4, negative) == 0);      // from 15.94 on
      CHECK(left(function, 4, negative, 17).value() == doctest::Approx(48 / 2.8853 - 16));
      CHECK(left(function, 4, negative, 38).value() == doctest::Approx(69 / 2.8853 - 16));
      CHECK_FALSE(left(function, 4, negative, 39)); // more than half
      CHECK_FALSE(left(function, 3, negative));
    }
  CHECK(left("expm1", 5) == 0);
  CHECK(left("expm1", 5, false, 17).value() == doctest::Approx(48 / 1.4426 - 32));
  CHECK_FALSE(left("expm1", 4));
  CHECK(left("exp10m1", 4) == 0);
  CHECK_FALSE(left("exp10m1", 3)); // from 13.8 on
  for (const char* function : {"expm1", "exp10m1"})
    CHECK_FALSE(left(function, 7, true));
  // Arguments of 64 bits just below the border, which floats do not tell from it.
  Choices choices;
  choices.algorithm = phase_method;
  const uint128 border = uint128(0xaeadb50085243c18);
  for (const int behind : {0, 100, 1000})
    CHECK_FALSE(phase_engine.claim(phase_job("sinh", 64, 55), choices, {false, -58, border - behind, 100}));
}

TEST_CASE("phase fields: a coordinate is told by a hash that is the same for the same phases alone") {
  std::set<std::string> coordinates;
  std::size_t fields = 0;
  const auto add = [&](const char* function, int precision, const job::Stretch& stretch, int bits = 5) {
    const std::string one = PhaseField(phase_job(function, precision, bits), stretch).coordinate();
    CHECK(one.size() == 16);
    CHECK(one == PhaseField(phase_job(function, precision, 2 * bits), stretch).coordinate()); // whatever K is
    coordinates.insert(one);
    ++fields;
  };
  for (const char* function : with_phase)
    for (const int exponent : {10, 11, 1000}) {
      add(function, 16, binade(16, exponent));
      add(function, 17, binade(17, exponent));
      job::Stretch shorter = binade(16, exponent);
      --shorter.count;
      add(function, 16, shorter);
      ++shorter.first;
      add(function, 16, shorter);
    }
  CHECK(coordinates.size() == fields);
}

TEST_CASE("phase fields: what polynomials serve is claimed only next to a pole, or where the walk is asked for") {
  const auto claims = [](const char* function, const job::Stretch& stretch, const char* algorithm = "auto",
                         bool on_gpu = false) {
    Choices choices;
    choices.algorithm = algorithm;
    choices.on_gpu = on_gpu;
    return phase_engine.claim(phase_job(function, 24, 15), choices, stretch).has_value();
  };
  for (const char* function : periodic) {
    const bool has_pole = std::string(function) == "tan";
    CHECK_FALSE(claims(function, binade(24, -1)));
    CHECK_FALSE(claims(function, binade(24, -1), "phase"));
    CHECK(claims(function, binade(24, 0), "phase"));
    CHECK(claims(function, binade(24, 9)));
    CHECK(claims(function, binade(24, 6), "auto", true));
    CHECK(claims(function, binade(24, 1000)));
    CHECK(claims(function, binade(24, 5), "auto", true) == has_pole);
    for (const int exponent : {5, 8})
      CHECK(claims(function, binade(24, exponent)) == has_pole);
    for (const int exponent : {0, 2, 3, 4})
      CHECK(claims(function, binade(24, exponent)) == has_pole);
    CHECK_FALSE(claims(function, binade(24, 1))); // from 2 to 4
  }
  const auto claims_significands_of = [](int bits) {
    Choices choices;
    return phase_engine.claim(phase_job("sin", 64, 55), choices, binade(bits, 1000)).has_value();
  };
  CHECK(claims_significands_of(64));
  CHECK_FALSE(claims_significands_of(65));
  job::Stretch below = binade(24, 0); // [1, 1.5)
  below.count /= 2;
  CHECK_FALSE(claims("tan", below));
  for (const char* function : {"exp", "exp10"}) {
    CHECK_FALSE(claims(function, binade(24, -1), "phase"));
    CHECK(claims(function, binade(24, 0), "phase"));
    CHECK_FALSE(claims(function, binade(24, 9)));
    const int least = function == std::string("exp") ? 5 : 4; // with 46 and 53 periods
    CHECK_FALSE(claims(function, binade(24, least - 1), "auto", true));
    CHECK(claims(function, binade(24, least), "auto", true));
  }
}

TEST_CASE("phase fields: of an exponential, arguments with normal values are claimed, and not one more") {
  Choices choices;
  choices.algorithm = phase_method;
  for (const std::string function : {"exp", "exp10", "sinh", "cosh", "expm1", "exp10m1"})
    for (const bool negative : {false, true}) {
      const bool of_ten = function.starts_with("exp10");
      const bool is_half = function.ends_with("h");
      const bool falls = negative && !is_half;
      if (negative && function.ends_with("m1"))
        continue;
      // [64, 128) and [32, 64) of binary32: the values' exponents go from -126 to 127.
      job::Stretch stretch = binade(24, of_ten ? 5 : 6);
      stretch.negative = negative;
      job::Job job = phase_job(function, 24, 15);
      job.format = find_format("binary32");
      const auto all = phase_engine.claim(job, choices, stretch);
      REQUIRE(all);
      CHECK(all->arguments.count == stretch.count);
      job.values = Values::format;
      const auto some = phase_engine.claim(job, choices, stretch);
      REQUIRE(some);
      const job::Stretch& run = some->arguments;
      CHECK(run.first == stretch.first);
      REQUIRE(run.count < stretch.count);
      const auto exponent = [&](uint128 index) {
        const double x = std::ldexp(static_cast<double>(run.first + index), run.unit_exponent);
        return std::floor((falls ? -x : x) * (of_ten ? std::log(10.0L) : 1.0L) / std::log(2.0L)) - (is_half ? 1 : 0);
      };
      CHECK(exponent(run.count - 1) == (falls ? -126 : 127));
      CHECK(exponent(run.count) == (falls ? -127 : 128));
      CHECK(some->claim()->arguments_at(0, some->extent()) == run.count);
      // No argument is left beyond.
      job::Stretch beyond = stretch;
      beyond.first = run.first + run.count;
      beyond.count = stretch.count - run.count;
      CHECK_FALSE(phase_engine.claim(job, choices, beyond));
    }
}

} // namespace tmd::engine::phase
