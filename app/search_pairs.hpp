// tmd search of a function of two variables.
#pragma once

#include "function/pairs.hpp"
#include "tmd/search_spec.hpp"

#include <cxxopts.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace tmd::app {

// Searches it, and says with which status; nothing where FUNCTION is no function of two variables.
[[nodiscard]] std::optional<int> search_pair_function(const cxxopts::ParseResult& parsed);

// What was asked for, but for FUNCTION. Throws UsageError for options that are none of `options`.
[[nodiscard]] SearchSpec spec_of_pairs(const cxxopts::ParseResult& parsed, const function::PairFunction& function,
                                       std::span<const std::string_view> options);
// As many as were asked for, or as there are cores.
[[nodiscard]] unsigned threads_of(const SearchSpec& spec);

} // namespace tmd::app
