// The right results in every direction at consecutive numbers of a format with up to 32 bits. Polynomials in double
// with a proven error give most of them; MPFR decides only values nearer to a breakpoint than that error.
//
// A run of arguments has a Taylor polynomial P with a proven remainder (polynomial/taylor.hpp) for F, the value in
// units of its last place. The breakpoints of F are the multiples of 1/2. The integers nearest to the first two
// coefficients of P are subtracted: that moves no breakpoint, and keeps digits where f hardly leaves a line through
// breakpoints, as exp and sin near 0. With n the degree and S the sum of the sizes of the terms, Horner's rule in
// double and rounding the coefficients add at most (2n + 2)·2^-53·S to the remainder (Higham, "Accuracy and Stability
// of Numerical Algorithms", section 5.1).
#pragma once

#include "job/job.hpp"
#include "job/pieces.hpp"
#include "library/coded_results.hpp"
#include "library/gamma_results.hpp"
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

// The bits of an encoding of the format, sign included. Throws UsageError if there are more than 32.
[[nodiscard]] int short_encoding_bits(const Format& format);

// A normal double; ldexp() would take longer than all other work for an argument.
[[nodiscard]] inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + std::numeric_limits<double>::max_exponent - 1)
                               << (std::numeric_limits<double>::digits - 1));
}

// For each argument the encoding of f(x) rounded toward zero, and the fraction from there to the next number away from
// zero. Whether a fraction is 0, in (0, 1/2), 1/2, above or 1 is certain.
struct RightResults {
  static constexpr std::uint64_t no_number = ~std::uint64_t(0); // only NaN is right
  static constexpr std::uint64_t unknown = no_number - 1;       // the right result is unknown

  // The fraction given for values below a quarter of the least number. Its error is smaller than that of other
  // fractions.
  static constexpr double least_fraction = std::numeric_limits<double>::denorm_min();

  // Enters the result of argument i. Without one it is unknown, and false is returned.
  [[nodiscard]] bool set(std::size_t i, const std::optional<RightResult>& right) {
    const RightResult entry = right.value_or(RightResult{});
    fraction[i] = entry.fraction;
    toward_zero[i] = !right                    ? unknown
                     : std::isnan(fraction[i]) ? no_number
                                               : static_cast<std::uint64_t>(entry.toward_zero);
    return right.has_value();
  }

  std::vector<std::uint64_t> toward_zero;
  std::vector<double> fraction; // 1: f(x) lies beyond the largest number; NaN: see the two constants
  double error = 0;             // bound for the error of fractions strictly between 0 and 1
  std::size_t by_mpfr = 0;      // number of arguments decided by MPFR
  std::vector<std::size_t> no_value;
  std::vector<std::size_t> undecided;
};

class RightResultFinder {
public:
  // The function must outlive it. Throws UsageError for a format of more than 32 bits.
  RightResultFinder(const function::Function& function, const Format& format);

  // Fills the results for the arguments of a stretch.
  void find(const job::Stretch& stretch, RightResults& results);

private:
  struct BesideLimit {
    RightResult right; // the same for all values
    double error;      // bound for the error of its fraction
  };

  void fill_poles(const job::Stretch& stretch, RightResults& results) const;
  [[nodiscard]] bool fill_beyond(const job::Stretch& stretch, RightResults& results) const;
  [[nodiscard]] std::optional<BesideLimit> beside_limit(arb_srcptr values, bool is_below) const;
  void fill(const job::Cut& cut, std::size_t at, RightResults& results);
  // Fills the results of a run from `at` on, for the arguments of a piece from the index `first` on. Returns false if a
  // shorter run may succeed.
  [[nodiscard]] bool fill_run(const polynomial::ScaledFunction& function, uint128 first, std::size_t count,
                              std::size_t at, RightResults& results) const;
  // Computes by MPFR those of these results whose fraction is NaN.
  void fill_open(const job::Stretch& stretch, uint128 first, std::size_t count, std::size_t at,
                 RightResults& results) const;
  // Computes all of these results by MPFR.
  void fill_slowly(const job::Stretch& stretch, uint128 first, std::size_t count, std::size_t at,
                   RightResults& results) const;
  void fill_one(const Argument& argument, std::size_t at, RightResults& results) const;
  [[nodiscard]] std::uint64_t encoding(bool negative, std::uint64_t magnitude) const;

  job::Job job_;
  format::BreakpointGrid grid_; // the representable numbers
  std::unique_ptr<PhaseResults> phase_;
  Encodings encodings_;
  std::unique_ptr<PeriodicResults> periodic_;
  std::unique_ptr<GammaResults> gamma_;
  std::size_t run_; // number of arguments to try for the next run
};

} // namespace tmd::library
