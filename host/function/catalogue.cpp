#include "function/catalogue.hpp"

#include "error.hpp"
#include "function/exactness.hpp"
#include "function/exponential.hpp"
#include "function/logarithm.hpp"
#include "function/power.hpp"
#include "function/trigonometric.hpp"
#include "support/text.hpp"

#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Function> make_catalogue() {
  const Domain everywhere{-infinity, false, infinity, false, "every x"};
  const Domain positive{0, false, infinity, false, "x > 0"};
  // name, description, domain, series, value, exactness, the same in words, symmetry
  return {
      {"cbrt", "cube root", everywhere, cbrt_series, correctly_rounded(mpfr_cbrt), exact_at_cubes,
       "x is the cube of a dyadic number", Symmetry::odd},
      {"exp", "e^x", everywhere, exp_series, correctly_rounded(mpfr_exp), exact_at_zero, "x = 0", Symmetry::none},
      {"exp2", "2^x", everywhere, exp2_series, correctly_rounded(mpfr_exp2), exact_at_integers, "x is an integer",
       Symmetry::none},
      {"log", "natural logarithm", positive, log_series, correctly_rounded(mpfr_log), exact_at_one, "x = 1",
       Symmetry::none},
      {"sin", "sine", everywhere, sin_series, correctly_rounded(mpfr_sin), exact_at_zero, "x = 0", Symmetry::odd},
  };
}

} // namespace

std::span<const Function> functions() {
  static const std::vector<Function> catalogue = make_catalogue();
  return catalogue;
}

const Function& find_function(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Function& function : functions()) {
    if (function.name == name)
      return function;
    names.push_back(function.name);
  }
  throw UsageError(
      fmt::format("unknown function '{}'; known are {}{}", name, fmt::join(names, ", "), did_you_mean(name, names)));
}

} // namespace tmd
