// What values at numbers far from zero round to where a function repeats with an irrational period, such as those of
// sin at 2^60: neighbours lie periods apart, and no polynomial serves them. But x/period modulo 1 is a product of
// integers modulo 2^128, and polynomials on cells of half a period serve all.
#pragma once

#include "function/function.hpp"
#include "job/stretch.hpp"
#include "tmd/format.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tmd::library {

struct RightResults;

class PhaseResults {
public:
  // Nothing for a function that does not repeat so.
  [[nodiscard]] static std::unique_ptr<PhaseResults> of(const function::Function& function, const Format& format);

  // Whether this is the better way for a stretch.
  [[nodiscard]] static bool serves(const job::Stretch& stretch);
  // Fractions that are left open are not numbers. Results have room for the stretch.
  void find(const job::Stretch& stretch, RightResults& results) const;

private:
  static constexpr int cell_bits = 12;
  static constexpr int degree = 8;

  // g(φ) = Σ coefficients[j]·s^j and an error, for s = −1 … 1 from one end of the cell to the other.
  struct Cell {
    std::array<double, degree + 1> coefficients{};
    double error = 0;
  };

  PhaseResults(const function::Phase& phase, Format format, const std::array<bool, 4>& negative);
  [[nodiscard]] Cell cell(std::uint64_t number) const;

  const function::Phase* phase_;
  Format format_;
  std::array<bool, 4> negative_; // f in each quarter of two periods
  std::vector<Cell> cells_;
};

} // namespace tmd::library
