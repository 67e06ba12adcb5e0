// The right results at numbers far from zero for functions with an irrational period, such as sin at 2^60. Neighbouring
// arguments lie periods apart, so no polynomial in x serves them. But x/period modulo 1 is a product of integers modulo
// 2^128, and polynomials on cells of half a period serve all arguments.
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
  // Nothing for a function without such a period.
  [[nodiscard]] static std::unique_ptr<PhaseResults> of(const function::Function& function, const Format& format);

  // Whether this is the faster way for a stretch.
  [[nodiscard]] static bool serves(const job::Stretch& stretch);
  // Fills the results, which must have the size of the stretch. A fraction that stays open is NaN.
  void find(const job::Stretch& stretch, RightResults& results) const;

private:
  static constexpr int cell_bits = 12;
  static constexpr int degree = 8;

  // g(φ) = Σ coefficients[j]·s^j + an error, where s runs from −1 at one end of the cell to 1 at the other.
  struct Cell {
    std::array<double, degree + 1> coefficients{};
    double error = 0;
  };

  PhaseResults(const function::Phase& phase, Format format, const std::array<bool, 4>& negative);
  [[nodiscard]] Cell cell(std::uint64_t number) const;

  const function::Phase* phase_;
  Format format_;
  std::array<bool, 4> negative_; // sign of f in each quarter of two periods
  std::vector<Cell> cells_;
};

} // namespace tmd::library
