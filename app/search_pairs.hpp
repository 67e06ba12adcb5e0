// tmd search of a function of two variables.
#pragma once

#include "function/pairs.hpp"
#include "run/ranks.hpp"
#include "tmd/search_spec.hpp"

#include <cxxopts.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tmd::app {

// Searches it and returns the exit status; nothing if FUNCTION is not one of two variables. ranks: may be null.
[[nodiscard]] std::optional<int> search_pair_function(const cxxopts::ParseResult& parsed, run::Ranks* ranks);

// The request except FUNCTION. Throws UsageError for options not in `options`.
[[nodiscard]] SearchSpec spec_of_pairs(const cxxopts::ParseResult& parsed, const function::PairFunction& function,
                                       std::span<const std::string_view> options);
// Whether a text is an expression of x and y.
[[nodiscard]] bool is_of_two_variables(const std::string& text);
// The requested number of threads, or the number of cores.
[[nodiscard]] unsigned threads_of(const SearchSpec& spec);

} // namespace tmd::app
