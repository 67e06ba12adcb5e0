// A stretch of arguments with one polynomial, as the kernels of cl_kernels/differences/runs.cl take it: it is cut into
// runs of 2^run_bits arguments, whose values modulo 1 are made of the differences at their first arguments by
// additions.
#pragma once

#include "number/bound.hpp"
#include "polynomial/taylor.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tmd::engine::differences {

// P at successive arguments modulo 1, in units of 2^-128.
struct DifferenceTable {
  static constexpr int most_degree = 12;

  std::array<uint128, most_degree + 1> row{}; // differences of P at the first argument: of order 0, 1, …
  int degree = 0;
};

// Goes through the arguments 0 … count − 1 of a table: appends to `near`, plus `first`, those whose value modulo 1 lies
// within (tolerance − 1)·2^-64 of an integer, and others that are no further than that and 2^-63. The table ends at the
// argument `count`.
void list_near_integers(DifferenceTable& table, std::uint64_t count, std::uint64_t tolerance, std::uint64_t first,
                        std::vector<std::uint64_t>& near);

struct DifferenceStretch {
  uint128 first = 0; // its index in the piece
  std::uint64_t count = 0;
  int run_bits = 0;
  int differences = 0;              // of a run
  int size = 0;                     // coefficients of the differences of order 0; one fewer for each further order
  std::vector<std::uint64_t> words; // modulo 1, order by order: the differences at a run, in powers of its number
  number::Bound rounding;           // how far the runs' values are from the polynomial's, behind their ends, too
  number::Bound bound;              // of the distance of the runs' values from breakpoints where F's are within ε

  [[nodiscard]] std::uint64_t runs() const { return ((count - 1) >> run_bits) + 1; }
  [[nodiscard]] std::uint64_t length(std::uint64_t run) const;
  // Bounds for 64 bits of values: of arguments that are candidates, and of where a run ends and the next one starts.
  [[nodiscard]] std::uint64_t tolerance() const { return bound.fixed_point() + 1; }
  [[nodiscard]] std::uint64_t seam_tolerance() const { return rounding.scaled(1).fixed_point() + 1; }

  // The differences at the run's first argument, as the kernels make them.
  [[nodiscard]] DifferenceTable start(std::uint64_t run) const;
  // Appends the places in the run of arguments near an integer, as the kernels do. Returns whether the run ends where
  // the next one starts.
  [[nodiscard]] bool walk(std::uint64_t run, std::uint64_t tolerance, std::uint64_t seam_tolerance,
                          std::vector<std::uint64_t>& near) const;
};

// The longest runs for which 128 bits are enough; nothing if the shortest ones of `fewest` arguments, a power of two,
// are too long.
inline constexpr std::uint64_t shortest_run = 16; // shorter ones are no cheaper than MPFR
inline constexpr int most_run_bits = 11;
[[nodiscard]] std::optional<DifferenceStretch> difference_stretch(const polynomial::TaylorPolynomial& taylor, int K);

// A polynomial of low degree for the arguments, unless each misses F by more than a small part of ε = 2^-bits.
[[nodiscard]] std::optional<polynomial::TaylorPolynomial> polynomial_of_runs(const polynomial::ScaledFunction& function,
                                                                             int K, uint128 first, std::uint64_t count);

// Each of what runs add to ε is this far below it, so that they cost no candidates.
inline constexpr long margin_bits = 8;
inline constexpr std::uint64_t longest_stretch = std::uint64_t(1) << 24;

} // namespace tmd::engine::differences
