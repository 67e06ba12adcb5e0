// What `tmd libm` calls, chosen by its options: a function of a shared library, a command, or a function of OpenCL.
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

// How one is added: its options, a class for it in host/library, and a function in libm_target.cpp that makes one.
struct LibmTarget {            // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  std::string text;            // which it is, for titles
  nlohmann::ordered_json keys; // the same in the first record
  library::MakeCalledFunction open;
  bool flags = false;                                // whether it reads these, as was asked for
  std::optional<std::string> promise = std::nullopt; // that a standard makes for it
};

void add_target_options(cxxopts::Options& options);

// Throws UsageError where the options do not say what is called, or contradict each other.
[[nodiscard]] LibmTarget libm_target(const cxxopts::ParseResult& parsed, const function::Function& function,
                                     const Format& format);

// The same for a function of two variables. Only shared libraries are called there.
[[nodiscard]] LibmTarget libm_target(const cxxopts::ParseResult& parsed, const function::PairFunction& function,
                                     const Format& format);

// What it is compared with: --against, if it is given.
[[nodiscard]] std::optional<LibmTarget> libm_other_target(const cxxopts::ParseResult& parsed,
                                                          const function::Function& function, const Format& format);

// What the process does that calls a library: `tmd libm --serve`.
void serve_libm(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
