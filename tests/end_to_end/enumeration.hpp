// Plain enumeration, with which whole searches are compared. It shares nothing with the library: numbers are doubles,
// stepped through one by one, and MPFR computes every value (in large ranges, only those that long double finds close).
#pragma once

#include "end_to_end/workers.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd::test {

struct Known {
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  long double (*estimate)(long double);
};

inline const Known known_exp{"exp", mpfr_exp, std::exp};
inline const Known known_exp2{"exp2", mpfr_exp2, std::exp2};
inline const Known known_expm1{"expm1", mpfr_expm1, std::expm1};
inline const Known known_log{"log", mpfr_log, std::log};
inline const Known known_cos{"cos", mpfr_cos, std::cos};
inline const Known known_sin{"sin", mpfr_sin, std::sin};
inline const Known known_tan{"tan", mpfr_tan, std::tan};
inline const Known known_cbrt{"cbrt", mpfr_cbrt, std::cbrt};

// The numbers ±m·2^e with q bits, spaced as in a format with this least exponent.
struct Numbers {
  int precision;
  int min_exponent;

  [[nodiscard]] double spacing(double magnitude) const {
    const int exponent = magnitude == 0 ? min_exponent : std::max(std::ilogb(magnitude), min_exponent);
    return std::ldexp(1.0, exponent - precision + 1);
  }
  [[nodiscard]] double next(double x) const {
    if (x >= 0)
      return x + spacing(x);
    // At a power of two, the spacing towards zero is that of the binade below.
    const double magnitude = -x;
    return -(magnitude - spacing(std::nextafter(magnitude, 0.0)));
  }
};

struct Found {
  double x;
  double bits; // infinite: exact; not a number: not known
  bool midpoint;
  bool is_kind_told = true;
};

// The exponents that values of a format have.
struct Exponents {
  int min;
  int max;
};

inline constexpr Rounding grids[] = {Rounding::all, Rounding::directed, Rounding::nearest};

// Whether a grid is tried at this turn: one after the other, or with TMD_TEST_ALL all of them at each.
inline bool is_tried(Rounding grid, std::size_t turn) { return tries_all || grid == grids[turn % std::size(grids)]; }

// MPFR numbers that are set up once for all arguments.
class Examiner {
public:
  Examiner(const Known& f, int p, mpfr_prec_t working_precision, std::optional<Exponents> bounds = {})
      : f_(f), p_(p), bounds_(bounds) {
    mpfr_inits2(working_precision, argument_, y_, scaled_, nearest_, static_cast<mpfr_ptr>(nullptr));
  }
  Examiner(const Examiner&) = delete;
  Examiner& operator=(const Examiner&) = delete;
  ~Examiner() { mpfr_clears(argument_, y_, scaled_, nearest_, static_cast<mpfr_ptr>(nullptr)); }

  void evaluate(double x) {
    x_ = x;
    mpfr_set_d(argument_, x, MPFR_RNDN);
    exact_ = f_.evaluate(y_, argument_, MPFR_RNDN) == 0;
  }
  // Values too close to be measured are cases; their bits are a lower bound.
  void allow_beside() { may_be_beside_ = true; }

  // Decides by the definitions (doc/theory/method.md): true if x is a case or exact.
  bool examine(Rounding grid, int bits, Found& found) {
    found = {x_, INFINITY, false};
    if (mpfr_zero_p(y_) != 0) // perhaps too small for MPFR
      return exact_ && grid != Rounding::nearest;
    if (mpfr_number_p(y_) == 0)
      return false;
    // In half-ulps every grid is a set of integers: all, the even, the odd ones.
    mpfr_abs(scaled_, y_, MPFR_RNDN);
    mpfr_exp_t binade = mpfr_get_exp(y_) - 1;
    if (bounds_ && binade > bounds_->max)
      return false;
    if (bounds_ && binade < bounds_->min)
      binade = bounds_->min;
    mpfr_mul_2si(scaled_, scaled_, p_ - binade, MPFR_RNDN);
    if (grid == Rounding::nearest)
      mpfr_sub_ui(scaled_, scaled_, 1, MPFR_RNDN);
    if (grid != Rounding::all)
      mpfr_div_2ui(scaled_, scaled_, 1, MPFR_RNDN);
    mpfr_rint(nearest_, scaled_, MPFR_RNDN);
    mpfr_sub(scaled_, scaled_, nearest_, MPFR_RNDN);
    mpfr_abs(scaled_, scaled_, MPFR_RNDN);
    // Neither 0 nor what follows the largest number or the last midpoint is a breakpoint of a format.
    if (bounds_ && mpfr_zero_p(nearest_) != 0 && grid != Rounding::nearest)
      return false;
    if (bounds_ && binade == bounds_->max && mpfr_cmp_ui_2exp(nearest_, 1, grid == Rounding::all ? p_ + 1 : p_) == 0)
      return false;
    const bool is_beside = mpfr_zero_p(scaled_) != 0 && !exact_;
    if (is_beside)
      REQUIRE(may_be_beside_); // a failure means that the working precision is too small
    else if (mpfr_zero_p(scaled_) == 0 && mpfr_cmp_ui_2exp(scaled_, 1, -bits) >= 0)
      return false;
    mpfr_div_2ui(nearest_, nearest_, 1, MPFR_RNDN);
    found.midpoint = grid == Rounding::nearest || (grid == Rounding::all && mpfr_integer_p(nearest_) == 0);
    if (is_beside)
      found.bits = NAN;
    else if (mpfr_zero_p(scaled_) == 0) {
      long exponent = 0;
      const double distance = mpfr_get_d_2exp(&exponent, scaled_, MPFR_RNDN);
      found.bits = -std::log2(distance) - static_cast<double>(exponent);
    }
    return true;
  }

private:
  const Known& f_;
  int p_;
  std::optional<Exponents> bounds_;
  double x_ = 0;
  bool exact_ = false;
  bool may_be_beside_ = false;
  mpfr_t argument_, y_, scaled_, nearest_;
};

struct Enumeration {
  std::uint64_t arguments = 0;
  std::vector<Found> found;
};

// Enumerates for every grid. The coarse values are correctly rounded, so that a distance is wrong by 2^(1 − bits − 40)
// of a half-ulp at most, and its bits by less than 10^-8 unless it is less than 2^(−bits − 8). More bits decide only
// what is closer than that, exact, or next to the bound.
inline std::vector<Enumeration> enumerate(const Known& f, const Numbers& numbers, double from, double to, int p,
                                          int bits, std::optional<Exponents> bounds = {}) {
  std::vector<Enumeration> result(std::size(grids));
  Examiner examiner(f, p, 400, bounds);
  Examiner coarse(f, p, p + bits + 40, bounds);
  coarse.allow_beside();
  if (bounds)
    examiner.allow_beside();
  Found found{};
  for (double x = from; x < to; x = numbers.next(x)) {
    coarse.evaluate(x);
    bool evaluated = false;
    for (std::size_t i = 0; i < result.size(); ++i) {
      ++result[i].arguments;
      if (!coarse.examine(grids[i], bits - 1, found))
        continue;
      if (found.bits < bits + 8 && std::fabs(found.bits - bits) > 1e-6) {
        if (found.bits > bits)
          result[i].found.push_back(found);
        continue;
      }
      if (!std::exchange(evaluated, true))
        examiner.evaluate(x);
      if (examiner.examine(grids[i], bits, found))
        result[i].found.push_back(found);
    }
  }
  return result;
}

// For many arguments: MPFR decides only where the long double is close. Its error is below 4 ulps, 2^−61 of the value.
inline Enumeration enumerate_fast(const Known& f, const Numbers& numbers, double from, double to, int p, Rounding grid,
                                  int bits) {
  static_assert(LDBL_MANT_DIG >= 64);
  const long double near = std::ldexp(1.0L, -bits) + std::ldexp(1.0L, p + 1 - 61);
  Enumeration result;
  Examiner examiner(f, p, 200);
  Found found{};
  for (double x = from; x < to; x = numbers.next(x)) {
    ++result.arguments;
    const long double value = std::fabs(f.estimate(x));
    long double scaled = std::ldexp(value, p - std::ilogb(value));
    if (grid != Rounding::all)
      scaled = (scaled - (grid == Rounding::nearest ? 1 : 0)) / 2;
    // At a power of two the estimate may lie in the wrong binade; there MPFR decides.
    const long double fraction = std::ldexp(value, -std::ilogb(value));
    if (std::fabs(scaled - std::rint(scaled)) < near || fraction - 1 < 1e-15L || 2 - fraction < 1e-15L) {
      examiner.evaluate(x);
      if (examiner.examine(grid, bits, found))
        result.found.push_back(found);
    }
  }
  return result;
}

// The usual tunables.
inline TestDevice& usual_device() {
  static TestDevice result;
  return result;
}

inline double to_double(const Argument& x) {
  const double magnitude = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(x.significand)), x.unit_exponent);
  return x.negative ? -magnitude : magnitude;
}

// Work of the device over many searches: the stages must have decided something.
struct Work {
  engine::Stages stages;
  std::uint64_t candidates = 0;
  std::uint64_t pieces = 0;
  std::uint64_t intervals = 0;

  void add(const result::SearchResult& result) {
    tmd::engine::add(stages, result.stages);
    candidates += result.candidates;
    for (const result::FieldReport& report : result.fields)
      if (!report.field.is_direct()) {
        ++pieces;
        intervals += static_cast<std::uint64_t>(report.intervals);
      }
  }
  [[nodiscard]] engine::Stage counts(std::string_view name) const { return engine::stage(stages, name); }
  void check() const {
    for (const char* name : {"phase1", "phase2"}) {
      CHECK(counts(name).tested > counts(name).kept);
      CHECK(counts(name).kept > 0);
    }
    CHECK(candidates > 0);
  }
  void check_wide() const {
    CHECK(counts("wide_groups").tested > 0);
    CHECK(counts("wide_check").tested > counts("wide_check").kept);
    CHECK(counts("wide_check").kept > 0);
    CHECK(candidates > 0);
  }
};

struct Range {
  std::string format;
  int p;
  int min_exponent;
  int q;
  double from;
  double to;
};

inline Task make_task(const Known& f, const Range& range, Rounding grid, int bits) {
  Task task;
  task.function = &function::find_function(f.name);
  task.format = find_format(range.format);
  task.argument_precision = range.q;
  task.rounding = grid;
  task.K = bits;
  const auto hex = [](double x) {
    char text[64];
    (void)std::snprintf(text, sizeof text, "%a", x);
    return std::string(text);
  };
  task.first = task.arguments().parse(hex(range.from), "from");
  task.last = task.arguments().parse(hex(range.to), "to");
  return task;
}

// The hard and exact cases of a result in the order of the arguments, as enumeration finds them; those of ranges are
// included.
inline std::vector<Found> found_in(const job::Job& job, const result::SearchResult& result) {
  std::vector<Found> found;
  for (const job::RegimeRange& range : result.regimes)
    for (auto rank = range.ranks.first; range.regime.rule && rank < range.ranks.last; ++rank) {
      const auto& breakpoint = range.regime.rule->breakpoint;
      found.push_back(
          {to_double(job.arguments().at(rank)), NAN, breakpoint == Breakpoint::midpoint, breakpoint.has_value()});
    }
  for (const auto* list : {&result.cases, &result.exact})
    for (const Case& one : *list)
      found.push_back({to_double(one.x), one.bits, one.breakpoint == Breakpoint::midpoint});
  std::sort(found.begin(), found.end(), [](const Found& left, const Found& right) { return left.x < right.x; });
  return found;
}

// Checks that every argument of the job was covered, and that the search found what enumeration finds.
inline void check_found(const job::Job& job, const result::SearchResult& result, const Enumeration& expected) {
  CHECK(result.arguments() == uint128(expected.arguments));
  CHECK(result.covered == job.range());
  CHECK(result.undecided.empty());
  const std::vector<Found> found = found_in(job, result);
  REQUIRE(found.size() == expected.found.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Found& want = expected.found[i];
    const bool same_bits = std::isnan(found[i].bits) ? !std::isinf(want.bits)
                           : std::isinf(want.bits)   ? std::isinf(found[i].bits)
                                                     : std::fabs(want.bits - found[i].bits) < 1e-5;
    wrong += found[i].x != want.x || !same_bits || (found[i].is_kind_told && found[i].midpoint != want.midpoint);
  }
  CHECK(wrong == 0);
}

inline void compare(const Task& task, TestDevice& device, const Enumeration& expected, Work& work) {
  const result::SearchResult result = device.run(task);
  work.add(result);
  INFO(task.identity());
  check_found(task, result, expected);
}

} // namespace tmd::test
