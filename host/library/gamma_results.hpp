// The right results of lgamma and tgamma between negative integers that have few numbers between them, where each unit
// would need polynomials of its own, and most of its numbers MPFR.
//
// By reflection, with u = -x > 0 and r the fraction of u,
//   lgamma(x) = -(lgamma(1 + u) + log|sin(π·r)| - log π),
// a smooth function of u and one of few fractions. |tgamma(x)| is no greater than π/(sin(π·d)·Γ(1 + u)) if r is at
// least d from both integers; from some u on that is so small that only the sign matters, which is that of -(-1)^⌊u⌋.
#pragma once

#include "function/function.hpp"
#include "job/stretch.hpp"
#include "library/encodings.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tmd::library {

struct RightResults;

class GammaResults {
public:
  // Nothing for other functions.
  [[nodiscard]] static std::unique_ptr<GammaResults> of(const function::Function& function, const Encodings& encodings);

  // Whether this is the faster way for a stretch.
  [[nodiscard]] bool serves(const job::Stretch& stretch) const;
  // Fills the results, which must have the size of the stretch. Returns the indices of those that stay open.
  [[nodiscard]] std::vector<std::size_t> find(const job::Stretch& stretch, RightResults& results);

private:
  // lgamma(1 + u) = constant + slope·t + Σ coefficients[j]·t^j, in units of 2^-scale_, for the t-th number from the
  // middle of a run on.
  struct Run {
    std::int64_t constant = 0;
    std::int64_t slope = 0;
    std::vector<double> coefficients;
    bool is_certain = false; // of an error below half a unit
  };

  GammaResults(const function::Function& function, const Encodings& encodings, bool is_logarithm)
      : function_(function), encodings_(encodings), is_logarithm_(is_logarithm) {}

  [[nodiscard]] bool is_tiny(const job::Stretch& stretch) const;
  void fill_table(int unit_exponent);
  [[nodiscard]] Run run(const job::Stretch& stretch, std::size_t first, std::size_t count) const;
  // Enters -size·2^-scale_. Returns false if a breakpoint is too near.
  [[nodiscard]] bool enter(std::int64_t size, std::size_t at, RightResults& results) const;

  const function::Function& function_;
  const Encodings& encodings_;
  bool is_logarithm_;
  int unit_exponent_ = 0;           // of the numbers that the table is for; 0: there is none yet
  int scale_ = 0;                   // all values of their binade are below 2^(62 - scale_)
  std::vector<std::int64_t> table_; // log|sin(π·r)| - log π in units of 2^-scale_, by r in units of 2^unit_exponent_
};

} // namespace tmd::library
