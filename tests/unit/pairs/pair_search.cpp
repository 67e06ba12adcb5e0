// Searches of functions of two variables against every pair of small formats, decided by MPFR and Arb, and one method
// against the other.
#include "host/pairs/pair_search.hpp"
#include "host/format/argument.hpp"
#include "host/number/mpfr.hpp"
#include "host/pairs/scaling_class.hpp"
#include "thorough.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tmd::pairs {

namespace {

PairJob job_of(const char* name, const Format& format, Rounding rounding, int bits) {
  const function::PairFunction* function = function::find_pair_function(name);
  REQUIRE(function != nullptr);
  return {function, format, rounding, bits};
}

using Evaluate = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

int mpfr_rootn(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr n, mpfr_rnd_t mode) {
  return mpfr_rootn_si(y, x, mpfr_get_si(n, MPFR_RNDN), mode);
}

Evaluate reference_of(const std::string& name) {
  return name == "hypot"     ? mpfr_hypot
         : name == "atan2"   ? mpfr_atan2
         : name == "atan2pi" ? mpfr_atan2pi
         : name == "rootn"   ? mpfr_rootn
                             : mpfr_pow;
}

// Whether |f|, with 160 bits, is closer than 2^-K spacings to a breakpoint by the definitions, and how near it is.
struct Nearness {
  bool is_case = false;
  bool is_exact = false;
  double bits = 0;
};

Nearness nearness(const PairJob& job, const Argument& first, const Argument& second) {
  constexpr long precision = 160;
  number::Mpfr value(precision);
  const int ternary =
      reference_of(job.function->name)(value, format::to_mpfr(first), format::to_mpfr(second), MPFR_RNDN);
  mpfr_abs(value, value, MPFR_RNDN);
  const format::BreakpointGrid grid = job.grid();
  if (mpfr_zero_p(mpfr_srcptr(value)) != 0 || mpfr_get_exp(mpfr_srcptr(value)) - 1 > grid.max_exponent)
    return {};
  const int spacing = grid.spacing_exponent(static_cast<int>(mpfr_get_exp(mpfr_srcptr(value))) - 1);
  mpfr_div_2si(value, value, spacing, MPFR_RNDN);
  if (grid.shifted())
    mpfr_sub_d(value, value, 0.5, MPFR_RNDN);
  number::Mpfr nearest(precision);
  mpfr_rint(nearest, value, MPFR_RNDN);
  const double number = mpfr_get_d(nearest, MPFR_RNDN);
  // 0 is no breakpoint, and neither is the end of the last binade.
  const double end = std::ldexp(1, grid.max_exponent + 1 - grid.spacing_exponent(grid.max_exponent));
  if (number < (grid.shifted() ? 0 : 1) || (number >= end && spacing == grid.spacing_exponent(grid.max_exponent)))
    return {};
  mpfr_sub(value, value, nearest, MPFR_RNDN);
  if (mpfr_zero_p(mpfr_srcptr(value)) != 0)
    return {false, ternary == 0, 0};
  mpfr_abs(value, value, MPFR_RNDN);
  if (mpfr_cmp_ui_2exp(value, 1, -job.K) >= 0)
    return {};
  mpfr_log2(value, value, MPFR_RNDN);
  return {true, false, -mpfr_get_d(value, MPFR_RNDN)};
}

// All numbers of the format except 0.
std::vector<Argument> all_numbers(const Format& format, bool with_negative) {
  const format::ArgumentSet set(format, format.precision);
  std::vector<Argument> numbers;
  for (format::ArgumentSet::Rank rank = with_negative ? 1 - set.end() : format::ArgumentSet::Rank(1); rank < set.end();
       ++rank)
    if (rank != 0)
      numbers.push_back(set.at(rank));
  return numbers;
}

// The key of a pair in a list.
std::string entry_of(const PairJob& job, const Argument& first, const Argument& second) {
  const auto low = [](const Argument& x) { return std::countr_zero(static_cast<std::uint64_t>(x.significand)); };
  if (job.function->name.starts_with("atan2")) {
    const Ratio ratio =
        ratio_of(second.negative, static_cast<std::uint64_t>(first.significand),
                 static_cast<std::uint64_t>(second.significand), first.unit_exponent - second.unit_exponent);
    return to_text({Argument{false, ratio.y, ratio.exponent}, Argument{ratio.left, ratio.x, 0}});
  }
  if (job.function->name == "hypot") {
    number::Mpfr value(200);
    mpfr_hypot(value, format::to_mpfr(first), format::to_mpfr(second), MPFR_RNDN);
    if (mpfr_get_exp(mpfr_srcptr(value)) - 1 >= job.format.min_exponent) {
      const Argument scaled{false, first.significand, first.unit_exponent - second.unit_exponent - low(second)};
      return to_text({scaled, Argument{false, second.significand >> low(second), 0}});
    }
  }
  return to_text({first, second});
}

// A pair that is a case for some K, or exact.
struct NearPair {
  std::string entry;
  double bits = 0;
  bool is_exact = false;
  bool in_family = false;
};

// Whether a case is in the family, by its definition: the nearest breakpoint is `anchor`.
bool is_in_family(const PairJob& job, const Argument& first, const Argument& second, double bits) {
  const std::string& name = job.function->name;
  const double a = std::ldexp(static_cast<double>(first.significand), first.unit_exponent);
  const double b = std::ldexp(static_cast<double>(second.significand), second.unit_exponent);
  number::Mpfr anchor(100);
  number::Mpfr value(160);
  (void)reference_of(name)(value, format::to_mpfr(first), format::to_mpfr(second), MPFR_RNDN);
  const int spacing = job.grid().spacing_exponent(static_cast<int>(mpfr_get_exp(mpfr_srcptr(value))) - 1);
  const auto is_near = [&](double candidate) {
    mpfr_sub_d(anchor, value, candidate, MPFR_RNDN);
    mpfr_abs(anchor, anchor, MPFR_RNDN);
    mpfr_div_2si(anchor, anchor, spacing, MPFR_RNDN);
    return std::fabs(mpfr_get_d(anchor, MPFR_RNDN) - std::exp2(-bits)) <= 1e-6 * std::exp2(-bits);
  };
  if (name == "hypot")
    return is_near(a);
  if (name == "atan2")
    return !second.negative && a / b < std::ldexp(1, -job.format.precision - 1) && is_near(a / b);
  if (name == "atan2pi")
    return is_near(0.5) || is_near(1);
  return is_near(1);
}

// The partners of x: all numbers; or, as exponents, the integers except 0 and 1 for which powers of x are numbers, or
// its roots are not nearer to 1 than to any other breakpoint.
std::vector<Argument> seconds_of(const PairJob& job, const Argument& x) {
  if (!job.function->takes_integer)
    return all_numbers(job.format, job.function->name != "hypot");
  const double logarithm = std::fabs(std::log2(std::ldexp(static_cast<double>(x.significand), x.unit_exponent)));
  const double last = job.function->name == "rootn" ? std::ldexp(logarithm, job.format.precision + 2)
                                                    : (job.format.max_exponent + job.format.precision + 4) / logarithm;
  std::vector<Argument> all;
  for (std::uint64_t n = 1; static_cast<double>(n) <= last + 1; ++n)
    for (const bool is_negative : {false, true})
      if (n > 1 || is_negative)
        all.push_back({is_negative, n, 0});
  return all;
}

std::vector<NearPair> by_every_pair(const PairJob& job) {
  std::vector<NearPair> all;
  const bool is_hypot = job.function->name == "hypot";
  const bool is_power = job.function->name.starts_with("pow") || job.function->takes_integer;
  for (const Argument& first : all_numbers(job.format, false)) {
    if (is_power && to_hex(first) == "0x1p+0") // the value is 1 whatever the other operand is
      continue;
    for (const Argument& second : seconds_of(job, first)) {
      if (is_hypot && compare(first, second) < 0)
        continue;
      if (const Nearness near = nearness(job, first, second); near.is_case || near.is_exact)
        all.push_back({entry_of(job, first, second), near.bits, near.is_exact,
                       near.is_case && is_in_family(job, first, second, near.bits)});
    }
  }
  return all;
}

// near: pairs found with a K that is not greater than the job's.
void compare_with(const std::vector<NearPair>& near, const PairJob& job, const PairResult& result) {
  CAPTURE(describe(job));
  CAPTURE(result.method);
  std::map<std::string, std::pair<std::uint64_t, double>> expected; // the number of pairs, and their bits
  std::set<std::string> family;
  std::set<std::string> exact;
  for (const NearPair& one : near) {
    if (one.is_exact)
      exact.insert(one.entry);
    else if (one.bits > job.K && one.in_family)
      family.insert(one.entry);
    else if (one.bits > job.K)
      expected[one.entry] = {expected[one.entry].first + 1, one.bits};
  }
  CHECK(result.cases.size() == expected.size());
  for (const PairCase& one : result.cases) {
    const auto same = expected.find(entry_of(job, one.operands[0], one.operands[1]));
    const bool is_right = same != expected.end() && static_cast<std::uint64_t>(one.pairs) == same->second.first &&
                          std::fabs(one.found.bits - same->second.second) < 1e-6;
    if (!is_right)
      FAIL_CHECK(to_text(one.operands));
    else
      expected.erase(same);
  }
  CHECK(expected.empty());
  for (const PairFamily& one : result.families)
    if (one.entries) {
      CAPTURE(one.rule);
      CHECK(static_cast<std::uint64_t>(*one.entries) == (one.is_exact ? exact : family).size());
    }
}

const Format tiny{"tiny", 4, -5, 6};
const Format small{"small", 5, -4, 4};
constexpr Rounding roundings[] = {Rounding::all, Rounding::directed, Rounding::nearest};

// Longer formats are tried with one rounding for each function, or with all of them.
bool in_turn(const std::string& name, Rounding rounding) {
  return test::tries_all || roundings[name.size() % std::size(roundings)] == rounding;
}

} // namespace

TEST_CASE("every pair of a small format is decided as MPFR decides it") {
  for (const char* name : {"pow", "powr", "hypot", "atan2", "atan2pi"})
    for (const Format& format : {tiny, small})
      for (const Rounding rounding : roundings) {
        if (format.precision == small.precision && name == std::string("powr"))
          continue; // the same entries as pow
        if (format.precision == small.precision && !in_turn(name, rounding))
          continue;
        const auto near = by_every_pair(job_of(name, format, rounding, least_pair_bits));
        for (const int bits : {least_pair_bits, 5, 8}) {
          const PairJob job = job_of(name, format, rounding, bits);
          compare_with(near, job, search_every_pair(job, 2));
        }
      }
}

TEST_CASE("breakpoints find what every pair has") {
  for (const Format& format : {small, Format{"longer", 6, -2, 2}, Format{"narrow", 8, -1, 1}})
    for (const Rounding rounding : roundings) {
      for (const char* name : {"hypot", "atan2", "atan2pi"}) {
        if (format.precision == 8 && (rounding != Rounding::directed || name != std::string("atan2")))
          continue; // each of these takes seconds
        if (format.precision == 6 && !in_turn(name, rounding))
          continue;
        const auto near = by_every_pair(job_of(name, format, rounding, least_bits_by_breakpoints(format)));
        for (const int more : {0, 1, 3, 6}) {
          const PairJob job = job_of(name, format, rounding, least_bits_by_breakpoints(format) + more);
          compare_with(near, job, job.function->name == "hypot" ? search_hypotenuses(job, 2) : search_angles(job, 2));
        }
      }
    }
}

TEST_CASE("all integers: powers and roots are decided as MPFR decides them") {
  for (const Format& format : {tiny, small, Format{"longer", 6, -2, 2}, Format{"narrow", 8, -1, 1}})
    for (const Rounding rounding : roundings)
      for (const char* name : {"pown", "rootn"}) {
        const bool is_root = name == std::string("rootn");
        if ((format.precision > 5 && rounding != Rounding::all) || (format.precision > 6 && is_root))
          continue; // each of these takes seconds
        if (format.precision == 5 && !in_turn(name, rounding))
          continue;
        const auto near = by_every_pair(job_of(name, format, rounding, is_root ? 8 : least_pair_bits));
        for (const int bits : {least_pair_bits, 5, 8, 9, 11})
          if (!is_root || bits >= 8) {
            const PairJob job = job_of(name, format, rounding, bits);
            compare_with(near, job, search_pairs(job, 2));
          }
      }
}

TEST_CASE("breakpoints and every pair have the same cases of formats of 16 bits") {
  for (const char* name : {"hypot", "atan2", "atan2pi"}) {
    const PairJob job = job_of(name, find_format("bfloat16"), Rounding::all, 13);
    const PairResult one = search_every_pair(job, 2);
    const PairResult other = std::string(name) == "hypot" ? search_hypotenuses(job, 2) : search_angles(job, 2);
    const auto text = [](const PairResult& result) {
      std::string all;
      for (const PairCase& found : result.cases)
        all += to_text(found.operands) + " " + to_string(found.pairs) + "\n";
      return all;
    };
    CHECK(text(one) == text(other));
    CHECK(!one.cases.empty());
    for (std::size_t i = 0; i < one.families.size(); ++i)
      if (other.families[i].entries) {
        CAPTURE(one.families[i].rule);
        CHECK(to_string(one.families[i].entries.value()) == to_string(other.families[i].entries.value()));
      }
  }
}

TEST_CASE("what cannot be searched is refused in a sentence") {
  const auto refusal = [](const char* name, const Format& format, int bits) {
    return message_of([&] { (void)search_pairs(job_of(name, format, Rounding::all, bits), 1); });
  };
  CHECK(refusal("pow", find_format("binary32"), 44) ==
        "pow in binary32 is searched on a device, by `tmd search` alone");
  CHECK(refusal("hypot", find_format("binary32"), 26) ==
        "hypot in binary32 needs --bits 27 or more: with 26, too many pairs are cases");
  CHECK(refusal("atan2", find_format("binary64"), 100) ==
        "atan2 can be searched in formats of up to 27 bits of precision; binary64 has 53");
  CHECK(refusal("rootn", find_format("binary32"), 11) ==
        "rootn in binary32 needs --bits 12 or more: with 11, too many pairs are cases");
  CHECK(refusal("pow", tiny, 2) == "functions of two variables need --bits 3 or more");
  // π/2 of four bits is next to a breakpoint.
  CHECK_THROWS_AS((void)search_angles(job_of("atan2", tiny, Rounding::nearest, 7), 1), UsageError);
}

} // namespace tmd::pairs
