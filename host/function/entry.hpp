// Helpers for writing the entries of the catalogue.
#pragma once

#include "function/exactness.hpp"
#include "function/function.hpp"

#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace tmd::function {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

inline const Domain every_x{-unbounded, false, unbounded, false, "every x"};
inline const Domain positive_x{0, false, unbounded, false, "x > 0"};
inline const Domain nonnegative_x{0, true, unbounded, false, "x >= 0"};

// The real line except the points that the text names: poles.
[[nodiscard]] inline Domain every_x_but(const std::string& poles) {
  return {-unbounded, false, unbounded, false, "every x but " + poles};
}

// MPFR's functions of one argument: y = f(x), rounded; returns the ternary value.
using RoundedFunction = std::function<int(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding)>;

[[nodiscard]] inline Function entry(std::string name, std::string description, Domain domain, Symmetry symmetry,
                                    Series series, RoundedFunction value, ExactValues exact,
                                    std::optional<Scaling> scaling = {}) {
  return {std::move(name),
          std::move(description),
          std::move(domain),
          std::move(series),
          correctly_rounded(std::move(value)),
          std::move(exact.exactness),
          std::move(exact.cases),
          symmetry,
          std::move(exact.theorem),
          scaling};
}

// The same function with rises_from set.
[[nodiscard]] inline Function rising_from(double x, Function function) {
  function.rises_from = x;
  return function;
}

// The same function with its phase.
[[nodiscard]] inline Function of_phase(Phase phase, Function function) {
  function.phase = std::move(phase);
  return function;
}

// The same function with the leading term near 0, if that is a constant times a power and no number of few bits.
[[nodiscard]] inline Function beside(LeadingTerm leading_term, Function function) {
  function.leading_term = std::move(leading_term);
  return function;
}
[[nodiscard]] inline Function beside_line(std::string name, Function function) {
  LeadingTerm line{std::move(name), 1, 0, function.series};
  return beside(std::move(line), std::move(function));
}

// The same function with its limits, greater_than and less_than.
[[nodiscard]] inline Function between(double greater_than, double less_than, Function function) {
  function.greater_than = greater_than;
  function.less_than = less_than;
  return function;
}

} // namespace tmd::function
