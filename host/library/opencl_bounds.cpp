// The tables "Relative Error as ULPs" of the OpenCL C Specification 3.0 for single precision (full and embedded
// profile) and double precision, and the table of cl_khr_fp16 for half precision.
#include "library/opencl_bounds.hpp"

#include <algorithm>
#include <array>

namespace tmd::library {

namespace {

constexpr const char* correct = "correct";
constexpr const char* open = nullptr;

struct Bounds {
  std::string_view name;
  const char* single;
  const char* embedded_single;
  const char* twice; // double precision, which is the same in both profiles
  const char* half;
  const char* embedded_half;
};

constexpr std::array<Bounds, 34> table{{{"acos", "4", "4", "4", "2", "3"},    {"acosh", "4", "4", "4", "2", "3"},
                                        {"acospi", "5", "5", "5", "2", "3"},  {"asin", "4", "4", "4", "2", "3"},
                                        {"asinh", "4", "4", "4", "2", "3"},   {"asinpi", "5", "5", "5", "2", "3"},
                                        {"atan", "5", "5", "5", "2", "3"},    {"atanh", "5", "5", "5", "2", "3"},
                                        {"atanpi", "5", "5", "5", "2", "3"},  {"cbrt", "2", "4", "2", "2", "2"},
                                        {"cos", "4", "4", "4", "2", "2"},     {"cosh", "4", "4", "4", "2", "3"},
                                        {"cospi", "4", "4", "4", "2", "2"},   {"erf", "16", "16", "16", "4", "4"},
                                        {"erfc", "16", "16", "16", "4", "4"}, {"exp", "3", "4", "3", "2", "3"},
                                        {"exp10", "3", "4", "3", "2", "3"},   {"exp2", "3", "4", "3", "2", "3"},
                                        {"expm1", "3", "4", "3", "2", "3"},   {"lgamma", open, open, open, open, open},
                                        {"log", "3", "4", "3", "2", "3"},     {"log10", "3", "4", "3", "2", "3"},
                                        {"log1p", "2", "4", "2", "2", "3"},   {"log2", "3", "4", "3", "2", "3"},
                                        {"rsqrt", "2", "4", "2", "1", "1"},   {"sin", "4", "4", "4", "2", "2"},
                                        {"sincos", "4", "4", "4", "2", "2"},  {"sinh", "4", "4", "4", "2", "3"},
                                        {"sinpi", "4", "4", "4", "2", "2"},   {"sqrt", "3", "4", correct, correct, "1"},
                                        {"tan", "5", "5", "5", "2", "3"},     {"tanh", "5", "5", "5", "2", "3"},
                                        {"tanpi", "6", "6", "6", "2", "3"},   {"tgamma", "16", "16", "16", "4", "4"}}};

// Functions with native_ and half_ variants.
constexpr std::array<std::string_view, 12> with_variants{"cos",  "exp",   "exp10", "exp2", "log",  "log10",
                                                         "log2", "recip", "rsqrt", "sin",  "sqrt", "tan"};
constexpr const char* half_variant = "8192";

const Bounds* bounds_of(std::string_view name) {
  const auto* const found =
      std::find_if(table.begin(), table.end(), [&](const Bounds& one) { return one.name == name; });
  return found != table.end() ? found : nullptr;
}

bool is_variant(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) &&
         std::find(with_variants.begin(), with_variants.end(), name.substr(prefix.size())) != with_variants.end();
}

bool has(std::string_view options, std::string_view option) { return options.find(option) != std::string_view::npos; }

} // namespace

bool is_built_in(std::string_view name) {
  return bounds_of(name) != nullptr || is_variant(name, "native_") || is_variant(name, "half_");
}

std::optional<std::string> built_in_promise(std::string_view name, const Format& format, bool is_embedded,
                                            std::string_view options) {
  if (has(options, "-cl-fast-relaxed-math") || has(options, "-cl-unsafe-math-optimizations"))
    return std::nullopt;
  if (is_variant(name, "half_"))
    return half_variant;
  const Bounds* const bounds = bounds_of(name);
  if (bounds == nullptr)
    return std::nullopt;
  const bool is_single = format.name == "binary32";
  if (is_single && name == "sqrt" && has(options, "-cl-fp32-correctly-rounded-divide-sqrt"))
    return correct;
  const char* const bound = is_single                   ? (is_embedded ? bounds->embedded_single : bounds->single)
                            : format.name == "binary64" ? bounds->twice
                            : is_embedded               ? bounds->embedded_half
                                                        : bounds->half;
  return bound != nullptr ? std::optional<std::string>(bound) : std::nullopt;
}

} // namespace tmd::library
