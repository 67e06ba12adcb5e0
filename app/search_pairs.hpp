// tmd search of a function of two variables.
#pragma once

#include <cxxopts.hpp>

#include <optional>

namespace tmd::app {

// Searches it, and says with which status; nothing where FUNCTION is no function of two variables.
[[nodiscard]] std::optional<int> search_pair_function(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
