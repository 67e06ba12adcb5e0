// Searches formats of 16 bits pair by pair: double decides nearly all pairs, MPFR and Arb the rest. Pairs with the same
// answer are examined once: a ratio for atan2, significands and the difference of exponents for hypot.
#include "format/argument.hpp"
#include "number/in_parallel.hpp"
#include "pairs/estimate.hpp"
#include "pairs/findings.hpp"
#include "pairs/pair_search.hpp"
#include "pairs/scaling_class.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace tmd::pairs {

namespace {

constexpr int most_numbers_bits = 16; // log2 of how many positive numbers a format has
constexpr int most_exponent = 255;    // of a number, up or down: squares must be doubles

// The positive numbers of a format, in increasing order.
std::vector<Argument> numbers_of(const Format& format) {
  const format::ArgumentSet set(format, format.precision);
  std::vector<Argument> numbers;
  for (format::ArgumentSet::Rank rank = 1; rank < set.end(); ++rank)
    numbers.push_back(set.at(rank));
  return numbers;
}

double to_double(const Argument& x) {
  const double size = std::ldexp(static_cast<double>(x.significand), x.unit_exponent);
  return x.negative ? -size : size;
}

// log2 x, rounded to nearest.
double binary_logarithm(const Argument& x) {
  number::Mpfr value = format::to_mpfr(x);
  mpfr_prec_round(value, 128, MPFR_RNDN);
  mpfr_log2(value, value, MPFR_RNDN);
  return mpfr_get_d(value, MPFR_RNDN);
}

// Gives the cases that an estimate leaves open to MPFR and Arb.
template <typename Entry> void take(PairFindings& findings, Judged judged, const Entry& entry) {
  if (judged == Judged::nothing)
    return;
  if (judged == Judged::family)
    findings.add_to_family(1);
  else
    entry(judged == Judged::perhaps_family);
}

// A task of a function, by its number.
using Work = std::function<void(std::uint64_t task, PairFindings& findings)>;
struct Tasks {
  std::uint64_t count;
  Work work;
};

// x^y for x > 0: a task is one x.
Tasks powers(const PairJob& job) {
  const int p = job.format.precision;
  const double greatest = job.format.max_exponent + 1;
  const double least = job.format.min_exponent - p - 2;
  const auto numbers = numbers_of(job.format);
  std::vector<double> exponents;
  exponents.reserve(numbers.size());
  for (const Argument& y : numbers)
    exponents.push_back(to_double(y));
  const PowerOfTwo power(std::ldexp(1, -p - 1));
  const EstimateJudge judge(job.grid(), job.K);
  return {numbers.size(), [=](std::uint64_t task, PairFindings& findings) {
            const Argument& x = numbers[task];
            const double logarithm = binary_logarithm(x);
            if (logarithm == 0)
              return;
            findings.add_tested(uint128(2) * numbers.size());
            for (std::size_t i = 0; i < numbers.size(); ++i)
              for (const bool negative : {false, true}) {
                const double t = (negative ? -exponents[i] : exponents[i]) * logarithm;
                if (t > greatest || t < least)
                  continue;
                take(findings, judge(power(t)), [&](bool in_family) {
                  Argument y = numbers[i];
                  y.negative = negative;
                  findings.look_at({x, y}, 1, in_family);
                });
              }
          }};
}

// A task is one odd x.
Tasks angles(const PairJob& job) {
  const Format format = job.format;
  const int range =
      format.max_exponent - format.min_exponent + format.precision; // differences of units' exponents, plus 1
  const Angle angle(job);
  const EstimateJudge judge(job.grid(), job.K);
  const std::uint64_t half = std::uint64_t{1} << (format.precision - 1);
  return {half, [=](std::uint64_t task, PairFindings& findings) {
            const std::uint64_t x = 2 * task + 1;
            for (std::uint64_t y = 1; y < 2 * half; y += 2) {
              if (std::gcd(x, y) != 1)
                continue;
              const int first = static_cast<int>(std::bit_width(x)) - range;
              const int last = range - static_cast<int>(std::bit_width(y));
              findings.add_tested(2 * (static_cast<uint128>(last - first) + 1));
              for (int exponent = first; exponent <= last; ++exponent)
                for (const bool left : {false, true}) {
                  const Ratio ratio{left, y, x, exponent};
                  take(findings, judge(angle(value_of(ratio), left, is_in_family(job, ratio))),
                       [&](bool in_family) { findings.look_at(ratio, in_family); });
                }
            }
          }};
}

// A task is one x: first a significand, for values that are not subnormal, then a subnormal x, for values that are.
Tasks hypotenuses(const PairJob& job) {
  const Format format = job.format;
  const std::uint64_t half = std::uint64_t{1} << (format.precision - 1);
  const int unit = format.min_exponent - format.precision + 1;
  const int range = format.max_exponent - format.min_exponent;
  const EstimateJudge normal({job.rounding, format.precision}, job.K);
  const EstimateJudge subnormal(job.grid(), job.K);
  const auto scaling = [=](std::uint64_t x, PairFindings& findings) {
    for (std::uint64_t y = half; y < 2 * half; ++y)
      for (int d = y <= x ? 0 : 1; d <= range + std::countr_zero(y); ++d) {
        const Legs legs{x, y, d};
        if (pairs_of(legs, format) == 0)
          continue;
        findings.add_tested(1);
        take(findings, normal(hypotenuse(std::ldexp(static_cast<double>(x), d), static_cast<double>(y))),
             [&](bool in_family) { findings.look_at(legs, in_family); });
      }
  };
  const auto fixed = [=](std::uint64_t x, PairFindings& findings) {
    for (std::uint64_t y = 1; y <= x && x * x + y * y < half * half; ++y) {
      findings.add_tested(1);
      take(findings,
           subnormal(hypotenuse(std::ldexp(static_cast<double>(x), unit), std::ldexp(static_cast<double>(y), unit))),
           [&](bool in_family) {
             findings.look_at({Argument{false, x, unit}, Argument{false, y, unit}}, 1, in_family);
           });
    }
  };
  return {2 * half, [=](std::uint64_t task, PairFindings& findings) {
            task >= half ? scaling(task, findings) : fixed(task, findings);
          }};
}

Tasks tasks_of(const PairJob& job) {
  const std::string& name = job.function->name;
  return name == "hypot" ? hypotenuses(job) : name.starts_with("atan2") ? angles(job) : powers(job);
}

} // namespace

bool serves_every_pair(const PairJob& job) {
  const Format& format = job.format;
  return !job.function->takes_integer && format.max_exponent <= most_exponent &&
         format.min_exponent - format.precision >= -most_exponent &&
         std::ldexp(format.max_exponent - format.min_exponent + 2, format.precision - 1) <=
             std::ldexp(1, most_numbers_bits);
}

PairResult search_every_pair(const PairJob& job, unsigned threads) {
  const Tasks tasks = tasks_of(job);
  std::vector<PairFindings> findings(std::max(threads, 1U), PairFindings(job));
  number::in_parallel(tasks.count, threads,
                      [&](std::uint64_t task, unsigned thread) { tasks.work(task, findings[thread]); });
  for (auto other = findings.begin() + 1; other != findings.end(); ++other)
    findings.front().add(std::move(*other));
  PairResult result = std::move(findings.front()).result();
  result.method = "pair by pair";
  return result;
}

} // namespace tmd::pairs
