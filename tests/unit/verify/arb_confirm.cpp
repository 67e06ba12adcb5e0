// Arb's verdicts against MPFR's: every function, hard cases and ordinary arguments, exact and undecided ones.
#include "host/verify/arb_confirm.hpp"
#include "host/function/catalogue.hpp"
#include "host/function/expression.hpp"
#include "host/job/job.hpp"
#include "host/number/random.hpp"
#include "host/verify/confirm.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <string>

namespace tmd::verify {

namespace {

constexpr Rounding groupings[] = {Rounding::all, Rounding::directed, Rounding::nearest};

// Arb and MPFR must agree.
void check_same(const function::Function& any, const format::BreakpointGrid& grid, int bits, const Argument& x) {
  function::Function function = any;
  function.most_precision = 4096; // MPFR takes minutes for some values with more
  const std::optional<Case> mpfr = Confirmation(function, grid, bits).confirm(x);
  const ArbFinding arb = ArbConfirmation(function, grid, bits).find(x);
  CAPTURE(function.name);
  CAPTURE(to_hex(x));
  CAPTURE(bits);
  CAPTURE(to_string(grid.rounding));
  CAPTURE(grid.is_bounded());
  CAPTURE(to_string(arb.kind));
  if (!mpfr) {
    CHECK((arb.kind == ArbFinding::Kind::no_case || arb.kind == ArbFinding::Kind::undefined));
    return;
  }
  CAPTURE(mpfr->bits);
  if (x.significand == 0 && arb.kind == ArbFinding::Kind::undefined) // not analytic there
    return;
  CHECK(to_string(arb.kind) == to_string(mpfr->kind));
  CHECK(arb.breakpoint == mpfr->breakpoint);
  if (arb.is_least)
    CHECK((arb.bits > 1000 && arb.bits <= mpfr->bits + 100));
  else if (mpfr->kind == Case::Kind::hard)
    CHECK(std::fabs(arb.bits - mpfr->bits) < 1e-5);
}

job::Job job_of(const function::Function& function, const char* format, Rounding rounding, Values values) {
  job::Job job;
  job.function = &function;
  job.format = find_format(format);
  job.argument_precision = job.format.precision;
  job.rounding = rounding;
  job.values = values;
  return job;
}

} // namespace

TEST_CASE("Arb: arguments of whole formats, values as the format has them and unbounded, every grid") {
  for (const function::Function& function : function::functions()) {
    const job::Job whole = job_of(function, "binary16", Rounding::all, Values::format);
    const job::RankInterval domain = job::ranks_in_domain(function.domain, whole.arguments());
    const auto step = (domain.last - domain.first) / 61 + 1;
    for (const Rounding rounding : groupings) {
      const job::Job job = job_of(function, "binary16", rounding, Values::format);
      for (auto rank = domain.first; rank < domain.last; rank += step)
        for (const int bits : {2, 5})
          check_same(function, job.grid(), bits, job.arguments().at(rank));
    }
  }
}

TEST_CASE("Arb: arguments of binary64 near one, of both signs") {
  number::Random random(1);
  for (const function::Function& function : function::functions()) {
    const job::Job job = job_of(function, "binary64", Rounding::all, Values::unbounded);
    const job::RankInterval domain = job::ranks_in_domain(function.domain, job.arguments());
    for (int i = 0; i < 40; ++i) {
      const auto around = job.arguments().parse(i % 2 == 0 ? "0.5" : "-2", "x");
      const auto rank = around + static_cast<int128>(random.below(std::uint64_t(1) << 53));
      if (rank >= domain.first && rank < domain.last)
        check_same(function, job.grid(), 2 + i % 4, job.arguments().at(rank));
    }
  }
}

TEST_CASE("Arb: published cases") {
  struct Row {
    const char* function;
    const char* x;
  };
  for (const Row& row :
       {Row{"exp", "0x1.aca7ae8da5a7bp+0"}, Row{"exp2", "0x1.8b53b7620da8bp+0"}, Row{"log", "0x1.0000000000001p+0"},
        Row{"sin", "0x1.d98c4c612718dp-1"}, Row{"sin", "-0x1.921fb54442d18p+0"}, Row{"cbrt", "-0x1.0000000000003p+0"},
        Row{"exp", "0x1p-1000"}, Row{"exp", "-0x1p-1000"}, Row{"tanh", "0x1p+900"}, Row{"tanh", "-20"}, Row{"erf", "6"},
        Row{"erf", "-0x1p+500"}})
    for (const Rounding rounding : groupings)
      for (const Values values : {Values::format, Values::unbounded}) {
        const function::Function& function = function::find_function(row.function);
        const job::Job job = job_of(function, "binary64", rounding, values);
        check_same(function, job.grid(), 40, job.arguments().at(job.arguments().parse(row.x, "x")));
      }
}

TEST_CASE("Arb: exact cases by number theory, and what is undecided without") {
  for (const auto& [name, x] :
       {std::pair("exp", "0"), std::pair("exp2", "-7"), std::pair("exp10", "3"), std::pair("log", "1"),
        std::pair("log2", "0x1p-30"), std::pair("log10", "1000"), std::pair("sqrt", "2.25"), std::pair("cbrt", "-27"),
        std::pair("recip", "-4"), std::pair("cospi", "0.5"), std::pair("sinpi", "-1.5"), std::pair("sin", "0")}) {
    const function::Function& function = function::find_function(name);
    const job::Job job = job_of(function, "binary64", Rounding::all, Values::unbounded);
    const Argument argument = job.arguments().at(job.arguments().parse(x, "x"));
    check_same(function, job.grid(), 20, argument);
    CHECK(ArbConfirmation(function, job.grid(), 20).find(argument).kind == ArbFinding::Kind::exact);
  }
  function::Function nobody_knows = function::find_function("sqrt");
  nobody_knows.exactness = [](mpfr_srcptr) { return function::Exactness::unknown; };
  nobody_knows.most_precision = 1000;
  const Argument three{false, 3, 0};
  const Argument square{false, 9, -2};
  const ArbConfirmation confirmation(nobody_knows, {Rounding::all, 53}, 20);
  CHECK(confirmation.find(three).kind == ArbFinding::Kind::no_case);
  // A value that Arb knows exactly needs no theorem.
  CHECK(confirmation.find(square).kind == ArbFinding::Kind::exact);
  function::Function blurred = nobody_knows;
  blurred.series = [&](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    nobody_knows.series(coefficients, x, length, precision);
    arb_add_error_2exp_si(coefficients, -precision);
  };
  CHECK(ArbConfirmation(blurred, {Rounding::all, 53}, 20).find(square).kind == ArbFinding::Kind::undecided);
  blurred.exactness = [](mpfr_srcptr) { return function::Exactness::exact; };
  CHECK(ArbConfirmation(blurred, {Rounding::all, 53}, 20).find(square).kind == ArbFinding::Kind::exact);
  blurred.exactness = [](mpfr_srcptr) { return function::Exactness::inexact; };
  const ArbFinding beside = ArbConfirmation(blurred, {Rounding::all, 53}, 20).find(square);
  CHECK(beside.kind == ArbFinding::Kind::hard);
  CHECK(beside.is_least);
  CHECK(beside.bits > 300);
}

// 2^16000 − 1 is a dyadic number of more bits than exact values are looked at with, and no breakpoint.
TEST_CASE("Arb: a dyadic value of very many bits is not taken for the breakpoint beside it") {
  const function::Function& exp2m1 = function::find_function("exp2m1");
  for (const std::uint64_t x : {9000U, 16000U}) {
    const ArbFinding found = ArbConfirmation(exp2m1, {Rounding::all, 64}, 55).find({false, x, 0});
    CHECK(to_string(found.kind) == "hard");
    CHECK(found.bits == doctest::Approx(static_cast<double>(x) - 65));
    // the value of exp2 is a breakpoint
    check_same(function::find_function("exp2"), {Rounding::all, 64}, 55, {false, x, 0});
  }
  CHECK(to_string(ArbConfirmation(exp2m1, {Rounding::all, 64}, 55).find({false, 1U << 20, 0}).kind) == "undecided");
}

TEST_CASE("Arb: powers of two are half a spacing from midpoints") {
  const auto kind = [](const char* function, const char* x, int bits) {
    const job::Job job = job_of(function::find_function(function), "binary16", Rounding::nearest, Values::format);
    return ArbConfirmation(*job.function, job.grid(), bits)
        .find(job.arguments().at(job.arguments().parse(x, "x")))
        .kind;
  };
  CHECK(kind("acospi", "-1", 1) == ArbFinding::Kind::no_case);
  CHECK(kind("asinpi", "-1", 1) == ArbFinding::Kind::no_case);
  CHECK(kind("erf", "6", 1) == ArbFinding::Kind::hard); // slightly below 1
  CHECK(kind("erf", "6", 2) == ArbFinding::Kind::no_case);
}

TEST_CASE("Arb: subnormal values, the largest number and what lies beyond") {
  const function::Function& exp = function::find_function("exp");
  const function::Function& recip = function::find_function("recip");
  for (const Rounding rounding : groupings) {
    for (const char* x : {"-16.64", "-17", "-9.703125", "-0x1p+10", "11.0859375", "11.09375", "0x1.62p+3"}) {
      const job::Job job = job_of(exp, "binary16", rounding, Values::format);
      format::ArgumentSet::Rank rank = 0;
      try {
        rank = job.arguments().parse(x, "x");
      } catch (const UsageError&) {
        continue;
      }
      for (const int bits : {1, 2, 5})
        check_same(exp, job.grid(), bits, job.arguments().at(rank));
    }
    const job::Job job = job_of(recip, "binary16", rounding, Values::format);
    for (int rank = -1100; rank < 1100; rank += 7)
      if (rank != 0)
        for (const int bits : {1, 2})
          check_same(recip, job.grid(), bits, job.arguments().at(rank));
  }
}

TEST_CASE("Arb: no value outside the domain") {
  const function::Function& log = function::find_function("log");
  CHECK(ArbConfirmation(log, {Rounding::all, 53}, 20).find({true, 1, 0}).kind == ArbFinding::Kind::undefined);
}

TEST_CASE("Arb: expressions") {
  const auto function = function::function_of("log(1+exp(x))");
  for (std::uint64_t i = 1; i < 40; ++i)
    check_same(*function, {Rounding::all, 24}, 2, {i % 2 == 0, i * 1234567, -20});
}

} // namespace tmd::verify
