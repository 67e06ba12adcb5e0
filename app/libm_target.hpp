// The target of `tmd libm`, chosen by options: a function of a shared library, a command, or a function of OpenCL.
#pragma once

#include "library/called_function.hpp"
#include "tmd/format.hpp"

#include <optional>
#include <string>

#include <cxxopts.hpp>
#include <nlohmann/json.hpp>

namespace tmd::function {
struct Function;
struct PairFunction;
} // namespace tmd::function

namespace tmd::app {

// A new kind of target needs its options, a class in host/library, and a function in libm_target.cpp that makes one.
struct LibmTarget {            // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  std::string text;            // description for titles
  nlohmann::ordered_json keys; // keys that describe it in the first record
  library::MakeCalledFunction open;
  bool flags = false;                                // whether it reads flags, as requested
  std::optional<std::string> promise = std::nullopt; // the promise that a standard makes for it
};

void add_target_options(cxxopts::Options& options);

// Throws UsageError if the options do not define a target, or contradict each other.
[[nodiscard]] LibmTarget libm_target(const cxxopts::ParseResult& parsed, const function::Function& function,
                                     const Format& format);

// The same for a function of two variables. Only shared libraries serve these.
[[nodiscard]] LibmTarget libm_target(const cxxopts::ParseResult& parsed, const function::PairFunction& function,
                                     const Format& format);

// The target to compare with: --against, if it is given.
[[nodiscard]] std::optional<LibmTarget> libm_other_target(const cxxopts::ParseResult& parsed,
                                                          const function::Function& function, const Format& format);

// Runs the process that calls a library: `tmd libm --serve`.
void serve_libm(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
