// What a function's values at consecutive numbers of a format round to in every direction, for formats of up to 32
// bits: by polynomials in double, whose error is bounded, and by MPFR only where a value may lie nearer to a breakpoint
// than that.
//
// A run of arguments has a Taylor polynomial P with a proven remainder (polynomial/taylor.hpp) for F, the value in
// units of its last place. F's breakpoints are the integers and the numbers half-way between, and P(t) less the
// integers next to its first two coefficients is small and has them, too: so it keeps its digits where f hardly leaves
// a line through breakpoints, as exp and sin do next to 0. With n the degree and S the sum of the sizes of the terms,
// Horner's rule in double and rounding the coefficients add at most (2n + 2)·2^-53·S to the remainder (Higham,
// "Accuracy and Stability of Numerical Algorithms", section 5.1).
#pragma once

#include "job/job.hpp"
#include "job/pieces.hpp"
#include "library/coded_results.hpp"
#include "library/periodic_results.hpp"
#include "library/phase_results.hpp"
#include "polynomial/scaled_function.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace tmd::library {

// Of a number of the format, with its sign. Throws UsageError for a format that has more than 32.
[[nodiscard]] int short_encoding_bits(const Format& format);

// A normal number of double; ldexp() would take longer than all else that an argument takes.
[[nodiscard]] inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + std::numeric_limits<double>::max_exponent - 1)
                               << (std::numeric_limits<double>::digits - 1));
}

// Of each argument the number that f(x) rounds to toward zero, by its encoding, and how far f(x) is from there to the
// next number away from zero. What is said of a fraction by its place among 0, 1/2 and 1 is certain.
struct RightResults {
  static constexpr std::uint64_t no_number = ~std::uint64_t(0); // where only "not a number" is right
  static constexpr std::uint64_t unknown = no_number - 1;       // where it is not known what is

  // What toward_zero has of a result.
  [[nodiscard]] static std::uint64_t entry_of(const RightResult& right) {
    return std::isnan(right.fraction) ? no_number : static_cast<std::uint64_t>(right.toward_zero);
  }

  std::vector<std::uint64_t> toward_zero;
  std::vector<double> fraction; // 1: f(x) lies beyond the largest number; not a number: see above
  double error = 0;             // of fractions strictly between 0 and 1
  std::size_t by_mpfr = 0;      // arguments
  std::vector<std::size_t> no_value;
  std::vector<std::size_t> undecided;
};

class RightResultFinder {
public:
  // The function must outlive it. Throws UsageError for a format of more than 32 bits.
  RightResultFinder(const function::Function& function, const Format& format);

  // Arguments of a stretch.
  void find(const job::Stretch& stretch, RightResults& results);

private:
  struct BesideLimit {
    RightResult right; // of all values
    double error;      // of its fraction
  };

  void fill_poles(const job::Stretch& stretch, RightResults& results) const;
  [[nodiscard]] bool fill_beyond(const job::Stretch& stretch, RightResults& results) const;
  [[nodiscard]] std::optional<BesideLimit> beside_limit(arb_srcptr values, bool is_below) const;
  void fill(const job::Cut& cut, std::size_t at, RightResults& results);
  // A run of a piece, from its index `first` on, whose results begin at `at`; false where a shorter one may serve.
  [[nodiscard]] bool fill_run(const polynomial::ScaledFunction& function, uint128 first, std::size_t count,
                              std::size_t at, RightResults& results) const;
  // Computes the results among these whose fraction is not a number, by MPFR.
  void fill_open(const job::Stretch& stretch, uint128 first, std::size_t count, std::size_t at,
                 RightResults& results) const;
  // One by one.
  void fill_slowly(const job::Stretch& stretch, uint128 first, std::size_t count, std::size_t at,
                   RightResults& results) const;
  void fill_one(const Argument& argument, std::size_t at, RightResults& results) const;
  [[nodiscard]] std::uint64_t encoding(bool negative, std::uint64_t magnitude) const;

  job::Job job_;
  format::BreakpointGrid grid_; // of representable numbers
  std::unique_ptr<PhaseResults> phase_;
  Encodings encodings_;
  std::unique_ptr<PeriodicResults> periodic_;
  std::size_t run_; // arguments of a run, to be tried next
};

} // namespace tmd::library
